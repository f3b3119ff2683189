package app

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/app/console"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/internal/app/crawlfolder"
	"orbweaver/ledger"
)

// A pick is an answer to export: what its line says that the record does not.
type pick struct {
	holding archive.Holding
	n       int64 // of its line
	score   float32
	status  int16
	digest  uint64 // hash of the payload's digest; 0: the line has none
	next    int32  // the next pick of the same target; -1: none
	page    bool
	found   bool
}

// A picks is what is exported of an archive: some 150 bytes an answer.
type picks struct {
	lines   *standing
	all     []pick
	targets map[uint64]int32 // address as archived → first pick
}

// pick chooses what lines are about. With accepted pages alone go the redirects that lead to them, if
// wanted, so that links to those lead somewhere.
func (s *standing) pick(accepted, redirects bool) (*picks, error) {
	p := &picks{lines: s, targets: map[uint64]int32{}}
	leading := map[uint64]bool{}
	if accepted && redirects {
		var err error
		if leading, err = s.leading(); err != nil {
			return nil, err
		}
	}
	for line, err := range s.lines(false) {
		if err != nil {
			return nil, err
		}
		switch {
		case line.Status == 0: // nothing answered
		case accepted && !isAccepted(line.Line) && !(line.Redirect != "" && leading[s.url(line.URL)]):
		case !redirects && !isPage(line.Line):
		default:
			p.add(line.Line)
		}
	}
	return p, nil
}

// url hashes an address.
func (s *standing) url(url string) uint64 { return s.request(ledger.Line{URL: url}) }

// maxChain is how many redirects a crawl follows in a row at most: see limits.redirects.
const maxChain = 50

// leading are the redirects from which accepted pages are reached.
func (s *standing) leading() (map[uint64]bool, error) {
	type hop struct{ from, to uint64 }
	var hops []hop
	good := map[uint64]bool{}
	for line, err := range s.lines(false) {
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

func (p *picks) add(l ledger.Line) {
	target := p.target(archive.TargetURI(orbweaver.Request{URL: l.URL, Query: l.Query}))
	next, taken := p.targets[target]
	if !taken {
		next = -1
	}
	p.targets[target] = int32(len(p.all))
	p.all = append(p.all, pick{
		n: l.N, score: float32(l.Score), status: int16(l.Status), digest: p.digest(l.Digest), next: next, page: isPage(l),
	})
}

// target hashes an address as archived.
func (p *picks) target(uri string) uint64 { return p.lines.request(ledger.Line{Query: uri}) }

// digest hashes a digest; 0 is that of none.
func (p *picks) digest(d string) uint64 {
	if d == "" {
		return 0
	}
	return p.lines.request(ledger.Line{Accept: d}) | 1
}

// find looks for the picks in an archive: pages by their payload, the first record that has it; others
// by their status, the last.
func (p *picks) find(ctx context.Context, stock *archive.Stock) error {
	for listing, err := range stock.All() {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		at, ok := p.targets[p.target(listing.URL)]
		if !ok {
			continue
		}
		digest := p.digest(listing.Digest)
		for ; at >= 0; at = p.all[at].next {
			k := &p.all[at]
			switch {
			case digest == 0, k.digest == 0 && int(k.status) == listing.Status:
				k.holding, k.found = listing.Holding, true
			case k.digest == digest && !k.found:
				k.holding, k.found = listing.Holding, true
			}
		}
	}
	return nil
}

// here returns the picks that were found, as they stand in the archive, and how many were not.
func (p *picks) here() (found []pick, missing int) {
	for _, k := range p.all {
		if k.found {
			found = append(found, k)
		}
	}
	slices.SortFunc(found, func(a, b pick) int { return a.holding.Compare(b.holding) })
	missing = len(p.all) - len(found)
	return slices.CompactFunc(found, func(a, b pick) bool { return a.holding.Compare(b.holding) == 0 }), missing
}

// openStock opens the archive of a crawl folder: its own, or those it crawled when it kept none.
func (x *export) openStock() (*archive.Stock, error) {
	ran, err := crawlfile.LoadRun(filepath.Join(x.dir, crawlfolder.RunFile))
	if err != nil {
		return nil, err
	}
	x.body, x.name = ran.Limits.Body, ran.Name()
	opts := archive.WebOptions{MaxBody: ran.Limits.Body}
	stock, err := archive.OpenStock(crawlfolder.Archive(x.dir), opts)
	if !errors.Is(err, orbweaver.ErrAbsent) {
		return stock, err
	}
	if ran.Web == nil {
		return nil, fmt.Errorf("%s: the crawl keeps no archive, so there is nothing to make %s of; archive: on in its crawl file keeps one (%w)",
			x.dir, x.opts.Format, orbweaver.ErrInput)
	}
	web, err := archive.OpenWeb(ran.Web.Archive, opts)
	if err != nil {
		return nil, fmt.Errorf("%s: the archive that was crawled: %w", x.dir, err)
	}
	x.warn(web)
	return web.Stock(), nil
}

// archived exports what pages are in the archive.
func (x *export) archived(ctx context.Context, write func(context.Context, *archive.Stock, []pick) error) (err error) {
	if x.opts.Out == "" {
		return fmt.Errorf("export: name where %s goes to with -o (%w)", x.opts.Format, orbweaver.ErrInput)
	}
	lines, err := x.lines.stand()
	if err != nil {
		return err
	}
	chosen, err := lines.pick(x.opts.Accepted, x.opts.Format == ExportWARC || x.opts.Format == ExportWACZ)
	if err != nil {
		return err
	}
	stock, err := x.openStock()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, stock.Close()) }()
	if err := chosen.find(ctx, stock); err != nil {
		return err
	}
	found, missing := chosen.here()
	if len(found) == 0 {
		return x.none()
	}
	x.chosen = chosen.lines
	if err := write(ctx, stock, found); err != nil {
		return err
	}
	if missing > 0 {
		console.Say(x.Err, "%d answers are left out: the archive does not hold them", missing)
	}
	return nil
}
