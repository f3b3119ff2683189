package arch

import (
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"

	"orbweaver/internal/realdata"
)

// A page is a file of Markdown: its links and pictures, and the anchors of its headings.
type page struct {
	source  string
	links   []string
	anchors []string
}

// markdown returns all files of Markdown of the project, by their paths.
func markdown(t *testing.T) map[string]*page {
	t.Helper()
	root, all := os.DirFS(realdata.Root(t)), map[string]*page{}
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "node_modules" || d.Name() == "crawls" || d.Name() == "dist" || d.Name() == ".git" || d.Name() == "testdata") {
			return fs.SkipDir
		}
		if path.Ext(name) != ".md" {
			return nil
		}
		source, err := fs.ReadFile(root, name)
		all[name] = readPage(source)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func readPage(source []byte) *page {
	p := &page{source: string(source)}
	tree := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader(source))
	_ = ast.Walk(tree, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // it has no errors
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			p.links = append(p.links, string(n.Destination))
		case *ast.Image:
			p.links = append(p.links, string(n.Destination))
		case *ast.Heading:
			p.anchors = append(p.anchors, anchor(words(n, source)))
		}
		return ast.WalkContinue, nil
	})
	return p
}

// words is the text of a heading.
func words(n ast.Node, source []byte) string {
	var b strings.Builder
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			b.Write(t.Value(source))
			continue
		}
		b.WriteString(words(c, source))
	}
	return b.String()
}

// anchor is what a link to a heading names: lower case, letters, digits, hyphens and underscores, a hyphen for each space.
func anchor(heading string) string {
	return strings.ReplaceAll(notInAnchors.ReplaceAllString(strings.ToLower(heading), ""), " ", "-")
}

var notInAnchors = regexp.MustCompile(`[^\pL\p{Nd} _-]`)

// TestLinksOfPages: every link of every page leads to a file of the project, and to a heading of it, if it names one.
func TestLinksOfPages(t *testing.T) {
	root, all, checked := realdata.Root(t), markdown(t), 0
	for name, p := range all {
		for _, link := range p.links {
			u, err := url.Parse(link)
			if err != nil || u.Scheme != "" {
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				continue
			}
			checked++
			to := name
			if u.Path != "" {
				to = path.Join(path.Dir(name), u.Path)
			}
			if _, err := os.Stat(filepath.Join(root, filepath.FromSlash(to))); err != nil {
				t.Errorf("%s links to %s, which is not there", name, link)
				continue
			}
			if u.Fragment != "" && (all[to] == nil || !slices.Contains(all[to].anchors, u.Fragment)) {
				t.Errorf("%s links to %s, which has no such heading", name, link)
			}
		}
	}
	if checked < 300 {
		t.Errorf("only %d links", checked)
	}
}

// TestIndexOfPages: the index has each page once, and only pages; each begins with a title, and then says whom it helps.
func TestIndexOfPages(t *testing.T) {
	all := markdown(t)
	index := all["docs/README.md"]
	for name, p := range all {
		file, ok := strings.CutPrefix(name, "docs/")
		if !ok || file == "README.md" {
			continue
		}
		n := 0
		for _, link := range index.links {
			if link == file {
				n++
			}
		}
		if n != 1 {
			t.Errorf("docs/README.md has %s %d times: each page has one row", file, n)
		}
		if !strings.HasPrefix(p.source, "# ") {
			t.Errorf("%s does not begin with a title", name)
		}
		if lead := leads.FindStringSubmatch(p.source); lead == nil || !strings.HasPrefix(lead[1], "For ") {
			t.Errorf("%s does not say in its first sentence whom it helps (For …)", name)
		}
	}
	if lines := strings.Count(all["README.md"].source, "\n"); lines > 80 {
		t.Errorf("README.md has %d lines, more than 80", lines)
	}
}

// leads finds the first paragraph below the title and comments.
var leads = regexp.MustCompile(`(?s)^# [^\n]*\n\n(?:<!--.*?-->\n\n)?([^\n]*)`)

// worse are words that were in pages and said less than those of the field.
var worse = regexp.MustCompile(`(?i)\b(errands?|doors? opened|sittings?|faculties|untell|forsakes?|brittle|drawn towards|seamless(ly)?|blazing(ly)?|powerful|leverages?|effortless(ly)?|cutting.edge|state.of.the.art|tbd)\b`)

// TestWordsOfPages: pages have the words of the field, and no marketing.
func TestWordsOfPages(t *testing.T) {
	for name, p := range markdown(t) {
		for _, word := range worse.FindAllString(p.source, -1) {
			t.Errorf("%s says %q", name, word)
		}
	}
}
