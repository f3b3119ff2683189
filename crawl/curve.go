package crawl

import (
	"bytes"
	"context"
	"path/filepath"
	"sync"

	"orbweaver/ledger"
)

// A Point of a curve: counts after so many outcomes. Pages and accepted pages are those of the judgements.
type Point struct {
	Requests int64 `json:"requests"`
	Pages    int64 `json:"pages"`
	Accepted int64 `json:"accepted"`
}

// Curve returns how pages and accepted pages grew with the outcomes of the crawl, in at most n points, at least 2, evenly spaced but
// for the last. What an earlier call read is not read again.
func (c *Crawl) Curve(ctx context.Context, n int) ([]Point, error) {
	return c.curve.upTo(ctx, filepath.Join(c.Folder(), ledger.JournalFile), max(n, 2))
}

// maxPoints is the number of points that are kept; beyond, every second one is dropped.
const maxPoints = 1 << 12

// A curve is read from a growing pages.jsonl. Its lines are looked at and not decoded: text within JSON strings has no bare quotes.
type curve struct {
	mu     sync.Mutex
	from   follower
	points []Point
	step   int64 // outcomes between two points
	now    Point
	newest [][]byte     // lines of pages, the last the newest
	best   []scoredLine // the best first
}

func (v *curve) upTo(ctx context.Context, path string, n int) ([]Point, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.from.path = path
	defer v.from.close()
	was := v.from.at
	if err := v.from.open(); v.from.file == nil {
		return nil, err
	}
	if v.from.at = was; v.now.Requests == 0 || !v.continues() {
		v.points, v.step, v.now, v.from.at, v.newest, v.best = []Point{{}}, 1, Point{}, 0, nil, nil
	}
	for ctx.Err() == nil {
		text, err := v.from.whole()
		if err != nil {
			return nil, err
		}
		if len(text) == 0 {
			break
		}
		v.from.at += int64(len(text))
		for line := range bytes.Lines(text) {
			v.count(line)
		}
	}
	return v.some(n), ctx.Err()
}

// continues reports whether the file goes on behind what was read of it.
func (v *curve) continues() bool {
	info, err := v.from.file.Stat()
	if err != nil || info.Size() < v.from.at {
		return false
	}
	end := make([]byte, 1)
	_, err = v.from.file.ReadAt(end, v.from.at-1)
	return err == nil && end[0] == '\n'
}

// count adds an outcome.
func (v *curve) count(line []byte) {
	v.now.Requests++
	if bytes.Contains(line, []byte(`"digest":"`)) {
		v.now.Pages++
		v.light(line)
	}
	if bytes.Contains(line, []byte(`"accepted":true`)) {
		v.now.Accepted++
	}
	if v.now.Requests%v.step != 0 {
		return
	}
	if v.points = append(v.points, v.now); len(v.points) > maxPoints {
		kept := v.points[:0]
		for i := 0; i < len(v.points); i += 2 {
			kept = append(kept, v.points[i])
		}
		v.points, v.step = kept, v.step*2
	}
}

// some returns at most n points, with the last.
func (v *curve) some(n int) []Point {
	every := max(1, (len(v.points)+n-2)/(n-1))
	var some []Point
	for i := 0; i < len(v.points); i += every {
		some = append(some, v.points[i])
	}
	if some[len(some)-1] != v.now {
		some = append(some, v.now)
	}
	return some
}
