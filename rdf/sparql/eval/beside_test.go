package eval_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/internal/database/kv"
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

// A besides is the stores that are measured beside each other over one bench.
type besides struct {
	bench
	reader quads.Reader
	others []live.Bulk
	n      int
	r      *rand.Rand
	serial int
}

// beside measures one bench.
func beside(t *testing.T, b bench, dir string) {
	m := &besides{bench: b, n: shopSize(), r: rand.New(rand.NewPCG(5, 6))}
	for _, folder := range []string{"data", "virtuoso"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	file := filepath.Join(dir, "data", b.name+".nt")
	if _, err := os.Stat(file); errors.Is(err, fs.ErrNotExist) {
		writeTriples(t, file, b.triples(m.n))
	}
	m.reader = keptStore(t, filepath.Join(dir, "store"), b.triples(m.n))
	for _, kind := range []live.Kind{live.Virtuoso, live.Oxigraph} {
		if only := os.Getenv("ORBWEAVER_BESIDE"); only == "" || strings.Contains(only, string(kind)) {
			m.others = append(m.others, live.StartBulk(t, kind, filepath.Join(dir, "virtuoso"), file))
		}
	}
	wanted := regexp.MustCompile(os.Getenv("ORBWEAVER_QUERIES"))
	queries := slices.DeleteFunc(b.queries(), func(q benchQuery) bool { return !wanted.MatchString(q.name) })
	counts := make([]int, len(queries))
	for i, q := range queries {
		counts[i] = m.warm(t, q)
	}
	var sum, measured float64
	for i, q := range queries {
		if ratio := m.measure(t, q, counts[i]); ratio > 0 {
			sum += math.Log(max(0.1, ratio))
			measured++
		}
		if os.Getenv("ORBWEAVER_EXPLAIN") != "" {
			explained(t, m.reader, m.draw(q, 1)[0])
		}
	}
	t.Logf("geometric mean %.3f of %.0f queries", math.Exp(sum/max(1, measured)), measured)
	t.Logf("resident MB: %d", live.Resident(os.Getpid())>>20)
	for _, other := range m.others {
		t.Logf("of another store: %d", live.Resident(other.Process())>>20)
	}
}

// draw returns a query with constants of its own, some times.
func (m *besides) draw(q benchQuery, count int) (texts []string) {
	for range count {
		m.serial++
		texts = append(texts, drawn(q.text, m.base, m.n, m.r, m.serial))
	}
	return texts
}

// warm has each store answer a query for some seconds, so that its caches are those of a server at work, and returns with how many draws to
// measure it.
func (m *besides) warm(t *testing.T, q benchQuery) int {
	for _, count := range []int{1, 10, 40} {
		if _, took := timed(t, m.reader, m.draw(q, count)); took > time.Second {
			break
		}
	}
	_, slowest := timed(t, m.reader, m.draw(q, 1))
	for _, other := range m.others {
		for _, count := range []int{1, 5} {
			if _, took := other.Time(t, m.draw(q, count)); took > time.Second {
				break
			}
		}
		_, took := other.Time(t, m.draw(q, 1))
		slowest = max(slowest, took)
	}
	return int(min(100, max(4, time.Second/(slowest+1))))
}

// measure measures a query in all stores and returns our time in relation to the first other one's; 0: there is none.
func (m *besides) measure(t *testing.T, q benchQuery, count int) (ratio float64) {
	best, used := make([]time.Duration, 1+len(m.others)), make([]time.Duration, 1+len(m.others))
	rows := 0
	for range rounds {
		texts, before := m.draw(q, count), live.Processor(os.Getpid())
		found, took := timed(t, m.reader, texts)
		rows, best[0] = found, shorter(best[0], took)
		used[0] += live.Processor(os.Getpid()) - before
		for i, other := range m.others {
			before := live.Processor(other.Process())
			their, took := other.Time(t, texts)
			best[1+i] = shorter(best[1+i], took)
			used[1+i] += live.Processor(other.Process()) - before
			if their != rows {
				t.Errorf("%s: %d rows, other store %d has %d:\n%s", q.name, rows, i, their, strings.Join(texts, "\n"))
			}
		}
	}
	line := fmt.Sprintf("| %s | %d | %d |", q.name, rows/count, count)
	for _, took := range best {
		line += fmt.Sprintf(" %.3g |", 1000*took.Seconds()/float64(count))
	}
	for _, took := range used {
		line += fmt.Sprintf(" %.3g |", 1000*took.Seconds()/float64(count*rounds))
	}
	if len(best) > 1 {
		ratio = best[0].Seconds() / best[1].Seconds()
		line += fmt.Sprintf(" %.2f |", ratio)
	}
	t.Log(line)
	return ratio
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
	opened, err2 := pebble.Open(filepath.Join(dir, "db"), &pebble.Options{Logger: quiet{}, FormatMajorVersion: pebble.FormatNewest, CacheSize: 112 << 20})
	if err2 != nil {
		t.Fatal(err2)
	}
	db := kv.Over(opened)
	store, err2 := quads.Open(db, []byte("Q"), quads.Options{Temp: filepath.Join(dir, "temp"), FS: vfs.Default, Columns: 144 << 20})
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
