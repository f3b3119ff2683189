package changes

import (
	"encoding/xml"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"
	"unicode"

	"orbweaver/internal/atomicfile"
)

// InFeed is how many changes a feed has, the latest ones.
const InFeed = 100

type atomFeed struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Title   string      `xml:"title"`
	ID      string      `xml:"id"`
	Updated string      `xml:"updated"`
	Author  atomAuthor  `xml:"author"`
	Entries []atomEntry `xml:"entry"`
}

type atomAuthor struct {
	Name string `xml:"name"`
}

type atomEntry struct {
	Title   string      `xml:"title"`
	ID      string      `xml:"id"`
	Updated string      `xml:"updated"`
	Link    atomLink    `xml:"link"`
	Kind    atomKind    `xml:"category"`
	Content atomContent `xml:"content"`
}

type atomLink struct {
	Href string `xml:"href,attr"`
}

type atomKind struct {
	Term string `xml:"term,attr"`
}

type atomContent struct {
	Type string `xml:"type,attr"`
	Text string `xml:",chardata"`
}

// WriteAtom writes changes as an Atom feed (RFC 4287). Its ID is a URN of the crawl's name.
func WriteAtom(w io.Writer, crawl string, changes []Change) error {
	feed := atomFeed{
		Title: "Changes of " + plain(crawl), ID: "urn:orbweaver:changes:" + strings.ReplaceAll(plain(crawl), " ", "-"), Author: atomAuthor{"Orbweaver"},
		Updated: time.Unix(0, 0).UTC().Format(time.RFC3339),
	}
	for i, c := range changes {
		at := c.Time.UTC().Format(time.RFC3339)
		if i == 0 {
			feed.Updated = at
		}
		title := c.Title
		if title == "" {
			title = c.URL
		}
		feed.Entries = append(feed.Entries, atomEntry{
			Title: string(c.Kind) + ": " + plain(title), ID: "urn:orbweaver:change:" + c.ID, Updated: at, Link: atomLink{c.URL},
			Kind: atomKind{string(c.Kind)}, Content: atomContent{"text", plainText(c)},
		})
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	out := xml.NewEncoder(w)
	out.Indent("", " ")
	if err := out.Encode(feed); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// plainText says what changed, for people.
func plainText(c Change) string {
	var b strings.Builder
	switch {
	case c.Before != nil && c.After != nil:
		fmt.Fprintf(&b, "%s, before: %s\n", c.After, c.Before)
	case c.After != nil:
		fmt.Fprintf(&b, "%s\n", c.After)
	case c.Before != nil:
		fmt.Fprintf(&b, "before: %s\n", c.Before)
	}
	if c.To != "" {
		fmt.Fprintf(&b, "now at %s\n", c.To)
	}
	b.WriteString(plain(c.Diff))
	if c.Cut {
		b.WriteString("...\n")
	}
	return b.String()
}

// String is the verdict in words.
func (v *Verdict) String() string {
	if v.Accepted {
		return fmt.Sprintf("accepted (%.3f)", v.Score)
	}
	return fmt.Sprintf("not accepted (%.3f)", v.Score)
}

// plain removes characters that XML cannot have.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		if r != '\n' && r != '\t' && unicode.IsControl(r) || r == 0xFFFE || r == 0xFFFF {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
}

// WriteFeed writes changes.atom of a crawl folder anew, whole or not at all.
func WriteFeed(folder, crawl string) error {
	list, err := Latest(folder, InFeed)
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(folder, FeedFile), 0o666, func(w io.Writer) error { return WriteAtom(w, crawl, list) })
}
