package annotation

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
	"orbweaver/text/conllu"
	"orbweaver/text/link"
)

const flight = "Mr. Wilbur Wright flew the Wright Flyer in Dayton.\n\nThey weren\u2019t fast, \u201cZoë\u201d 😀 said.\n"

// textFolder changes to a folder with a text, a page and a gazetteer.
func textFolder(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	var b link.Builder
	for _, l := range []link.Label{{Text: "Wright Flyer", IRI: "http://e.example/a|b"}, {Text: "Dayton", IRI: "http://e.example/Dayton"}} {
		if err := b.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	g, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	if _, err := g.WriteTo(&packed); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"g.gazetteer": packed.String(), "flight.txt": flight, "empty.txt": "", "data.json": `{"a": 1}`,
		"page.html": "<html lang=de><title>T</title><body><article><p>Das Flugzeug fliegt nach Dayton, und der Hund bellt den ganzen Tag laut.</p></article></html>",
	} {
		if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// textOf runs Write on a file.
func readTextOf(t *testing.T, name string, opts TextOptions) (out, messages string) {
	t.Helper()
	var o, e bytes.Buffer
	if err := Write(t.Context(), &console.Console{Out: &o, Err: &e}, []string{name}, opts); err != nil {
		t.Fatal(err)
	}
	return o.String(), e.String()
}

// TestTextAsCoNLLU: parsing the output gives the text back.
func TestTextAsCoNLLU(t *testing.T) {
	textFolder(t)
	out, _ := readTextOf(t, "flight.txt", TextOptions{Format: "conllu", Gazetteer: "g.gazetteer"})
	var text strings.Builder
	for r := conllu.NewReader(strings.NewReader(out)); ; {
		s, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, w := range s.Words {
			text.WriteString(w.Form)
			if !w.Joined {
				text.WriteByte(' ')
			}
			if w.XPOS == "" || w.Lemma == "" {
				t.Errorf("%s has no tag or lemma", w.Form)
			}
		}
	}
	if got, want := strings.Fields(text.String()), strings.Fields(flight); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for _, line := range []string{
		"6\tWright\twright\t_\tNNP\t_\t_\t_\t_\tEntity=MISC|IRI=http://e.example/a%7Cb|Mention=B|Similarity=",
		"7\tFlyer\tflyer\t_\tNNP\t_\t_\t_\t_\tEntity=MISC|Mention=I\n",
		"|SpaceAfter=No\n",
	} {
		if !strings.Contains(out, line) {
			t.Errorf("%q is not in\n%s", line, out)
		}
	}
}

// TestTextAsNIF: each string resource has the characters of its range.
func TestTextAsNIF(t *testing.T) {
	textFolder(t)
	b, err := os.ReadFile("g.gazetteer")
	if err != nil || len(b) == 0 {
		t.Fatal(err)
	}
	out, _ := readTextOf(t, "flight.txt", TextOptions{Format: "nif", Gazetteer: "g.gazetteer"})
	var whole []rune
	anchors, links, classes := map[string]string{}, map[string]string{}, map[string]int{}
	for triple, err := range turtle.Read(strings.NewReader(out), syntax.Options{Name: "out"}) {
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		switch triple.P.Value {
		case nif + "isString":
			whole = []rune(triple.O.Value)
		case nif + "anchorOf":
			anchors[triple.S.Value] = triple.O.Value
		case itsrdf + "taIdentRef":
			links[triple.O.Value] = triple.S.Value
		case rdfType:
			classes[strings.TrimPrefix(triple.O.Value, nif)]++
		}
	}
	for name, anchor := range anchors {
		from, to, _ := strings.Cut(name[strings.Index(name, "=")+1:], ",")
		i, _ := strconv.Atoi(from)
		j, err := strconv.Atoi(to)
		if err != nil || string(whole[i:j]) != anchor {
			t.Errorf("%s is %q", name, anchor)
		}
	}
	want := map[string]int{"Context": 1, "Sentence": 2, "Word": 21, "Phrase": 1, "RFC5147String": 25}
	if !maps.Equal(classes, want) {
		t.Errorf("%v, want %v", classes, want)
	}
	if anchors[links["http://e.example/a%7Cb"]] != "Wright Flyer" || anchors[links["http://e.example/Dayton"]] != "Dayton" {
		t.Errorf("links %v", links)
	}
}

// TestTextTells: the messages name the models in use and those missing.
func TestTextTells(t *testing.T) {
	textFolder(t)
	for _, tc := range []struct {
		name, out, messages string
		opts                TextOptions
	}{
		{name: "flight.txt", out: "Wilbur             wilbur             NNP    PER", messages: "no model: "},
		{name: "flight.txt", out: "http://e.example/Dayton (", messages: "gazetteer g.gazetteer: 2 entities", opts: TextOptions{Gazetteer: "g.gazetteer"}},
		{name: "page.html", out: "Flugzeug", messages: `page.html: language "de" has no model: tokens and stems only`},
		{name: "flight.txt", out: "flew               flew\n", messages: `language "nl" has no model`, opts: TextOptions{Lang: "nl"}},
		{name: "empty.txt", out: "tokens 0", messages: "empty.txt: no text"},
	} {
		out, messages := readTextOf(t, tc.name, tc.opts)
		if !strings.Contains(out, tc.out) || !strings.Contains(messages, tc.messages) {
			t.Errorf("%s: messages %q\n%s", tc.name, messages, out)
		}
	}
}

func TestTextRefuses(t *testing.T) {
	textFolder(t)
	for _, tc := range []struct {
		name, want string
		opts       TextOptions
	}{
		{name: "none.txt", want: "none.txt: no such file"},
		{name: ".", want: "is a folder"},
		{name: "data.json", want: "data.json: is application/json, not text"},
		{name: "flight.txt", opts: TextOptions{Model: "flight.txt"}, want: "model flight.txt: not a model"},
		{name: "flight.txt", opts: TextOptions{Gazetteer: "flight.txt"}, want: "gazetteer flight.txt: "},
	} {
		err := Write(t.Context(), &console.Console{Out: io.Discard, Err: io.Discard}, []string{tc.name}, tc.opts)
		if !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v, want %s", tc.name, err, tc.want)
		}
	}
}

const toyTreebank = "# newdoc\n" +
	"1\tPlanes\tplane\tNOUN\tNNS\t_\t0\t_\t_\t_\n2\tfly\tfly\tVERB\tVBP\t_\t0\t_\t_\tSpaceAfter=No\n3\t.\t.\tPUNCT\t.\t_\t0\t_\t_\t_\n\n" +
	"1\tIt\tit\tPRON\tPRP\t_\t0\t_\t_\t_\n2\tflew\tfly\tVERB\tVBD\t_\t0\t_\t_\tSpaceAfter=No\n3\t.\t.\tPUNCT\t.\t_\t0\t_\t_\t_\n\n"

// TestTrainTagger: the same treebank and seed give the same file, which can be read; a failed training
// leaves no file.
func TestTrainTagger(t *testing.T) {
	t.Chdir(t.TempDir())
	untagged := strings.NewReplacer("\tNNS\t", "\t_\t", "\tVBP\t", "\t_\t", "\tPRP\t", "\t_\t", "\tVBD\t", "\t_\t", "PUNCT\t.\t", "PUNCT\t_\t")
	for name, content := range map[string]string{"toy": strings.Repeat(toyTreebank, 20), "untagged": untagged.Replace(toyTreebank), "broken": "1\tPlanes\n"} {
		if err := os.WriteFile(name+".conllu", []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var out bytes.Buffer
	a := &console.Console{Out: &out, Err: io.Discard}
	var made [][]byte
	for range 2 {
		if err := Train(t.Context(), a, TaggerTraining{Files: []string{"toy.conllu"}, Out: "toy.tagger", Seed: 7, Test: []string{"toy.conllu"}}); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile("toy.tagger")
		if err != nil {
			t.Fatal(err)
		}
		made = append(made, b)
	}
	if !bytes.Equal(made[0], made[1]) {
		t.Error("two models of one treebank")
	}
	if row := "toy.conllu                        120   100.00    100.00 100.00 100.00   100.00 100.00\n"; !strings.Contains(out.String(), row) {
		t.Errorf("no %q in\n%s", row, out.String())
	}
	if err := os.WriteFile("t.txt", []byte("It flew."), 0o666); err != nil {
		t.Fatal(err)
	}
	if got, messages := readTextOf(t, "t.txt", TextOptions{Model: "toy.tagger", Lang: "en"}); !strings.Contains(messages, "model toy.tagger, language en") || !strings.Contains(got, "VBD") {
		t.Errorf("messages %q\n%s", messages, got)
	}
	for _, tc := range []struct {
		job  TaggerTraining
		want string
	}{
		{TaggerTraining{Files: []string{"untagged.conllu"}, Out: "m"}, "no word has a tag of the Penn Treebank"},
		{TaggerTraining{Files: []string{"broken.conllu"}, Out: "m"}, "broken.conllu: "},
		{TaggerTraining{Files: []string{"toy.conllu"}, Out: "none/m"}, "none/m"},
		{TaggerTraining{Files: []string{"toy.conllu"}, Out: "m", WordNet: "none"}, "--wordnet: "},
	} {
		if err := Train(t.Context(), a, tc.job); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v, want %s", err, tc.want)
		}
	}
	if left, _ := filepath.Glob("*m*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
