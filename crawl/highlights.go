package crawl

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"

	"orbweaver/ledger"
)

// mostHighlights is the number of the newest, and of the best pages that are kept.
const mostHighlights = 20

// Highlights returns the n newest and the n best pages, at most 20, as they were judged: the newest first, the best first. It reads what
// came since the last call of Highlights or Curve, and asks nothing of a crawl that runs.
func (c *Crawl) Highlights(ctx context.Context, n int) (newest, best []Page, err error) {
	v := &c.curve
	if _, err = v.upTo(ctx, filepath.Join(c.Folder(), ledger.JournalFile), 2); err != nil {
		return nil, nil, err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	for _, line := range slices.Backward(v.newest) {
		if newest, err = decoded(newest, line, n); err != nil {
			return nil, nil, err
		}
	}
	for _, b := range v.best {
		if best, err = decoded(best, b.line, n); err != nil {
			return nil, nil, err
		}
	}
	return newest, best, nil
}

// decoded appends the page of a line, if there are fewer than n.
func decoded(pages []Page, line []byte, n int) ([]Page, error) {
	if len(pages) >= n {
		return pages, nil
	}
	var p Page
	if err := json.Unmarshal(line, &p); err != nil {
		return nil, fmt.Errorf("crawl: %s: %w", ledger.JournalFile, err)
	}
	return append(pages, p), nil
}

// A scoredLine is a line of pages.jsonl with the score in it.
type scoredLine struct {
	score float64
	line  []byte
}

// light takes a line of a page up if it is among the newest or the best.
func (v *curve) light(line []byte) {
	if bytes.Contains(line, []byte(`"redirect":"`)) {
		return
	}
	if len(v.newest) == mostHighlights {
		copy(v.newest, v.newest[1:])
		v.newest = v.newest[:mostHighlights-1]
	}
	v.newest = append(v.newest, bytes.Clone(line))
	score := scoreIn(line)
	if len(v.best) == mostHighlights && score <= v.best[mostHighlights-1].score {
		return
	}
	at, _ := slices.BinarySearchFunc(v.best, score, func(b scoredLine, s float64) int { return cmp.Compare(s, b.score) })
	for at < len(v.best) && v.best[at].score == score { // of equal ones the first
		at++
	}
	v.best = slices.Insert(v.best, at, scoredLine{score, bytes.Clone(line)})
	v.best = v.best[:min(len(v.best), mostHighlights)]
}

// scoreIn returns the score of the page in a line: that of the prediction stands in braces before it.
func scoreIn(line []byte) float64 {
	_, rest, found := bytes.Cut(line, []byte(`},"score":`))
	if !found {
		return 0
	}
	end := bytes.IndexAny(rest, ",}")
	if end < 0 {
		return 0
	}
	score, err := strconv.ParseFloat(string(rest[:end]), 64)
	if err != nil {
		return 0
	}
	return score
}
