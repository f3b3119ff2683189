package crawlfile

import (
	"bytes"
	"errors"
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// Bounds of a file. The YAML parser recurses without a bound and takes time quadratic in the number of keys, so both are
// checked before it starts.
const (
	maxFileSize = 1_000_000
	maxDepth    = 32      // nesting of lists and maps
	maxIndent   = 200     // spaces before a line's first word
	maxKeys     = 5_000   // "key:" in the whole file
	maxNames    = 500     // anchors and tags in the whole file
	maxNodes    = 200_000 // values, including those repeated by aliases
)

// A place is a position in a file. Line and column count from 1.
type place struct{ line, column int }

// A nodeKind is the kind of a value in the file.
type nodeKind uint8

const (
	nullNode nodeKind = iota
	boolNode
	numberNode
	textNode
	listNode
	mapNode
)

// A node is a value of the file with its place, aliases and merge keys resolved. Nodes are shared
// between an anchor and its aliases and never change.
type node struct {
	kind    nodeKind
	at      place
	text    string  // of a scalar, without quotes and escapes
	items   []*node // of a list
	entries []entry // of a map, in the file's order, without duplicate keys
	size    int     // number of nodes, including itself
}

// An entry is a key of a map with its value.
type entry struct {
	key   string
	at    place
	value *node
}

// readYAML parses a file into its root node, an empty map for an empty file. If the file cannot be parsed, it reports the
// problems to d and returns nil.
func readYAML(d *decoding, src []byte) (root *node) {
	if len(src) > maxFileSize {
		d.add(place{}, "", fmt.Sprintf("larger than %d bytes", maxFileSize), "long lists of seeds belong in a file of their own: seeds: {file: seeds.txt}")
		return nil
	}
	src = bytes.TrimPrefix(src, []byte("\ufeff")) // YAML 1.2, section 5.2
	if !utf8.Valid(src) {
		d.add(place{}, "", "not UTF-8", "save it as UTF-8 text")
		return nil
	}
	// The library may panic on invalid input: report that as a problem of the file.
	defer func() {
		if r := recover(); r != nil {
			d.add(place{}, "", "cannot be read as YAML", fmt.Sprint(r))
			root = nil
		}
	}()
	file, err := parseYAML(d, string(src))
	if err != nil || file == nil {
		d.syntax(err)
		return nil
	}
	return d.document(file)
}

// parseYAML parses a source within the bounds. Otherwise it reports the problem and returns nil.
func parseYAML(d *decoding, src string) (*ast.File, error) {
	tokens := lexer.Tokenize(src)
	if !bearable(d, tokens) {
		return nil, nil
	}
	return parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
}

// bearable checks the bounds on recursion and time of the parser.
func bearable(d *decoding, tokens token.Tokens) bool {
	var b burden
	for _, t := range tokens {
		if msg := b.add(t); msg != "" {
			d.add(placeOf(t), "", msg, "")
			return false
		}
	}
	return true
}

// A burden counts the tokens that determine the parser's recursion depth and time.
type burden struct {
	flow       int // brackets and braces open
	line, nest int // "-" and "?" on the current line: each is a level
	names      int // anchors and tags: the parser goes a level deeper for each in a row
	keys       int
}

// add counts a token and returns the bound that it exceeds, if any.
func (b *burden) add(t *token.Token) string {
	if t.Position.Line != b.line {
		b.line, b.nest = t.Position.Line, 0
	}
	switch t.Type {
	case token.SequenceStartType, token.MappingStartType:
		b.flow++
	case token.SequenceEndType, token.MappingEndType:
		b.flow = max(0, b.flow-1)
	case token.SequenceEntryType, token.MappingKeyType:
		b.nest++
	case token.AnchorType, token.TagType:
		b.names++
	case token.MappingValueType:
		b.keys++
	}
	switch {
	case b.flow > maxDepth || b.nest > maxDepth:
		return fmt.Sprintf("nested more than %d deep", maxDepth)
	case t.Position.IndentNum > maxIndent:
		return fmt.Sprintf("indented by more than %d spaces", maxIndent)
	case b.names > maxNames:
		return fmt.Sprintf("more than %d anchors and tags", maxNames)
	case b.keys > maxKeys:
		return fmt.Sprintf("more than %d keys", maxKeys)
	}
	return ""
}

// placeOf returns the place of a token.
func placeOf(t *token.Token) place {
	if t == nil || t.Position == nil {
		return place{}
	}
	return place{t.Position.Line, t.Position.Column}
}

// syntax reports the parser's error, if any.
func (d *decoding) syntax(err error) {
	var positioned yaml.Error
	switch {
	case errors.As(err, &positioned):
		d.add(placeOf(positioned.GetToken()), "", "not valid YAML: "+positioned.GetMessage(), "")
	case err != nil:
		d.add(place{}, "", "not valid YAML: "+err.Error(), "")
	}
}

// document builds the nodes of the file's single document.
func (d *decoding) document(file *ast.File) *node {
	var body ast.Node
	for _, doc := range file.Docs {
		if doc.Body == nil || doc.Body.Type() == ast.DirectiveType {
			continue
		}
		if body != nil {
			d.add(placeOf(doc.Body.GetToken()), "", "a second document in one file", "remove the line --- and what follows")
			return nil
		}
		body = doc.Body
	}
	if body == nil {
		return &node{kind: mapNode, at: place{1, 1}}
	}
	b := builder{decoding: d, anchors: map[string]*node{}}
	root := b.node(body, 0)
	if b.failed {
		return nil
	}
	return root
}
