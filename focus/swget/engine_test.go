package swget_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/focus/swget"
	"orbweaver/frontier"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/page"
)

// A site has documents in Turtle, HTML or nothing, by URL; "-> URL" redirects.
type site map[string]string

func (s site) Fetch(_ context.Context, r orbweaver.Request) (*step.Response, error) {
	body, ok := s[r.URL]
	if !ok {
		return nil, orbweaver.ErrAbsent
	}
	response := &step.Response{Request: r, Status: 200, Header: http.Header{"Content-Type": {"text/turtle"}}}
	if target, moved := strings.CutPrefix(body, "-> "); moved {
		response.Status, response.Redirect, body = 303, target, ""
	}
	if strings.HasPrefix(body, "<!DOCTYPE") {
		response.Header.Set("Content-Type", "text/html; charset=utf-8")
	}
	response.Body = io.NopCloser(strings.NewReader(body))
	return response, nil
}

// TestCrawl: the engine and its ledger provide what the focus needs: graphs by the documents' URLs, their
// outcomes, and redirects. In sessions of two requests the result is the same.
func TestCrawl(t *testing.T) {
	web := site{
		"http://a.test/r%C3%B6m":        `<http://a.test/röm> <http://www.w3.org/2002/07/owl#sameAs> <http://b.test/id/rome>, <#roma>, <http://c.test/page>, <http://d.test/none> .`,
		"http://b.test/id/rome":         "-> http://b.test/data/rome?a=b&c",
		"http://b.test/data/rome?a=b&c": `<http://b.test/id/rome> <http://www.w3.org/2002/07/owl#sameAs> <http://b.test/more> .`,
		"http://b.test/more":            `<http://b.test/more> <http://www.w3.org/2000/01/rdf-schema#label> "more" .`,
		"http://c.test/page":            `<!DOCTYPE html><p about="http://c.test/page"><a rel="http://www.w3.org/2002/07/owl#sameAs" href="http://b.test/more#x">more</a></p>`,
	}
	want := []string{
		"0 http://a.test/röm http://a.test/r%C3%B6m", "1 http://a.test/r%C3%B6m#roma http://a.test/r%C3%B6m", "1 http://b.test/id/rome http://b.test/data/rome?a=b&c",
		"1 http://c.test/page http://c.test/page", "1 http://d.test/none absent", "2 http://b.test/more http://b.test/more", "2 http://b.test/more#x http://b.test/more",
	}
	for _, requests := range []int64{0, 2} {
		dir := t.TempDir()
		for sat := int64(1); ; sat++ {
			f, err := swget.New(swget.Options{Expression: "<http://a.test/röm> <owl:sameAs>*"})
			if err != nil {
				t.Fatal(err)
			}
			progress := sit(t, dir, f, web, requests*sat)
			if !engine.Exhausted(progress.Ended) && sat < 9 {
				continue
			}
			var got []string
			for _, n := range f.Nodes() {
				got = append(got, fmt.Sprint(n.Level, " ", n.IRI, " ", n.Document, n.Why))
				if !n.Result {
					t.Errorf("no result: %+v", n)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("by %d requests, ended %s: found\n%s\nwanted\n%s", requests, progress.Ended, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if progress.Requests != 6 || progress.Accepted != 4 {
				t.Errorf("by %d requests: %+v", requests, progress)
			}
			break
		}
	}
}

// A completer parses the data within pages.
type completer struct{ *page.Reader }

func (c completer) Complete(ctx context.Context, p *orbweaver.Page, _ pipeline.Get, _ pipeline.Away) ([]any, error) {
	return nil, c.Data(ctx, p, page.DataOptions{})
}

// sit runs one session of the crawl.
func sit(t *testing.T, dir string, f *swget.Focus, web site, requests int64) step.Progress {
	t.Helper()
	book, err := ledger.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	reader := page.NewReader(page.DefaultOptions())
	progress, err := engine.New(engine.Config{
		Focus: f, Fetch: web, Read: reader, Complete: completer{reader}, Ledger: book, Frontier: frontier.New(frontier.Options{}),
		Limits: engine.Limits{Redirects: 10, Requests: requests}, Snapshot: 7,
	}, book.Progress()).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return progress
}
