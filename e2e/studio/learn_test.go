//go:build e2e

package studio_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/netip"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/crawl"
	fetching "orbweaver/fetch/client"
	"orbweaver/fetch/fetchtest"
	"orbweaver/internal/job"
	"orbweaver/internal/services/wire"
	"orbweaver/studio/workspace"
)

// kiteWiki is a wiki with a category of three articles and one below it. It has no subject of a person.
func kiteWiki(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	w.Header().Set("Content-Type", "application/json")
	switch {
	case q.Get("cmtitle") == "Category:Kites":
		fmt.Fprint(w, `{"query":{"categorymembers":[{"pageid":1,"title":"Kite","type":"page"},{"pageid":2,"title":"Kite line","type":"page"},{"pageid":9,"title":"Category:Power kites","ns":14,"type":"subcat"}]}}`)
	case q.Has("cmtitle"):
		fmt.Fprint(w, `{"query":{"categorymembers":[{"pageid":3,"title":"Power kite","type":"page"}]}}`)
	default:
		var pages []string
		for _, id := range strings.Split(q.Get("pageids"), "|") {
			title := map[string]string{"1": "Kite", "2": "Kite line", "3": "Power kite"}[id]
			pages = append(pages, fmt.Sprintf(`{"pageid":%s,"title":%q,"canonicalurl":"http://wiki.test/%s","pagelanguage":"en","extract":"%s is of the kite. The wind pulls the kite and its line."}`, id, title, id, title))
		}
		fmt.Fprintf(w, `{"query":{"pages":[%s]}}`, strings.Join(pages, ","))
	}
}

// kitePages are pages of the Web, and when they were asked for.
type kitePages struct{ at []time.Time }

func (k *kitePages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/robots.txt" {
		fmt.Fprint(w, "User-agent: *\nDisallow: /private\n")
		return
	}
	k.at = append(k.at, time.Now())
	w.Header().Set("Content-Type", "text/html")
	fmt.Fprintf(w, "<html><title>Kite %s</title><p>A kite flies at the end of its line. The reel takes the line of the kite.</p></html>", r.URL.Path)
}

// TestLearn: a topic is learned from files, pages of the Web and a category, as politely as by a crawl; what cannot be had is told and left
// out; documents are added to it.
func TestLearn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, site := fetchtest.NewNetwork(), &kitePages{}
		defer n.Close()
		n.Serve("a.test", netip.MustParseAddrPort("93.184.1.1:80"), site)
		n.Serve("wiki.test", netip.MustParseAddrPort("93.184.1.2:80"), http.HandlerFunc(kiteWiki))
		n.Serve("inside.test", netip.MustParseAddrPort("10.0.0.1:80"), site)
		j := &job.Job{Wire: wire.Wire{Options: fetching.Options{Resolve: n.Resolve, Dial: n.Dial}}}
		dir := t.TempDir()
		w, err := workspace.Open(dir, workspace.Options{Spare: -1, Job: j})
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string]string{"texts/one.txt": "Kites\n\nA kite is an aircraft held by a line.", "texts/two.txt": "Reels\n\nA reel holds the line of the kite.", "texts/tea.txt": "Tea\n\nA kettle boils water for tea.", "onto/kites.ttl": "<http://e/Kite> <http://www.w3.org/2000/01/rdf-schema#label> \"kite\" .\n"} {
			if _, err := w.Put(name, []byte(text)); err != nil {
				t.Fatal(err)
			}
		}
		l, err := w.Learn(workspace.TopicOrder{
			Topic: "kites", Documents: []string{"texts/one.txt", "texts/two.txt"}, Background: []string{"texts/tea.txt"}, Gazetteer: "onto/kites.ttl", Contact: "me@example.org",
			URLs:      []string{"http://a.test/x.html", "http://a.test/y.html", "http://a.test/private", "http://inside.test/", "file:///etc/passwd"},
			Wikipedia: &workspace.WikiCategory{Category: "Kites", API: "http://wiki.test/w/api.php", Depth: 1},
		})
		if err != nil || l.Over() {
			t.Fatalf("%+v %v", l, err)
		}
		l = over(t, w, l.ID)
		said := strings.Join(l.Messages, "\n")
		if l.State != workspace.LearningDone || l.Model != "topics/kites.krs" || l.Done != 8 || strings.Count(said, "skipped") != 3 || !strings.Contains(said, "private network") || !strings.Contains(said, "Disallow: /private") || strings.Contains(said, dir) || !strings.Contains(said, "corpus: 7 documents") {
			t.Errorf("%+v", l)
		}
		if len(site.at) != 2 || site.at[1].Sub(site.at[0]) < time.Second {
			t.Errorf("asked at %v", site.at)
		}
		topic, err := w.TopicIn(l.Model)
		if err != nil {
			t.Fatal(err)
		}
		f, err := topic.Figures(t.Context(), 5)
		nouns, failed := topic.Nouns(t.Context(), crawl.NounQuery{Entities: true})
		if err != nil || failed != nil || f.Topic != "kites" || f.Documents != 7 || f.Background != 1 || nouns.Total != 1 || nouns.Nouns[0].IRI != "http://e/Kite" {
			t.Errorf("%+v %+v %v %v", f, nouns, err, failed)
		}
		if more, err := w.Learn(workspace.TopicOrder{Add: "topics/kites.krs", Documents: []string{"texts/tea.txt"}}); err != nil {
			t.Error(err)
		} else if more = over(t, w, more.ID); more.State != workspace.LearningDone || more.Model != "topics/kites.krs" {
			t.Errorf("%+v", more)
		}
		if f, err := topic.Figures(t.Context(), 5); err != nil || f.Documents != 8 || f.Background != 1 {
			t.Errorf("after a document more: %+v %v", f, err)
		}
		if files, err := w.Files(); err != nil || !strings.Contains(fmt.Sprint(files), "{documents/Kites-") || strings.Contains(fmt.Sprint(files), "Power-kite") {
			t.Errorf("%v %v", files, err)
		}
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	})
}

