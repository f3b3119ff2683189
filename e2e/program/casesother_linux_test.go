//go:build e2e

package program_test

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// sentence is a line of `text` that begins a sentence.
var sentence = regexp.MustCompile(`(?m)^\d+  (.*)$`)

// sentencesOf returns the sentences of a file, as `text` has them.
func (c *tried) sentencesOf(file string) (all []string) {
	for _, m := range sentence.FindAllStringSubmatch(c.ask("text", file), -1) {
		all = append(all, m[1])
	}
	return all
}

// sentences wants a file to have exactly these sentences.
func sentences(file string, want ...string) func(c *tried) {
	return func(c *tried) {
		have := c.sentencesOf(file)
		c.see("%s: %d sentences", file, len(have))
		c.right(slices.Equal(have, want), "%s: %q", file, have)
	}
}

func wbr(c *tried) {
	text := strings.Join(c.sentencesOf("w.html"), " ")
	c.see("%s", text)
	for _, word := range []string{"supercalifragil", "日本語のグライダー"} {
		c.right(slices.Contains(strings.Fields(text), word), "no word %s", word)
	}
}

func germanSentences(c *tried) {
	de, en := c.sentencesOf("de.txt"), c.sentencesOf("en.txt")
	c.see("de %d, en %d sentences", len(de), len(en))
	c.right(len(de) == 2 && strings.HasSuffix(de[0], "usw.") && de[1] == "Der Pilot ging.", "de %q", de)
	c.right(len(en) == 2 && en[1] == "It works.", "en %q", en)
}

func undeclaredPrefix(c *tried) {
	out := c.ask("rdf", "convert", "--lenient", "--to", "ntriples", "a.rdf")
	c.see("%s", lastLine(out))
	for _, subject := range []string{"a", "b", "c"} {
		has := strings.Contains(out, "<http://e.example/"+subject+">")
		c.right(has == (subject != "b"), "statements of %s: %t", subject, has)
	}
	status, _ := c.run("rdf", "convert", "--to", "ntriples", "a.rdf")
	c.right(status == exitInput, "without --lenient: status %d", status)
}

// yamlBOM crawls the file by an archive that has none of its seeds: exit status 3 says that it was read.
func yamlBOM(c *tried) {
	other := warcOf(map[string]string{"http://other.example/": "<title>other</title>"})
	write(c.T, filepath.Join(c.folder, "none.warc"), other)
	path := filepath.Join(c.folder, "bom.yaml")
	write(c.T, path, string(read(c.T, path))+"\nweb: {archive: none.warc}\noutput: out\n")
	status, out := c.run("crawl", "--quiet", "bom.yaml")
	named := strings.Contains(out, "http://e.example/")
	c.see("status %d, its seed is named: %t", status, named)
	c.right(status == exitNothing && named, "status %d: %s", status, lastLine(out))
}

func waczAsWeb(c *tried) {
	lines := c.crawl("crawl.yaml")
	c.has("title", titles(lines), "root", "page a")
	v := c.judge("crawl.yaml", "http://w.example/a")
	c.right(v.Score > 0, "judge: score %.3f", v.Score)
	if err := os.CopyFS(filepath.Join(c.folder, "many"), os.DirFS(c.source)); err != nil {
		c.Fatal(err)
	}
	write(c.T, filepath.Join(c.folder, "many.yaml"),
		"seeds: [http://w.example/]\nweb: {archive: many}\nfocus: {breadth_first: {}}\n")
	c.right(c.judge("many.yaml", "http://w.example/a").Score > 0, "not judged by a folder")
	c.ownWACZ()
	page := c.replayed("x.wacz")
	c.see("judged, of a folder and of an export too; replayed: %d bytes", len(page))
	c.right(strings.Contains(page, "gliders"), "replayed: %.80q", page)
}

// ownWACZ gives back what an export of the case is.
func (c *tried) ownWACZ() {
	const head = "seeds: [http://w.example/]\nfocus: {breadth_first: {}}\nweb: "
	write(c.T, filepath.Join(c.folder, "kept.yaml"), head+"{archive: x.wacz}\narchive: on\noutput: kept\n")
	c.ask("crawl", "--quiet", "kept.yaml")
	c.ask("export", "kept", "--format", "wacz", "-o", "own.wacz")
	write(c.T, filepath.Join(c.folder, "own.yaml"), head+"{archive: own.wacz}\n")
	c.right(c.judge("own.yaml", "http://w.example/a").Score > 0, "not judged by an export")
}

