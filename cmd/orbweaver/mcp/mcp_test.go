package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"orbweaver"
	"orbweaver/internal/apptest"
	"orbweaver/internal/built"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
)

// served returns a server of the crawl of the demo web.
func served(t testing.TB, o options) *server {
	t.Helper()
	a := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	s, err := newServer(a, built.Build{}, []string{apptest.CrawledFor(t, "archive: on\n")}, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// usual are the limits of tests.
func usual() options { return options{time: time.Minute, rows: 50} }

// client connects the SDK's client in process.
func client(t testing.TB, s *server) *sdk.ClientSession {
	t.Helper()
	here, there := sdk.NewInMemoryTransports()
	own, err := s.sdk.Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = errors.Join(c.Close(), own.Wait()) })
	return c
}

// call calls a tool, decodes what it gives into out unless that is nil, and returns the text.
func call(t *testing.T, c *sdk.ClientSession, tool, arguments string, out any) (text string, failed bool) {
	t.Helper()
	r, err := c.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	if out != nil && !r.IsError {
		b, err := json.Marshal(r.StructuredContent)
		if err = errors.Join(err, json.Unmarshal(b, out)); err != nil {
			t.Fatal(err)
		}
	}
	return r.Content[0].(*sdk.TextContent).Text, r.IsError
}

// TestTools: what the tools are, and what they answer about the demo crawl.
func TestTools(t *testing.T) {
	s := served(t, usual())
	c := client(t, s)
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil || len(tools.Tools) != 4 {
		t.Fatalf("%+v, %v", tools, err)
	}
	for _, tool := range tools.Tools {
		if tool.Annotations == nil || !tool.Annotations.ReadOnlyHint || tool.InputSchema == nil || tool.OutputSchema == nil {
			t.Errorf("%s: %+v", tool.Name, tool)
		}
	}
	var found searchOut
	text, failed := call(t, c, "search", `{"query":"airliner engines","limit":3}`, &found)
	if failed || len(found.Hits) != 3 || found.Hits[0].URL == "" || !strings.Contains(text, foreign) || !strings.Contains(text, "----- end "+s.mark) {
		t.Fatalf("%s, %+v", text, found)
	}
	if found.Accepted < 3 || found.Examined < found.Accepted || !strings.HasPrefix(text, fmt.Sprintf("%d of the %d best matches examined", found.Accepted, found.Examined)) {
		t.Errorf("%+v: %s", found, text)
	}
	var next searchOut
	if _, failed := call(t, c, "search", `{"query":"airliner engines","limit":2,"offset":1}`, &next); failed || next.Hits[0] != found.Hits[1] {
		t.Errorf("%+v", next)
	}
	var page, rest pageOut
	if _, failed := call(t, c, "page", `{"url":"http://skylines.example/types/a320.html","max_tokens":100}`, &page); failed || page.Next == 0 || !strings.HasPrefix(page.Text, "# ") {
		t.Fatalf("%+v", page)
	}
	if _, failed := call(t, c, "page", fmt.Sprintf(`{"url":"http://skylines.example/types/a320.html","offset":%d}`, page.Next), &rest); failed || rest.Next != 0 || page.Next+len(rest.Text) != page.Total {
		t.Errorf("%+v", rest)
	}
	var why explainOut
	if text, failed := call(t, c, "explain", `{"url":"skylines.example/types/a320.html"}`, &why); failed || why.Why == "" || !strings.Contains(text, "a320.html") {
		t.Errorf("%s, %+v", text, why)
	}
	var rows queryOut
	if text, failed := call(t, c, "query", `{"query":"SELECT (COUNT(*) AS ?n) { ?s ?p ?o }"}`, &rows); failed || rows.Format != "csv" || !strings.HasPrefix(rows.Result, "n\r\n") && !strings.HasPrefix(rows.Result, "n\n") {
		t.Errorf("%s, %+v", text, rows)
	}
	if text, failed := call(t, c, "query", `{"query":"CONSTRUCT WHERE { ?s ?p ?o } LIMIT 3"}`, &rows); failed || rows.Format != "turtle" {
		t.Errorf("%s, %+v", text, rows)
	}
	state, err := c.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "crawl:///" + filepath.Base(s.crawls[0].dir)})
	if err != nil || !strings.Contains(state.Contents[0].Text, `"requests"`) && !strings.Contains(state.Contents[0].Text, `"progress"`) || strings.Contains(state.Contents[0].Text, s.crawls[0].dir) {
		t.Errorf("%+v, %v", state, err)
	}
}