// TestLearnings: what is wrong with an order is said before anything begins; what fails, is cancelled or was interrupted leaves its order, can be
// tried again, and nothing else.
func TestLearnings(t *testing.T) {
	dir := t.TempDir()
	w := openSpace(t, dir, workspace.Options{})
	for name, text := range map[string]string{"kites.txt": "Kites\n\nA kite is an aircraft held by a line.", "none.txt": "of the and"} {
		if _, err := w.Put(name, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	many := make([]string, 201)
	for i := range many {
		many[i] = fmt.Sprintf("http://a.test/%d", i)
	}
	for _, tc := range []struct {
		order workspace.TopicOrder
		why   error
	}{
		{workspace.TopicOrder{Topic: "x"}, orbweaver.ErrInput},
		{workspace.TopicOrder{Documents: []string{"kites.txt"}}, orbweaver.ErrInput},
		{workspace.TopicOrder{Topic: "../x", Documents: []string{"kites.txt"}}, orbweaver.ErrInput},
		{workspace.TopicOrder{Topic: "x", Documents: []string{"../../etc/passwd"}}, orbweaver.ErrInput},
		{workspace.TopicOrder{Topic: "x", Documents: []string{"/etc/passwd"}}, orbweaver.ErrInput},
		{workspace.TopicOrder{Topic: "x", Documents: []string{"gone.txt"}}, orbweaver.ErrInput},
		{workspace.TopicOrder{Topic: "x", Documents: []string{"kites.txt"}, Background: []string{"gone"}}, orbweaver.ErrInput},
		{workspace.TopicOrder{Topic: "x", Documents: []string{"kites.txt"}, Gazetteer: "gone"}, orbweaver.ErrInput},
		{workspace.TopicOrder{Topic: "x", URLs: many}, orbweaver.ErrInput},
		{workspace.TopicOrder{Topic: "x", Wikipedia: &workspace.WikiCategory{Category: "Kites"}}, orbweaver.ErrInput},
		{workspace.TopicOrder{Topic: "x", Wikipedia: &workspace.WikiCategory{Category: "Kites", Depth: 11}, Contact: "me@example.org"}, orbweaver.ErrInput},
		{workspace.TopicOrder{Topic: "x", Wikipedia: &workspace.WikiCategory{Category: "Category:"}, Contact: "me@example.org"}, orbweaver.ErrInput},
		{workspace.TopicOrder{Add: "topics/none.krs", Documents: []string{"kites.txt"}}, orbweaver.ErrInput}, // no topic was learned yet,
		{workspace.TopicOrder{Add: "topics/none.krs", Topic: "x", Documents: []string{"kites.txt"}}, orbweaver.ErrInput},
	} {
		if l, err := w.Learn(tc.order); !errors.Is(err, tc.why) {
			t.Errorf("%+v: %+v, %v", tc.order, l, err)
		}
	}
	if all := w.Learnings(); len(all) > 0 {
		t.Errorf("%+v", all)
	}
	l, err := w.Learn(workspace.TopicOrder{Topic: "nothing", Documents: []string{"none.txt"}})
	if err != nil {
		t.Fatal(err)
	}
	if l = over(t, w, l.ID); l.State != workspace.LearningFailed || !strings.Contains(l.Error, "noun") || strings.Contains(l.Error, dir) {
		t.Errorf("%+v", l)
	}
	if left, _ := os.ReadDir(filepath.Join(dir, "topics")); len(left) > 0 {
		t.Errorf("left %v", left)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".studio", "learn-*", "*")); err != nil || len(left) != 1 {
		t.Errorf("left %v %v", left, err)
	}
	if again, err := w.LearnAgain(l.ID); err != nil || again.Over() {
		t.Errorf("%+v %v", again, err)
	}
	if c, err := w.CancelLearning(t.Context(), l.ID); err != nil || !c.Over() || c.State == workspace.LearningDone {
		t.Errorf("%+v %v", c, err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	interrupted(t, dir)
}

// over waits until a learning is over.
func over(t *testing.T, w *workspace.Workspace, id string) workspace.Learning {
	t.Helper()
	for t.Context().Err() == nil {
		if l, err := w.Learning(id); err != nil || l.Over() {
			return l
		}
		<-time.After(5 * time.Millisecond)
	}
	return workspace.Learning{}
}

// interrupted opens a workspace whose last process was killed while it learned, and while it put a topic to its place.
func interrupted(t *testing.T, dir string) {
	t.Helper()
	for id, order := range map[string]string{"aaaa": `{"topic": "kites", "documents": ["kites.txt"]}`, "bbbb": `{"add": "topics/old.krs", "documents": ["kites.txt"]}`} {
		folder := filepath.Join(dir, ".studio", "learn-"+id)
		for _, sub := range []string{"topic.part/db", "was/db"} {
			if err := os.MkdirAll(filepath.Join(folder, sub), 0o700); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(filepath.Join(folder, "learning.json"), []byte(`{"id": "`+id+`", "state": "runs", "order": `+order+`}`), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, "topics"), 0o700); err != nil {
		t.Fatal(err)
	}
	w := openSpace(t, dir, workspace.Options{})
	if models, err := w.Models(); err != nil || fmt.Sprint(models) != "[{topics/old.krs krs}]" {
		t.Errorf("%v %v", models, err)
	}
	l, err := w.Learning("aaaa")
	if err != nil || l.State != workspace.LearningFailed || !strings.Contains(l.Error, "try again") {
		t.Errorf("%+v %v", l, err)
	}
	if left, err := filepath.Glob(filepath.Join(dir, ".studio", "learn-*", "[^l]*")); err != nil || len(left) > 0 {
		t.Errorf("left %v %v", left, err)
	}
	if _, err := w.LearnAgain("aaaa"); err != nil {
		t.Fatal(err)
	}
	if l = over(t, w, "aaaa"); l.State != workspace.LearningDone || l.Model != "topics/kites.krs" {
		t.Errorf("%+v", l)
	}
	if _, err := w.LearnAgain("aaaa"); !errors.Is(err, orbweaver.ErrInput) {
		t.Error(err)
	}
	if err := w.ForgetLearning("aaaa"); err != nil {
		t.Error(err)
	}
	if _, err := w.Learning("aaaa"); !errors.Is(err, workspace.ErrUnknown) || len(w.Learnings()) != 2 {
		t.Errorf("%v %v", err, w.Learnings())
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}