// replayed returns the page that replay names as an example.
func (c *tried) replayed(archive string) string {
	command := program(c.T, c.folder, "replay", archive, "--listen", "127.0.0.1:0")
	out, err := command.StdoutPipe()
	if err != nil {
		c.Fatal(err)
	}
	if err := command.Start(); err != nil {
		c.Fatal(err)
	}
	defer func() {
		_ = command.Process.Signal(os.Interrupt) // it may have refused the archive
		_ = command.Wait()
	}()
	lines, address := bufio.NewScanner(out), ""
	for lines.Scan() && !strings.HasPrefix(lines.Text(), "Ctrl-C") {
		if url, found := strings.CutPrefix(strings.TrimSpace(lines.Text()), "a page"); found {
			address = strings.TrimSpace(url)
		}
	}
	resp, err := http.Get(address)
	if err != nil {
		return err.Error()
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	c.right(err == nil && resp.StatusCode == http.StatusOK, "replay: status %d, %v", resp.StatusCode, err)
	return string(body)
}

// normalForms judges each page beside its composed form, with terms and labels in either form.
func normalForms(c *tried) {
	warc := unpacked(read(c.T, filepath.Join(c.folder, "x.warc.gz")))
	composed := map[string]string{}
	for url, html := range warcPages(warc) {
		composed[url] = norm.NFKC.String(html)
	}
	write(c.T, filepath.Join(c.folder, "x.warc"), string(warc))
	write(c.T, filepath.Join(c.folder, "composed.warc"), warcOf(composed))
	onto := string(read(c.T, filepath.Join(c.folder, "onto.ttl")))
	write(c.T, filepath.Join(c.folder, "any.ttl"), strings.ReplaceAll(onto, "@fr", ""))
	write(c.T, filepath.Join(c.folder, "other.ttl"), otherForm.Replace(strings.ReplaceAll(onto, "@fr", "")))
	const targets = ", target: ['http://e.example/o#Cafe', 'http://e.example/o#Off']}}"
	for _, focus := range []string{
		"{keyword: {terms: [café, officer]}}", otherForm.Replace("{keyword: {terms: [café, officer]}}"),
		"{ontology: {files: onto.ttl" + targets,
		"{ontology: {files: any.ttl" + targets,
		"{ontology: {files: other.ttl" + targets,
	} {
		c.likeComposed(composed, focus)
	}
	c.crawl("crawl.yaml")
	c.finds("café", 1)
	c.finds("officer", 3)
}

// finds wants a search of the crawl to find a number of pages.
func (c *tried) finds(words string, want int) {
	found := strings.Count(c.ask("search", "out", words), "http://")
	c.see("%s finds %d", words, found)
	c.right(found == want, "%s finds %d, want %d", words, found, want)
}

// otherForm writes words of the case in another form: decomposed, and with a ligature.
var otherForm = strings.NewReplacer("café", "cafe\u0301", "officer", "o\ufb03cer")

// likeComposed wants a focus to score each page as its composed form. A label in French serves French pages
// alone, in each form.
func (c *tried) likeComposed(composed map[string]string, focus string) {
	french := strings.Contains(focus, "onto.ttl")
	var scores []string
	for _, archive := range []string{"x", "composed"} {
		write(c.T, filepath.Join(c.folder, archive+".yaml"),
			"seeds: [http://l.example/nfd]\nweb: {archive: "+archive+".warc}\nfocus: "+focus+"\n")
	}
	for _, name := range []string{"nfd", "ligature", "fullwidth", "pdf"} {
		url := "http://l.example/" + name
		v := c.judge("x.yaml", url)
		scores = append(scores, fmt.Sprintf("%.3f", v.Score))
		c.right(v.Accepted || french && name == "nfd", "%s: score %.3f by %s", name, v.Score, focus)
		if composed[url] != "" {
			w := c.judge("composed.yaml", url)
			c.right(v.Score == w.Score, "%s: score %.3f, composed %.3f by %s", name, v.Score, w.Score, focus)
		}
	}
	c.see("%s", strings.Join(scores, " "))
}

func declaredLanguage(c *tried) {
	write(c.T, filepath.Join(c.folder, "o.yaml"), "seeds: [http://l.example/de]\nweb: {archive: y.warc.gz}\n"+
		"focus: {ontology: {files: onto.ttl, target: ['http://e.example/f']}}\n")
	for _, file := range []string{"crawl.yaml", "o.yaml"} {
		de, as := c.judge(file, "http://l.example/de"), c.judge(file, "http://l.example/de-as-en")
		c.see("%s: de %.3f, de-as-en %.3f (%s)", file, de.Score, as.Score, as.Lang)
		c.right(de.Score > 0 && de.Score == as.Score, "%s: scores %.3f and %.3f", file, de.Score, as.Score)
	}
}

func labelQualifiers(c *tried) {
	for _, name := range []string{"glider", "motorless"} {
		v := c.judge("crawl.yaml", "http://l.example/"+name)
		c.right(v.Accepted, "%s: score %.3f, not accepted", name, v.Score)
	}
}

func skosXL(c *tried) {
	const at = "http://e.example/t/"
	c1 := c.ask("ontology", "show", "vocabulary.ttl", "--target", at+"c1")
	c.right(strings.Contains(c1, "sailplane"), "c1 lacks its labels")
	c.right(!strings.Contains(c1, "xl en"), "labels are instances")
	c2 := c.ask("ontology", "show", "vocabulary.ttl", "--target", at+"c2")
	c.right(strings.Contains(c2, "hang glider"), "c2 lacks its label")
}

func oboSynonyms(c *tried) {
	shown := c.ask("ontology", "show", "o.owl", "--target", "http://purl.obolibrary.org/obo/X_0000001")
	c.right(strings.Contains(shown, "sailplane"), "no entry sailplane")
	c.right(!strings.Contains(c.ask("ontology", "check", "o.owl"), "X_0000003"), "the deprecated class counts")
}

func owlSyntaxes(c *tried) {
	for _, of := range [][2]string{
		{"owlxml.owl", "owl/xml"}, {"functional.owl", "functional"}, {"manchester.omn", "manchester"}, {"x.obo", "obo"},
	} {
		file, name := of[0], of[1]
		status, out := c.run("ontology", "check", file)
		said := strings.ToLower(strings.ReplaceAll(lastLine(out), file, "FILE"))
		said = strings.TrimPrefix(said, "orbweaver: ")
		c.right(status == exitDone || strings.Contains(said, name), "%s: %s", file, said)
	}
	imports := c.ask("ontology", "check", "imports.ttl")
	c.right(strings.Contains(imports, "http://e.example/other "), "no word of owl:imports")
}

// record is the address and the page of a record of an answer.
var record = regexp.MustCompile(`(?s)WARC-Target-URI: (\S+).*?\r\n\r\nHTTP/.*?\r\n\r\n(.*?)\r\n\r\n(?:WARC/|$)`)

// warcPages returns the HTML pages of a WARC, by address.
func warcPages(warc []byte) map[string]string {
	pages := map[string]string{}
	for rest := string(warc); ; {
		m := record.FindStringSubmatchIndex(rest)
		if m == nil {
			return pages
		}
		if html := rest[m[4]:m[5]]; strings.HasPrefix(html, "<") {
			pages[rest[m[2]:m[3]]] = html
		}
		rest = rest[m[5]:]
	}
}

// warcOf returns a WARC of HTML pages.
func warcOf(pages map[string]string) string {
	var out strings.Builder
	for i, url := range slices.Sorted(maps.Keys(pages)) {
		answer := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"+
			"Content-Length: %d\r\n\r\n%s", len(pages[url]), pages[url])
		fmt.Fprintf(&out, "WARC/1.0\r\nWARC-Type: response\r\n"+
			"WARC-Record-ID: <urn:uuid:00000000-0000-4000-8000-%012d>\r\n"+
			"WARC-Target-URI: %s\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"+
			"Content-Type: application/http; msgtype=response\r\n"+
			"Content-Length: %d\r\n\r\n%s\r\n\r\n", i, url, len(answer), answer)
	}
	return out.String()
}
