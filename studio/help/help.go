// Package help renders the pages of package docs for the studio, and searches them.
//
// A page is HTML made of Markdown; HTML within Markdown is left out. Links between pages lead to pages of the studio, those to files that
// it does not serve become text. Headings have the anchors that GitHub gives them, so that links work at both.
//
// This package is not part of the stable API.
package help

import (
	"bytes"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// Base is the path of the index at the studio; a page is below it by its folder and name, without ".md".
const Base = "/help"

// index is the file of the index.
const index = "README.md"

// ErrNoPage is the error for a page that there is not.
var ErrNoPage = errors.New("there is no such page of help")

// A Page is one page, rendered.
type Page struct {
	Path, Title string
	HTML        template.HTML // without the title
	Sections    []Section     // in order; the first is what stands before the second heading
}

// A Section is a heading and what stands below it up to the next.
type Section struct {
	Level        int // 1: the page itself
	Anchor, Name string
	Text         string // without marks; blocks end with a line break
}

// A Shelf has all pages, and the words of their sections. It never changes.
type Shelf struct {
	pages   map[string]*Page // by path
	words   [][]counted      // of each entry
	entries []entry
	holding map[string]int // by word: sections with it
}

// New reads the pages of a file system: the index and the folders beside it. The error says which page is none.
func New(files fs.FS) (*Shelf, error) {
	s := &Shelf{pages: map[string]*Page{}, holding: map[string]int{}}
	names, err := fs.Glob(files, "*/*.md")
	if err != nil {
		return nil, fmt.Errorf("help: %w", err)
	}
	for _, name := range append([]string{index}, names...) {
		source, err := fs.ReadFile(files, name)
		if err != nil {
			return nil, fmt.Errorf("help: %w", err)
		}
		page, err := render(files, name, source)
		if err != nil {
			return nil, fmt.Errorf("help: %s: %w", name, err)
		}
		s.pages[page.Path] = page
		s.take(page)
	}
	return s, nil
}

// Page returns the page at a path of the studio, or an error that wraps ErrNoPage.
func (s *Shelf) Page(at string) (*Page, error) {
	page, ok := s.pages[at]
	if !ok {
		return nil, fmt.Errorf("%w: %s", ErrNoPage, at)
	}
	return page, nil
}

// Paths returns the paths of all pages, sorted.
func (s *Shelf) Paths() []string {
	var all []string
	for at := range s.pages {
		all = append(all, at)
	}
	slices.Sort(all)
	return all
}

// At is the path of a file of docs at the studio.
func At(file string) string {
	if file == index {
		return Base
	}
	return Base + "/" + strings.TrimSuffix(file, ".md")
}

// Anchor is what a link to a heading names: lower case, letters, digits, hyphens and underscores, a hyphen for each space.
func Anchor(heading string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(heading) {
		switch {
		case r == ' ':
			b.WriteByte('-')
		case r == '-' || r == '_' || isLetter(r):
			b.WriteRune(r)
		}
	}
	return b.String()
}

// anchors gives headings their anchors, numbered from the second of the same name on.
type anchors map[string]int

func (a anchors) take(heading string) string {
	name := Anchor(heading)
	n := a[name]
	a[name]++
	if n > 0 {
		name = fmt.Sprintf("%s-%d", name, n)
	}
	return name
}

// markdown is the dialect of the pages.
func markdown() goldmark.Markdown {
	return goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Linkify),
		goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(boxes{}, 1))),
	)
}

// render makes a page of a file.
func render(files fs.FS, name string, source []byte) (*Page, error) {
	page := &Page{Path: At(name)}
	md := markdown()
	tree := md.Parser().Parse(text.NewReader(source))
	title, ok := tree.FirstChild().(*ast.Heading)
	if !ok || title.Level != 1 {
		return nil, errors.New("it does not begin with a title")
	}
	page.Title = plain(title, source)
	ids := anchors{}
	ids.take(page.Title)
	page.Sections = []Section{{Level: 1, Name: page.Title}}
	tree.RemoveChild(tree, title)
	for n := tree.FirstChild(); n != nil; {
		next := n.NextSibling()
		switch h := n.(type) {
		case *ast.HTMLBlock: // a comment, for tests
			tree.RemoveChild(tree, n)
		case *ast.Heading:
			words := plain(h, source)
			id := ids.take(words)
			h.SetAttributeString("id", []byte(id))
			page.Sections = append(page.Sections, Section{Level: h.Level, Anchor: id, Name: words})
		default:
			last := &page.Sections[len(page.Sections)-1]
			last.Text += plain(n, source) + "\n"
		}
		n = next
	}
	lead(files, name, tree, source)
	var out bytes.Buffer
	if err := md.Renderer().Render(&out, source, tree); err != nil {
		return nil, err
	}
	page.HTML = template.HTML(out.String()) //nolint:gosec // goldmark escapes text and leaves HTML out
	return page, nil
}

// lead has links lead to pages of the studio; a link to a file that is none becomes its text.
func lead(files fs.FS, name string, tree ast.Node, source []byte) {
	var astray []*ast.Link
	_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // it has no errors
		switch l := n.(type) {
		case *ast.Image:
			l.Destination = []byte(Base + "/" + path.Dir(name) + "/picture/" + path.Base(string(l.Destination)))
		case *ast.Link:
			if to, ok := target(files, name, string(l.Destination)); entering && ok {
				l.Destination = []byte(to)
			} else if entering {
				astray = append(astray, l)
			}
		}
		return ast.WalkContinue, nil
	})
	for _, l := range astray {
		l.Parent().ReplaceChild(l.Parent(), l, ast.NewString([]byte(plain(l, source))))
	}
}

// target is where a link of a file leads at the studio.
func target(files fs.FS, name, to string) (string, bool) {
	if strings.HasPrefix(to, "#") || strings.HasPrefix(to, "https://") || strings.HasPrefix(to, "http://") {
		return to, true
	}
	file, anchor, _ := strings.Cut(to, "#")
	file = path.Join(path.Dir(name), file)
	if _, err := fs.Stat(files, file); err != nil || path.Ext(file) != ".md" {
		return "", false
	}
	if anchor != "" {
		anchor = "#" + anchor
	}
	return At(file) + anchor, true
}

// plain is the text of a node.
func plain(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // it has no errors
		switch t := n.(type) {
		case *ast.Text:
			if entering {
				b.Write(t.Value(source))
				if t.SoftLineBreak() || t.HardLineBreak() {
					b.WriteByte(' ')
				}
			}
		case *ast.String:
			if entering {
				b.Write(t.Value)
			}
		case *ast.RawHTML:
			if entering {
				b.Write(t.Segments.Value(source))
			}
		case *ast.FencedCodeBlock:
			if entering {
				b.Write(t.Lines().Value(source))
			}
		default:
			if !entering && n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}
