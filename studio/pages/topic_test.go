package pages

import (
	"bytes"
	"html"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"orbweaver/internal/console"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/studio/workspace"
)

// looked asks for a page that is there, and checks that it is sound and has texts.
func looked(t *testing.T, h http.Handler, path string, has ...string) string {
	t.Helper()
	code, _, page := answer(t, h, http.MethodGet, path, nil, nil)
	if sound(t, page); code != http.StatusOK {
		t.Fatalf("%s: %d: %.1000s", path, code, page)
	}
	for _, want := range has {
		if !strings.Contains(page, want) {
			t.Errorf("%s has no %q: %.3000s", path, want, page[strings.Index(page, "<main"):])
		}
	}
	return page
}

// firstLink is the first link of a page that a pattern finds, as its first group.
func firstLink(t *testing.T, page, pattern string) string {
	t.Helper()
	m := regexp.MustCompile(pattern).FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("no %s: %.3000s", pattern, page)
	}
	return html.UnescapeString(m[1])
}

// rest is the page of a learning when it is over.
func rest(t *testing.T, h http.Handler, path string) string {
	t.Helper()
	for t.Context().Err() == nil {
		if page := looked(t, h, path); !strings.Contains(page, "hx-trigger") {
			return page
		}
		<-time.After(5 * time.Millisecond)
	}
	return ""
}

