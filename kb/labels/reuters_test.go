package labels

import (
	"archive/tar"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"html"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"orbweaver/internal/realdata"
	"orbweaver/internal/tier"
	"orbweaver/text"
)

// A story is a news item of Reuters-21578 with a body.
type story struct {
	at     time.Time
	id     string
	words  string
	topics []string
}

// stories returns all 19 043 by date.
func stories(t testing.TB) []story {
	t.Helper()
	f, err := os.Open(realdata.File(t, "reuters-21578.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var all []story
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(h.Name, ".json") {
			all = append(all, readStories(t, r)...)
		}
	}
	slices.SortFunc(all, func(a, b story) int { return cmp.Or(a.at.Compare(b.at), strings.Compare(a.id, b.id)) })
	return all
}

func readStories(t testing.TB, r io.Reader) (all []story) {
	t.Helper()
	var file []struct {
		Attrs             struct{ NewID string }
		Body, Title, Date string
		Topics            []string
	}
	if err := json.NewDecoder(r).Decode(&file); err != nil {
		t.Fatal(err)
	}
	for _, s := range file {
		if strings.TrimSpace(s.Body) == "" {
			continue
		}
		date, _, _ := strings.Cut(strings.TrimSpace(s.Date), ".") // some have trailing garbage
		at, err := time.Parse("2-Jan-2006 15:04:05", date)
		if err != nil { // one has an invalid hour
			date, _, _ = strings.Cut(date, " ")
			at, err = time.Parse("2-Jan-2006", date)
		}
		if err != nil {
			t.Fatal(err)
		}
		body := strings.TrimSuffix(strings.TrimRight(html.UnescapeString(s.Body), "\x03 \n"), "Reuter")
		all = append(all, story{at, s.Attrs.NewID, html.UnescapeString(s.Title) + "\n\n" + body, s.Topics})
	}
	return all
}

// A reader converts stories to items: stems, and pairs of adjacent stems that ten earlier stories had,
// weighted by tf·idf of the stories so far.
type storyReader struct {
	stemmer *text.Stemmer
	df      map[string]int
	n       int
}

func newStoryReader() *storyReader {
	return &storyReader{stemmer: text.NewStemmer("en"), df: map[string]int{}}
}

func (r *storyReader) item(s story) Item {
	tf := map[string]int{}
	last := ""
	var words text.Scanner
	for words.Reset(s.words); words.Next(); {
		word := words.Word()
		if text.StopWord("en", word) || len(word) < 2 || word[0] >= '0' && word[0] <= '9' {
			last = ""
			continue
		}
		stem := r.stemmer.Stem(word)
		tf[stem]++
		if last != "" && !words.NewBlock() {
			tf[last+" "+stem]++
		}
		last = stem
	}
	r.n++
	it := Item{ID: "reuters:" + s.id, At: s.at}
	for term, n := range tf {
		before := r.df[term]
		r.df[term]++
		if strings.Contains(term, " ") && before < 10 {
			continue
		}
		it.Terms = append(it.Terms, Term{term, float64(n) * math.Log(float64(r.n+1)/float64(before+1))})
	}
	return it
}

// news is what reutersItems has read for all tests.
var news struct {
	sync.Once
	stories []story
	items   []Item
}

// reutersItems returns the stories and their items, which must not be modified.
func reutersItems(t testing.TB) ([]story, []Item) {
	t.Helper()
	realdata.File(t, "reuters-21578.tar.gz")
	news.Do(func() {
		r := newStoryReader()
		news.stories = stories(t)
		news.items = make([]Item, len(news.stories))
		for i, s := range news.stories {
			news.items[i] = r.item(s)
			news.items[i].Terms = news.items[i].terms(Default().Terms)
		}
	})
	return news.stories, news.items
}

// TestReuters learns 19 043 items and checks the number of operations, the memory and the results.
// BenchmarkLearnAfter and BenchmarkClassifyNews measure the time.
func TestReuters(t *testing.T) {
	tier.Long(t, "learns 19 043 items")
	_, items := reutersItems(t)
	if len(items) != 19043 {
		t.Fatalf("%d stories with a body", len(items))
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	m := newModel(t, Default())
	kinds := map[string]int{}
	for _, it := range items {
		for _, c := range m.Learn(it) {
			if kinds[string(c.Kind)+" +"]++; c.New == "" {
				kinds[string(c.Kind)+" +"]--
				kinds[string(c.Kind)+" -"]++
			}
		}
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	kept := float64(after.HeapAlloc-before.HeapAlloc) / (1 << 20)
	w := m.Work()
	t.Logf("%d items, %.0f MiB kept, %d pairs counted, %d looked at", len(items), kept, w.Pairs, w.Looked)
	t.Logf("%+v", m.Statistics())
	t.Logf("changes %v", kinds)
	labels := 0
	for _, it := range items {
		labels += len(m.Classify(it))
	}
	t.Logf("%.1f labels an item", float64(labels)/float64(len(items)))
	size := len(snapshot(t, m))
	t.Logf("snapshot %.1f MB", float64(size)/1e6)
	if each := float64(w.Pairs+w.Looked) / float64(len(items)); kept > 500 || each > 700 {
		t.Errorf("%.0f operations an item and %.0f MiB: it must be 700 and 500", each, kept)
	}
	runtime.KeepAlive(items)
}
