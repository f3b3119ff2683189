package crawl

import (
	"context"
	"io"
	"net/http"
	"time"

	"orbweaver"
	"orbweaver/internal/inspect"
	"orbweaver/internal/offline/chunk"
)

// An Archived is what a crawl archived, or the archive that it crawled.
type Archived struct{ in *inspect.Archived }

// A Response is an archived response.
type Response struct {
	Status int
	Header http.Header   // as archived
	Body   io.ReadCloser // with content coding; must be closed
	At     time.Time     // when it was received
}

// Archived opens the archive of the crawl for reading, also while the crawl runs. It must be closed. The error wraps
// orbweaver.ErrInput if it cannot be read.
func (c *Crawl) Archived() (*Archived, error) {
	a, err := c.at.Archive()
	if err != nil {
		return nil, err
	}
	return &Archived{a}, nil
}

// Get returns the latest response of a URL. The error wraps orbweaver.ErrAbsent if there is none.
func (a *Archived) Get(ctx context.Context, url string) (*Response, error) {
	url, err := URL(url)
	if err != nil {
		return nil, err
	}
	r, err := a.in.Fetch(ctx, orbweaver.Request{URL: url})
	if err != nil {
		return nil, err
	}
	return &Response{r.Status, r.Header, r.Body, r.At}, nil
}

// Text returns the title and the main text of the latest page of a URL, as text: what the archive has, whatever the focus makes of it. The error
// wraps orbweaver.ErrAbsent if there is none.
func (a *Archived) Text(ctx context.Context, url string) (title, text string, err error) {
	url, err = URL(url)
	if err != nil {
		return "", "", err
	}
	p, err := a.in.Page(ctx, url)
	if err != nil {
		return "", "", err
	}
	return p.Title, p.Text, nil
}

// An Article is what an archived page says, for readers and language models.
type Article struct {
	URL, Title string
	Type, Lang string    // media type; language, empty: unknown
	Fetched    time.Time // when it was received
	Text       string    // in Markdown: headings, paragraphs, lists, tables and code of the article, without control characters
}

// Article returns the article of the latest page of a URL. The error wraps orbweaver.ErrAbsent if there is none.
func (a *Archived) Article(ctx context.Context, url string) (Article, error) {
	url, err := URL(url)
	if err != nil {
		return Article{}, err
	}
	p, blocks, err := a.in.Blocks(ctx, url)
	if err != nil {
		return Article{}, err
	}
	return Article{p.URL, p.Title, p.MediaType, p.Lang, p.Fetched, chunk.Markdown(p.Text, blocks, chunk.Plain)}, nil
}

// Handler returns a handler that shows the archive's pages under /web/URL and /web/DIGITS/URL, with links that stay there, and without
// rights in the origin of the handler: see orbweaver replay. Each look-up is a call of within; nil calls it at once.
func (a *Archived) Handler(within func(ctx context.Context, look func() error) error) (http.Handler, error) {
	return a.in.Handler(within)
}

// Close closes the archive.
func (a *Archived) Close() error { return a.in.Close() }
