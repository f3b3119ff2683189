package export

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/local"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// shelves fetches the JSON-LD contexts of a crawl's data, from the documents of its crawl file and from
// its archive. It is for one goroutine.
type shelves struct {
	stock *archive.Stock
	body  int64 // limit of an answer, in bytes
	web   pipeline.Fetcher
	at    map[string][]archive.Holding // answers by URL; nil: not listed yet
}

// OpenShelves reads the crawl file as run. It reads the archive only on the first Fetch.
func (x *Run) OpenShelves(stock *archive.Stock) (*shelves, error) {
	ran, err := crawlfile.Schema(nil).LoadRun(filepath.Join(x.Dir, crawlfolder.RunFile))
	if err != nil {
		return nil, err
	}
	s := &shelves{stock: stock, body: x.Body}
	s.web = local.New(ran.Documents, s)
	return s, nil
}

// Get implements pipeline.Get.
func (s *shelves) Get(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	p := pipeline.Pipeline{Fetch: s.web, MaxBody: s.body}
	return p.Ask(ctx, orbweaver.Request{URL: url, Accept: accept, Purpose: orbweaver.ForContext})
}

// maxShelved bounds the answers indexed by URL; the first ones are kept.
const maxShelved = 1 << 20

// Fetch returns what the archive holds of a URL: JSON preferred, then the latest. A crawl may have
// requested a page there, and the context with another media type.
func (s *shelves) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	if err := s.look(ctx); err != nil {
		return nil, err
	}
	err := fmt.Errorf("fetch %s: %w", r.URL, orbweaver.ErrAbsent)
	var found *step.Response
	for _, h := range s.at[r.URL] {
		response, unread := s.stock.Response(h, s.body)
		if unread != nil {
			err = unread
			continue
		}
		if found != nil {
			found.Body.Close()
		}
		if found = response; strings.Contains(strings.ToLower(response.Header.Get("Content-Type")), "json") {
			break
		}
	}
	if found == nil {
		return nil, err
	}
	found.Request = r
	if found.Status/100 == 3 {
		found.Redirect = weburl.Target(r.URL, found.Header.Get("Location"))
	}
	return found, nil
}

// look lists the archive, once.
func (s *shelves) look(ctx context.Context) error {
	if s.at != nil {
		return nil
	}
	s.at = map[string][]archive.Holding{}
	for listing, err := range s.stock.All() {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return err
		}
		if known := s.at[listing.URL]; (known != nil || len(s.at) < maxShelved) && listing.Status/100 != 4 && listing.Status/100 != 5 {
			s.at[listing.URL] = append(known[max(0, len(known)-7):], listing.Holding)
		}
	}
	return nil
}
