package recording

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/step"
)

// A Past reads the crawl's own archive: pages by record, subresources by URL.
type Past struct {
	Recorder *Recorder
	Open     func() (*Recorder, error) // opens Recorder, if it must be; nil: the crawl keeps no archive, or it is open
	Folder   string
	Gathered bool // of several workers: no recorder can open it
	Chooses  bool // the crawl chooses what it renders: its archive has each page as it was read then

	mu  sync.Mutex
	web *archive.Web // opened on first use
}

// Again implements engine.Config.Again. It may be called beside itself.
func (p *Past) Again(ctx context.Context, o orbweaver.Outcome) (*step.Response, error) {
	p.mu.Lock()
	none := p.Recorder == nil && p.Open == nil && !p.Gathered
	p.mu.Unlock()
	if none {
		return nil, fmt.Errorf("read %s again: %w: the crawl keeps no archive", o.Request.URL, orbweaver.ErrAbsent)
	}
	if o.Record != (orbweaver.Ref{}) {
		response, err := p.read(o.Record)
		if err == nil {
			response.Request, response.Told = o.Request, p.Chooses
		}
		if !p.Gathered || !errors.Is(err, archive.ErrRevisit) {
			return response, err
		}
	}
	web, err := p.whole()
	if err != nil {
		return nil, err
	}
	return web.Fetch(ctx, o.Request)
}

// whole opens the whole archive.
func (p *Past) whole() (*archive.Web, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.web == nil {
		web, err := archive.OpenWeb([]string{p.Folder}, archive.WebOptions{})
		if err != nil {
			return nil, err
		}
		p.web = web
	}
	return p.web, nil
}

// read reads a record. Without a recorder it reads the record alone; only a revisit, whose body is anywhere, needs one.
func (p *Past) read(at orbweaver.Ref) (*step.Response, error) {
	p.mu.Lock()
	recorder := p.Recorder
	p.mu.Unlock()
	if recorder != nil {
		return recorder.Read(at)
	}
	response, err := archive.ReadAt(p.Folder, at)
	if p.Gathered || !errors.Is(err, archive.ErrRevisit) {
		return response, err
	}
	p.mu.Lock()
	if p.Recorder == nil {
		p.Recorder, err = p.Open()
	}
	recorder = p.Recorder
	p.mu.Unlock()
	if recorder == nil {
		return nil, err
	}
	return recorder.Read(at)
}

// Close closes what was opened.
func (p *Past) Close() error {
	var err error
	if p.web != nil {
		err = p.web.Close()
	}
	if p.Open != nil && p.Recorder != nil {
		err = errors.Join(err, p.Recorder.Close())
	}
	return err
}

// Since returns the validators (ETag, Last-Modified) of the archived version of a page; nil if there are none.
func (r *Recorder) Since(o orbweaver.Outcome) *orbweaver.Version {
	response, err := r.Read(o.Record)
	if err != nil {
		return nil
	}
	defer response.Body.Close()
	v := orbweaver.Version{ETag: response.Header.Get("ETag"), LastModified: response.Header.Get("Last-Modified")}
	if v == (orbweaver.Version{}) {
		return nil
	}
	return &v
}
