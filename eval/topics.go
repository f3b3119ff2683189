package eval

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"orbweaver"
	"orbweaver/internal/coding/charset"
)

// A Truth decides which pages are relevant, independently of any crawl. URLs are canonical. Implementations are
// safe for concurrent use.
type Truth interface {
	Relevant(url string) bool
}

const (
	maxTruthLine = 1 << 20 // bytes of a line of a truth file
	maxProblems  = 20      // problems of a file that are reported individually
	maxTopics    = 100_000 // distinct topics kept for suggestions
)

// Topics is the truth of a file of URLs and their topics: a page is relevant if one of its topics begins with
// one of those requested. A page without a row is not relevant.
type Topics struct {
	relevant map[string]struct{}
}

// LoadTopics reads a truth file: UTF-8, a header line, then rows `url<TAB>topic`; a URL may have several rows,
// blank lines are skipped. canonical, which is weburl.Canonical, normalizes URLs; topics are matched as string
// prefixes, byte by byte.
//
// All problems are reported together (the first 20 with file and line) in an error that wraps
// orbweaver.ErrInput. A topic without a row is a problem, reported with the nearest topics.
func LoadTopics(path string, topics []string, canonical func(string) (string, error)) (*Topics, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("truth file: %w: %w", err, orbweaver.ErrInput)
	}
	defer file.Close()
	r := topicReader{path: path, topics: topics, canonical: canonical,
		matched: make([]bool, len(topics)), known: map[string]struct{}{},
		truth: &Topics{relevant: map[string]struct{}{}}}
	r.read(file)
	r.checkTopics()
	if err := r.err(); err != nil {
		return nil, err
	}
	return r.truth, nil
}

// Relevant reports whether the page of a canonical URL has one of the topics.
func (t *Topics) Relevant(url string) bool {
	_, ok := t.relevant[url]
	return ok
}

// Len returns the number of relevant URLs.
func (t *Topics) Len() int { return len(t.relevant) }

// topicReader is the state of reading a truth file.
type topicReader struct {
	path      string
	topics    []string
	canonical func(string) (string, error)

	truth    *Topics
	matched  []bool              // by requested topic
	known    map[string]struct{} // topics of the file, at most maxTopics
	names    []string            // the same, in order
	problems []error
	more     int                     // problems beyond maxProblems
	each     func(url, topic string) // receives every row; may be nil
}

func (r *topicReader) read(in io.Reader) {
	lines := bufio.NewScanner(charset.NewReader(in))
	lines.Buffer(make([]byte, 0, 64<<10), maxTruthLine)
	n := 0
	for lines.Scan() {
		n++
		line := strings.TrimSuffix(lines.Text(), "\r")
		if n == 1 {
			r.header(line)
			continue
		}
		if line != "" {
			r.row(n, line)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		r.problem(n+1, "the line is longer than %d bytes", maxTruthLine)
	case err != nil:
		r.problem(n+1, "%v", err)
	case n == 0:
		r.problem(1, "the file is empty; it begins with the line url<TAB>topic")
	}
}

// header rejects a first line that is already a row, which would be skipped silently.
func (r *topicReader) header(line string) {
	first, _, found := strings.Cut(line, "\t")
	if !found || strings.Contains(first, "://") {
		r.problem(1, "no header: the first line is url<TAB>topic, not %q", shorten(line, 80))
	}
}

func (r *topicReader) row(n int, line string) {
	address, topic, found := strings.Cut(line, "\t")
	if !found || address == "" || topic == "" || strings.Contains(topic, "\t") {
		r.problem(n, "want url<TAB>topic, not %q", shorten(line, 80))
		return
	}
	r.remember(topic)
	url, err := r.canonical(address)
	if err != nil {
		r.problem(n, "%q: %v", shorten(address, 200), err)
		return
	}
	if r.each != nil {
		r.each(url, topic)
	}
	for i, asked := range r.topics {
		if strings.HasPrefix(topic, asked) {
			r.matched[i] = true
			r.truth.relevant[url] = struct{}{}
		}
	}
}

func (r *topicReader) remember(topic string) {
	if _, ok := r.known[topic]; ok || len(r.known) >= maxTopics {
		return
	}
	r.known[topic] = struct{}{}
	r.names = append(r.names, topic)
}

func (r *topicReader) checkTopics() {
	if len(r.topics) == 0 {
		r.note(fmt.Errorf("%s: no topic is asked for", r.path))
	}
	for i, ok := range r.matched {
		switch {
		case r.topics[i] == "":
			r.note(fmt.Errorf("%s: an empty topic is asked for; it would match every row", r.path))
		case !ok:
			r.note(fmt.Errorf("%s: no row has topic %q%s", r.path, r.topics[i],
				suggestion(nearestTopics(r.topics[i], r.names, 3))))
		}
	}
}

func (r *topicReader) problem(line int, format string, args ...any) {
	r.note(fmt.Errorf("%s:%d: %s", r.path, line, fmt.Sprintf(format, args...)))
}

func (r *topicReader) note(err error) {
	if len(r.problems) == maxProblems {
		r.more++
		return
	}
	r.problems = append(r.problems, err)
}

func (r *topicReader) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	all := errors.Join(r.problems...)
	if r.more > 0 {
		all = fmt.Errorf("%w\nand %d more", all, r.more)
	}
	return fmt.Errorf("%w\n%w", all, orbweaver.ErrInput)
}

func suggestion(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "; nearest: " + strings.Join(names, ", ")
}

// shorten cuts s to at most n runes and marks the cut.
func shorten(s string, n int) string {
	runes := 0
	for i := range s {
		if runes == n {
			return s[:i] + "…"
		}
		runes++
	}
	return s
}
