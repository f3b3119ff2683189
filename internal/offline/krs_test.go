package offline

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/apptest/verbs"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/kind/krs"
	"orbweaver/internal/kind/krs/krstest"
)

// TestKRS: a topic is learned, shown, extended and used for judging.
func TestKRS(t *testing.T) {
	corpus, other := krstest.Kites(t)
	folder := t.TempDir()
	dir := filepath.Join(folder, "kites.krs")
	var messages bytes.Buffer
	a := &job.Job{Console: console.Console{Out: &messages, Err: &messages}}
	if err := (&krs.Jobs{Console: a.Console}).Build(t.Context(), krs.Job{Dir: dir, Topic: "kites", Corpus: []string{corpus}, Background: []string{other}}); err != nil {
		t.Fatal(err, messages.String())
	}
	if text := messages.String(); !strings.Contains(text, "documents        12") || !strings.Contains(text, "background of 12 documents") || !strings.Contains(text, "kite") {
		t.Errorf("%s", text)
	}
	if err := (&krs.Jobs{Console: a.Console}).Build(t.Context(), krs.Job{Dir: dir, Topic: "kites", Corpus: []string{corpus}}); !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("over an existing one: %v", err)
	}
	more := toy.Put(t, folder, "more.txt", "Another kite\n\nA kite with two lines.\n")
	messages.Reset()
	if err := (&krs.Jobs{Console: a.Console}).Build(t.Context(), krs.Job{Dir: dir, Corpus: []string{more}, Add: true}); err != nil || !strings.Contains(messages.String(), "documents        13") {
		t.Errorf("added: %v, %s", err, &messages)
	}
	messages.Reset()
	if err := (&krs.Jobs{Console: a.Console}).Export(t.Context(), dir); err != nil || strings.Count(messages.String(), "core#Document>") != 13 || !strings.Contains(messages.String(), "idfValue") {
		t.Errorf("exported: %v, %.500s", err, &messages)
	}
	web := toy.WebOf(t, []toy.Answer{
		{URL: "http://a.test/", Body: `<p>Some pages.</p><a href="/kite">a kite on a line</a> <a href="/soup">a soup with an onion</a>`},
		{URL: "http://a.test/kite", Body: `<title>Kites</title><p>The kite has a tail, a bridle and a spar, and flies on its line when there is wind in the sail.</p>`},
		{URL: "http://a.test/soup", Body: `<title>Soups</title><p>The soup has an onion and a carrot, and cooks on the stove in a pot with salt and broth.</p>`},
	})
	messages.Reset()
	file := toy.Put(t, folder, "j.yaml", fmt.Sprintf("seeds: [http://a.test/]\nweb: {archive: %s}\nfocus: {krs: {file: %s}}\n", web, dir))
	if err := verbs.Judge(t.Context(), a, file, "http://a.test/kite", false, false); err != nil || !strings.Contains(messages.String(), "coverage") || !strings.Contains(messages.String(), "bridle") {
		t.Errorf("judged: %v, %s", err, &messages)
	}
	crawled := t.TempDir()
	apptest.CrawlIn(t, crawled, fmt.Sprintf("seeds: [http://a.test/]\nweb: {archive: %s}\nfocus: {krs: {file: %s}}\n", web, dir))
	for _, l := range toy.LinesOf(t, filepath.Join(crawled, "crawl")) {
		if want := l.URL == "http://a.test/kite"; l.Accepted != want {
			t.Errorf("%s: accepted %v, %+v", l.URL, l.Accepted, l.Reasons)
		}
		if l.N == 2 && l.URL != "http://a.test/kite" {
			t.Errorf("the second page is %s", l.URL)
		}
	}
}

// TestKRSWorkers: a crawl with a learning KRS does not depend on the number of workers.
func TestKRSWorkers(t *testing.T) {
	corpus, other := krstest.Kites(t)
	dir := filepath.Join(t.TempDir(), "kites.krs")
	a := &job.Job{Console: console.Console{Out: io.Discard, Err: io.Discard}}
	if err := (&krs.Jobs{Console: a.Console}).Build(t.Context(), krs.Job{Dir: dir, Topic: "kites", Corpus: []string{corpus}, Background: []string{other}}); err != nil {
		t.Fatal(err)
	}
	var first []byte
	for _, workers := range []int{1, 8} {
		_, journal := apptest.CrawlIn(t, t.TempDir(), toy.DemoLines(t)+fmt.Sprintf("focus: {krs: {file: %s, learn: true}}\nlimits: {requests: 120}\nworkers: %d\n", dir, workers))
		if first == nil {
			first = journal
		}
		if !bytes.Equal(journal, first) || bytes.Count(journal, []byte("\n")) != 120 {
			t.Errorf("%d workers: %d lines, or others", workers, bytes.Count(journal, []byte("\n")))
		}
	}
}
