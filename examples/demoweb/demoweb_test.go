package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// made returns the Web as made by the program.
func made(t *testing.T) []document {
	t.Helper()
	documents, err := makeWeb()
	if err != nil {
		t.Fatal(err)
	}
	return documents
}

// madeAll returns the Web with its island.
func madeAll(t *testing.T) []document {
	t.Helper()
	documents, err := makeAll()
	if err != nil {
		t.Fatal(err)
	}
	return documents
}

// members unpacks a file of gzip members into their contents.
func members(t *testing.T, data []byte) []string {
	t.Helper()
	source := bufio.NewReader(bytes.NewReader(data))
	z, err := gzip.NewReader(source)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for {
		z.Multistream(false)
		content, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(content))
		if err := z.Reset(source); errors.Is(err, io.EOF) {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// The committed files must equal the program's output. The archive is compared record by record,
// decompressed, since compression may change.
func TestCommittedFilesAreWhatTheProgramWrites(t *testing.T) {
	const again = "; run: go run ./examples/demoweb"
	folder := t.TempDir()
	if err := run(folder); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"demo-truth.tsv", "demo.warc.gz", "campus-truth.tsv", "campus.warc.gz"} {
		want, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("..", name))
		if err != nil {
			t.Fatal(err)
		}
		same := bytes.Equal(got, want)
		if strings.HasSuffix(name, ".gz") {
			same = slices.Equal(members(t, got), members(t, want))
		}
		if !same {
			t.Errorf("examples/%s is not what the program writes%s", name, again)
		}
		if len(got) > 2_000_000 {
			t.Errorf("examples/%s has %d bytes, more than 2 MB", name, len(got))
		}
	}
}

func TestTwoRunsWriteTheSameBytes(t *testing.T) {
	var first, second bytes.Buffer
	for _, out := range []*bytes.Buffer{&first, &second} {
		if err := writeWARC(out, madeAll(t)); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two runs differ")
	}
}

// Each record must have the promised lengths and valid HTTP.
func TestRecordsAreWhole(t *testing.T) {
	var archive bytes.Buffer
	documents := madeAll(t)
	if err := writeWARC(&archive, documents); err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	for i, record := range members(t, archive.Bytes()) {
		head, block, _ := strings.Cut(record, "\r\n\r\n")
		block = strings.TrimSuffix(block, "\r\n\r\n")
		id := regexp.MustCompile(`WARC-Record-ID: (\S+)`).FindStringSubmatch(head)
		if id == nil || ids[id[1]] {
			t.Fatalf("record %d has no id of its own:\n%s", i, head)
		}
		ids[id[1]] = true
		switch {
		case i == 0:
			continue
		case strings.Contains(head, "WARC-Type: request\r\n"):
			request, err := http.ReadRequest(bufio.NewReader(strings.NewReader(block)))
			if err != nil || "http://"+request.Host+request.URL.Path != documents[0].url || request.Header.Get("Accept") != documents[0].accept {
				t.Fatalf("record %d: %v; %s", i, err, block)
			}
			continue
		}
		response, err := http.ReadResponse(bufio.NewReader(strings.NewReader(block)), nil)
		if err != nil {
			t.Fatalf("record %d: %v", i, err)
		}
		body, err := io.ReadAll(response.Body)
		if err != nil || !bytes.Equal(body, documents[0].body) {
			t.Errorf("%s: the body came back different (%v)", documents[0].url, err)
		}
		documents = documents[1:]
	}
	if len(documents) > 0 {
		t.Errorf("%d documents have no record", len(documents))
	}
}

