package external

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/focus/links"
	"orbweaver/text"
)

// The bounds of a question, in bytes of UTF-8 before JSON escapes them. Longer texts are cut at a character.
const (
	maxTitle   = 1000
	maxText    = 100_000
	maxAnchor  = 300
	maxContext = 500
	maxRel     = 100
	maxTo      = 2000 // a link with a longer URL is left out
	maxLinks   = 500  // the first ones
)

// A Question is a page as a judge is asked about it.
type Question struct {
	Key  string // "" for none; else that of the page: hexadecimal, of URL and content
	page *orbweaver.Page
	// Each target of the page's links, in document order, by the link that describes it best.
	targets []*orbweaver.Link
	sent    []int // positions in targets of the links that the judge sees
}

// NewQuestion returns the question about a page. withLinks says whether the judge sees its links.
func NewQuestion(p *orbweaver.Page, withLinks bool) *Question {
	q := &Question{Key: KeyOf(p), page: p}
	at := map[string]int{}
	for i := range p.Links {
		l := &p.Links[i]
		if !links.MayFollow(p, l) {
			continue
		}
		before, again := at[l.To]
		switch {
		case !again:
			at[l.To] = len(q.targets)
			q.targets = append(q.targets, l)
		case q.targets[before].Anchor == "" && l.Anchor != "": // an image has no words
			q.targets[before] = l
		}
	}
	for i, l := range q.targets {
		if withLinks && len(q.sent) < maxLinks && len(l.To) <= maxTo {
			q.sent = append(q.sent, i)
		}
	}
	return q
}

// KeyOf returns the key of a page: SHA-256 of its URL, what it was asked for as, and its content.
func KeyOf(p *orbweaver.Page) string {
	h := sha256.New()
	content := p.Digest
	if content == "" {
		content = p.Title + "\n" + p.Text
	}
	for _, part := range []string{p.URL, p.Request.Query, content} {
		h.Write([]byte(part))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))
}

// idLength is the length of an id: 80 bits of the key.
const idLength = 20

// ID returns the page's id in lines: the same for the same page, in every session.
func (q *Question) ID() string { return q.Key[:idLength] }

// A pageLine is a page as a line of JSON.
type pageLine struct {
	ID       string     `json:"id"`
	URL      string     `json:"url"`
	Title    string     `json:"title"`
	Language string     `json:"language,omitempty"`
	Text     string     `json:"text"`
	Links    []linkLine `json:"links"`
	Cut      *cut       `json:"cut,omitempty"`
}

// A linkLine is a link of a pageLine.
type linkLine struct {
	To      string `json:"to"`
	Anchor  string `json:"anchor"`
	Context string `json:"context,omitempty"`
	Rel     string `json:"rel,omitempty"`
}

// A cut has the sizes of what was too long for a line.
type cut struct {
	Text  int `json:"text,omitempty"`  // bytes of the whole text
	Links int `json:"links,omitempty"` // number of all links
}

// Line returns the page as a line of JSON, without a line feed.
func (q *Question) Line() ([]byte, error) {
	p := q.page
	content := text.Parts(p.Text, p.Article)
	line := pageLine{
		ID: q.ID(), URL: p.URL, Title: short(p.Title, maxTitle), Language: p.Lang, Text: short(content, maxText), Links: []linkLine{},
	}
	for _, at := range q.sent {
		l := q.targets[at]
		line.Links = append(line.Links, linkLine{
			To: l.To, Anchor: short(l.Anchor, maxAnchor), Context: short(l.Context, maxContext), Rel: short(l.Rel, maxRel),
		})
	}
	var c cut
	if len(line.Text) < len(content) {
		c.Text = len(content)
	}
	if 0 < len(q.sent) && len(q.sent) < len(q.targets) {
		c.Links = len(q.targets)
	}
	if c != (cut{}) {
		line.Cut = &c
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(line); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// short returns at most n bytes of a text, whole characters.
func short(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
