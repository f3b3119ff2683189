// Package conllu reads treebanks in the CoNLL-U format of Universal Dependencies, sentence by sentence.
//
// It streams the file. Each error names its line; lines and sentences beyond the size of any treebank are
// errors, which bounds the memory for any input. The package does not interpret the columns.
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

// Limits of input.
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
	Text      string // original text, "" if the file has none
	Document  bool   // a document starts with it
	Paragraph bool   // a paragraph or a document starts with it
	Words     []Word
	Spans     []Span // multiword tokens, in order
}

// A Word is a syntactic word. Unspecified columns ("_") are "".
type Word struct {
	Form     string
	Lemma    string
	UPOS     string // universal part of speech
	XPOS     string // language-specific part of speech: for English, Penn's
	Features string
	Head     int    // the word it depends on, from 1; 0 is the root, -1 not known
	Relation string // to its head
	Joined   bool   // no space follows it. Within a Span only Span.Joined counts
}

// A Span is a multiword token: "don't" is the words "do" and "n't".
type Span struct {
	First, Last int // of Words, from 0, inclusive
	Form        string
	Joined      bool // no space follows it
}

// A Reader reads sentences. It is not safe for concurrent use.
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

// Read returns the next sentence, or io.EOF after the last. An error names the line, and every later Read
// returns it again. The caller owns the sentence.
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

// add parses one non-blank line.
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
	case strings.Contains(id, "."): // an ellipsis: an empty node without text
		return nil
	case strings.Contains(id, "-"):
		return s.span(&cols)
	}
	return s.word(&cols)
}

// split splits a line at tabs into its columns and returns their number.
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

// checked returns the sentence, or an error that concerns several lines.
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

// joined reports whether a MISC column has SpaceAfter=No.
func joined(misc string) bool {
	for note := range strings.SplitSeq(misc, "|") {
		if note == "SpaceAfter=No" {
			return true
		}
	}
	return false
}
