package engine_test

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/frontier"
	"orbweaver/internal/step"
	"orbweaver/internal/tier"
	"orbweaver/ledger"
)

// A fickle focus seeds a crawl with many requests of realistic size, and changes its opinion of all of them
// after each page.
type fickle struct {
	focus
	n     int
	pages uint64
}

func (f *fickle) Seeds(context.Context, orbweaver.Known) ([]orbweaver.Proposal, error) {
	plan := make([]orbweaver.Proposal, f.n)
	for i := range plan {
		url := fmt.Sprintf("http://host-%d.example/section/%d/a-page-of-some-name.html", i%1000, i)
		plan[i] = orbweaver.Proposal{
			Request: orbweaver.Request{
				URL: url, Parent: "http://host-1.example/section/index.html", Note: make([]byte, 32),
				Via: &orbweaver.Link{To: url, Anchor: "a page of some name", Context: strings.Repeat("words around ", 16), Origin: "body"},
			},
			Judgement: orbweaver.Judgement{Score: float64(i%997) / 1000, Reasons: []orbweaver.Reason{
				{Rule: "page", Evidence: "http://host-1.example/section/index.html scores 0.4", Weight: 0.2},
				{Rule: "anchor", Evidence: "page, name", Weight: 0.1},
			}},
		}
	}
	return plan, nil
}

func (f *fickle) Learn(context.Context, orbweaver.Outcome) (orbweaver.Lesson, error) {
	f.pages++
	return orbweaver.Lesson{Stale: []string{"*"}}, nil
}

func (f *fickle) Rerank(_ orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	p.Score = float64((uint64(len(p.URL))*7919+uint64(p.URL[13])*f.pages)%1009) / 1009
	return p.Judgement
}

func (f *fickle) Snapshot(io.Writer) error { return nil }
func (f *fickle) Restore(io.Reader) error  { return nil }

// BenchmarkRerank measures the pause of a crawl while all waiting requests are reranked, from reading them to
// handing the new opinions to the operating system.
func BenchmarkRerank(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000} {
		b.Run(fmt.Sprintf("waiting=%d", n), func(b *testing.B) {
			for b.Loop() {
				took := rerankOnce(b, n)
				b.ReportMetric(took.Seconds(), "s/rerank")
				b.ReportMetric(float64(n)/took.Seconds(), "requests/s")
			}
		})
	}
}

func rerankOnce(b *testing.B, n int) (took time.Duration) {
	book, err := ledger.Open(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer book.Close()
	learning := false
	cfg := engine.Config{
		Focus: &fickle{n: n}, Fetch: web{"http://host-0.example/section/0/a-page-of-some-name.html": ""}, Read: reader{},
		Ledger: book, Frontier: frontier.New(frontier.Options{}), Limits: engine.Limits{Requests: 1}, Snapshot: 1 << 20,
		Flush: book.Flush,
		Meter: func(stage string, d time.Duration) {
			learning = learning || stage == engine.StageLearn
			if learning && (stage == engine.StageLearn || stage == engine.StageCommit || stage == engine.StageFlush) {
				took += d
			}
		},
	}
	if _, err := engine.New(cfg, book.Progress()).Run(context.Background()); err != nil {
		b.Fatal(err)
	}
	return took
}

// BenchmarkOffers measures the time and memory of many new waiting URLs, in the seen set and the frontier,
// without the database. Ten million run with -bench 'Offers/.*=10000000'.
func BenchmarkOffers(b *testing.B) {
	for _, n := range []int{1_000_000, 10_000_000} {
		b.Run(fmt.Sprintf("waiting=%d", n), func(b *testing.B) {
			if n > 1_000_000 && !tier.Whole {
				b.Skip("left out by -short")
			}
			for b.Loop() {
				offerAll(b, n)
			}
		})
	}
}

func offerAll(b *testing.B, n int) {
	book, err := ledger.OpenInMemory(b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	defer book.Close()
	before, began := inUse(), time.Now()
	f := frontier.New(frontier.Options{Live: true, Robots: true, Delay: time.Second})
	var url []byte
	for i := range n {
		url = fmt.Appendf(url[:0], "http://host-%d.example/section/%d/a-page-of-some-name.html", i%10_000, i)
		var w step.Waiting
		w.URL, w.Score = string(url), float64(i*7919%n)/float64(n)
		fresh := false
		if w.ID, fresh = book.Offer(w.Request); !fresh {
			b.Fatalf("%s is known", url)
		}
		f.Add(w)
	}
	took := time.Since(began)
	b.ReportMetric(float64(n)/took.Seconds(), "offers/s")
	b.ReportMetric(float64(inUse()-before)/float64(n), "B/URL")
	runtime.KeepAlive(f)
}

// inUse returns the bytes of the heap in use.
func inUse() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}
