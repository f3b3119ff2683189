package render

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"time"

	"orbweaver"
)

// Options are what a browser and its pages may use. The zero value has the defaults.
type Options struct {
	Browser     string        // program: a path or a name on PATH; empty: the first of the usual names on PATH
	UserAgent   string        // that scripts see; empty: the browser's own
	Timeout     time.Duration // of one page, from its turn to its HTML, the waiting for answers included; 0: 30 s
	Work        time.Duration // of one page while it waits for no answer; then it is taken as it stands; 0: 10 s
	Quiet       time.Duration // a page is done when for so long nothing is in flight and its text stands still; 0: 200 ms
	MaxRequests int           // that one page may make of the Getter; 0: 50
	MaxBody     int64         // bytes of one answer, decoded, and of the page made; 0: 10 MB
	Tabs        int           // pages made at a time; 0: 2
}

// withDefaults fills in what is zero.
func (o Options) withDefaults() Options {
	if o.Timeout <= 0 {
		o.Timeout = 30 * time.Second
	}
	if o.Work <= 0 {
		o.Work = 10 * time.Second
	}
	if o.Quiet <= 0 {
		o.Quiet = 200 * time.Millisecond
	}
	if o.MaxRequests <= 0 {
		o.MaxRequests = 50
	}
	if o.MaxBody <= 0 {
		o.MaxBody = 10e6
	}
	if o.Tabs <= 0 {
		o.Tabs = 2
	}
	return o
}

// A Getter fetches, by GET, what a page asks for. It may take its turn at the host, and so take long; it must end
// when its context does. The body has its content coding on, as the header says. After an error, whatever it is, the
// page continues without that answer. Several calls may run at a time.
type Getter func(ctx context.Context, url, accept string) (status int, header http.Header, body []byte, err error)

// A Browser makes pages in one browser process, which is started when the first page needs it and
// again when it died. Any number of goroutines may use it.
type Browser struct {
	options Options
	program string
	tabs    chan struct{} // a place for each page being made

	mu      sync.Mutex
	process *process       // nil before the first page
	closed  bool           // no page begins any more
	pages   sync.WaitGroup // being made
}

// New finds the browser and starts nothing. Its error wraps orbweaver.ErrInput and says what to
// install.
func New(o Options) (*Browser, error) {
	program, err := find(o.Browser)
	if err != nil {
		return nil, err
	}
	o = o.withDefaults()
	return &Browser{options: o, program: program, tabs: make(chan struct{}, o.Tabs)}, nil
}

// find returns the path of the browser's program.
func find(name string) (string, error) {
	if name != "" {
		path, err := exec.LookPath(name)
		if err != nil {
			return "", fmt.Errorf("browser %s: %w: %w", name, orbweaver.ErrInput, err)
		}
		return path, nil
	}
	names := []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless_shell"}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no browser on PATH (looked for %s): %w: install Chromium, or name the program",
		strings.Join(names, ", "), orbweaver.ErrInput)
}

// Render returns the HTML that the scripts of a document make of it, as UTF-8, whatever charset the
// document declares: the serialized DOM, with what stands in open shadow roots in its place. The
// document is what was fetched for the URL, with its content coding on, as the header says.
//
// Errors wrap ErrBadURL, ErrMalformed and ErrTooLarge for the document; ErrTooLarge for the page made
// of it; ErrTimeout when it made no text in time; ErrUnreadable when the page or the browser broke
// down; ErrInput when the browser does not start; or they are those of the context. A page that has text when its time is over, or that asks
// without end, is no error: it is returned as it stands.
func (b *Browser) Render(ctx context.Context, url string, header http.Header, document []byte, get Getter) ([]byte, error) {
	html, err := b.render(ctx, url, header, document, get)
	if err != nil {
		return nil, fmt.Errorf("render %s: %w", url, err)
	}
	return html, nil
}

func (b *Browser) render(ctx context.Context, url string, header http.Header, document []byte, get Getter) ([]byte, error) {
	if err := checkURL(url); err != nil {
		return nil, err
	}
	given, err := newAnswer(http.StatusOK, header, document, b.options.MaxBody)
	if err != nil {
		return nil, err
	}
	select {
	case b.tabs <- struct{}{}:
		defer func() { <-b.tabs }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	p, err := b.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer b.pages.Done()
	return makePage(ctx, p, b.options, url, given, get)
}

func checkURL(address string) error {
	u, err := url.Parse(address)
	switch {
	case err != nil:
		return fmt.Errorf("%w: %w", orbweaver.ErrBadURL, err)
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("%w: neither http nor https", orbweaver.ErrBadURL)
	}
	return nil
}

// Start starts the browser, if it does not run already: without it, the first page does. Its error
// wraps orbweaver.ErrInput, says what the browser said, or is that of the context.
func (b *Browser) Start(ctx context.Context) error {
	_, err := b.begin(ctx)
	if err == nil {
		b.pages.Done()
	}
	return err
}

// begin returns a process that is alive and counts one more page, which ends by pages.Done.
func (b *Browser) begin(ctx context.Context) (*process, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return nil, errors.New("the browser was closed")
	}
	if b.process != nil && !b.process.alive() {
		err := b.process.stop()
		b.process = nil
		if err != nil {
			return nil, err
		}
	}
	if b.process == nil {
		p, err := start(ctx, b.program, b.options)
		switch {
		case err != nil && ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			return nil, fmt.Errorf("%w: browser %s does not start: %w", orbweaver.ErrInput, b.program, err)
		}
		b.process = p
	}
	b.pages.Add(1)
	return b.process, nil
}

// Close ends the browser, its pages and all that it left on disk. Pages being made end with an error.
// After Close no page can be made; a second Close does nothing.
func (b *Browser) Close() error {
	b.mu.Lock()
	p := b.process
	b.process, b.closed = nil, true
	b.mu.Unlock()
	var err error
	if p != nil {
		err = p.stop()
	}
	b.pages.Wait()
	return err
}