// TestToolErrors: errors are answers that say what to do; a query changes and reaches nothing.
func TestToolErrors(t *testing.T) {
	c := client(t, served(t, usual()))
	for _, tc := range [][3]string{
		{"search", `{"query":" "}`, "query: what to search for is missing"},
		{"search", `{"query":"x","limit":51}`, "limit: 51 is not from 1 to 50"},
		{"search", `{"query":"x","crawl":"other"}`, `crawl "other": there are crawl`},
		{"page", `{"url":"http://skylines.example/none"}`, "http://skylines.example/none"},
		{"page", `{"url":"http://skylines.example/types/a320.html","offset":10000000}`, "is no place in the text"},
		{"explain", `{"url":"::"}`, "::"},
		{"query", `{"query":"SELECT"}`, "query"},
		{"query", `{"query":"SELECT * { ?s ?p ?o }"}`, "50"},
		{"query", `{"query":"INSERT DATA { <a:a> <a:b> <a:c> }"}`, "INSERT"},
		{"query", `{"query":"SELECT * { SERVICE <http://127.0.0.1:1/sparql> { ?s ?p ?o } }"}`, "SERVICE is not configured"},
	} {
		if text, failed := call(t, c, tc[0], tc[1], nil); !failed || !strings.Contains(text, tc[2]) || strings.Contains(text, "("+string(orbweaver.ErrInput)+")") {
			t.Errorf("%s %s: %v, %s", tc[0], tc[1], failed, text)
		}
	}
}

// TestEnds: the server ends with its client's input, and with its context.
func TestEnds(t *testing.T) {
	s := served(t, usual())
	if err := s.run(t.Context(), strings.NewReader(""), io.Discard); err != nil {
		t.Errorf("the end of its input: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	in, held := io.Pipe()
	ended := make(chan error)
	go func() { ended <- s.run(ctx, in, io.Discard) }()
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("its context: %v", err)
	}
	_ = held.Close()
}

// TestHTTP: by the SDK's client over HTTP; who may not ask is refused.
func TestHTTP(t *testing.T) {
	const token = "0123456789abcdef"
	at := httptest.NewServer(served(t, usual()).handler(token))
	defer at.Close()
	for name, tc := range map[string]struct {
		host, origin, token string
		status              int
	}{
		"no token":       {"", "", "", http.StatusUnauthorized},
		"a wrong token":  {"", "", "0123456789abcdeg", http.StatusUnauthorized},
		"rebound":        {"evil.test", "", token, http.StatusMisdirectedRequest},
		"a foreign page": {"", "https://evil.test", token, http.StatusForbidden},
	} {
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, at.URL+"/mcp", strings.NewReader("{}"))
		if err != nil {
			t.Fatal(err)
		}
		if tc.host != "" {
			r.Host = tc.host
		}
		if tc.origin != "" {
			r.Header.Set("Origin", tc.origin)
		}
		if tc.token != "" {
			r.Header.Set("Authorization", "Bearer "+tc.token)
		}
		answer, err := at.Client().Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != tc.status {
			t.Errorf("%s: status %d", name, answer.StatusCode)
		}
	}
	transport := &sdk.StreamableClientTransport{Endpoint: at.URL + "/mcp", HTTPClient: &http.Client{Transport: bearer(token)}, DisableStandaloneSSE: true}
	c, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), transport, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if text, failed := call(t, c, "search", `{"query":"airliner"}`, nil); failed || !strings.Contains(text, "best matches examined are accepted") {
		t.Error(text)
	}
}

// bearer sends a token.
type bearer string

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+string(b))
	return http.DefaultTransport.RoundTrip(r)
}

// TestPart: parts of a text are whole lines, or begin one that is too long, and are never empty.
func TestPart(t *testing.T) {
	for _, text := range []string{"a\n\nb\nc", strings.Repeat("long line ", 3000), strings.Repeat("長", 5000), strings.Repeat("line\n", 2000)} {
		n := 0
		for rest := text; rest != ""; n++ {
			p := part(rest, 100)
			if p == "" || !strings.HasPrefix(rest, p) || n > len(text) {
				t.Fatalf("%q of %.40q", p, rest)
			}
			rest = rest[len(p):]
		}
	}
}
