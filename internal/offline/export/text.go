package export

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/page/dublin"
	"orbweaver/text"
	"orbweaver/weburl"
)

// text writes a file for each page that has text.
func (x *Run) text(ctx context.Context, stock *archive.Stock, found []Pick) error {
	if x.Opts.Out == "-" {
		return fmt.Errorf("export: text needs an output folder: name one with -o (%w)", orbweaver.ErrInput)
	}
	if err := x.makeTextFolder(); err != nil {
		return err
	}
	byNumber := make(map[int64]Pick, len(found))
	for _, k := range found {
		byNumber[k.N] = k
	}
	described, err := x.describer(stock)
	if err != nil {
		return err
	}
	reader := described.reader
	template, err := x.learned(ctx, stock, reader, byNumber)
	if err != nil {
		return err
	}
	written, silent, omitted := 0, 0, 0
	for line, err := range x.Chosen.Lines(x.Opts.Accepted) {
		if err = errors.Join(err, ctx.Err()); err != nil {
			return err
		}
		k, ok := byNumber[line.N]
		if !ok {
			continue
		}
		p, err := x.Read(ctx, stock, reader, k)
		if err != nil {
			if ctx.Err() != nil || !x.PassOver(err) {
				return err
			}
			continue
		}
		article, n := template.without(weburl.Host(line.URL), text.Parts(p.Text, p.Article))
		if strings.TrimSpace(article) == "" {
			silent++
			continue
		}
		stated, err := described.ofPage(ctx, p)
		if err != nil {
			return err
		}
		name := filepath.Join(x.Opts.Out, textName(line.URL, line.Accept, line.Query))
		if err := crawlfolder.WriteNew(name, textFile(line, p, article, x.Opts.entities(line.Reasons), stated)); err != nil {
			return err
		}
		written++
		omitted += n
	}
	x.wrote(false, "%s: %d pages, a file each", x.Opts.Out, written)
	if omitted > 0 {
		console.Say(x.Err, "%d lines that recur on the pages of a host are left out", omitted)
	}
	if silent > 0 {
		console.Say(x.Err, "%d pages without text are left out", silent)
	}
	return nil
}

// makeTextFolder creates the folder, which must be new or empty.
func (x *Run) makeTextFolder() error {
	if err := x.outside(x.Opts.Out); err != nil {
		return err
	}
	entries, err := os.ReadDir(x.Opts.Out)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return os.MkdirAll(x.Opts.Out, 0o777)
	case err != nil:
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	case len(entries) > 0:
		return fmt.Errorf("%s is not empty: choose another folder (%w)", x.Opts.Out, orbweaver.ErrInput)
	}
	return nil
}

// MaxTextName bounds the readable part of a file's name, in bytes.
const MaxTextName = 100

// textName returns the file name of a page: host and path with all but letters, digits, '.', '-' and '_'
// replaced, and a hash that identifies the request. It is the same in every export.
func textName(url, accept, query string) string {
	_, rest, _ := strings.Cut(url, "://")
	rest = strings.ToLower(rest)
	b := make([]byte, 0, MaxTextName+20)
	for i := 0; i < len(rest) && len(b) < MaxTextName; i++ {
		c := rest[i]
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '.' || c == '_') {
			c = '-'
		}
		if c == '-' && (len(b) == 0 || b[len(b)-1] == '-') || c == '.' && len(b) == 0 {
			continue
		}
		b = append(b, c)
	}
	sum := sha256.Sum256([]byte(url + "\x00" + accept + "\x00" + query))
	name := strings.TrimRight(string(b), "-.")
	if name == "" {
		name = "page"
	}
	return name + "-" + hex.EncodeToString(sum[:6]) + ".txt"
}

// textFile formats a page for a search index or a language model: YAML front matter, then the article in
// blocks separated by blank lines.
func textFile(line JournalLine, p *orbweaver.Page, article string, entities []string, stated dublin.Record) []byte {
	var b bytes.Buffer
	b.WriteString("---\n")
	field := func(name, value string) {
		if value != "" {
			b.WriteString(name + ": " + value + "\n")
		}
	}
	field("url", quoted(line.URL))
	if p.Title != "" {
		field("title", quoted(p.Title))
	}
	field("score", strconv.FormatFloat(line.Score, 'f', -1, 64))
	field("accepted", strconv.FormatBool(line.Accepted))
	if !p.Fetched.IsZero() {
		field("fetched", p.Fetched.UTC().Format(time.RFC3339))
	}
	if p.Lang != "" {
		field("lang", quoted(p.Lang))
	}
	field("type", quoted(p.MediaType))
	list := func(name string, values []string) {
		if len(values) > 0 {
			b.WriteString(name + ":\n")
		}
		for _, v := range values {
			b.WriteString("  - " + quoted(v) + "\n")
		}
	}
	list("entities", entities)
	list("creator", stated.Creator)
	for _, e := range [][2]string{{"date", stated.Date}, {"rights", stated.Rights}, {"language", stated.Language}} {
		if e[1] != "" {
			field(e[0], quoted(e[1]))
		}
	}
	b.WriteString("---\n\n")
	b.WriteString(strings.ToValidUTF8(strings.TrimSpace(article), "\ufffd"))
	b.WriteByte('\n')
	return b.Bytes()
}

// entities returns the names of the entities that reasons name, each once, in the order of the reasons.
func (o Options) entities(reasons []orbweaver.Reason) (entities []string) {
	if o.Entity == nil {
		return nil
	}
	for _, r := range reasons {
		if name, ok := o.Entity(r); ok && strings.TrimSpace(name) != "" && !slices.Contains(entities, strings.TrimSpace(name)) {
			entities = append(entities, strings.TrimSpace(name))
		}
	}
	return entities
}

// quoted writes a string for YAML, as a JSON string, which YAML accepts. It also escapes the characters
// that YAML does not allow unescaped (YAML 1.2.2, section 5.1).
func quoted(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(strings.ToValidUTF8(s, "\ufffd")) // encoding a string never fails
	text := bytes.TrimSuffix(b.Bytes(), []byte("\n"))
	if !bytes.ContainsFunc(text, isUnprintable) {
		return string(text)
	}
	var out strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRune(text)
		if isUnprintable(r) {
			fmt.Fprintf(&out, "\\u%04x", r)
		} else {
			out.Write(text[:n])
		}
		text = text[n:]
	}
	return out.String()
}

func isUnprintable(r rune) bool {
	return 0x7f <= r && r <= 0x9f || r == 0xfeff || r == 0xfffe || r == 0xffff
}
