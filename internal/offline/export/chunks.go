package export

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/cespare/xxhash/v2"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/console"
	"orbweaver/internal/offline/chunk"
	"orbweaver/internal/offline/usage"
	"orbweaver/ledger"
	"orbweaver/page"
	"orbweaver/text"
	"orbweaver/weburl"
)

// A Chunk is a line of an export as chunks.
type Chunk struct {
	ID          string       `json:"id"` // of URL and text: the same in every export
	URL         string       `json:"url"`
	Canonical   string       `json:"canonical,omitempty"` // rel=canonical of the page, if it is another URL
	Title       string       `json:"title,omitempty"`
	Headings    []string     `json:"headings"`            // from the outermost on
	Position    int          `json:"position"`            // in the page, from 1
	Of          int          `json:"of"`                  // chunks of the page, those that are left out among them
	Text        string       `json:"text"`                // Markdown
	Tokens      int          `json:"tokens"`              // estimated (see chunk.Tokens), unless there is Tokenizer
	Tokenizer   string       `json:"tokenizer,omitempty"` // the file with the vocabulary by which tokens are counted
	Lang        string       `json:"lang,omitempty"`
	Score       float64      `json:"score"`
	Accepted    bool         `json:"accepted"`
	Fetched     string       `json:"fetched,omitempty"` // RFC 3339
	Digest      string       `json:"digest,omitempty"`  // of the payload
	Archive     *Place       `json:"archive,omitempty"`
	DuplicateOf string       `json:"duplicate_of,omitempty"` // the first chunk with this text
	Near        bool         `json:"near,omitempty"`         // with DuplicateOf: nearly
	Usage       []usage.Hint `json:"usage,omitempty"`
}

// A Place is that of a record in the archive.
type Place struct {
	File   string `json:"file"`
	Offset int64  `json:"offset"`
	Length int64  `json:"length"`
}

// chunker writes chunks.
type chunker struct {
	*Run
	stock     *archive.Stock
	described *describer
	hosts     *hostFiles
	template  *recurring
	out       *json.Encoder
	repeats   ledger.Repeats
	ids       []string // of the chunks in repeats, if those that repeat them are written

	pages, chunks, tokens           int
	silent, reserved, exact, nearly int
}

// chunks writes the chunks of pages.
func (x *Run) chunks(ctx context.Context, stock *archive.Stock, found []Pick) error {
	byNumber := make(map[int64]Pick, len(found))
	for _, k := range found {
		byNumber[k.N] = k
	}
	described, err := x.describer(stock)
	if err != nil {
		return err
	}
	c := &chunker{Run: x, stock: stock, described: described, hosts: &hostFiles{x: x, stock: stock}}
	if err := c.hosts.find(ctx); err != nil {
		return err
	}
	if c.template, err = x.learned(ctx, stock, described.reader, byNumber); err != nil {
		return err
	}
	stdout, err := x.toOutput(func(w io.Writer) error {
		c.out = json.NewEncoder(w)
		c.out.SetEscapeHTML(false)
		for line, err := range x.Chosen.Lines(x.Opts.Accepted) {
			if err = errors.Join(err, ctx.Err()); err != nil {
				return err
			}
			if k, ok := byNumber[line.N]; ok {
				if err := c.page(ctx, line, k); err != nil {
					return err
				}
			}
		}
		return nil
	})
	if err == nil {
		c.tell(stdout)
	}
	return err
}

// tell reports what was written and what was not.
func (c *chunker) tell(stdout bool) {
	to := c.Opts.Out
	if stdout {
		to = "standard output"
	}
	about := "about "
	if c.Opts.Chunks.Counter != nil {
		about = ""
	}
	c.wrote(stdout, "%s: %d chunks of %d pages, %s%d tokens", to, c.chunks, c.pages, about, c.tokens)
	for _, left := range []struct {
		n    int
		what string
	}{
		{c.exact, "chunks repeat an earlier one"}, {c.nearly, "chunks nearly repeat an earlier one"},
		{c.reserved, "pages reserve their use for language models"}, {c.silent, "pages have no text"},
	} {
		if left.n > 0 && !(c.Opts.Chunks.Duplicates && strings.HasPrefix(left.what, "chunks")) {
			console.Say(c.Err, "left out: %d %s", left.n, left.what)
		}
	}
}

