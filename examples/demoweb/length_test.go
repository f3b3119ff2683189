package main

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
	reading "orbweaver/page"
)

// mainText is what a crawler reads of a document: its text without menu, notes and small print.
func mainText(t *testing.T, reader *reading.Reader, d document) string {
	t.Helper()
	header := http.Header{}
	for _, h := range d.header {
		header.Add(h[0], h[1])
	}
	response := &step.Response{
		Request: orbweaver.Request{URL: d.url}, Status: d.status, Header: header,
		Body: io.NopCloser(strings.NewReader("")),
	}
	p, err := reader.Read(context.Background(), response, d.body)
	if err != nil {
		t.Fatalf("%s: %v", d.url, err)
	}
	return p.Text
}

// isContent reports whether a document is a page of text about something: not an index, a start page,
// data, a note behind robots.txt or an error.
func isContent(d document) bool {
	if d.status != 200 || !strings.HasPrefix(d.header[0][1], "text/html") || len(d.topics) == 0 {
		return false
	}
	root, _, _ := strings.Cut(d.topics[0], ".")
	return root != "index" && root != "home" && root != "private"
}

// A page must say enough to be told from others by its words.
func TestContentHasEnoughWords(t *testing.T) {
	reader := reading.NewReader(reading.DefaultOptions())
	var lengths []int
	for _, d := range made(t) {
		if !isContent(d) {
			continue
		}
		n := len(strings.Fields(mainText(t, reader, d)))
		if n < 100 {
			t.Errorf("%s has %d words of main text", d.url, n)
		}
		lengths = append(lengths, n)
	}
	slices.Sort(lengths)
	if median := lengths[len(lengths)/2]; median < 150 || median > 190 {
		t.Errorf("%d pages have a median of %d words of main text, want 150 to 190", len(lengths), median)
	}
}
