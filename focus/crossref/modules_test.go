package crossref

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"errors"
	"html"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/internal/realdata"
	"orbweaver/internal/step"
)

// BenchmarkModules streams the news items of Reuters-21578 in rounds of 2 000, as SemXDM's evaluation streams its 45 000, and reports the seconds of each module. The items link
// to nothing: each gets links to ten items of its first topic, or of any, and to ten of any, drawn at random, with their titles. What no item links to is never fetched.
func BenchmarkModules(b *testing.B) {
	items := reuters(b)
	for b.Loop() {
		spent := map[string]time.Duration{}
		fetched, waiting := streamed(b, items, spent)
		for name, took := range spent {
			b.ReportMetric(took.Seconds(), name+"-s")
		}
		b.ReportMetric(float64(fetched), "items")
		b.ReportMetric(float64(waiting), "waiting-at-most")
	}
}

// reuters are the items that have a text, with links.
func reuters(b *testing.B) (all []*orbweaver.Page) {
	b.Helper()
	f, err := os.Open(realdata.File(b, "reuters-21578.tar.gz"))
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	unzipped, err := gzip.NewReader(f)
	if err != nil {
		b.Fatal(err)
	}
	byTopic := map[string][]int{}
	var topics []string
	for r := tar.NewReader(unzipped); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			b.Fatal(err)
		}
		if !strings.HasSuffix(h.Name, ".json") {
			continue
		}
		var stories []struct {
			Attrs       struct{ NewID string }
			Body, Title string
			Topics      []string
		}
		if err := json.NewDecoder(r).Decode(&stories); err != nil {
			b.Fatal(err)
		}
		for _, s := range stories {
			if strings.TrimSpace(s.Body) == "" {
				continue
			}
			topic := strings.Join(s.Topics[:min(1, len(s.Topics))], "")
			byTopic[topic] = append(byTopic[topic], len(all))
			topics = append(topics, topic)
			all = append(all, page("http://news.test/"+s.Attrs.NewID, html.UnescapeString(s.Body)))
			all[len(all)-1].Title = html.UnescapeString(s.Title)
		}
	}
	draw := rand.New(rand.NewPCG(45, 1))
	for i, p := range all {
		for n := range 20 {
			to := draw.IntN(len(all))
			if near := byTopic[topics[i]]; n%2 == 0 {
				to = near[draw.IntN(len(near))]
			}
			l := link(all[to].URL, all[to].Title)
			l.Context = all[to].Title
			p.Links = append(p.Links, l)
		}
	}
	return all
}

// streamed crawls items from the first one on, with time by module.
func streamed(b *testing.B, items []*orbweaver.Page, spent map[string]time.Duration) (fetched, most int) {
	b.Helper()
	took := func(name string, f func()) {
		began := time.Now()
		f()
		spent[name] += time.Since(began)
	}
	at, known := map[string]*orbweaver.Page{}, graphOf{}
	for _, p := range items {
		at[p.URL] = p
	}
	f := focus(b, func(o *Options) { o.Item, o.Round, o.FixedRounds, o.MaxItems = items[0], 2000, true, 50_000 })
	waiting, done := map[string]orbweaver.Proposal{items[1].URL: {}}, map[string]bool{items[0].URL: true}
	for n := 1; len(waiting) > 0; n++ {
		var round []string
		took("ranking", func() {
			for url, p := range waiting {
				if score, ok := f.Worth(p.Note); ok {
					p.Score = score
				}
				waiting[url] = p
				round = append(round, url)
			}
			slices.SortFunc(round, func(a, b string) int {
				x, y := waiting[a], waiting[b]
				if x.Score != y.Score {
					if x.Score > y.Score {
						return -1
					}
					return 1
				}
				return strings.Compare(a, b)
			})
		})
		for _, url := range round[:min(f.RoundSize(), len(round))] {
			o := orbweaver.Outcome{Request: waiting[url].Request}
			copied := *at[url]
			o.Page = &copied
			delete(waiting, url)
			done[url] = true
			took("terms", func() { o.Page.Findings = f.prepare(o.Page) })
			took("judging", func() { o.Actual, _ = f.Judge(b.Context(), o.Page) })
			took("ranking", func() {
				o.Plan, _ = f.Plan(b.Context(), o.Page, o.Actual)
				for _, p := range o.Plan {
					if before, waits := waiting[p.URL]; waits {
						waiting[p.URL] = step.Merge(f.Merge(before.Note, p), before, p)
					} else if !done[p.URL] {
						waiting[p.URL] = p
					}
					known[p.URL] = append(known[p.URL], url)
				}
			})
			took("labels", func() { teach(b, f, o) })
			fetched++
		}
		took("layers", func() { endRound(b, f, n, known) })
		most = max(most, len(waiting))
	}
	return fetched, most
}
