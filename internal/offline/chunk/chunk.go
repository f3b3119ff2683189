// Package chunk cuts the article of a page into chunks for language models: by headings, and where a section is too long at the ends of
// paragraphs, then of sentences. The result depends on page and options alone.
//
// A section, with all sections below it, that fits is one chunk. Of one that does not, what stands before its first subsection and the
// subsections are chunks of their own, and short neighbours are joined under the heading of the section.
//
// This package is not part of the stable API.
package chunk

import (
	"strings"

	"orbweaver/page"
	"orbweaver/text/segment"
)

// Options say how long chunks are.
type Options struct {
	Tokens     int  // tokens of a chunk at most; 0: 512
	Overlap    int  // tokens of whole sentences at most that a chunk repeats of the one before in its section; 0: none
	Duplicates bool // keep chunks that repeat an earlier one, and name that
	Respect    bool // leave out pages that reserve their use for language models

	Counter Counter // of tokens; nil: Tokens estimates them
}

// A Counter counts the tokens of a text as a model does.
type Counter interface {
	Count(text string) int
	Name() string // of what it counts by
}

// The bounds of Options.
const (
	DefaultTokens = 512
	MinTokens     = 32
	MaxTokens     = 1 << 20
)

// A Piece is a chunk of a page.
type Piece struct {
	Headings []string // from the outermost to that of the chunk's section; nil: the page
	Text     string   // Markdown, with the headings of the sections in it; without line feeds at its ends
	Tokens   int      // of the text, by the counter of the options or estimated
}

// Cut cuts an article. Blocks are those of a text; lang is the text's language, by which sentences are found.
func Cut(text string, blocks []page.Block, lang string, o Options) []Piece {
	if o.Tokens <= 0 {
		o.Tokens = DefaultTokens
	}
	o.Overlap = max(0, min(o.Overlap, o.Tokens/2))
	c := &cutter{Options: o, segmenter: segment.For(lang), limit: o.Tokens}
	if o.Counter != nil {
		c.between = 1
		c.limit += c.between
	}
	c.section(c.sections(text, blocks), nil)
	return c.pieces
}

// A section is a heading with what stands below it.
type section struct {
	level    int
	title    string
	units    []unit // before the first subsection, the heading itself among them
	sections []*section
	tokens   int // of all
}

// A unit is a paragraph, a list, a table or code, in Markdown.
type unit struct {
	text   string
	tokens int // with those between it and the next one, where they are counted
	shape  page.Shape
}

func (c *cutter) unit(text string, shape page.Shape) unit {
	return unit{text, c.count(text) + c.between, shape}
}

// count counts the tokens of a text, or estimates them.
func (c *cutter) count(text string) int {
	if c.Counter != nil {
		return c.Counter.Count(text)
	}
	return Tokens(text)
}

// count sums the tokens of a section.
func (s *section) count() int {
	s.tokens = 0
	for _, u := range s.units {
		s.tokens += u.tokens
	}
	for _, sub := range s.sections {
		s.tokens += sub.count()
	}
	return s.tokens
}

// all returns the units of a section with those of its subsections.
func (s *section) all(to []unit) []unit {
	to = append(to, s.units...)
	for _, sub := range s.sections {
		to = sub.all(to)
	}
	return to
}

// maxTitle bounds a heading in the path, in bytes.
const maxTitle = 200

// sections builds the tree of sections. The root is the page. A heading without text opens no section.
func (c *cutter) sections(text string, blocks []page.Block) *section {
	root := &section{}
	open := []*section{root}
	for i := 0; i < len(blocks); {
		n := run(blocks[i:])
		shape, markdown := blocks[i].Shape, markdownOf(text, blocks[i:i+n], Plain)
		i += n
		if markdown == "" {
			continue
		}
		if b := blocks[i-1]; shape == page.Heading {
			for len(open) > 1 && open[len(open)-1].level >= b.Level {
				open = open[:len(open)-1]
			}
			s := &section{level: b.Level, title: cut(oneLine(text[b.Start:b.End]), maxTitle)}
			open[len(open)-1].sections = append(open[len(open)-1].sections, s)
			open = append(open, s)
		}
		s := open[len(open)-1]
		s.units = append(s.units, c.unit(markdown, shape))
	}
	root.count()
	return root
}

