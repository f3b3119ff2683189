package item

import (
	"archive/tar"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"sort"
	"strings"
	"testing"
	"time"

	"orbweaver/internal/realdata"
)

// A story is an item of the news, with the topics that people gave it.
type story struct {
	Title, Body string
	Topics      []string
}

// news returns the stories of Reuters-21578 that have a body, in order.
func news(tb testing.TB) []story {
	tb.Helper()
	file, err := os.Open(realdata.File(tb, "reuters-21578.tar.gz"))
	if err != nil {
		tb.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		tb.Fatal(err)
	}
	parts := map[string][]story{}
	for r := tar.NewReader(unzipped); ; {
		header, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			tb.Fatal(err)
		}
		if !strings.HasSuffix(header.Name, ".json") {
			continue
		}
		var part []story
		if err := json.NewDecoder(r).Decode(&part); err != nil {
			tb.Fatal(err)
		}
		parts[header.Name] = part
	}
	var names []string
	for name := range parts {
		names = append(names, name)
	}
	sort.Strings(names)
	var all []story
	for _, name := range names {
		for _, s := range parts[name] {
			if s.Body != "" {
				all = append(all, s)
			}
		}
	}
	return all
}

// texts returns terms as they are shown.
func (s *State) texts(terms []Term) (shown []string) {
	for _, t := range terms {
		text, _ := s.Text(t.ID)
		shown = append(shown, text)
	}
	return shown
}

func TestTry(t *testing.T) {
	stories := news(t)
	var r Reader
	s := NewState(Options{})
	var drafts []Draft
	began := time.Now()
	words := 0
	for _, x := range stories {
		drafts = append(drafts, r.Read(x.Body, x.Title, "en"))
		words += drafts[len(drafts)-1].length
	}
	t.Log("read", time.Since(began), words)
	began = time.Now()
	last, steps := began, int64(0)
	corr := 0
	for i, d := range drafts {
		x := s.Take(d)
		corr += len(x.Corrected)
		if i%2000 == 1999 {
			t.Log(i+1, time.Since(last), s.steps-steps, len(s.units), s.words, len(s.phrases), x.Corrected)
			last, steps = time.Now(), s.steps
		}
		if i%1900 == 1800 {
			t.Log(stories[i].Title, strings.Join(s.texts(Heaviest(x.Terms, 25)), " | "))
		}
	}
	t.Log("take", time.Since(began), corr)
	began = time.Now()
	t.Log(s.Digest(), time.Since(began), len(s.append(nil)))
}
