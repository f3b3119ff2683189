package labelmodel

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/realdata"
	"orbweaver/page"
)

// given returns the documents of a stream, one per line, and the messages.
func given(t *testing.T, paths ...string) (all []string, messages string) {
	t.Helper()
	var log bytes.Buffer
	s, err := newSource(&console.Console{Err: &log}, paths)
	if err != nil {
		t.Fatal(err)
	}
	for d, err := range s.documents(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		at := ""
		if !d.At.IsZero() {
			at = d.At.Format(time.DateTime)
		}
		all = append(all, strings.ReplaceAll(fmt.Sprintf("%s|%s|%s|%s", d.ID, at, d.Title, d.Text), "\n", "/"))
	}
	return all, log.String()
}

// wants compares documents.
func wants(t *testing.T, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// sgml formats a story like the corpus.
func sgml(id int, date, title, body string) string {
	return fmt.Sprintf("<REUTERS TOPICS=\"YES\" OLDID=\"5544\" NEWID=\"%d\">\n<DATE>%s</DATE>\n<TOPICS><D>tea</D></TOPICS>\n<TEXT>&#2;\n<TITLE>%s</TITLE>\n<DATELINE>    X, Feb 26 - </DATELINE><BODY>%s\n Reuter\n&#3;</BODY></TEXT>\n</REUTERS>\n", id, date, title, body)
}

// TestReutersSGML: stories of several files come by date, then by number, with entities resolved.
func TestReutersSGML(t *testing.T) {
	dir := t.TempDir()
	put(t, dir, "reut2-001.sgm", "<!DOCTYPE lewis SYSTEM \"lewis.dtd\">\n"+
		sgml(4, "26-FEB-1987 15:03:27.51", "TEA &lt;TEA> UP", "Tea rose 5 pct &amp; more.")+
		sgml(3, "26-FEB-1987 15:03:27.01", "CAF\xc9", "Coffee\nfell.\x01"))
	put(t, dir, "reut2-000.sgm",
		sgml(2, " 1-MAR-1987 09:00:00.00", "LATER", "Later.")+sgml(7, "", "NO DATE", "As the one before.")+
			sgml(1, "31-MAR-1986 605:12:19.12", "EARLY", "An hour that is none.")+
			"<REUTERS NEWID=\"8\"><DATE>2-MAR-1987 09:00:00.00</DATE><TEXT TYPE=\"BRIEF\"><TITLE>BRIEF</TITLE></TEXT></REUTERS>")
	got, messages := given(t, dir)
	wants(t, got,
		"reuters:1|1986-03-31 00:00:00|EARLY|An hour that is none.",
		"reuters:3|1987-02-26 15:03:27|CAFÉ|Coffee/fell.",
		"reuters:4|1987-02-26 15:03:27|TEA <TEA> UP|Tea rose 5 pct & more.",
		"reuters:2|1987-03-01 09:00:00|LATER|Later.",
		"reuters:7|1987-03-01 09:00:00|NO DATE|As the one before.",
		"reuters:8|1987-03-02 09:00:00|BRIEF|",
	)
	if messages != "" {
		t.Error(messages)
	}
}

// packed writes files into a .tar.gz.
func packed(t *testing.T, files ...[2]string) string {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, f := range files {
		if err := errors.Join(w.WriteHeader(&tar.Header{Name: f[0], Mode: 0o644, Size: int64(len(f[1]))})); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, f[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// TestReutersPacked: both forms are read from a tar archive, and other files are skipped.
func TestReutersPacked(t *testing.T) {
	dir := t.TempDir()
	stories := `[{"attrs":{"newid":"12"},"date":"3-MAR-1987 10:00:00.00","title":"JSON &lt;X>","body":"In JSON.\n Reuter\n&#3;"},{"attrs":{"newid":"11"},"date":"2-MAR-1987 10:00:00.00","title":"FIRST","body":"First."}]`
	whole := packed(t, [2]string{"r/b.json", stories}, [2]string{"r/README", "no news"}, [2]string{"r/a.sgm", sgml(9, "4-MAR-1987 10:00:00.00", "LAST", "Last.")}, [2]string{"r/c.json", `{"a":1}`})
	got, messages := given(t, put(t, dir, "news.tar.gz", whole))
	wants(t, got, "reuters:11|1987-03-02 10:00:00|FIRST|First.", "reuters:12|1987-03-03 10:00:00|JSON <X>|In JSON.", "reuters:9|1987-03-04 10:00:00|LAST|Last.")
	if strings.Count(messages, "\n") != 1 || !strings.Contains(messages, "r/c.json: not a JSON array of stories") {
		t.Error(messages)
	}
	for name, content := range map[string]string{
		"cut.tgz": whole[:len(whole)/2], "no.tar.gz": "nothing", "no.tar": strings.Repeat("x", 600), "no.sgm": "words", "no.json": "[{\"attrs\": 3}]",
		"long.sgm": "<REUTERS>" + strings.Repeat("x", maxStory+1),
	} {
		if got, messages := given(t, put(t, dir, name, content)); len(got) > 2 || !strings.Contains(messages, name) {
			t.Errorf("%s: %q, messages %q", name, got, messages)
		}
	}
}

// TestKinds: the file name decides the format, and the order is that of the arguments.
func TestKinds(t *testing.T) {
	dir := t.TempDir()
	a := put(t, dir, "texts/a.txt", "Title\n\nWords of a.")
	put(t, dir, "texts/b.html", "<title>B</title><p>The words of b are here in this page, and there are enough of them to be its main text.</p>")
	z := &bytes.Buffer{}
	w := gzip.NewWriter(z)
	_, _ = io.WriteString(w, "{\"title\":\"T\",\"text\":\"packed\",\"date\":\"2021-05-06T07:08:09+02:00\"}")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	put(t, dir, "lines/2.jsonl.gz", z.String())
	put(t, dir, "lines/1.jsonl", "{\"id\":\"x\",\"text\":\"plain\"}\n{\"text\":\"without a name\"}")
	put(t, dir, "lines/notes.txt", "not looked at")
	got, messages := given(t, filepath.Join(dir, "lines"), filepath.Dir(a))
	wants(t, got,
		"x|||plain", "1.jsonl:2|||without a name", "2.jsonl.gz:1|2021-05-06 05:08:09|T|packed",
		"a.txt||Title|Title//Words of a.", "b.html||B|The words of b are here in this page, and there are enough of them to be its main text.",
	)
	if messages != "" {
		t.Error(messages)
	}
	pages, _ := given(t, filepath.Join(realdata.Root(t), "examples/demo.warc.gz"))
	if len(pages) < 800 || !strings.HasPrefix(pages[0], "http://") {
		t.Errorf("%d pages of an archive, %.80q", len(pages), pages)
	}
	for name, want := range map[string]kind{"x.SGM": news, "x.tar": news, "x.json": news, "x.jsonl": lines, "x.warc.gz": texts, "x": texts, "x.gz": texts} {
		if got := kindOf(name); got != want {
			t.Errorf("%s is read as %d", name, got)
		}
	}
}

// TestLongLines: a line over the limit is skipped, and the next is read.
func TestLongLines(t *testing.T) {
	path := put(t, t.TempDir(), "l.jsonl", "{\"text\":\""+strings.Repeat("x", maxLine)+"\"}\n{\"id\":\"y\",\"text\":\"next\"}\n")
	got, messages := given(t, path)
	wants(t, got, "y|||next")
	if !strings.Contains(messages, "l.jsonl:1") || !strings.Contains(messages, string(orbweaver.ErrTooLarge)) {
		t.Error(messages)
	}
}

// TestCut: text is truncated between characters, and invalid UTF-8 is replaced.
func TestCut(t *testing.T) {
	d := document{Title: " a\xff ", Text: "x" + strings.Repeat("é", maxText/2)}
	d.cut()
	if d.Title != "a\uFFFD" || len(d.Text) != maxText-1 || !d.long || strings.Contains(d.Text, "\uFFFD") {
		t.Errorf("%q, %d bytes", d.Title, len(d.Text))
	}
}

// FuzzSGML: no file hangs or crashes the reader, and documents are bounded and have valid dates.
func FuzzSGML(f *testing.F) {
	f.Add([]byte(sgml(4, "26-FEB-1987 15:03:27.51", "TEA &lt;TEA> UP", "Tea rose.")))
	f.Add([]byte("<REUTERS NEWID=\"<REUTERS><DATE>1-JAN-0000</DATE></REUTERS></REUTERS>"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := &source{Console: &console.Console{Err: io.Discard}}
		n := 0
		err := s.stories(t.Context(), "x.sgm", bytes.NewReader(b), func(x story) error {
			if n++; len(x.Text) > 16*len(b) || x.At.Year() > 9999 {
				t.Errorf("%+v", x)
			}
			return nil
		})
		if err != nil || n > len(b)/len(endStory)+1 {
			t.Errorf("%d stories, %v", n, err)
		}
		if err := s.stories(t.Context(), "x.json", bytes.NewReader(b), func(story) error { return nil }); err != nil {
			t.Error(err)
		}
	})
}

// TestReutersIsEnglish: stories are declared English, because a table of figures would be misclassified.
func TestReutersIsEnglish(t *testing.T) {
	table := strings.Repeat("Shr 13 cts vs 19 cts\n Nine mths net 2.1 mln vs 1.8 mln\n ", 4)
	if d := (rawStory{Title: "NET", Body: table}).story(); page.Language(d.Lang, d.Text) != "en" {
		t.Errorf("language %q", page.Language(d.Lang, d.Text))
	}
}
