package catalogs

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/internal/step"
	"orbweaver/kb/catalog"
	"orbweaver/page"
	"orbweaver/weburl"
)

const (
	maxDocument = 64 << 20 // bytes of a catalogue, compressed and decompressed
	maxHops     = 5        // redirects followed in a row
	maxMissing  = 5        // consecutive failing packages of a CKAN that end its reading
)

// accepted is the Accept header of requests for catalogues.
const accepted = "text/turtle, application/n-triples, application/rdf+xml;q=0.9, application/ld+json;q=0.8, " +
	"application/json;q=0.8, application/trig;q=0.7, application/n-quads;q=0.7, application/yaml;q=0.6, */*;q=0.1"

// documents fetches documents from the Web.
type documents struct {
	client *client.Client
	delay  time.Duration
	asked  bool
}

// isAddress reports whether a source is a URL, not a file.
func isAddress(s string) bool {
	scheme, _, found := strings.Cut(s, "://")
	return found && (strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https"))
}

// read reads one document from the Web or a file.
func (c *Catalogs) read(ctx context.Context, web *documents, name string) (catalog.Catalogue, error) {
	o := catalog.Options{Name: name, Limits: catalog.Limits{Bytes: maxDocument}}
	switch {
	case isAddress(name):
		body, mediaType, at, err := web.get(ctx, name)
		if err != nil {
			return catalog.Catalogue{}, err
		}
		o.MediaType, o.Base = mediaType, at
		return catalog.Read(bytes.NewReader(body), o)
	case name == "-":
		o.Name = "standard input"
		in := c.In
		if in == nil {
			in = strings.NewReader("")
		}
		return catalog.Read(in, o)
	}
	file, err := os.Open(name)
	if err != nil {
		return catalog.Catalogue{}, err
	}
	defer file.Close()
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return catalog.Catalogue{}, fmt.Errorf("%s: is a folder", name)
	}
	return catalog.Read(file, o)
}

// get fetches a document and returns its URL after redirects.
func (w *documents) get(ctx context.Context, address string) (body []byte, mediaType, at string, err error) {
	if at, err = weburl.Canonical(address); err != nil {
		return nil, "", "", err
	}
	for range maxHops + 1 {
		if err := w.rest(ctx); err != nil {
			return nil, "", "", err
		}
		response, err := w.client.Fetch(ctx, orbweaver.Request{URL: at, Accept: accepted})
		if err != nil {
			return nil, "", "", err
		}
		if response.Status/100 == 3 && response.Redirect != "" {
			response.Body.Close()
			at = response.Redirect
			continue
		}
		body, err = whole(response)
		return body, response.Header.Get("Content-Type"), at, err
	}
	return nil, "", "", fmt.Errorf("%s: more than %d: %w", address, maxHops, orbweaver.ErrRedirects)
}

// rest waits between two requests.
func (w *documents) rest(ctx context.Context) error {
	if !w.asked {
		w.asked = true
		return nil
	}
	return wait(ctx, w.delay)
}

func wait(ctx context.Context, delay time.Duration) error {
	if delay <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// whole reads a body. It also reads the body of an error status if CKAN explains the error there.
func whole(response *step.Response) ([]byte, error) {
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxDocument+1))
	if err == nil && len(body) > maxDocument {
		err = orbweaver.ErrTooLarge
	}
	if err == nil {
		body, err = page.Decode(response.Header, body, maxDocument)
	}
	if err == nil && response.Status/100 != 2 && !saysWhy(body) {
		err = fmt.Errorf("%w %d", orbweaver.ErrStatus, response.Status)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", response.Request.URL, err)
	}
	return body, nil
}

// saysWhy reports whether a body may be a CKAN error.
func saysWhy(body []byte) bool {
	return bytes.HasPrefix(bytes.TrimSpace(body), []byte("{")) && bytes.Contains(body, []byte(`"error"`))
}

// pages reads all datasets of a CKAN page by page. It keeps what it read before a failure.
func (c *Catalogs) pages(ctx context.Context, web *documents, name string, s Sources) ([]catalog.Dataset, error) {
	pager, err := catalog.NewPager(name, catalog.PagerOptions{Pages: s.Pages})
	if err != nil {
		return nil, err
	}
	p := &paging{Catalogs: c, web: web, pager: pager, name: name}
	err = p.run(ctx)
	if c.Terminal {
		fmt.Fprint(c.Err, "\r\x1b[K")
	}
	if len(p.found) == 0 {
		return nil, err
	}
	if err != nil && ctx.Err() == nil {
		c.warn(fmt.Errorf("%s: %d datasets were read: %w", name, len(p.found), err))
	}
	return p.found, nil
}

// paging is the state of reading a CKAN.
type paging struct {
	*Catalogs
	web     *documents
	pager   *catalog.Pager
	name    string
	found   []catalog.Dataset
	missing int // consecutive failures
}

func (p *paging) run(ctx context.Context) error {
	for {
		address, more := p.pager.Next()
		if !more {
			return nil
		}
		read, err := p.read(ctx, p.web, address)
		if err != nil {
			if ctx.Err() != nil || !strings.Contains(address, "/package_show") {
				return err
			}
			if p.missing++; p.missing >= maxMissing {
				return fmt.Errorf("%d packages in a row fail: %w", p.missing, err)
			}
			p.warn(err)
		} else {
			p.missing = 0
			p.problems(read)
			if read.Page.Refused != nil && strings.Contains(address, "/package_show") {
				p.warn(read.Page.Refused)
			}
			for i := range read.Datasets {
				read.Datasets[i].Sources = []string{p.name}
			}
			p.found = append(p.found, read.Datasets...)
		}
		if err := p.pager.Take(read); err != nil {
			return err
		}
		if answers, packages := p.pager.Asked(); p.Terminal {
			fmt.Fprintf(p.Err, "\r%s: %d packages, %d requests\x1b[K", visible(p.name, 60), packages, answers)
		}
	}
}
