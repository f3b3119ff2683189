package pdf

import (
	"bytes"
	"cmp"
	"math"
	"slices"
)

// height is the size of a piece's font on the page.
func (p *piece) height() float64 { return p.size * math.Hypot(p.at.c, p.at.d) }

// upright reports whether a piece runs from left to right.
func (p *piece) upright() bool {
	return p.at.a > 0 && math.Abs(p.at.b) < 0.01*p.at.a && p.end.e >= p.at.e
}

// near is the distance, in font sizes, of two pieces of the same text that a reader sees as one: bold by drawing it
// twice, or a shadow.
const near = 0.15

// dropDoubles removes pieces that were drawn before at nearly the same place.
func (w *writer) dropDoubles() {
	type cell struct {
		text string
		x, y int64
	}
	seen := make(map[cell]bool, len(w.pieces))
	w.pieces = slices.DeleteFunc(w.pieces, func(p piece) bool {
		text, unit := bytes.TrimSpace(w.textOf(&p)), 2*near*p.height()
		if len(text) == 0 || unit <= 0 || p.at == p.end {
			return false // of glyphs without a width nothing tells how far apart they are
		}
		// Cells are twice as wide as what is near: a near piece is in the cell of the lower or of the upper corner.
		x, y := p.at.e/unit, p.at.f/unit
		if !(math.Abs(x) < 1<<40 && math.Abs(y) < 1<<40) {
			return false
		}
		c := cell{text: string(text)}
		for _, c.x = range [2]int64{int64(math.Floor(x - 0.5)), int64(math.Floor(x + 0.5))} {
			for _, c.y = range [2]int64{int64(math.Floor(y - 0.5)), int64(math.Floor(y + 0.5))} {
				if seen[c] {
					return true
				}
			}
		}
		c.x, c.y = int64(math.Floor(x)), int64(math.Floor(y))
		seen[c] = true
		return false
	})
}

// What makes columns of text that was drawn line by line over all of them: a gutter in so many rows, with so many bytes
// of text on both sides of it on average. In tables there is less.
const minRows, minSide, maxColumns = 4, 18, 4

// order writes pieces in reading order. That is the order of drawing, except for columns that were drawn side by side.
func (w *writer) order(pieces []piece, depth int) {
	rows := w.rowsOf(pieces)
	gutter, found := w.gutter(rows)
	if !found || depth >= maxColumns {
		w.put(pieces)
		return
	}
	for len(rows) > 0 {
		n, both := 0, 0
		for n < len(rows) && (n == 0 || !rows[n].above(rows[n-1])) {
			left, right := rows[n].split(gutter)
			if left < 0 {
				break
			}
			if left > 0 && right > 0 {
				both++
			}
			n++
		}
		if both < minRows {
			n = max(n, 1)
			for _, r := range rows[:n] {
				w.put(r)
			}
			rows = rows[n:]
			continue
		}
		var left, right []piece
		for _, r := range rows[:n] {
			l, _ := r.split(gutter)
			left, right = append(left, r[:l]...), append(right, r[l:]...)
		}
		w.order(left, depth+1)
		w.order(right, depth+1)
		rows = rows[n:]
	}
}

// A row is consecutive pieces on one line, from left to right.
type row []piece

// rowsOf splits pieces into rows.
func (w *writer) rowsOf(pieces []piece) (rows []row) {
	start := 0
	for i := 1; i <= len(pieces); i++ {
		if i < len(pieces) {
			a, b := &pieces[i-1], &pieces[i]
			h := b.height()
			if a.upright() && b.upright() && math.Abs(a.at.f-b.at.f) < 0.5*h && b.at.e > a.end.e-0.6*h {
				continue
			}
		}
		rows = append(rows, pieces[start:i])
		start = i
	}
	return rows
}

// above reports whether a row is clearly above the one that was drawn before it.
func (r row) above(before row) bool { return r[0].at.f > before[0].at.f+1.2*r[0].height() }

// split returns how many pieces are left and right of a gutter; negative: one crosses it.
func (r row) split(gutter float64) (left, right int) {
	for i := range r {
		switch p := &r[i]; {
		case !p.upright():
			return -1, 0
		case p.end.e <= gutter:
			left++
		case p.at.e >= gutter:
			right++
		default:
			return -1, 0
		}
	}
	return left, right
}

// gutter returns a place in the gaps of most rows, if that parts columns.
func (w *writer) gutter(rows []row) (x float64, found bool) {
	type edge struct {
		x    float64
		open int
	}
	var edges []edge
	for _, r := range rows {
		for i := 1; i < len(r); i++ {
			if from, to := r[i-1].end.e, r[i].at.e; to-from > r[i].height() {
				edges = append(edges, edge{from, 1}, edge{to, -1})
			}
		}
	}
	if len(edges) < 2*minRows {
		return 0, false
	}
	slices.SortFunc(edges, func(a, b edge) int { return cmp.Or(cmp.Compare(a.x, b.x), cmp.Compare(a.open, b.open)) })
	open, most := 0, 0
	for i, e := range edges {
		if open += e.open; open > most && i+1 < len(edges) {
			most, x = open, (e.x+edges[i+1].x)/2
		}
	}
	return x, most >= minRows && w.parts(rows, x)
}

// parts reports whether there is prose on both sides of a gutter.
func (w *writer) parts(rows []row, gutter float64) bool {
	both, least := 0, 0
	for _, r := range rows {
		left, right := r.split(gutter)
		if left <= 0 || right <= 0 {
			continue
		}
		both++
		a, b := 0, 0
		for i := range r {
			if n := len(bytes.TrimSpace(w.textOf(&r[i]))); i < left {
				a += n
			} else {
				b += n
			}
		}
		least += min(a, b)
	}
	return both >= minRows && least >= minSide*both
}
