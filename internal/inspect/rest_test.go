package inspect_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/kind/kindtest"
	"orbweaver/internal/run"
)

// The crawls of these tests rest in one folder: whole went through its web, cut ended by its limit of requests.
const (
	whole = "whole"
	cut   = "cut"
)

var made struct {
	once   sync.Once
	folder string
	err    error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if err := os.RemoveAll(made.folder); err != nil && code == 0 {
		code = 1
	}
	os.Exit(code)
}

// crawlFile is that of a crawl for gliders; %s: more keys.
const crawlFile = `seeds: [http://a.test/]
web: {archive: web, robots: archived}
focus: {sightings: {things: {glider: urn:glider, kite: urn:kite}}}
scope: {exclude: [out.test]}
duplicates: off
output: %s
limits: {%s}
`

// aWeb has a page, or an answer without one, for each way in which a URL ends.
func aWeb() []toy.Answer {
	html := func(url, title string, gliders int, links ...string) toy.Answer {
		var b strings.Builder
		fmt.Fprintf(&b, "<html lang=en><title>%s</title><body><p>%sIt flies over the hills.</p>", title, strings.Repeat("A glider. ", gliders))
		for _, l := range links {
			to, rel, _ := strings.Cut(l, " ")
			fmt.Fprintf(&b, "<p><a href=%q %s>%s</a></p>", to, rel, to)
		}
		return toy.Answer{URL: url, Body: b.String()}
	}
	return []toy.Answer{
		{URL: "http://a.test/robots.txt", Kind: "text/plain", Body: "User-agent: *\nDisallow: /secret\n"},
		html("http://a.test/", "Gliders", 6, "/one", "/two", "/old", "/away", "/missing", "/gone", "/no rel=nofollow", "/secret",
			"http://b.test/", "http://out.test/x", "/note.txt", "/copy"),
		html("http://a.test/one", "One", 1, "/one/deep", "/no rel=nofollow"),
		html("http://a.test/one/deep", "Deep", 4, "/one/deeper", "http://a.test/"),
		html("http://a.test/two", "Two", 2),
		html("http://a.test/copy", "Two", 2),
		html("http://b.test/", "B", 0, "http://a.test/", "http://c.b.test/"),
		html("http://c.b.test/", "C", 3),
		{URL: "http://a.test/old", Status: 301, Location: "http://a.test/two"},
		{URL: "http://a.test/away", Status: 302, Location: "http://out.test/y"},
		{URL: "http://a.test/gone", Status: 404, Body: "gone"},
		{URL: "http://a.test/note.txt", Kind: "text/plain", Body: "A kite, a kite and a kite."},
	}
}

// aJob knows one kind of focus.
func aJob() *job.Job {
	return &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}, Kinds: kind.Registry{kindtest.Kind{}}}
}

// rested returns a crawl at rest, which tests share and do not change.
func rested(t *testing.T, name string) *inspect.Handle {
	t.Helper()
	made.once.Do(func() { made.err = makeBoth(t) })
	if made.err != nil {
		t.Fatal(made.err)
	}
	return &inspect.Handle{Job: aJob(), Dir: filepath.Join(made.folder, name)}
}

// makeBoth makes both crawls.
func makeBoth(t *testing.T) (err error) {
	if made.folder, err = os.MkdirTemp("", "inspect-"); err != nil {
		return err
	}
	if err = os.CopyFS(filepath.Join(made.folder, "web"), os.DirFS(toy.WebOf(t, aWeb()))); err != nil {
		return err
	}
	for name, limits := range map[string]string{whole: "depth: 2", cut: "requests: 3"} {
		path := toy.Put(t, made.folder, name+".yaml", fmt.Sprintf(crawlFile, name, limits))
		var out bytes.Buffer
		j := aJob()
		j.Console.Err = &out
		if _, err := run.Session(context.Background(), j, assembly.FromFile(j, path), 0, run.Hooks{}); err != nil {
			return errors.Join(err, errors.New(out.String()))
		}
	}
	return nil
}

// changeable returns a copy of a crawl at rest.
func changeable(t *testing.T, name string) *inspect.Handle {
	t.Helper()
	h := rested(t, name)
	to, err := os.MkdirTemp(made.folder, "") // beside the web, which the crawl file names
	if err == nil {
		err = os.CopyFS(to, os.DirFS(h.Dir))
	}
	if err != nil {
		t.Fatal(err)
	}
	return &inspect.Handle{Job: h.Job, Dir: to}
}
