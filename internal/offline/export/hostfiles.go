package export

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"orbweaver/fetch/archive"
	"orbweaver/internal/offline/usage"
	"orbweaver/internal/pipeline"
	"orbweaver/page"
	"orbweaver/weburl"
)

// Files of hosts that say how their pages may be used.
const (
	robotsTxt = "/robots.txt"
	tdmrep    = "/.well-known/tdmrep.json"
)

// hostFiles reads these files from an archive: the latest that it has. A host with neither says nothing.
type hostFiles struct {
	x     *Run
	stock *archive.Stock
	at    map[string]archive.Holding // by URL
	read  map[string]*usage.Host     // by origin
}

// find finds the files.
func (h *hostFiles) find(ctx context.Context) error {
	h.at, h.read = map[string]archive.Holding{}, map[string]*usage.Host{}
	for listing, err := range h.stock.All() {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return fmt.Errorf("robots.txt of hosts: %w", err)
		}
		if _, path := cutOrigin(listing.URL); (path == robotsTxt || path == tdmrep) && listing.Status/100 != 4 && listing.Status/100 != 5 {
			h.at[listing.URL] = listing.Holding
		}
	}
	return nil
}

// maxHostsRead bounds the hosts whose files are kept parsed.
const maxHostsRead = 1024

// of returns what the files of an origin say.
func (h *hostFiles) of(origin string) *usage.Host {
	if host, known := h.read[origin]; known {
		return host
	}
	if len(h.read) >= maxHostsRead {
		clear(h.read)
	}
	var host *usage.Host
	if robots, tdm := h.file(origin+robotsTxt), h.file(origin+tdmrep); robots != nil || tdm != nil {
		host = usage.NewHost(robots, tdm)
	}
	h.read[origin] = host
	return host
}

// maxHops bounds the redirects of a file: RFC 9309, section 2.3.1.2.
const maxHops = 5

// file returns a file; nil: the archive has none that can be read.
func (h *hostFiles) file(url string) []byte {
	for range maxHops + 1 {
		at, known := h.at[url]
		if !known {
			return nil
		}
		response, err := h.stock.Response(at, h.x.Body)
		if err != nil {
			return nil
		}
		payload, err := pipeline.Payload(response, 0, nil)
		if err != nil {
			return nil
		}
		switch response.Status / 100 {
		case 2:
			if body, err := page.Decode(response.Header, payload, h.x.Body); err == nil {
				return body
			}
			return nil
		case 3:
			url = weburl.Target(url, response.Header.Get("Location"))
		default:
			return nil
		}
	}
	return nil
}

// cutOrigin cuts a URL between its origin and its path.
func cutOrigin(url string) (origin, path string) {
	start := strings.Index(url, "://")
	if start < 0 {
		return "", url
	}
	if slash := strings.IndexByte(url[start+3:], '/'); slash >= 0 {
		return url[:start+3+slash], url[start+3+slash:]
	}
	return url, "/"
}
