package search

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"orbweaver/text"
)

// Limits of a query.
const (
	maxQuery   = 4096 // bytes
	maxClauses = 64
	maxPhrase  = 32  // words
	maxStems   = 512 // of all words together
)

// A Query describes documents. It is plain data; Parse makes one from text.
type Query struct{ Clauses []Clause }

// A Clause is a word or a phrase.
type Clause struct {
	Need  Need
	Field string // where it must occur; empty: anywhere
	Words []Word // consecutive words; a prefix is the only word of its clause
}

// A Need says whether a clause is required.
type Need int

// Needs.
const (
	Optional  Need = iota // a document may match by another clause, unless one is Required
	Required              // documents without it do not match
	Forbidden             // documents with it do not match
)

// A Word is a word of a clause.
type Word struct {
	Text   string   // in lower case
	Stems  []string // the word under each stemmer, distinct; or Written, if documents have it
	Prefix bool     // matches all words that start with Text; Stems are ignored

	Written string // as in the query, if its capitals are significant (AIDS, MySQL, B52); else empty
}

// A Syntax configures the parsing of queries.
type Syntax struct {
	Fields []string // valid before a colon
	Langs  []string // languages of stemming; none: English
}

// Parse parses a query in the usual syntax:
//
//	word         wanted, in any form; documents with more of the words rank higher
//	+word -word  required, forbidden
//	"a phrase"   consecutive words; well-known is a phrase too
//	title:word   wanted in a field
//	word*        all words with this prefix
//
// A word with significant capitals, such as AIDS, MySQL or B52, is matched as written, or in its plain plural,
// if the index has a document with it; otherwise, and in a query of several words without a small letter, like
// any other word.
//
// Every text is a valid query. English stop words are dropped unless there is nothing else, a sign precedes
// them or they are in quotes. The error wraps ErrQuery, for more than 4 096 bytes, 64 words and phrases or 32
// words in a phrase.
func Parse(query string, y Syntax) (Query, error) { return parse(query, y, &text.Stemmers{}) }

func parse(query string, y Syntax, stemmers *text.Stemmers) (Query, error) {
	if len(query) > maxQuery {
		return Query{}, fmt.Errorf("query of %d bytes, more than %d: %w", len(query), maxQuery, ErrQuery)
	}
	query = quotes.Replace(query)
	p := parser{rest: query, fields: y.Fields, loud: strings.ToUpper(query) == query && len(strings.Fields(query)) > 1}
	langs := y.Langs
	if len(langs) == 0 {
		langs = []string{""}
	}
	for _, tag := range langs {
		if lang := langOf(tag); !slices.Contains(p.langs, lang) {
			p.langs = append(p.langs, lang)
			stemmer := stemmers.Get(lang)
			defer stemmers.Put(lang, stemmer)
			p.stemmers = append(p.stemmers, stemmer)
		}
	}
	for p.space(); p.rest != ""; p.space() {
		p.item()
	}
	p.dropStopWords()
	if n := len(p.clauses); n > maxClauses {
		return Query{}, fmt.Errorf("query of %d words and phrases, more than %d: %w", n, maxClauses, ErrQuery)
	}
	for _, c := range p.clauses {
		if n := len(c.Words); n > maxPhrase {
			return Query{}, fmt.Errorf("phrase of %d words, more than %d: %w", n, maxPhrase, ErrQuery)
		}
	}
	return Query{p.clauses}, nil
}

// Parse is Parse for the fields of the index and, if no languages are given, for all languages of its
// documents.
func (r Reader) Parse(query string, langs ...string) (Query, error) {
	t, err := r.store.totals(r.reader)
	if err != nil {
		return Query{}, err
	}
	y := Syntax{Langs: langs}
	if len(langs) == 0 {
		y.Langs = t.langs
	}
	for _, f := range t.fields {
		y.Fields = append(y.Fields, f.name)
	}
	q, err := parse(query, y, &r.store.stemmers)
	if err != nil {
		return Query{}, err
	}
	return q, r.asWritten(q)
}

