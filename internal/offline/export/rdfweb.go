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

// shelves answer for the contexts of a crawl's data: from its crawl file's documents, and from its
// archive. They are for one goroutine.
type shelves struct {
	stock *archive.Stock
	body  int64 // bytes of an answer, at most
	web   pipeline.Fetcher
	at    map[string][]archive.Holding // answers by URL; nil: not looked for yet
}

// OpenShelves looks at the crawl file as run, and at nothing of the archive until it is asked for.
func (x *Run) OpenShelves(stock *archive.Stock) (*shelves, error) {
	ran, err := crawlfile.Schema(nil).LoadRun(filepath.Join(x.Dir, crawlfolder.RunFile))
	if err != nil {
		return nil, err
	}
	s := &shelves{stock: stock, body: x.Body}
	s.web = local.New(ran.Documents, s)
	return s, nil
}

// Get is an pipeline.Get.
func (s *shelves) Get(ctx context.Context, url, accept string) (*step.Response, []byte, error) {
	p := pipeline.Pipeline{Fetch: s.web, MaxBody: s.body}
	return p.Ask(ctx, orbweaver.Request{URL: url, Accept: accept, Purpose: orbweaver.ForContext})
}

// maxShelved is how many answers are known by their URLs, those that come first.
const maxShelved = 1 << 20

// Fetch returns what the archive holds of a URL: JSON before all else, then the latest. A crawl may
// have asked for a page there, and for the context by another media type.
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