func TestCounts(t *testing.T) {
	documents := made(t)
	hosts, topics, statuses := map[string]bool{}, map[string]int{}, map[int]int{}
	for _, d := range documents {
		u, err := url.Parse(d.url)
		if err != nil {
			t.Fatal(err)
		}
		hosts[u.Host] = true
		statuses[d.status]++
		for _, topic := range d.topics {
			root, _, _ := strings.Cut(topic, ".")
			topics[root]++
		}
	}
	for _, c := range []struct {
		what             string
		count, low, high int
	}{
		{"responses", len(documents), 620, 720},
		{"hosts", len(hosts), 12, 30},
		{"documents about aircraft", topics["aircraft"], 90, 110},
		{"documents about gardens", topics["garden"], 20, 60},
		{"documents about hotels", topics["hotel"], 30, 60},
		{"permanent redirects", statuses[301], 4, 10},
		{"temporary redirects", statuses[302], 4, 10},
		{"missing pages", statuses[404], 3, 10},
	} {
		if c.count < c.low || c.count > c.high {
			t.Errorf("%s: %d, want %d to %d", c.what, c.count, c.low, c.high)
		}
	}
}

// A page must be long enough to judge and short enough to read.
func TestPagesAreOfReadableLength(t *testing.T) {
	tags := regexp.MustCompile(`(?s)<script.*?</script>|<[^>]*>`)
	for _, d := range madeAll(t) {
		topics := strings.Join(d.topics, " ")
		if d.status != 200 || !strings.Contains(d.header[0][1], "text/html") || strings.Contains(topics, "private") {
			continue
		}
		words := len(strings.Fields(tags.ReplaceAllString(plain(t, d), " ")))
		if words < 40 || words > 460 {
			t.Errorf("%s has %d words", d.url, words)
		}
	}
}

// plain returns a document's body without its content coding.
func plain(t *testing.T, d document) string {
	t.Helper()
	for _, h := range d.header {
		if h[0] != "Content-Encoding" {
			continue
		}
		z, err := gzip.NewReader(bytes.NewReader(d.body))
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(z)
		if err != nil {
			t.Fatal(err)
		}
		return string(body)
	}
	return string(d.body)
}

// outlinks returns the addresses that a document links to.
func outlinks(t *testing.T, d document) []string {
	t.Helper()
	base, err := url.Parse(d.url)
	if err != nil {
		t.Fatal(err)
	}
	var targets []string
	for _, h := range d.header {
		if h[0] == "Location" {
			targets = append(targets, h[1])
		}
	}
	for _, m := range regexp.MustCompile(`<(?:a|link rel="alternate"[^>]*) href="([^"]*)"`).FindAllStringSubmatch(plain(t, d), -1) {
		targets = append(targets, strings.ReplaceAll(m[1], "&amp;", "&"))
	}
	for i, target := range targets {
		to, err := base.Parse(target)
		if err != nil {
			t.Fatalf("%s: link %q: %v", d.url, target, err)
		}
		targets[i] = to.String()
	}
	return targets
}

// forbidden reports whether robots.txt forbids an address.
func forbidden(w *web, address string) bool {
	u, err := url.Parse(address)
	if err != nil || w.hostOf[u.Host] == nil {
		return false
	}
	for rule := range strings.SplitSeq(w.hostOf[u.Host]["robots"], ";") {
		if path, ok := strings.CutPrefix(rule, "Disallow: "); ok && strings.HasPrefix(u.Path, path) {
			return true
		}
	}
	return false
}

// reach returns all addresses reachable from the start pages of examples/aircraft.yaml, obeying robots.txt.
func reach(t *testing.T, w *web, documents []document) map[string]bool {
	t.Helper()
	at := map[string]document{}
	for _, d := range documents {
		at[d.url] = d
	}
	queue := []string{"http://tidings.example/", "http://signpost.example/", "http://wayfarer.example/"}
	seen := map[string]bool{queue[0]: true, queue[1]: true, queue[2]: true}
	for len(queue) > 0 {
		d, ok := at[queue[0]]
		queue = queue[1:]
		if !ok {
			continue
		}
		for _, to := range outlinks(t, d) {
			if !seen[to] && !forbidden(w, to) {
				seen[to] = true
				queue = append(queue, to)
			}
		}
	}
	return seen
}

