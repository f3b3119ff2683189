package studio_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"testing"

	"orbweaver/studio"
)

// TestCostly: a client that has eight costly requests under way gets no ninth, and is told when to ask again; what costs little is answered,
// and so is the ninth when another has ended.
func TestCostly(t *testing.T) {
	addr := "http://" + serve(t, studio.Options{})
	reads := make(chan struct{}, 8) // one for each body that the studio has begun to read
	ask := func(method, path string, body io.Reader) (*http.Response, string) {
		ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{Got100Continue: func() { reads <- struct{}{} }})
		r, err := http.NewRequestWithContext(ctx, method, addr+path, body)
		if err != nil {
			t.Error(err)
			return &http.Response{}, ""
		}
		if body != nil {
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Expect", "100-continue")
		}
		response, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Error(err)
			return &http.Response{}, ""
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil {
			t.Error(err)
		}
		return response, string(text)
	}
	var slow []*io.PipeWriter
	ended := make(chan struct{}, 8)
	var all sync.WaitGroup
	for range 8 {
		body, in := io.Pipe()
		slow = append(slow, in)
		all.Go(func() {
			if response, text := ask("POST", "/api/v1/crawls/none/judge", body); response.StatusCode == http.StatusTooManyRequests || response.StatusCode < 400 {
				t.Errorf("%d %s", response.StatusCode, text)
			}
			ended <- struct{}{}
		})
	}
	for range slow {
		select {
		case <-reads:
		case <-ended:
			t.Fatal("answered before its body was whole")
		}
	}
	const search = "/api/v1/crawls/none/search?q=x"
	response, text := ask("GET", search, nil)
	var problem struct {
		Status int
		Title  string
		Detail string
	}
	if err := json.Unmarshal([]byte(text), &problem); err != nil || response.StatusCode != 429 || problem.Status != 429 || !strings.Contains(problem.Detail, "wait") ||
		response.Header.Get("Retry-After") != "1" || response.Header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("%v %v %s, %v", response.StatusCode, response.Header, text, err)
	}
	for path, want := range map[string]int{"/": 200, "/api/v1/crawls": 200, "/api/v1/crawls/none/pages": 404, "/crawls/none/results?words=x": 429, "/crawls/none/results": 404} {
		if response, _ := ask("GET", path, nil); response.StatusCode != want {
			t.Errorf("%s: %d, want %d", path, response.StatusCode, want)
		}
	}
	for _, in := range slow {
		if err := in.Close(); err != nil {
			t.Error(err)
		}
	}
	all.Wait()
	if response, _ := ask("GET", search, nil); response.StatusCode != http.StatusNotFound {
		t.Errorf("after the others: %d", response.StatusCode)
	}
}
