package eval_test

import (
	"bufio"
	"context"
	"errors"
	"io/fs"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/internal/endpointtest/live"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/syntax/ntriples"
)

// A bench is generated data with its queries.
type bench struct {
	name, base string
	triples    func(n int) iter.Seq2[rdf.Quad, error]
	queries    func() []benchQuery
}

func benches() []bench {
	return []bench{{"shop", shop, shopTriples, shopQueries}, {"campus", campus, campusTriples, campusQueries}}
}

// TestBeside measures twelve queries over a shop and ten over universities beside those of Virtuoso and Oxigraph, of one file and with
// constants that are drawn anew for each evaluation. ORBWEAVER_TRIPLES says how many triples each has, ORBWEAVER_SHOP keeps what is
// generated and loaded, ORBWEAVER_QUERIES is a pattern of the names of queries.
func TestBeside(t *testing.T) {
	if os.Getenv("ORBWEAVER_EFFECT") != "all" {
		t.Skip("loads millions of triples into three stores: ORBWEAVER_EFFECT=all")
	}
	dir := os.Getenv("ORBWEAVER_SHOP")
	if dir == "" {
		dir = t.TempDir()
	}
	for _, b := range benches() {
		t.Run(b.name, func(t *testing.T) { beside(t, b, filepath.Join(dir, b.name)) })
	}
}

// rounds is how often all stores are measured, one after the other. The best round counts, as others use the machine.
const rounds = 3

// beside measures one bench.
func beside(t *testing.T, b bench, dir string) {
	n := shopSize()
	for _, folder := range []string{"data", "virtuoso"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "data", b.name+".nt")
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		writeTriples(t, file, b.triples(n))
	}
	reader := keptStore(t, filepath.Join(dir, "store"), b.triples(n))
	var others []live.Bulk
	for _, kind := range []live.Kind{live.Virtuoso, live.Oxigraph} {
		if only := os.Getenv("ORBWEAVER_BESIDE"); only == "" || strings.Contains(only, string(kind)) {
			others = append(others, live.StartBulk(t, kind, filepath.Join(dir, "virtuoso"), file))
		}
	}
	wanted := regexp.MustCompile(os.Getenv("ORBWEAVER_QUERIES"))
	r, serial := rand.New(rand.NewPCG(5, 6)), 0
	var sum, queries float64
	for _, q := range b.queries() {
		if !wanted.MatchString(q.name) {
			continue
		}
		draw := func(count int) (texts []string) {
			for range count {
				serial++
				texts = append(texts, drawn(q.text, b.base, n, r, serial))
			}
			return texts
		}
		_, once := timed(t, reader, draw(1))
		timed(t, reader, draw(int(min(60, 2*time.Second/(once+1))))) // the best of the rounds shows the others as warm
		_, once = timed(t, reader, draw(1))
		for _, other := range others {
			_, took := other.Time(t, draw(1))
			once = max(once, took)
		}
		count := int(min(100, max(4, time.Second/(once+1))))
		best, used := make([]time.Duration, 1+len(others)), make([]time.Duration, 1+len(others))
		for range rounds {
			texts := draw(count)
			before := live.Processor(os.Getpid())
			rows, took := timed(t, reader, texts)
			best[0] = shorter(best[0], took)
			used[0] += live.Processor(os.Getpid()) - before
			for i, other := range others {
				before := live.Processor(other.Process())
				their, took := other.Time(t, texts)
				best[1+i] = shorter(best[1+i], took)
				used[1+i] += live.Processor(other.Process()) - before
				if their != rows {
					t.Errorf("%s: %d rows, other store %d has %d:\n%s", q.name, rows, i, their, strings.Join(texts, "\n"))
				}
			}
		}
		var line, cpu []float64
		for i, took := range best {
			line = append(line, 1000*took.Seconds()/float64(count))
			cpu = append(cpu, 1000*used[i].Seconds()/float64(count*rounds))
		}
		ratio := 0.0
		if len(line) > 1 {
			ratio = line[0] / line[1]
			sum += math.Log(max(0.1, ratio))
			queries++
		}
		t.Logf("%-41s %2d draws, ratio %5.2f, ms: %8.3f, of processor %8.3f", q.name, count, ratio, line, cpu)
		if os.Getenv("ORBWEAVER_EXPLAIN") != "" {
			explained(t, reader, draw(1)[0])
		}
	}
	t.Logf("%s: geometric mean %.3f of %.0f queries; resident %d MB", b.name, math.Exp(sum/max(1, queries)), queries, live.Resident(os.Getpid())>>20)
}

// shorter returns the shorter of two durations, of which 0 is none.
func shorter(a, b time.Duration) time.Duration {
	if a == 0 {
		return b
	}
	return min(a, b)
}

// timed evaluates queries, from their text to the last term, and returns their rows and the time taken.
func timed(t *testing.T, r quads.Reader, texts []string) (rows int, took time.Duration) {
	begun := time.Now()
	for _, text := range texts {
		res, err := eval.Query(context.Background(), r, parseQuery(t, text, ""), eval.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range res.Rows() {
			if err != nil {
				t.Fatal(text, err)
			}
			rows++
		}
	}
	return rows, time.Since(begun)
}

func explained(t *testing.T, r quads.Reader, text string) {
	res, err := eval.Query(context.Background(), r, parseQuery(t, text, ""), eval.Options{Explain: true})
	if err != nil {
		t.Fatal(err)
	}
	for range res.Rows() {
	}
	t.Logf("%s\n%s", text, res.Explain())
}

func writeTriples(t *testing.T, name string, triples iter.Seq2[rdf.Quad, error]) {
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriterSize(f, 1<<20)
	var line []byte
	for q := range triples {
		line = ntriples.AppendTriple(line[:0], rdf.Triple{S: q.S, P: q.P, O: q.O})
		if _, err := w.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(w.Flush(), f.Close()); err != nil {
		t.Fatal(err)
	}
}

// keptStore returns a store in a folder, loaded unless it is there.
func keptStore(t *testing.T, dir string, triples iter.Seq2[rdf.Quad, error]) quads.Reader {
	_, err := os.Stat(dir)
	db, err2 := pebble.Open(filepath.Join(dir, "db"), &pebble.Options{Logger: quiet{}, FormatMajorVersion: pebble.FormatNewest, CacheSize: 160 << 20})
	if err2 != nil {
		t.Fatal(err2)
	}
	store, err2 := quads.Open(db, []byte("Q"), quads.Options{Temp: filepath.Join(dir, "temp"), FS: vfs.Default, Columns: 96 << 20})
	if err2 != nil {
		t.Fatal(err2)
	}
	if err != nil {
		w, err := store.Writer()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Load(t.Context(), triples, ""); err != nil {
			t.Fatal(err)
		}
	}
	snapshot := store.Snapshot()
	t.Cleanup(func() {
		if err := errors.Join(snapshot.Close(), db.Close()); err != nil {
			t.Error(err)
		}
	})
	return snapshot
}
