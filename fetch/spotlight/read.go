package spotlight

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"unicode"

	"orbweaver"
)

const (
	maxEntries    = 5000    // of a list in an answer: a block has no more words than that
	maxCandidates = 100_000 // of an answer
	maxTypes      = 100     // of a resource
	maxURI        = 2048    // bytes of a URI or label
)

// A word is a string of an answer, or a number or null that stands in place of one.
type word string

// UnmarshalJSON reads the word.
func (w *word) UnmarshalJSON(b []byte) error {
	switch b[0] {
	case '"':
		return json.Unmarshal(b, (*string)(w))
	case '{', '[', 't', 'f':
		return fmt.Errorf("%.20s in place of a string", b)
	case 'n':
		return nil
	}
	*w = word(b)
	return nil
}

// integer returns the number that a word is, 0 when it is none, or below.
func (w word) integer() int {
	n, err := strconv.ParseInt(strings.TrimSpace(string(w)), 10, 32)
	if err != nil || n < 0 {
		return 0
	}
	return int(n)
}

// share returns the number between 0 and 1 that a word is; 0 when it is none, or below, as -1 is for
// what the server did not find out.
func (w word) share() float64 {
	x, err := strconv.ParseFloat(strings.TrimSpace(string(w)), 64)
	if err != nil || math.IsNaN(x) {
		return 0
	}
	return min(max(x, 0), 1)
}

// types returns the types that a word lists.
func (w word) types() (types []string) {
	for t := range strings.SplitSeq(string(w), ",") {
		if t = strings.TrimSpace(t); t != "" && len(types) < maxTypes {
			types = append(types, t)
		}
	}
	return types
}

// uri returns the URI that a word is, with a namespace before what has no scheme; empty: it is none.
func (w word) uri(namespace string) string {
	uri := string(w)
	if uri == "" || len(uri) > maxURI || strings.ContainsFunc(uri, notOfURI) {
		return ""
	}
	if !strings.Contains(uri, "://") {
		return namespace + uri
	}
	return uri
}

// label returns the text that a word is, in valid UTF-8 and of a bounded length.
func (w word) label() string { return strings.ToValidUTF8(string(w[:min(len(w), maxURI)]), "") }

func notOfURI(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == unicode.ReplacementChar || strings.ContainsRune("<>\"{}|\\^`", r)
}

// A list is a JSON list; a list of one may be the bare entry, an empty one a string.
type list[T any] []T

// errMany says that a list is too long.
var errMany = errors.New("more entries than a text can have")

// UnmarshalJSON reads the list, entry by entry so that its length is bounded.
func (l *list[T]) UnmarshalJSON(b []byte) error {
	*l = nil
	switch b[0] {
	case '{':
		*l = make(list[T], 1)
		return json.Unmarshal(b, &(*l)[0])
	case '"', 'n':
		return nil
	}
	entries := json.NewDecoder(bytes.NewReader(b))
	if bracket, err := entries.Token(); err != nil || bracket != json.Delim('[') {
		return fmt.Errorf("%.20s in place of a list", b)
	}
	for entries.More() {
		if len(*l) == maxEntries {
			return errMany
		}
		var entry T
		if err := entries.Decode(&entry); err != nil {
			return err
		}
		*l = append(*l, entry)
	}
	return nil
}

// An annotation is what /annotate answers.
type annotation struct {
	Text      *word `json:"@text"`
	Resources list[struct {
		URI        word `json:"@URI"`
		Support    word `json:"@support"`
		Types      word `json:"@types"`
		Surface    word `json:"@surfaceForm"`
		Offset     word `json:"@offset"`
		Similarity word `json:"@similarityScore"`
		Second     word `json:"@percentageOfSecondRank"`
	}] `json:"Resources"`
}

// readAnnotation reads what /annotate answers of a place: the resources, and how many make no sense.
// The error is an *unread.
func readAnnotation(answer []byte, p place) (all []Resource, skipped int, err error) {
	var a annotation
	if err := decodeJSON(answer, &a); err != nil {
		return nil, 0, err
	}
	if a.Text == nil && len(a.Resources) == 0 {
		return nil, 0, otherJSON(answer)
	}
	for _, r := range a.Resources {
		uri := r.URI.uri(p.namespace)
		start, end, ok := p.findWord(r.Offset, r.Surface)
		if !ok || uri == "" {
			skipped++
			continue
		}
		all = append(all, Resource{
			Start: start, End: end, URI: uri, Surface: p.text[start:end], Types: r.Types.types(),
			Support: r.Support.integer(), Similarity: r.Similarity.share(), Second: r.Second.share(),
		})
	}
	return all, skipped, nil
}

