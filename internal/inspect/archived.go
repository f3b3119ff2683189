package inspect

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/kind"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/reread"
	"orbweaver/internal/step"
	"orbweaver/internal/takedown"
	"orbweaver/page"
	"orbweaver/server/replay"
)

// Archived answers requests from the archive of a crawl: its own, also while it grows, or the one that it crawled.
type Archived struct {
	handle *Handle
	file   *crawlfile.Crawl
	web    *archive.Web // the crawled archive; nil: the crawl's own
}

// Archive opens the archive of the crawl. The error wraps ErrInput if the crawled archive cannot be read.
func (h *Handle) Archive() (*Archived, error) {
	file, err := h.Job.Schema().LoadRun(filepath.Join(h.Dir, crawlfolder.RunFile))
	if err != nil {
		return nil, err
	}
	if file.Output, err = filepath.Abs(h.Dir); err != nil { // the folder may have been moved
		return nil, err
	}
	a := &Archived{handle: h, file: file}
	if file.Web != nil {
		a.web, err = archive.OpenWeb(file.Web.Archive, archive.WebOptions{MaxBody: max(file.Limits.Body, kind.DumpOf(file))})
	}
	return a, err
}

// Close closes the archive.
func (a *Archived) Close() error {
	if a.web == nil {
		return nil
	}
	return a.web.Close()
}

// Fetch answers a request by the latest response to it; only the URL of the request counts. The error wraps ErrAbsent if there is none.
func (a *Archived) Fetch(ctx context.Context, r orbweaver.Request) (*step.Response, error) {
	removed, err := takedown.Matcher(a.file.Output) // now: pages may be removed while it is open
	if err != nil {
		return nil, err
	}
	if removed(r.URL) {
		return nil, fmt.Errorf("%s was removed from the crawl: %w", r.URL, orbweaver.ErrAbsent)
	}
	if a.web != nil {
		return a.web.Fetch(ctx, r)
	}
	at, err := recordCall.ask(ctx, a.handle, urlIn{r.URL})
	if err != nil && !errors.Is(err, orbweaver.ErrUnknown) {
		return nil, err
	}
	folder := crawlfolder.Archive(a.file.Output)
	response, err := archive.ReadAt(folder, at.Record)
	if errors.Is(err, archive.ErrRevisit) {
		response, err = archive.ReadAt(folder, at.Original)
	}
	if err == nil {
		response.Request = r
	}
	if err == nil || errors.Is(err, archive.ErrElsewhere) || errors.Is(err, archive.ErrAway) {
		return response, err
	}
	own := &reread.Web{File: a.file}
	response, payload, err := own.Kept(ctx, r) // by the archive's index
	if errors.Is(err, archive.ErrAway) {
		return nil, err
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.URL, orbweaver.ErrAbsent)
	}
	response.Body = io.NopCloser(bytes.NewReader(payload))
	return response, nil
}

// Page reads the latest page of a URL: its text, and what else a reading gives. The error wraps ErrAbsent if there is none, or says why it
// cannot be read.
func (a *Archived) Page(ctx context.Context, url string) (*orbweaver.Page, error) {
	response, err := a.Fetch(ctx, orbweaver.Request{URL: url})
	if err != nil {
		return nil, err
	}
	return a.read(ctx, response, a.reader())
}

// Blocks is Page, and returns the blocks of its article too: see page.Reader.ReadBlocks.
func (a *Archived) Blocks(ctx context.Context, url string) (*orbweaver.Page, []page.Block, error) {
	response, err := a.Fetch(ctx, orbweaver.Request{URL: url})
	if err != nil {
		return nil, nil, err
	}
	reader := &blockReader{Reader: a.reader()}
	p, err := a.read(ctx, response, reader)
	return p, reader.blocks, err
}

func (a *Archived) reader() *page.Reader {
	return page.NewReader(page.Options{MaxBody: a.file.Limits.Body, MaxLinks: 1})
}

func (a *Archived) read(ctx context.Context, response *step.Response, by pipeline.Reader) (*orbweaver.Page, error) {
	return pipeline.Reread(ctx, by, response, max(a.file.Limits.Body, kind.DumpOf(a.file)), a.file.Render.Renders())
}

// A blockReader keeps the blocks of the page that it reads.
type blockReader struct {
	*page.Reader
	blocks []page.Block
}

// Read implements pipeline.Reader.
func (r *blockReader) Read(ctx context.Context, response *step.Response, payload []byte) (p *orbweaver.Page, err error) {
	p, r.blocks, err = r.ReadBlocks(ctx, response, payload)
	return p, err
}

// Handler returns a handler that shows the archive's pages: see package replay. Each look-up is a call of within; nil calls it at once.
func (a *Archived) Handler(within func(ctx context.Context, look func() error) error) (http.Handler, error) {
	if within == nil {
		within = func(_ context.Context, look func() error) error { return look() }
	}
	return replay.New(replayed{a, within}, replay.Options{URLs: func(func(string) bool) {}, Decode: page.Decode})
}

// A replayed answers a replay from an archive.
type replayed struct {
	from   *Archived
	within func(ctx context.Context, look func() error) error
}

// Fetch implements replay.Archive.
func (r replayed) Fetch(ctx context.Context, request orbweaver.Request) (response *step.Response, err error) {
	err = r.within(ctx, func() (err error) {
		response, err = r.from.Fetch(ctx, request)
		return err
	})
	return response, err
}

// A recorded says where the archive has a page.
type recorded struct {
	Record   orbweaver.Ref `json:"record"`
	Original orbweaver.Ref `json:"original,omitzero"` // of the page whose bytes it repeats
}

var recordCall = call[urlIn, recorded]{name: "record", do: func(ctx context.Context, p *spot, in urlIn) (at recorded, err error) {
	ended := p.between(ctx, func() {
		var o, first orbweaver.Outcome
		if o, err = p.ledger.Outcome(in.URL); err != nil {
			return
		}
		if at.Record = o.Record; o.Duplicate.URL == "" || o.Duplicate.Near {
			return
		}
		if first, err = p.ledger.Outcome(o.Duplicate.URL); err == nil {
			at.Original = first.Record
		}
	})
	return at, errors.Join(ended, err)
}}