// Every document is reachable, except the marked islands and those that robots.txt forbids; each forbidden
// one is linked, to tempt crawlers.
func TestEveryDocumentIsReachableOrMeantNotToBe(t *testing.T) {
	w, err := readMainland()
	if err != nil {
		t.Fatal(err)
	}
	documents := made(t)
	seen := reach(t, w, documents)
	linked := map[string]bool{}
	for _, d := range documents {
		for _, to := range outlinks(t, d) {
			linked[to] = true
		}
	}
	island := map[string]bool{}
	for _, a := range w.articles {
		island[a.name] = slices.Contains(a.attributes, "island")
	}
	for _, d := range documents {
		switch {
		case strings.HasSuffix(d.url, "/robots.txt"):
		case island[d.url]:
			if linked[d.url] {
				t.Errorf("%s is an island, but something links to it", d.url)
			}
		case forbidden(w, d.url):
			if !linked[d.url] {
				t.Errorf("%s is closed by robots.txt, but nothing links to it", d.url)
			}
		case !seen[d.url]:
			t.Errorf("%s cannot be reached", d.url)
		}
	}
}

// None of the start pages may be about an aircraft or lead to one at once: a crawl would have nothing
// to find out.
func TestAircraftAreSomeLinksAway(t *testing.T) {
	documents := made(t)
	about, at := map[string]bool{}, map[string]document{}
	for _, d := range documents {
		at[d.url] = d
		about[d.url] = len(d.topics) > 0 && strings.HasPrefix(d.topics[0], "aircraft")
	}
	level := []string{"http://tidings.example/", "http://signpost.example/", "http://wayfarer.example/"}
	for depth := range 3 {
		var next []string
		for _, from := range level {
			if about[from] {
				t.Errorf("%s is about aircraft, %d links from the start", from, depth)
			}
			next = append(next, outlinks(t, at[from])...)
		}
		level = next
		slices.Sort(level)
		level = slices.Compact(level)
	}
}

func TestOddities(t *testing.T) {
	at := map[string]document{}
	for _, d := range made(t) {
		at[d.url] = d
	}
	for _, c := range copies() {
		original, duplicate := at[c[0]], at[c[1]]
		if same := bytes.Equal(original.body, duplicate.body); same != (c[2] == "exact") || len(duplicate.body) == 0 {
			t.Errorf("%s is no %s copy of %s", c[1], c[2], c[0])
		}
		if !slices.Equal(original.topics, duplicate.topics) {
			t.Errorf("%s: %v, but its copy: %v", c[0], original.topics, duplicate.topics)
		}
	}
	if utf8.Valid(at["http://ladle.example/cafes"].body) {
		t.Error("the page in ISO-8859-1 is UTF-8")
	}
	if d := at["http://hangar.example/de/ju-52"]; !bytes.Contains(d.body, []byte(`lang="de"`)) {
		t.Error("the German page does not say that it is German")
	}
	for _, u := range compressed() {
		if !bytes.HasPrefix(at[u].body, []byte{0x1f, 0x8b}) || !strings.Contains(plain(t, at[u]), "</html>") {
			t.Errorf("%s is not compressed", u)
		}
	}
}

func TestTruthHasALineForEachTopic(t *testing.T) {
	var out bytes.Buffer
	writeTruth(&out, []document{
		{url: "http://a.example/", topics: []string{"garden"}},
		{url: "http://a.example/gone", status: 404},
		{url: "http://b.example/", topics: []string{"aircraft.vintage", "history"}},
	})
	want := "url\ttopic\nhttp://a.example/\tgarden\nhttp://b.example/\taircraft.vintage\nhttp://b.example/\thistory\n"
	if out.String() != want {
		t.Errorf("got:\n%swant:\n%s", out.String(), want)
	}
}