// A cutter makes pieces of sections.
type cutter struct {
	Options
	segmenter *segment.Segmenter
	limit     int // of units with what is between each and the next
	between   int // tokens at most of the empty line between two units; 0: not counted
	pieces    []Piece
}

// short is the share of the limit below which a section is joined with its neighbours: a fourth.
const short = 4

// section cuts a section whose headings from the page on are path.
func (c *cutter) section(s *section, path []string) {
	if s.title != "" {
		path = append(path[:len(path):len(path)], s.title)
	}
	if s.tokens <= c.limit {
		if units := s.all(nil); len(units) > 0 {
			c.add(c.deepest(s, path), units)
		}
		return
	}
	parts := s.sections
	if len(s.units) > 0 {
		own := &section{units: s.units}
		own.count()
		parts = append([]*section{own}, parts...)
	}
	for i := 0; i < len(parts); {
		n, sum := 1, parts[i].tokens
		for i+n < len(parts) && c.joins(sum, parts[i+n].tokens) {
			sum += parts[i+n].tokens
			n++
		}
		switch first := parts[i]; {
		case n > 1:
			var units []unit
			for _, p := range parts[i : i+n] {
				units = p.all(units)
			}
			c.add(path, units)
		case len(first.sections) == 0:
			if first.title != "" {
				c.pack(append(path[:len(path):len(path)], first.title), first.units)
				break
			}
			c.pack(path, first.units)
		default:
			c.section(first, path)
		}
		i += n
	}
}

// joins reports whether neighbours of some tokens are one chunk.
func (c *cutter) joins(sum, next int) bool {
	return sum+next <= c.limit && min(sum, next) < c.Tokens/short
}

// deepest returns the path of the only section that has anything, below a section.
func (c *cutter) deepest(s *section, path []string) []string {
	for len(s.units) == 0 && len(s.sections) == 1 {
		s = s.sections[0]
		path = append(path[:len(path):len(path)], s.title)
	}
	return path
}

// add makes one piece of units; more of them, if they have more tokens together than one by one.
func (c *cutter) add(path []string, units []unit) {
	var b strings.Builder
	for i, u := range units {
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(u.text)
	}
	n := c.count(b.String())
	if half := len(units) / 2; c.Counter != nil && n > c.Tokens && half > 0 {
		c.add(path, units[:half])
		c.add(path, units[half:])
		return
	}
	c.pieces = append(c.pieces, Piece{path, b.String(), n})
}

// pack makes pieces of units, each as long as the limit lets it be.
func (c *cutter) pack(path []string, units []unit) {
	var waiting []unit
	sum, lone := 0, 0 // lone: units that only repeat the piece before
	flush := func() {
		if len(waiting) > lone {
			c.add(path, waiting)
			waiting = c.repeated(waiting)
			sum, lone = 0, len(waiting)
			for _, u := range waiting {
				sum += u.tokens
			}
		}
	}
	for _, u := range units {
		for _, part := range c.parts(u) {
			if sum+part.tokens > c.limit {
				flush()
			}
			if sum+part.tokens > c.limit { // no room for what is repeated
				waiting, sum, lone = nil, 0, 0
			}
			waiting, sum = append(waiting, part), sum+part.tokens
		}
	}
	if len(waiting) > lone {
		c.add(path, waiting)
	}
}

// repeated returns the last sentences of a piece that the next one repeats.
func (c *cutter) repeated(units []unit) []unit {
	last := units[len(units)-1]
	if c.Overlap == 0 || last.shape != page.Paragraph {
		return nil
	}
	all := c.sentences(last.text)
	from, sum := len(all), 0
	for from > 0 && sum+c.count(all[from-1]) <= c.Overlap {
		from--
		sum += c.count(all[from])
	}
	if from == len(all) {
		return nil
	}
	return []unit{c.unit(strings.Join(all[from:], " "), page.Paragraph)}
}