// asWritten makes words match as written if a document has them so.
func (r Reader) asWritten(q Query) error {
	var v *visit
	for _, c := range q.Clauses {
		for i := range c.Words {
			w := &c.Words[i]
			if w.Written == "" {
				continue
			}
			if v == nil {
				var err error
				if v, err = r.visit(context.Background()); err != nil {
					return err
				}
			}
			if v.postings(string(stemLetter)+w.Written).frequency() > 0 {
				w.Stems = []string{w.Written}
			}
		}
	}
	if v == nil {
		return nil
	}
	return v.close()
}

// quotes makes the signs of the syntax of those that keyboards write for them.
var quotes = strings.NewReplacer("“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "＂", `"`, "＋", "+", "：", ":", "＊", "*",
	"\u00a0", " ", "\u3000", " ")

type parser struct {
	rest     string
	fields   []string
	langs    []string
	stemmers []*text.Stemmer // parallel to langs
	scanner  text.Scanner
	clauses  []Clause
	loud     bool  // the query is in capitals throughout: they are not significant
	plain    []int // clauses to be dropped if they are stop words
}

const blanks = " \t\r\n\v\f"

func (p *parser) space() { p.rest = strings.TrimLeft(p.rest, blanks) }

// item parses the text up to the next space, or in quotes.
func (p *parser) item() {
	var c Clause
	switch p.rest[0] {
	case '+':
		c.Need, p.rest = Required, p.rest[1:]
	case '-':
		c.Need, p.rest = Forbidden, p.rest[1:]
	}
	for _, f := range p.fields {
		if after, ok := strings.CutPrefix(p.rest, f+":"); ok && after != "" && !strings.Contains(blanks, after[:1]) {
			c.Field, p.rest = f, after
			break
		}
	}
	if after, ok := strings.CutPrefix(p.rest, `"`); ok {
		inside, after, _ := strings.Cut(after, `"`)
		p.rest = after
		p.phrase(c, p.words(inside))
		return
	}
	end := strings.IndexAny(p.rest, blanks+`"`)
	if end < 0 {
		end = len(p.rest)
	}
	item := p.rest[:end]
	p.rest = p.rest[end:]
	words := p.words(item)
	if n := len(words); n > 0 && strings.HasSuffix(item, "*") {
		p.phrase(c, words[:n-1])
		p.phrase(c, []Word{{Text: words[n-1].Text, Prefix: true}})
		return
	}
	if len(words) == 1 && c.Need == Optional {
		p.plain = append(p.plain, len(p.clauses))
	}
	p.phrase(c, words)
}

func (p *parser) phrase(c Clause, words []Word) {
	if len(words) > 0 {
		c.Words = words
		p.clauses = append(p.clauses, c)
	}
}

func (p *parser) words(s string) (words []Word) {
	for p.scanner.Reset(s); p.scanner.Next(); {
		w := Word{Text: string(p.scanner.Word())}
		if !p.loud {
			w.Written, _ = p.scanner.AsWritten()
		}
		for _, stemmer := range p.stemmers {
			if stem := stemOf(stemmer, p.scanner.Word()); !slices.Contains(w.Stems, stem) {
				w.Stems = append(w.Stems, stem)
			}
		}
		words = append(words, w)
	}
	return words
}

// dropStopWords drops stop-word clauses if there are others.
func (p *parser) dropStopWords() {
	if !slices.Contains(p.langs, "") {
		return
	}
	stop := map[int]bool{}
	for _, i := range p.plain {
		w := p.clauses[i].Words[0]
		stop[i] = w.Written == "" && text.StopWord("", []byte(w.Text))
	}
	var left []Clause
	says := false
	for i, c := range p.clauses {
		if !stop[i] {
			left = append(left, c)
			says = says || c.Need != Forbidden
		}
	}
	if says {
		p.clauses = left
	}
}