// A candidate is one of a surface that /candidates answers with.
type candidate struct {
	URI        word `json:"@uri"`
	Label      word `json:"@label"`
	Types      word `json:"@types"`
	Support    word `json:"@support"`
	Similarity word `json:"@finalScore"`
	Second     word `json:"@percentageOfSecondRank"`
	Prior      word `json:"@priorScore"`
	Context    word `json:"@contextualScore"`
}

// candidates is what /candidates answers.
type candidates struct {
	Annotation *struct {
		Text     *word `json:"@text"`
		Surfaces list[struct {
			Name       word            `json:"@name"`
			Offset     word            `json:"@offset"`
			Candidates json.RawMessage `json:"resource"` // read one surface after another, for room
		}] `json:"surfaceForm"`
	} `json:"annotation"`
}

// readCandidates reads what /candidates answers of a place: the spots, and how many surfaces and
// candidates make no sense. A surface without candidates is no spot. The error is an *unread.
func readCandidates(answer []byte, p place) (all []Spot, skipped int, err error) {
	var a candidates
	if err := decodeJSON(answer, &a); err != nil {
		return nil, 0, err
	}
	if a.Annotation == nil || a.Annotation.Text == nil && len(a.Annotation.Surfaces) == 0 {
		return nil, 0, otherJSON(answer)
	}
	count := 0
	for _, s := range a.Annotation.Surfaces {
		start, end, ok := p.findWord(s.Offset, s.Name)
		if !ok {
			skipped++
			continue
		}
		found, none, err := readSurface(s.Candidates, p.namespace)
		if skipped, count = skipped+none, count+len(found); err == nil && count > maxCandidates {
			err = unreadable(errMany)
		}
		if err != nil {
			return nil, 0, err
		}
		if len(found) > 0 {
			all = append(all, Spot{start, end, p.text[start:end], found})
		}
	}
	return all, skipped, nil
}

// readSurface reads the candidates of a surface, and how many make no sense.
func readSurface(raw json.RawMessage, namespace string) (all []Candidate, skipped int, err error) {
	if len(raw) == 0 {
		return nil, 0, nil
	}
	var entries list[candidate]
	if err := json.Unmarshal(raw, &entries); err != nil {
		return nil, 0, unreadable(err)
	}
	for _, c := range entries {
		if c.URI.uri(namespace) == "" {
			skipped++
			continue
		}
		all = append(all, c.candidate(namespace))
	}
	return all, skipped, nil
}

func (c candidate) candidate(namespace string) Candidate {
	return Candidate{
		URI: c.URI.uri(namespace), Label: c.Label.label(), Types: c.Types.types(),
		Support: c.Support.integer(), Similarity: c.Similarity.share(), Second: c.Second.share(),
		Prior: c.Prior.share(), Context: c.Context.share(),
	}
}

// findWord is find of an offset as it is written.
func (p place) findWord(offset, surface word) (start, end int, ok bool) {
	unit, err := strconv.Atoi(strings.TrimSpace(string(offset)))
	if err != nil {
		return 0, 0, false
	}
	return p.find(unit, string(surface))
}

// decodeJSON reads an answer into a value.
func decodeJSON(answer []byte, into any) error {
	answer = bytes.TrimSpace(bytes.TrimPrefix(answer, []byte("\ufeff")))
	if len(answer) == 0 {
		return &unread{ErrFormat, "an empty answer", nil}
	}
	if answer[0] != '{' {
		return otherJSON(answer)
	}
	if err := json.Unmarshal(answer, into); err != nil {
		return unreadable(err)
	}
	return nil
}

// unreadable says that JSON is none, or not as it should be.
func unreadable(err error) error {
	switch {
	case errors.Is(err, errMany):
		return &unread{ErrAboveLimit, err.Error(), nil}
	case strings.HasPrefix(err.Error(), "unexpected end"), errors.Is(err, io.ErrUnexpectedEOF):
		return &unread{ErrBroken, "it ends early: " + plain([]byte(err.Error())), orbweaver.ErrCut}
	}
	return &unread{ErrBroken, plain([]byte(err.Error())), orbweaver.ErrUnreadable}
}

// otherJSON says that something else than an answer came.
func otherJSON(answer []byte) error { return &unread{ErrFormat, plain(answer), nil} }
