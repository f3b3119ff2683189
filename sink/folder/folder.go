// Package folder delivers pages to a folder: a Markdown file for each page, or one file of JSON lines.
//
// This package is not part of the stable API.
package folder

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/crawlfile/notation"
	"orbweaver/sink"
)

// Markdown is a folder with a file for each page that is accepted, at HOST/NAME.md, in place of an earlier one of the page. The file of a page that
// is withdrawn is removed. A file is written beside its place, synced, and renamed. Others may read the folder at any time, and delete what they
// have taken.
type Markdown struct {
	path  string
	write func(path string, content []byte, perm fs.FileMode) error // atomicfile.WriteFile, but for tests
}

// NewMarkdown returns the sink of a folder, which Check and Deliver make.
func NewMarkdown(path string) *Markdown { return &Markdown{path, atomicfile.WriteFile} }

// Check implements [sink.Sink].
func (m *Markdown) Check(context.Context) error { return check(m.path) }

// check makes a folder, and writes and removes a file in it.
func check(path string) error {
	err := os.MkdirAll(path, 0o777)
	if err == nil {
		err = atomicfile.Check(path)
	}
	if err != nil {
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	return nil
}

// Deliver implements [sink.Sink].
func (m *Markdown) Deliver(ctx context.Context, items []sink.Item) error {
	made, lessened := map[string]bool{}, map[string]bool{} // folders
	for i := range items {
		if err := ctx.Err(); err != nil {
			return err
		}
		host, name := Name(items[i].URL)
		dir := filepath.Join(m.path, host)
		switch items[i].Kind {
		case sink.Accepted:
			if !made[dir] {
				if err := os.MkdirAll(dir, 0o777); err != nil {
					return err
				}
				made[dir] = true
			}
			if err := m.write(filepath.Join(dir, name), page(&items[i]), 0o666); err != nil {
				return err
			}
		case sink.Withdrawn:
			err := os.Remove(filepath.Join(dir, name))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			lessened[dir] = true
		}
	}
	for dir := range lessened {
		if err := atomicfile.SyncFolder(dir); err != nil {
			return err
		}
	}
	return nil
}

// Close implements [sink.Sink].
func (m *Markdown) Close() error { return nil }

// readable bounds the readable part of a name, in bytes.
const readable = 100

// Name returns the folder and the name of a page's file. Both are of lower-case letters, digits, '.', '-' and '_', neither begins with a dot, and no
// two URLs share them; so they are names on every file system, also where case does not count.
func Name(address string) (host, name string) {
	u, err := url.Parse(address)
	rest := address
	if err == nil && u.Host != "" {
		host, rest = u.Host, strings.TrimPrefix(address[strings.Index(address, u.Host)+len(u.Host):], "/")
	}
	if host = safe(host); host == "" {
		host = "pages"
	}
	if slices.Contains(reserved(), strings.SplitN(host, ".", 2)[0]) {
		host = "host-" + host
	}
	sum := sha256.Sum256([]byte(address))
	if name = safe(rest); name == "" {
		name = "index"
	}
	return host, name + "-" + hex.EncodeToString(sum[:8]) + ".md"
}

// reserved are names of devices on Windows, whatever follows a dot.
func reserved() []string {
	return []string{"con", "prn", "aux", "nul", "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9"}
}

// safe replaces all but letters, digits, '.', '-' and '_' in a text.
func safe(text string) string {
	b := make([]byte, 0, readable)
	for i := 0; i < len(text) && len(b) < readable; i++ {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '.' || c == '_') {
			c = '-'
		}
		if len(b) == 0 && (c == '-' || c == '.') || c == '-' && b[len(b)-1] == '-' {
			continue
		}
		b = append(b, c)
	}
	return strings.TrimRight(string(b), "-.")
}

// page is the content of a page's file: YAML front matter, the title, the text.
func page(i *sink.Item) []byte {
	var b strings.Builder
	b.WriteString("---\n")
	field := func(name, value string) {
		if value != "" {
			b.WriteString(name + ": " + notation.Quoted(strings.ToValidUTF8(value, "\ufffd")) + "\n")
		}
	}
	list := func(name string, values []string) {
		if len(values) > 0 {
			b.WriteString(name + ":\n")
		}
		for _, v := range values {
			b.WriteString("  - " + notation.Quoted(strings.ToValidUTF8(v, "\ufffd")) + "\n")
		}
	}
	p := i.Page
	field("url", i.URL)
	field("title", p.Title)
	fmt.Fprintf(&b, "score: %g\n", p.Score)
	field("class", p.Class)
	field("lang", p.Lang)
	field("type", p.Type)
	if !p.Fetched.IsZero() {
		b.WriteString("fetched: " + p.Fetched.UTC().Format("2006-01-02T15:04:05Z") + "\n")
	}
	field("published", p.Published)
	list("creators", p.Creators)
	field("rights", p.Rights)
	reasons := make([]string, 0, len(p.Reasons))
	for _, r := range p.Reasons {
		reasons = append(reasons, strings.TrimSuffix(fmt.Sprintf("%s (%.3g): %s", r.Rule, r.Weight, r.Evidence), ": "))
	}
	list("reasons", reasons)
	field("digest", p.Digest)
	field("unread", p.Unread)
	fmt.Fprintf(&b, "id: %q\nn: %d\noutcome: %d\n---\n\n", i.ID, i.N, p.Outcome)
	if p.Text != "" {
		b.WriteString(strings.ToValidUTF8(p.Text, "\ufffd") + "\n")
	}
	return []byte(b.String())
}
