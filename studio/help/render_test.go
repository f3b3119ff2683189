package help

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"html"
	"html/template"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extensionast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"orbweaver/internal/realdata"
)

var update = flag.Bool("update", false, "write pages.zst")

// index is the file of the index.
const index = "README.md"

// TestPacked: pages.zst has the pages of docs as they are.
func TestPacked(t *testing.T) {
	want, err := renderAll(os.DirFS(filepath.Join(realdata.Root(t), "docs")))
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		content, err := json.Marshal(want)
		if err != nil {
			t.Fatal(err)
		}
		pack, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithWindowSize(8<<20), zstd.WithEncoderConcurrency(1))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("pages.zst", pack.EncodeAll(content, nil), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	file, err := os.ReadFile("pages.zst")
	if err != nil {
		t.Fatal(err)
	}
	have, err := open(file)
	if err != nil || !reflect.DeepEqual(have.contents, want) {
		t.Errorf("pages.zst is stale: go test ./studio/help -run TestPacked -update (%v)", err)
	}
	t.Logf("%d pages in %d bytes", len(want.Pages), len(file))
}

// renderAll makes the contents of a folder: the index, and the pages of the folders beside it.
func renderAll(files fs.FS) (c contents, err error) {
	names, err := fs.Glob(files, "*/*.md")
	if err != nil {
		return c, err
	}
	for _, name := range append([]string{index}, names...) {
		source, err := fs.ReadFile(files, name)
		if err != nil {
			return c, err
		}
		page, err := render(files, name, source)
		if err != nil {
			return c, fmt.Errorf("%s: %w", name, err)
		}
		c.Pages = append(c.Pages, page)
	}
	c.Pictures = map[string]string{}
	pictures, err := fs.Glob(files, "*/*.svg")
	for _, name := range pictures {
		picture, err := fs.ReadFile(files, name)
		if err != nil {
			return c, err
		}
		c.Pictures[pictureAt(name)] = string(picture)
	}
	return c, err
}

// at is the path of a file of docs at the studio, pictureAt that of a picture.
func at(file string) string {
	if file == index {
		return Base
	}
	return Base + "/" + strings.TrimSuffix(file, ".md")
}

func pictureAt(file string) string {
	return Base + "/" + path.Dir(file) + "/picture/" + path.Base(file)
}

// anchorOf is what a link to a heading names: lower case, letters, digits, hyphens and underscores, a hyphen for each space.
func anchorOf(heading string) string {
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
	name := anchorOf(heading)
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
	page := &Page{Path: at(name)}
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
	page.HTML = template.HTML(out.String()) // goldmark escapes text, and leaves HTML out
	return page, nil
}

// lead has links lead to pages of the studio; a link to a file that is none becomes its text.
func lead(files fs.FS, name string, tree ast.Node, source []byte) {
	var astray []*ast.Link
	_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // it has no errors
		switch l := n.(type) {
		case *ast.Image:
			if !entering {
				break
			}
			l.Destination = []byte(pictureAt(path.Join(path.Dir(name), string(l.Destination))))
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
	return at(file) + anchor, true
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

// boxes renders what may be wider than a window, tables and code, as boxes that scroll, also by the keyboard.
type boxes struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (boxes) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(extensionast.KindTable, table)
	r.Register(ast.KindFencedCodeBlock, code)
	r.Register(ast.KindCodeBlock, code)
	r.Register(ast.KindRawHTML, written)
}

// written shows what looks like HTML in a text as it is written.
func written(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	_, err := w.WriteString(html.EscapeString(string(n.(*ast.RawHTML).Segments.Value(source))))
	return ast.WalkSkipChildren, err
}

func table(w util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	mark := "</table></div>\n"
	if entering {
		mark = `<div class="scroll" tabindex="0" role="region" aria-label="Table"><table>` + "\n"
	}
	_, err := w.WriteString(mark)
	return ast.WalkContinue, err
}

func code(w util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	_, err := w.WriteString(`<pre class="code" tabindex="0"><code>` + html.EscapeString(string(n.Lines().Value(source))) + "</code></pre>\n")
	return ast.WalkSkipChildren, err
}
