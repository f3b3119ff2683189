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

// Options configure a browser and its pages. The zero value has the defaults.
type Options struct {
	Browser     string        // program: a path or a name on PATH; empty: the first of the usual names on PATH
	UserAgent   string        // that scripts see; empty: the browser's own
	Timeout     time.Duration // of one page, from its start to its HTML, waiting for responses included; 0: 30 s
	Work        time.Duration // of one page while no response is pending; then its current state is returned; 0: 10 s
	Quiet       time.Duration // a page is done after this time without requests in flight or changes of text; 0: 200 ms
	MaxRequests int           // requests of one page to the Getter; 0: 50
	MaxBody     int64         // bytes of one response, decoded, and of the rendered page; 0: 10 MB
	Tabs        int           // pages rendered concurrently; 0: 2
	// Actions are those for the page of a URL, in order. They count among its time. Nil: there are none.
	Actions func(url string) []Action
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

// A Getter fetches, by GET, a subresource of a page. It may wait for the host's politeness delay; it must end
// when its context does. The returned body keeps its content coding, as in the header. After any error the page
// continues without that response. Calls may be concurrent.
type Getter func(ctx context.Context, url, accept string) (status int, header http.Header, body []byte, err error)

// A Browser renders pages in one browser process, which starts with the first page and again after a crash. It
// is safe for concurrent use.
type Browser struct {
	options Options
	program string
	tabs    chan struct{} // one slot for each page being rendered

	mu      sync.Mutex
	process *process       // nil before the first page
	closed  bool           // no new pages
	pages   sync.WaitGroup // being rendered
}

// New finds the browser and starts nothing. Its error wraps orbweaver.ErrInput and names what to install.
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
	// A shell without windows starts in a fifth of the time.
	names := []string{"chromium-headless-shell", "chrome-headless-shell", "headless_shell",
		"chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"}
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", fmt.Errorf("no browser on PATH (looked for %s): %w: install Chromium, or name the program",
		strings.Join(names, ", "), orbweaver.ErrInput)
}

// Render returns the HTML that the scripts of a document produce, always as UTF-8: the serialized DOM, with the
// content of open shadow roots in place. The document is the response body for the URL, with its content
// coding, as in the header.
//
// Errors wrap ErrBadURL, ErrMalformed and ErrTooLarge for the document; ErrTooLarge for the rendered page;
// ErrTimeout if it has no text in time; ErrUnreadable if the page or the browser crashed; ErrInput if the
// browser does not start; or they are those of the context. A page that has text when its time is over, or that
// sends requests without end, is no error: its current state is returned.
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

// Start starts the browser unless it runs already; without Start, the first page does. Its error wraps
// orbweaver.ErrInput and quotes the browser's output, or is that of the context.
func (b *Browser) Start(ctx context.Context) error {
	_, err := b.begin(ctx)
	if err == nil {
		b.pages.Done()
	}
	return err
}

// Version starts the browser unless it runs already, and returns its name and version, such as Chrome/140.0.7339.16. Errors are
// those of Start.
func (b *Browser) Version(ctx context.Context) (string, error) {
	p, err := b.begin(ctx)
	if err != nil {
		return "", err
	}
	defer b.pages.Done()
	return p.product, nil
}

// Program returns the path of the browser's program.
func (b *Browser) Program() string { return b.program }

// begin returns a live process and counts one more page, which ends with pages.Done.
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

// Close ends the browser and its pages and removes its files. Pages being rendered end with an error. After
// Close no page can be rendered; a second Close does nothing.
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
