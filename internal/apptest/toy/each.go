package toy

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// SmallWeb writes an archive of pages about three topics and of loners, which resemble no other page, and returns its
// folder. The pages of a topic form a chain of links. The hub links to the first page of each chain and to the loners.
func SmallWeb(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	var warc bytes.Buffer
	add := func(name, media, body string) {
		http := fmt.Sprintf("HTTP/1.1 200 OK\r\nContent-Type: %s\r\n\r\n%s", media, body)
		fmt.Fprintf(&warc, "WARC/1.1\r\nWARC-Type: response\r\nWARC-Target-URI: http://small.test/%s\r\nWARC-Date: 2020-01-01T00:00:00Z\r\n"+
			"WARC-Record-ID: <urn:uuid:%s>\r\nContent-Type: application/http;msgtype=response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n",
			name, name, len(http), http)
	}
	html := func(name, words string, links ...string) {
		body := "<html lang=en><title>" + name + "</title><body><p>" + words + "</p>"
		for _, l := range links {
			body += "<p><a href=/" + l + ">" + l + "</a></p>"
		}
		add(name, "text/html", body)
	}
	var heads []string
	for _, topic := range []string{"sea", "sky", "wood"} {
		heads = append(heads, topic+"0")
		for i := range 6 {
			html(fmt.Sprint(topic, i), strings.Repeat(topic+" ", 20)+filler(topic, i), fmt.Sprint(topic, i+1))
		}
	}
	for i := range 4 {
		heads = append(heads, fmt.Sprint("loner", i))
		html(fmt.Sprint("loner", i), filler("loner", i))
	}
	html("hub", "Links.", heads...)
	html("island", strings.Repeat("sea ", 20)+filler("island", 0), "sea0")
	add("note.txt", "text/plain", strings.Repeat("sea ", 60)+filler("note", 0))
	if err := os.WriteFile(filepath.Join(dir, "small.warc"), warc.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return dir
}

// filler returns 50 words that occur in no other page.
func filler(topic string, i int) string {
	var b strings.Builder
	for n := range 50 {
		fmt.Fprintf(&b, "%s%dq%d ", topic, i, n)
	}
	return b.String()
}

// Outcome is the part of comparison.json that tests check.
type Outcome struct {
	Items int
	Seeds []string
	Web   struct{ Documents, Reachable, Relevant int }
	Facts []struct{ Name, Value string }
	Runs  []struct {
		Name, Focus, Ended string
		Points             []struct {
			Recall   float64
			RecallCI *float64 `json:"recall_ci95"`
		}
	}
}

// Read returns the comparison.json of a folder.
func Read(t *testing.T, folder string) Outcome {
	t.Helper()
	var o Outcome
	text, err := os.ReadFile(filepath.Join(folder, "comparison.json"))
	if err = errors.Join(err, json.Unmarshal(text, &o)); err != nil {
		t.Fatal(err)
	}
	return o
}

// OfRecall returns the final recall of a run, or -1 if there is no such run.
func (o Outcome) OfRecall(run string) float64 {
	for _, r := range o.Runs {
		if r.Name == run {
			return r.Points[len(r.Points)-1].Recall
		}
	}
	return -1
}

// Drawn returns the URLs of the items in the order of drawing.
func (o Outcome) Drawn() (urls []string) {
	for _, f := range o.Facts {
		if strings.HasPrefix(f.Name, "item ") {
			url, _, _ := strings.Cut(f.Value, " (")
			urls = append(urls, url)
		}
	}
	return urls
}