// page writes the chunks of a page.
func (c *chunker) page(ctx context.Context, line JournalLine, k Pick) error {
	response, payload, err := c.answer(c.stock, k)
	var p *orbweaver.Page
	var blocks []page.Block
	if err == nil {
		p, blocks, err = c.described.reader.ReadBlocks(ctx, response, payload)
	}
	if err != nil {
		if ctx.Err() != nil || !c.PassOver(err) {
			return errors.Join(ctx.Err(), err)
		}
		return nil
	}
	blocks = c.without(weburl.Host(line.URL), p, blocks)
	pieces := chunk.Cut(p.Text, blocks, p.Lang, c.Opts.Chunks)
	if len(pieces) == 0 {
		c.silent++
		return nil
	}
	hints := c.hints(ctx, line.URL, response.Header, p)
	if c.Opts.Chunks.Respect && usage.Reserved(hints) {
		c.reserved++
		return nil
	}
	one := Chunk{
		URL: line.URL, Title: console.Visible(p.Title, maxTitle), Of: len(pieces), Lang: p.Lang, Score: line.Score, Accepted: line.Accepted,
		Digest: p.Digest, Usage: hints,
	}
	if counter := c.Opts.Chunks.Counter; counter != nil {
		one.Tokenizer = counter.Name()
	}
	if p.Canonical != line.URL {
		one.Canonical = p.Canonical
	}
	if !p.Fetched.IsZero() {
		one.Fetched = p.Fetched.UTC().Format(time.RFC3339)
	}
	if r := response.Record; r.Length > 0 {
		one.Archive = &Place{r.File, r.Offset, r.Length}
	}
	wrote := c.chunks
	for i, piece := range pieces {
		one.Position, one.Headings, one.Text, one.Tokens = i+1, slices.Concat([]string{}, piece.Headings), piece.Text, piece.Tokens
		if err := c.write(one); err != nil {
			return err
		}
	}
	if c.chunks > wrote {
		c.pages++
	}
	return nil
}

// maxTitle bounds a title, in characters.
const maxTitle = 500

// without returns the blocks without those that recur on the pages of the host.
func (c *chunker) without(host string, p *orbweaver.Page, blocks []page.Block) []page.Block {
	omit := c.template.of(host, text.Parts(p.Text, p.Article))
	if len(omit) == 0 {
		return blocks
	}
	return slices.DeleteFunc(blocks, func(b page.Block) bool { return omit[p.Text[b.Start:b.End]] })
}

// hints returns what is said of uses of a page.
func (c *chunker) hints(ctx context.Context, url string, header http.Header, p *orbweaver.Page) []usage.Hint {
	origin, path := cutOrigin(url)
	return usage.Of(path, header, p, c.described.statements(ctx, p), c.hosts.of(origin))
}

// write writes a chunk, unless it repeats an earlier one.
func (c *chunker) write(one Chunk) error {
	sum := sha256.Sum256([]byte(one.URL + "\x00" + one.Text))
	one.ID = hex.EncodeToString(sum[:16])
	number, near := c.repeats.Add(xxhash.Sum64String(normalized(one.Text)), text.Simhash(one.Text))
	switch {
	case number > 0 && near:
		c.nearly++
	case number > 0:
		c.exact++
	case c.Opts.Chunks.Duplicates:
		c.ids = append(c.ids, one.ID)
	}
	if number > 0 {
		if !c.Opts.Chunks.Duplicates {
			return nil
		}
		one.DuplicateOf, one.Near = c.ids[number-1], near
	}
	c.chunks++
	c.tokens += one.Tokens
	return c.out.Encode(one)
}

// normalized returns the letters and digits of a text in lower case, with a blank for what is between them: chunks of the same words are the same.
func normalized(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) }), " ")
}
