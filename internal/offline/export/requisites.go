package export

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/order"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/requisites"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// maxRounds bounds how often the index is read for requisites: style sheets and redirects lead to others.
const maxRounds = 2 * requisites.MaxLevel

// along adds to pages what they need to be shown, as far as the archive has it, and returns all in archive order with how many were added. A
// crawl that archived no requisites has none.
func (x *Run) along(ctx context.Context, stock *archive.Stock, p *Picks, pages []Pick) (all []Pick, added int, err error) {
	if !x.shown {
		return pages, 0, nil
	}
	needs := &needed{x: x, stock: stock, picks: p, find: requisites.Finder{Body: x.Body}, known: map[uint64]bool{}}
	for _, k := range pages {
		if err := errors.Join(ctx.Err(), needs.of(k.Holding, k.page, k.made)); err != nil {
			return nil, 0, err
		}
	}
	all = slices.Clone(pages)
	for range maxRounds {
		found, err := needs.next(ctx)
		if err != nil {
			return nil, 0, err
		}
		if len(found) == 0 {
			break
		}
		all = append(all, found...)
	}
	order.Stably(all, func(a, b Pick) int { return a.Holding.Compare(b.Holding) })
	all = slices.CompactFunc(all, func(a, b Pick) bool { return a.Holding.Compare(b.Holding) == 0 })
	return all, len(all) - len(pages), nil
}

// needed collects what pages need.
type needed struct {
	x     *Run
	stock *archive.Stock
	picks *Picks
	find  requisites.Finder
	known map[uint64]bool // hashes of URLs; true: looked for in the archive already
}

// want notes URLs that are needed.
func (n *needed) want(urls []string) {
	for _, url := range urls {
		if target := n.picks.target(url); !n.known[target] {
			n.known[target] = false
		}
	}
}

// of notes what an answer needs: a page, or what may be a style sheet or a redirect. One that cannot be read needs nothing.
func (n *needed) of(at archive.Holding, page, made bool) error {
	response, err := n.stock.Response(at, n.x.Body)
	if err == nil {
		var payload []byte
		if payload, err = pipeline.Payload(response, 0, nil); err == nil { // the archive bounds it
			n.answer(response, payload, at, page, made)
			return nil
		}
	}
	var failure orbweaver.Failure
	if errors.As(err, &failure) { // told when it is copied
		return nil
	}
	return err
}

func (n *needed) answer(response *step.Response, payload []byte, at archive.Holding, page, made bool) {
	if made {
		response.Rendered = func() ([]byte, error) { return n.stock.Rendered(at, n.x.Body) }
	}
	var urls []string
	switch {
	case page:
		urls, _ = n.find.OfPage(response, payload)
	case response.Status/100 == 3:
		urls = []string{weburl.Target(response.Request.URL, response.Header.Get("Location"))}
	default:
		urls, _ = n.find.OfSheet(response, payload)
	}
	n.want(urls)
}

// next finds the latest answers to what was noted since the last call, and notes what these need.
func (n *needed) next(ctx context.Context) (found []Pick, err error) {
	latest := map[uint64]archive.Holding{}
	for listing, err := range n.stock.All() {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return nil, fmt.Errorf("requisites: %w", err)
		}
		target := n.picks.target(listing.URL)
		if looked, wanted := n.known[target]; wanted && !looked {
			latest[target] = listing.Holding
		}
	}
	for target := range n.known {
		n.known[target] = true
	}
	for _, at := range latest {
		found = append(found, Pick{Holding: at, next: -1, found: true})
		if err := n.of(at, false, false); err != nil {
			return nil, err
		}
	}
	return found, nil
}
