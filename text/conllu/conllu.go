// Package conllu reads treebanks in the CoNLL-U format of Universal Dependencies, sentence by sentence.
//
// A file is never held as a whole. Each problem is reported with its line; lines and sentences of a
// size that no treebank has are problems, so that no input needs more memory than a bound. What the
// columns mean is the reader's business, not the package's.
package conllu

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"
)

// What is larger is no treebank.
const (
	maxLine  = 1 << 20 // bytes
	maxWords = 1 << 14 // of a sentence
	maxBytes = 1 << 22 // of a sentence
	columns  = 10
)

// A Sentence is a sentence of a treebank.
type Sentence struct {
	Line      int    // of its first line in the file, from 1
	ID        string // sent_id, "" without one
	Text      string // as it was written, "" where the file does not say
	Document  bool   // a document starts with it
	Paragraph bool   // a paragraph or a document starts with it
	Words     []Word
	Spans     []Span // what was written as one and is several words, in order
}

// A Word is a syntactic word. What a file leaves open ("_") is "".
type Word struct {
	Form     string
	Lemma    string
	UPOS     string // universal part of speech
	XPOS     string // part of speech of the language: for English, Penn's
	Features string
	Head     int    // the word it depends on, from 1; 0 is the root, -1 not known
	Relation string // to its head
	Joined   bool   // no space follows it. Within a Span this is said by the span
}

// A Span is a run of words written as one: "don't" is the words "do" and "n't".
type Span struct {
	First, Last int // of Words, from 0, both within
	Form        string
	Joined      bool // no space follows it
}

// A Reader reads sentences. It is for one goroutine at a time.
type Reader struct {
	lines *bufio.Scanner
	line  int
	err   error
}

// NewReader reads a treebank from r.
func NewReader(r io.Reader) *Reader {
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 0, 1<<16), maxLine)
	return &Reader{lines: lines}
}

// Read returns the next sentence, or io.EOF behind the last. An error names the line, and is returned
// again by every Read after it. What the caller is given is its own.
func (r *Reader) Read() (*Sentence, error) {
	if r.err != nil {
		return nil, r.err
	}
	s, err := r.read()
	if err != nil && err != io.EOF {
		err = fmt.Errorf("line %d: %w", r.line, err)
	}
	r.err = err
	return s, err
}

func (r *Reader) read() (*Sentence, error) {
	var s Sentence
	size := 0
	for r.lines.Scan() {
		r.line++
		line := r.lines.Text()
		if size += len(line); size > maxBytes {
			return nil, fmt.Errorf("a sentence of more than %d bytes", maxBytes)
		}
		if line == "" {
			if len(s.Words) > 0 {
				return s.checked()
			}
		} else if err := s.add(line, r.line); err != nil {
			return nil, err
		}
	}
	if err := r.lines.Err(); err != nil {
		r.line++
		return nil, err
	}
	if len(s.Words) == 0 {
		return nil, io.EOF
	}
	return s.checked()
}

// add takes in one line that is not blank.
func (s *Sentence) add(line string, number int) error {
	if !utf8.ValidString(line) {
		return errors.New("not UTF-8")
	}
	if s.Line == 0 {
		s.Line = number
	}
	if comment, ok := strings.CutPrefix(line, "#"); ok {
		if len(s.Words) > 0 {
			return errors.New("a comment within a sentence")
		}
		s.comment(strings.TrimSpace(comment))
		return nil
	}
	var cols [columns]string
	if n := split(line, &cols); n != columns {
		return fmt.Errorf("%d columns, not %d", n, columns)
	}
	switch id := cols[0]; {
	case strings.Contains(id, "."): // an ellipsis, which nobody wrote
		return nil
	case strings.Contains(id, "-"):
		return s.span(&cols)
	}
	return s.word(&cols)
}

// split cuts a line at tabs into its columns and returns how many it has.
func split(line string, cols *[columns]string) int {
	n := 0
	for more := true; more; n++ {
		var col string
		col, line, more = strings.Cut(line, "\t")
		if n < columns {
			cols[n] = col
		}
	}
	return n
}

func (s *Sentence) comment(comment string) {
	key, value, _ := strings.Cut(comment, "=")
	value = strings.TrimSpace(value)
	switch name, _, _ := strings.Cut(strings.TrimSpace(key), " "); name {
	case "sent_id":
		s.ID = value
	case "text":
		if strings.TrimSpace(key) == name {
			s.Text = value
		}
	case "newdoc":
		s.Document, s.Paragraph = true, true
	case "newpar":
		s.Paragraph = true
	}
}

func (s *Sentence) word(cols *[columns]string) error {
	if want := len(s.Words) + 1; cols[0] != strconv.Itoa(want) {
		return fmt.Errorf("word %q where %d is next", cols[0], want)
	}
	if len(s.Words) == maxWords {
		return fmt.Errorf("a sentence of more than %d words", maxWords)
	}
	if cols[1] == "" {
		return errors.New("a word without a form")
	}
	head := -1
	if cols[6] != "_" {
		n, err := strconv.Atoi(cols[6])
		if err != nil || n < 0 || n > maxWords {
			return fmt.Errorf("head %q is not a word", cols[6])
		}
		head = n
	}
	w := Word{
		Form: cols[1], Lemma: given(cols[2]), UPOS: given(cols[3]), XPOS: given(cols[4]),
		Features: given(cols[5]), Head: head, Relation: given(cols[7]), Joined: joined(cols[9]),
	}
	if cols[1] == "_" { // the sign itself
		w.Lemma = cols[2]
	}
	s.Words = append(s.Words, w)
	return nil
}

func (s *Sentence) span(cols *[columns]string) error {
	a, b, _ := strings.Cut(cols[0], "-")
	first, err1 := strconv.Atoi(a)
	last, err2 := strconv.Atoi(b)
	if err1 != nil || err2 != nil || first != len(s.Words)+1 || last < first || last > maxWords {
		return fmt.Errorf("words %q where %d is next", cols[0], len(s.Words)+1)
	}
	if n := len(s.Spans); n > 0 && s.Spans[n-1].Last >= first-1 {
		return fmt.Errorf("words %q within others", cols[0])
	}
	s.Spans = append(s.Spans, Span{First: first - 1, Last: last - 1, Form: cols[1], Joined: joined(cols[9])})
	return nil
}

// checked returns the sentence, unless the whole shows what a line does not.
func (s *Sentence) checked() (*Sentence, error) {
	for i, w := range s.Words {
		if w.Head > len(s.Words) {
			return nil, fmt.Errorf("the sentence before: word %d depends on %d, and there are %d", i+1, w.Head, len(s.Words))
		}
	}
	for _, span := range s.Spans {
		if span.Last >= len(s.Words) {
			return nil, fmt.Errorf("the sentence before: %q reaches beyond its end", span.Form)
		}
	}
	return s, nil
}

func given(col string) string {
	if col == "_" {
		return ""
	}
	return col
}

// joined reports whether a MISC column says that no space follows.
func joined(misc string) bool {
	for note := range strings.SplitSeq(misc, "|") {
		if note == "SpaceAfter=No" {
			return true
		}
	}
	return false
}
