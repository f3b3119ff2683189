package help

import (
	"html"

	"github.com/yuin/goldmark/ast"
	extensionast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/util"
)

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
