package export

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/order"
	"orbweaver/ledger"
)

// Pick is a response to export: the data of its line that the record lacks.
type Pick struct {
	Holding archive.Holding
	N       int64 // number of its line
	score   float32
	status  int16
	digest  uint64 // hash of the payload's digest; 0: the line has none
	next    int32  // next pick of the same target; -1: none
	page    bool
	found   bool
	made    bool // by its scripts
}

// Picks is the set of responses to export from an archive. It takes some 150 bytes a response.
type Picks struct {
	Lines   *Standing
	All     []Pick
	Targets map[uint64]int32 // archived URL → first pick
}

// Pick chooses the responses of the current lines. With accepted it chooses accepted pages, and with
// redirects also the redirects that lead to them, so that links through those resolve.
func (s *Standing) Pick(accepted, redirects bool) (*Picks, error) {
	p := &Picks{Lines: s, Targets: map[uint64]int32{}}
	leading := map[uint64]bool{}
	if accepted && redirects {
		var err error
		if leading, err = s.leading(); err != nil {
			return nil, err
		}
	}
	for line, err := range s.Lines(false) {
		if err != nil {
			return nil, err
		}
		switch {
		case line.Status == 0: // no response
		case accepted && !IsAccepted(line.Line) && !(line.Redirect != "" && leading[s.url(line.URL)]):
		case !redirects && !IsPage(line.Line):
		default:
			p.Add(line.Line)
		}
	}
	return p, nil
}

// url hashes a URL.
func (s *Standing) url(url string) uint64 { return s.request(ledger.Line{URL: url}) }

// maxChain bounds the redirects that a crawl follows in a row: see limits.redirects.
const maxChain = 50

// leading returns the redirects that lead to accepted pages.
func (s *Standing) leading() (map[uint64]bool, error) {
	type hop struct{ from, to uint64 }
	var hops []hop
	good := map[uint64]bool{}
	for line, err := range s.Lines(false) {
		if err != nil {
			return nil, err
		}
		if line.Redirect != "" {
			hops = append(hops, hop{s.url(line.URL), s.url(line.Redirect)})
		} else if line.Accepted {
			good[s.url(line.URL)] = true
		}
	}
	for range maxChain {
		for _, h := range hops {
			if good[h.to] {
				good[h.from] = true
			}
		}
	}
	return good, nil
}

// Add adds a page to the responses to find.
func (p *Picks) Add(l ledger.Line) {
	target := p.target(archive.TargetURI(orbweaver.Request{URL: l.URL, Query: l.Query}))
	next, taken := p.Targets[target]
	if !taken {
		next = -1
	}
	p.Targets[target] = int32(len(p.All))
	p.All = append(p.All, Pick{
		N: l.N, score: float32(l.Score), status: int16(l.Status), digest: p.digest(l.Digest), next: next, page: IsPage(l), made: l.Rendered,
	})
}

// target hashes an archived URL.
func (p *Picks) target(uri string) uint64 { return p.Lines.request(ledger.Line{Query: uri}) }

// digest hashes a digest; the empty digest gives 0.
func (p *Picks) digest(d string) uint64 {
	if d == "" {
		return 0
	}
	return p.Lines.request(ledger.Line{Accept: d}) | 1
}

// Find finds the picks in an archive: a page by its payload, at the first record that has it; any other
// response by its status, at the last record.
func (p *Picks) Find(ctx context.Context, stock *archive.Stock) error {
	for listing, err := range stock.All() {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		at, ok := p.Targets[p.target(listing.URL)]
		if !ok {
			continue
		}
		digest := p.digest(listing.Digest)
		for ; at >= 0; at = p.All[at].next {
			k := &p.All[at]
			switch {
			case digest == 0, k.digest == 0 && int(k.status) == listing.Status:
				k.Holding, k.found = listing.Holding, true
			case k.digest == digest && !k.found:
				k.Holding, k.found = listing.Holding, true
			}
		}
	}
	return nil
}

// Here returns the picks that were found, in archive order, and the number of missing ones.
func (p *Picks) Here() (found []Pick, missing int) {
	for _, k := range p.All {
		if k.found {
			found = append(found, k)
		}
	}
	order.By(found, func(a, b Pick) int { return a.Holding.Compare(b.Holding) })
	missing = len(p.All) - len(found)
	return slices.CompactFunc(found, func(a, b Pick) bool { return a.Holding.Compare(b.Holding) == 0 }), missing
}

// OpenStock opens the archive of a crawl folder: its own, or those that it crawled if it kept none.
func (x *Run) OpenStock() (*archive.Stock, error) {
	ran, err := crawlfile.Schema(nil).LoadRun(filepath.Join(x.Dir, crawlfolder.RunFile))
	if err != nil {
		return nil, err
	}
	x.shown = ran.Requisites.Wanted()
	x.Body, x.Dump, x.name = max(ran.Limits.Body, ran.Limits.Dump), ran.Limits.Dump, ran.Name()
	opts := archive.WebOptions{MaxBody: x.Body}
	stock, err := archive.OpenStock(crawlfolder.Archive(x.Dir), opts)
	if !errors.Is(err, orbweaver.ErrAbsent) {
		return stock, err
	}
	if ran.Web == nil {
		return nil, fmt.Errorf("%s: the crawl keeps no archive to export %s from; set archive: on in its crawl file before the crawl (%w)",
			x.Dir, x.Opts.Format, orbweaver.ErrInput)
	}
	web, err := archive.OpenWeb(ran.Web.Archive, opts)
	if err != nil {
		return nil, fmt.Errorf("%s: the archive that was crawled: %w", x.Dir, err)
	}
	for _, w := range web.Warnings() {
		console.Say(x.Err, "warning: %s", w)
	}
	return web.Stock(), nil
}

// archived exports the pages that are in the archive.
func (x *Run) archived(ctx context.Context, write func(context.Context, *archive.Stock, []Pick) error) (err error) {
	if x.Opts.Out == "" {
		return fmt.Errorf("export: %s needs an output file: name one with -o (%w)", x.Opts.Format, orbweaver.ErrInput)
	}
	lines, err := x.Lines.Stand()
	if err != nil {
		return err
	}
	chosen, err := lines.Pick(x.Opts.Accepted, x.Opts.Format == WARC || x.Opts.Format == WACZ)
	if err != nil {
		return err
	}
	stock, err := x.OpenStock()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stock.Close()) }()
	if err := chosen.Find(ctx, stock); err != nil {
		return err
	}
	found, missing := chosen.Here()
	if len(found) == 0 {
		return x.none()
	}
	x.Chosen = chosen.Lines
	if x.Opts.Format == WARC || x.Opts.Format == WACZ {
		var more int
		if found, more, err = x.along(ctx, stock, chosen, found); err != nil {
			return err
		}
		defer func() {
			if err == nil && more > 0 {
				console.Say(x.Err, "%d of the answers are what the pages need to be shown", more)
			}
		}()
	}
	if err := write(ctx, stock, found); err != nil {
		return err
	}
	if missing > 0 {
		console.Say(x.Err, "%d responses are left out: the archive does not hold them", missing)
	}
	return nil
}
