package export

import (
	"context"
	"errors"
	"strings"

	"github.com/cespare/xxhash/v2"

	"orbweaver/fetch/archive"
	"orbweaver/page"
	"orbweaver/text"
	"orbweaver/weburl"
)

// What recurs on the pages of a host is its template, not a page's text.
const (
	taught     = 64      // pages of a host that are read to learn what recurs: its first
	recurs     = 3       // pages that have a line that recurs, at least
	shareOf    = 4       // and one of so many of those that taught
	longLine   = 40      // bytes of a line that may be template; shorter ones are headings that many texts share
	mostLines  = 1 << 20 // lines that are remembered, of all hosts; later ones are not
	mostHosts  = 1 << 16 // hosts that are learned from
	mostOnPage = 1 << 12 // lines of one page that are looked at
)

// recurring knows which lines recur in the articles of a host's pages. It depends on the pages and their order alone,
// and takes some 40 MB at most.
type recurring struct {
	pages map[string]int   // by host: those that taught
	lines map[uint64]uint8 // by host and line: pages that have it, at most taught
}

// linesOf returns how often each line of an article that may be template is in it.
func linesOf(host, article string) map[uint64]int {
	times := map[uint64]int{}
	for line := range strings.SplitSeq(article, "\n") {
		if len(line) >= longLine && len(times) < mostOnPage {
			times[lineID(host, line)]++
		}
	}
	return times
}

// learn counts the lines that an article has once; a line that it has several times is a cell of a table. A page
// teaches nothing if most of its lines are known: it is another version of one before, not another page with the same
// template.
func (r *recurring) learn(host, article string) {
	if r.pages[host] >= taught || r.pages[host] == 0 && len(r.pages) >= mostHosts {
		return
	}
	times, known := linesOf(host, article), 0
	for id := range times {
		if r.lines[id] > 0 {
			known++
		}
	}
	if len(times) == 0 || known*2 > len(times) {
		return
	}
	r.pages[host]++
	for id, n := range times {
		if was := r.lines[id]; n == 1 && (was > 0 || len(r.lines) < mostLines) {
			r.lines[id] = was + 1
		}
	}
}

// lineID identifies a line of a host.
func lineID(host, line string) uint64 {
	var h xxhash.Digest
	h.Reset()
	_, _ = h.WriteString(host)
	_, _ = h.WriteString("\x00")
	_, _ = h.WriteString(line)
	return h.Sum64()
}

// without returns an article without the lines that recur on its host, and how many those are. An article that would
// lose more than half is returned as it is.
func (r *recurring) without(host, article string) (kept string, omitted int) {
	omit := r.of(host, article)
	if len(omit) == 0 {
		return article, 0
	}
	var b strings.Builder
	blank := true
	for line := range strings.SplitSeq(article, "\n") {
		switch {
		case omit[line]:
		case line == "" && blank:
		default:
			blank = line == ""
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
	return strings.TrimRight(b.String(), "\n"), len(omit)
}

// of returns the lines of an article that recur on its host; none if the article would lose more than half.
func (r *recurring) of(host, article string) map[string]bool {
	if r.pages[host] < recurs {
		return nil
	}
	times := linesOf(host, article)
	omit, bytes := map[string]bool{}, 0
	for line := range strings.SplitSeq(article, "\n") {
		id := lineID(host, line)
		if n := int(r.lines[id]); times[id] == 1 && n >= recurs && n*shareOf >= r.pages[host] {
			omit[line] = true
			bytes += len(line)
		}
	}
	if bytes*2 > len(article) {
		return nil
	}
	return omit
}

// learned reads the first pages of each host that has several, in the order of their lines.
func (x *Run) learned(ctx context.Context, stock *archive.Stock, reader *page.Reader, byNumber map[int64]Pick) (*recurring, error) {
	r := &recurring{pages: map[string]int{}, lines: map[uint64]uint8{}}
	several := map[string]int{}
	for line, err := range x.Chosen.Lines(x.Opts.Accepted) {
		if err != nil {
			return nil, err
		}
		if _, ok := byNumber[line.N]; ok {
			several[weburl.Host(line.URL)]++
		}
	}
	for line, err := range x.Chosen.Lines(x.Opts.Accepted) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, err
		}
		host := weburl.Host(line.URL)
		k, ok := byNumber[line.N]
		if !ok || several[host] < recurs || r.pages[host] >= taught {
			continue
		}
		if p, err := x.Read(ctx, stock, reader, k); err == nil { // what cannot be read is told when it is written
			r.learn(host, text.Parts(p.Text, p.Article))
		}
	}
	return r, nil
}
