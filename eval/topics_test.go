package eval

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
)

// lowerHost stands in for weburl.Canonical: it takes http URLs only, in lower case.
func lowerHost(url string) (string, error) {
	if !strings.HasPrefix(strings.ToLower(url), "http://") {
		return "", fmt.Errorf("no address on the Web: %w", orbweaver.ErrBadURL)
	}
	return strings.ToLower(url), nil
}

func truthFile(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "truth.tsv")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

const truthRows = "url\ttopic\r\n" +
	"HTTP://a.example/1\tsubject.IT.Web\r\n" +
	"http://a.example/1\tsubject.Art\r\n" +
	"\n" +
	"http://a.example/2\tsubject.Italy\n" +
	"http://a.example/3\tsubject.People.Computing"

func TestLoadTopics(t *testing.T) {
	for _, tc := range []struct {
		name   string
		topics []string
		want   string
	}{
		{"a topic is a prefix", []string{"subject.IT"}, "1"},
		{"and compared as it stands, by characters", []string{"subject.I"}, "1 2"},
		{"several topics are a union", []string{"subject.Art", "subject.People"}, "1 3"},
		{"a whole topic", []string{"subject.Italy"}, "2"},
		{"a row without a newline counts", []string{"subject.People.Computing"}, "3"},
	} {
		topics, err := LoadTopics(truthFile(t, truthRows), tc.topics, lowerHost)
		if err != nil {
			t.Fatalf("%s: %v", tc.name, err)
		}
		var got []string
		for _, n := range []string{"1", "2", "3", "4"} {
			if topics.Relevant("http://a.example/" + n) {
				got = append(got, n)
			}
		}
		if s := strings.Join(got, " "); s != tc.want || topics.Len() != len(got) {
			t.Errorf("%s: %s (%d), want %s", tc.name, s, topics.Len(), tc.want)
		}
	}
}

func TestLoadTopicsTellsAllProblems(t *testing.T) {
	for _, tc := range []struct {
		name, content string
		topics        []string
		want          []string
	}{
		{"bad rows, each with its line", "url\ttopic\nno tab\nhttp://a/\tx\nftp://a/\tx\n\tx\nhttp://a/\t\nhttp://a/\tx\ty\n", []string{"x"},
			[]string{"truth.tsv:2: ", "truth.tsv:4: ", "truth.tsv:5: ", "truth.tsv:6: ", "truth.tsv:7: "}},
		{"no header", "http://a/\tx\n", []string{"x"}, []string{"truth.tsv:1: no header"}},
		{"an empty file", "", []string{"x"}, []string{"truth.tsv:1: the file is empty", `no row has topic "x"`}},
		{"a topic without rows, and the nearest", "url\ttopic\nhttp://a/\tsubject.IT.Web\nhttp://a/\tsubject.Art\n", []string{"subject.It"},
			[]string{`no row has topic "subject.It"; nearest: subject.IT, subject.Art, subject`}},
		{"no topics", "url\ttopic\nhttp://a/\tx\n", nil, []string{"no topic is asked for"}},
		{"an empty topic", "url\ttopic\nhttp://a/\tx\n", []string{""}, []string{"an empty topic"}},
		{"a line without end", "url\ttopic\n" + strings.Repeat("x", maxTruthLine+1), []string{"x"}, []string{"truth.tsv:2: the line is longer"}},
		{"more than can be told", "url\ttopic\n" + strings.Repeat("x\n", 30), []string{"x"}, []string{"truth.tsv:21: ", "and 11 more"}},
	} {
		_, err := LoadTopics(truthFile(t, tc.content), tc.topics, lowerHost)
		if !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s: error %v is no ErrInput", tc.name, err)
			continue
		}
		for _, want := range tc.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: no %q in:\n%v", tc.name, want, err)
			}
		}
		if strings.Contains(err.Error(), "truth.tsv:3: ") && tc.name[:3] == "bad" {
			t.Errorf("%s: line 3 is good:\n%v", tc.name, err)
		}
	}
	if _, err := LoadTopics(filepath.Join(t.TempDir(), "none"), []string{"x"}, lowerHost); !errors.Is(err, os.ErrNotExist) || !errors.Is(err, orbweaver.ErrInput) {
		t.Errorf("no file: %v", err)
	}
}

func TestEditDistance(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"kitten", "sitting", 3}, {"größe", "grosse", 3}, {"same", "same", 0}} {
		if got := editDistance(tc.a, tc.b); got != tc.want {
			t.Errorf("%q to %q: %d, want %d", tc.a, tc.b, got, tc.want)
		}
	}
}

func TestPageTruth(t *testing.T) {
	keywords := NewPageTruth(HoldsAny([]string{"Jumbo Jet", "AIRPLANE", "?!"}))
	for _, p := range []*orbweaver.Page{
		{URL: "phrase", Text: "the jumbo-\njet of old"},
		{URL: "title", Title: "Airplane!"},
		{URL: "inside a word", Text: "airplanes and jumbo jets"},
		{URL: "apart", Text: "jumbo. A jet", Title: "jet jumbo"},
		{URL: "twice", Text: "nothing"},
		{URL: "twice", Text: "an airplane"},
		{URL: "empty"},
	} {
		keywords.Add(p)
	}
	for url, want := range map[string]bool{"phrase": true, "title": true, "twice": true, "inside a word": false, "apart": false, "empty": false} {
		if keywords.Relevant(url) != want {
			t.Errorf("keywords: %s is %v", url, !want)
		}
	}
	if keywords.Len() != 3 {
		t.Errorf("%d relevant, want 3", keywords.Len())
	}
	if !IsRDF(&orbweaver.Page{MediaType: "text/turtle"}) || IsRDF(&orbweaver.Page{MediaType: "text/html"}) {
		t.Error("R is RDF and nothing else")
	}
}

func FuzzLoadTopics(f *testing.F) {
	f.Add(truthRows, "subject.IT")
	f.Add("\ufeffurl\ttopic\nhttp://a/\t..\n", ".")
	f.Add("x", "")
	f.Fuzz(func(t *testing.T, content, topic string) {
		r := topicReader{path: "t", topics: []string{topic}, canonical: lowerHost, matched: make([]bool, 1),
			known: map[string]struct{}{}, truth: &Topics{relevant: map[string]struct{}{}}}
		r.read(strings.NewReader(content))
		r.checkTopics()
		if err := r.err(); err == nil && r.truth.Len() == 0 {
			t.Errorf("no problem and nothing relevant: %q, topic %q", content, topic)
		}
	})
}