// sent sends the form of an order with files, and returns status, where it leads and the page.
func sent(t *testing.T, h http.Handler, fields url.Values, files ...[2]string) (int, string, string) {
	t.Helper()
	var form bytes.Buffer
	m := multipart.NewWriter(&form)
	for name, values := range fields {
		for _, v := range values {
			_ = m.WriteField(name, v)
		}
	}
	for _, f := range files {
		part, err := m.CreateFormFile("upload", f[0])
		if err == nil {
			_, err = part.Write([]byte(f[1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	code, header, page := answer(t, h, http.MethodPost, "/topics", nil, func(r *http.Request) {
		r.Header.Set("Content-Type", m.FormDataContentType())
		r.Body = readCloser{&form}
	})
	return code, header.Get("Location"), page
}

// TestLearnTopic: a topic is learned from dropped files, whatever their names, and leads to its page and to a crawl; a form that makes no sense is
// shown as it was typed; what failed says why and is tried again; a reader learns nothing.
func TestLearnTopic(t *testing.T) {
	w, err := workspace.Open(t.TempDir(), workspace.Options{Spare: -1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = w.Close() })
	h := New(Options{Workspace: w, MayWrite: func(r *http.Request) bool { return r.Header.Get("Reader") == "" }})
	looked(t, h, "/topics/new", `type="file"`, "Addresses of pages", "A category of Wikipedia")
	code, to, page := sent(t, h, url.Values{"topic": {"kites"}}, [2]string{`..\..\<b>kites</b> (1).txt`, "Kites\n\nA kite is an aircraft held by a line. Kites fly in the wind."}, [2]string{"../reel?.html", "<title>Reels</title><p>The reel holds the line of the kite."})
	if code != http.StatusSeeOther || !strings.HasPrefix(to, "/topics/") {
		t.Fatalf("%d %s %s", code, to, page)
	}
	done := rest(t, h, to)
	for _, want := range []string{"The topic was learned", `href="/topic?model=topics%2Fkites.krs"`, "corpus: 2 documents", "Crawl for this"} {
		if !strings.Contains(done, want) {
			t.Errorf("no %q: %s", want, done)
		}
	}
	if _, header, _ := answer(t, h, http.MethodGet, to, nil, func(r *http.Request) { r.Header.Set("HX-Request", "true") }); header.Get("HX-Redirect") != "/topic?model=topics%2Fkites.krs" {
		t.Errorf("a page that watches is led to %q", header.Get("HX-Redirect"))
	}
	looked(t, h, "/models", "topics/kites.krs")
	topic := looked(t, h, "/topic?model=topics/kites.krs", "kite", "Add documents")
	fresh := looked(t, h, firstLink(t, topic, `href="([^"]+)">Crawl for this`), `value="topics/kites.krs" selected`)
	if !strings.Contains(fresh, "n-seeds") {
		t.Error("a crawl for the topic asks for no seeds")
	}
	if draft := ask(t, h, "/new", url.Values{"from": {"documents"}, "krs": {"topics/kites.krs"}, "seeds": {"http://a.example/"}}, 200); !strings.Contains(field(draft, "yaml"), "file: topics/kites.krs") || field(draft, "name") != "kites" || !strings.Contains(draft, "No problems") {
		t.Errorf("%s", draft)
	}
	_, to, _ = sent(t, h, url.Values{"add": {"topics/kites.krs"}, "paste": {"Winds\n\nThe wind lifts the kite."}})
	if done := rest(t, h, to); !strings.Contains(done, "The documents were added") {
		t.Errorf("%s", done)
	}
	looked(t, h, "/topic?model=topics/kites.krs&view=documents", "Winds", "3 documents")
	badOrders(t, h)
	_, to, _ = sent(t, h, url.Values{"topic": {"tea"}, "url": {"http://127.0.0.1:1/tea.html\nhttp://[::1]/"}})
	if failed := rest(t, h, to); !strings.Contains(failed, "none of the pages could be fetched") || !strings.Contains(failed, "private network") || !strings.Contains(failed, "Try again") {
		t.Errorf("%s", failed)
	}
	looked(t, h, "/models", "tea", "failed")
	if again := looked(t, h, "/topics/new?again="+to[len("/topics/"):]); !strings.Contains(field(again, "url"), "127.0.0.1") || field(again, "topic") != "tea" {
		t.Errorf("the order is lost: %s", again)
	}
	ask(t, h, to+"/again", nil, http.StatusSeeOther)
	ask(t, h, to+"/cancel", nil, http.StatusSeeOther)
	rest(t, h, to)
	ask(t, h, to+"/forget", nil, http.StatusSeeOther)
	if code, _, _ := answer(t, h, http.MethodGet, to, nil, nil); code != http.StatusNotFound {
		t.Errorf("forgotten: %d", code)
	}
}

// badOrders sends forms that make no sense, and asks as a reader.
func badOrders(t *testing.T, h http.Handler) {
	t.Helper()
	one := [2]string{"a.txt", "A kite."}
	for _, tc := range []struct {
		form  url.Values
		files [][2]string
		says  string
	}{
		{url.Values{"topic": {"../x"}}, [][2]string{one}, "a name has"},
		{url.Values{"topic": {"x"}}, nil, "give documents"},
		{url.Values{"topic": {"x"}, "file": {"../../etc/passwd"}}, nil, "leads out"},
		{url.Values{"topic": {"x"}}, [][2]string{{"x.exe", "MZ"}}, "a file of a workspace"},
		{url.Values{"topic": {"x"}, "category": {"Kites"}, "depth": {"1"}, "limit": {"5"}}, nil, "how to reach you"},
		{url.Values{"topic": {"x"}, "category": {"Kites"}, "depth": {"many"}, "contact": {"a@b.example"}}, nil, "whole number"},
	} {
		code, _, page := sent(t, h, tc.form, tc.files...)
		if sound(t, page); code != http.StatusUnprocessableEntity || !strings.Contains(page, tc.says) || !strings.Contains(page, `role="alert"`) || field(page, "topic") != tc.form.Get("topic") {
			t.Errorf("%v: %d: %s", tc.form, code, page)
		}
	}
	for method, path := range map[string]string{http.MethodGet: "/topics/new", http.MethodPost: "/topics"} {
		if code, _, _ := answer(t, h, method, path, url.Values{"topic": {"x"}}, func(r *http.Request) { r.Header.Set("Reader", "yes") }); code != http.StatusForbidden {
			t.Errorf("a reader: %s %s: %d", method, path, code)
		}
	}
}

// topicFile is a crawl by the topic that was learned from another crawl.
const topicFile = "# mine\nseeds: [http://tidings.example/, http://signpost.example/]\nweb: {archive: [demo.warc.gz], robots: archived}\nfocus: {krs: {file: topics/planes.krs}}\nlimits: {requests: 60}\narchive: on\n"

// TestTopicPages: the topic of a crawl shows its nouns with IDF, entities, documents, what speaks for one and against it, and acceptance with a
// line that is moved, written into the crawl file and taken back.
func TestTopicPages(t *testing.T) {
	w, h := studio(t)
	for name, text := range map[string]string{"town": "A town on the river\n\nThe town has a bridge, a market and an airport. In the summer visitors of the country come to the city for a day, and the news has a page on it.", "week": "A week\n\nThe week has seven days, the day has hours. In a year of the world there are two hours of news a day.", "road": "A road\n\nThe road to the city crosses the country. The route has a name and a number, and the people of the town know its length."} {
		if _, err := w.Put("general/"+name+".txt", []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	l, err := w.Learn(workspace.TopicOrder{Topic: "planes", Documents: []string{"crawls/demo"}, Background: []string{"general"}, Gazetteer: "aircraft.ttl"})
	if err != nil {
		t.Fatal(err)
	}
	rest(t, h, learningPath(l.ID))
	if _, err := w.Create(t.Context(), "planes", []byte(topicFile)); err != nil {
		t.Fatal(err)
	}
	finish(t, w, "planes")
	const at = "/crawls/planes/krs"
	nouns := looked(t, h, at+"?sort=documents", "Mean IDF", "aircraft", "nouns.")
	if few := looked(t, h, at+"?words=engin"); strings.Count(few, "<tr>") >= strings.Count(nouns, "<tr>") || !strings.Contains(few, "engine") {
		t.Error("letters do not narrow the nouns")
	}
	looked(t, h, firstLink(t, nouns, `<th scope="row"><a href="([^"]+)"`), "that have it most often first", "<th scope=\"col\">Times")
	entities := looked(t, h, at+"?view=entities", "http://orbweaver.example/aircraft#", "entities.")
	looked(t, h, firstLink(t, entities, `<th scope="row"><a href="([^"]+)"`), "that have it most often first")
	for query, sign := range map[string]string{"": "+", "&least=on": "-"} { // the most typical document, and the least typical one
		documents := looked(t, h, at+"?view=documents"+query, "Likeness", "page</a>")
		one := looked(t, h, firstLink(t, documents, `<th scope="row"><a href="([^"]+)"`), "What speaks for it", "What speaks against it")
		part := html.UnescapeString(one[strings.Index(one, map[string]string{"+": "What speaks for it", "-": "What speaks against it"}[sign]):])
		if adds := regexp.MustCompile(`<td>([+-])0\.\d{4}</td>`).FindStringSubmatch(part); adds == nil || adds[1] != sign {
			t.Errorf("what speaks for a document and against it: %v, want %s: %s", adds, sign, one)
		}
	}
	for path, want := range map[string]int{at + "?view=none": 400, at + "?view=documents&doc=none": 404, "/topic?model=none": 404, "/topic?model=topics/planes.krs&view=acceptance": 400, at + "?sort=beauty": 400} {
		if code, _, page := answer(t, h, http.MethodGet, path, nil, nil); code != want {
			t.Errorf("%s: %d: %s", path, code, page)
		}
	}
	looked(t, h, "/topic?model=topics/planes.krs", "Crawl for this")
	accepting(t, w, h)
}

// accepting moves the line of a crawl.
func accepting(t *testing.T, w *workspace.Workspace, h http.Handler) {
	t.Helper()
	const at = "/crawls/planes/krs"
	would := func(x string) int {
		page := looked(t, h, at+"?view=acceptance&at="+x, `class="threshold"`, `class="corpus"`, `class="background"`)
		n, err := strconv.Atoi(firstLink(t, page, `<strong>(\d+)</strong> of`))
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if all, some, none := would("0"), would("0.5"), would("1"); !(all > some && some > none) {
		t.Errorf("the line at 0, 0.5 and 1 accepts %d, %d and %d pages", all, some, none)
	}
	_, header, _ := answer(t, h, http.MethodPost, at, url.Values{"accept": {"0.625"}}, nil)
	text, err := w.Text("planes")
	if err != nil || !strings.Contains(string(text), "accept: 0.625") || !strings.Contains(string(text), "# mine") {
		t.Fatalf("%v %s", err, text)
	}
	said := flashed(header)
	if said == nil || said.Bad || said.Undo != at {
		t.Fatalf("%+v", said)
	}
	looked(t, h, at+"?view=acceptance", "as the crawl file says (0.625)", "Let the pages move it")
	for _, bad := range []string{"2", "-1", "NaN", "x"} {
		if _, header, _ := answer(t, h, http.MethodPost, at, url.Values{"accept": {bad}}, nil); flashed(header) == nil || !flashed(header).Bad {
			t.Errorf("%s is taken", bad)
		}
	}
	undo := url.Values{}
	for _, f := range said.Fields {
		undo.Set(f.Name, f.Value)
	}
	answer(t, h, http.MethodPost, said.Undo, undo, nil)
	if text, err := w.Text("planes"); err != nil || strings.TrimSpace(strings.ReplaceAll(string(text), " ", "")) != strings.TrimSpace(strings.ReplaceAll(topicFile, " ", "")) {
		t.Errorf("%v %s", err, text)
	}
}

// flashed is the message that an answer leaves for the next page.
func flashed(header http.Header) *Flash {
	r := &http.Request{Header: http.Header{}}
	for _, c := range (&http.Response{Header: header}).Cookies() {
		r.AddCookie(c)
	}
	return flashOf(r)
}

// TestLabelPages: the labels of a crawl as a tree, rules with counts, changes along the stream, and why a page or a text has a label.
func TestLabelPages(t *testing.T) {
	w, h := studio(t)
	const at = "/crawls/demo/labels"
	looked(t, h, at, "There are no labels yet")
	dir := filepath.Join(w.Dir(), "crawls", "demo")
	con := &console.Console{Out: io.Discard, Err: io.Discard}
	if err := labelmodel.Train(t.Context(), con, labelmodel.Training{Stream: []string{dir}, Out: filepath.Join(dir, labelmodel.Folder)}); err != nil {
		t.Fatal(err)
	}
	tree := looked(t, h, at, "Alpha rules", `class="twigs"`, " below</span>")
	branch := looked(t, h, firstLink(t, tree, `hx-get="([^"]+)"`), "Rules that give it", `id="branch"`)
	looked(t, h, firstLink(t, branch, `href="([^"]+)">Rules that give it`), "rules of", "Support")
	looked(t, h, firstLink(t, branch, `href="([^"]+)">Its changes`), "Only changes of")
	rules := looked(t, h, at+"?view=rules&set=beta", "beta")
	if strings.Contains(rules, "<td>alpha</td>") {
		t.Error("the set does not narrow the rules")
	}
	if m := regexp.MustCompile(`<td>beta</td><td>(\d\.\d\d)</td><td>(\d+)</td>`).FindStringSubmatch(rules); m == nil || m[2] == "0" {
		t.Errorf("no rule with its support: %s", rules)
	}
	looked(t, h, at+"?view=drift", `data-island="chart"`, "Changes by stretch of the stream", "+")
	looked(t, h, at+"?view=drift&kind=label", "<td>label</td>")
	page := firstLink(t, looked(t, h, "/crawls/demo/results?accepted=on&sort=score"), `<a href="/crawls/demo/page\?url=([^"]+)"`)
	why := looked(t, h, at+"?view=why&url="+page, "Labels of", "Its terms")
	if !strings.Contains(why, "It is one of the terms") && !strings.Contains(why, "Alpha rule") {
		t.Errorf("%s has no label: %s", page, why)
	}
	if text := ask(t, h, at+"?view=why", url.Values{"text": {"The airliner has two engines. The aircraft flies, and its wings are long. <b>Airbus</b> makes the aircraft."}}, 200); !strings.Contains(text, "Labels of <bdi>the text") || !strings.Contains(text, "It is one of the terms") {
		t.Errorf("%s", text)
	}
	if text := ask(t, h, at+"?view=why", url.Values{"text": {" "}}, 200); !strings.Contains(text, "Paste a text first.") {
		t.Errorf("%s", text)
	}
	looked(t, h, at+"?view=why&url=http://nowhere.example/", `role="alert"`)
	for path, want := range map[string]int{at + "?view=none": 400, at + "?view=drift&from=x": 400, "/labels?model=none": 404} {
		if code, _, page := answer(t, h, http.MethodGet, path, nil, nil); code != want {
			t.Errorf("%s: %d: %s", path, code, page)
		}
	}
}
