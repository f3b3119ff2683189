package catalog

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"
)

// The bounds of a list. The parser recurses without a bound and takes time quadratic in the number of keys,
// so both are checked first.
const (
	maxListBytes  = 1_000_000
	maxListKeys   = 5_000 // "key:" in the whole file
	maxListDepth  = 8     // nesting of lists and maps
	maxListIndent = 200   // spaces before a line's first word
)

// listKeys are the keys of an entry, for messages.
const listKeys = "name, title, aliases, homepage, endpoint, graph, dump, type, void, example, vocabulary, space, triples, same"

// list reads a hand-written list in YAML: "- {name: n, endpoint: URL, dump: FILE or URL, void: URL, title:
// T}". Each key may have a list of values. Problems name the line.
func (r *reading) list(b []byte) {
	if msg := unbearable(b); msg != "" {
		r.problem("", "%s", msg)
		return
	}
	// A panic of the YAML library becomes a problem of the file.
	defer func() {
		if p := recover(); p != nil {
			r.problem("", "cannot be read as YAML: %v", p)
		}
	}()
	tokens := lexer.Tokenize(string(b))
	if line, msg := heavy(tokens); msg != "" {
		r.problem(atLine(line), "%s", msg)
		return
	}
	file, err := parser.Parse(tokens, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		var positioned yaml.Error
		if errors.As(err, &positioned) && positioned.GetToken() != nil {
			r.problem(atLine(lineOf(positioned.GetToken())), "no valid YAML: %s", positioned.GetMessage())
			return
		}
		r.problem("", "no valid YAML: %s", clipped(err.Error(), 300))
		return
	}
	r.listFile(file)
}

// unbearable returns what is wrong with a file before it is parsed.
func unbearable(b []byte) string {
	switch {
	case len(b) > maxListBytes:
		return fmt.Sprintf("larger than %d bytes: no list that somebody wrote", maxListBytes)
	case !utf8.Valid(b):
		return "not UTF-8"
	}
	return ""
}

// heavy finds structures that would be too expensive for the parser.
func heavy(tokens token.Tokens) (line int, msg string) {
	flow, nest, keys, at := 0, 0, 0, 0
	for _, t := range tokens {
		if line = lineOf(t); line != at {
			at, nest = line, 0
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			flow++
		case token.SequenceEndType, token.MappingEndType:
			flow = max(0, flow-1)
		case token.SequenceEntryType, token.MappingKeyType:
			nest++
		case token.MappingValueType:
			keys++
		case token.AnchorType, token.AliasType, token.TagType, token.MergeKeyType:
			return line, "anchors, aliases and tags of YAML have no meaning here"
		}
		switch {
		case flow > maxListDepth || nest > maxListDepth:
			return line, fmt.Sprintf("nested more than %d deep", maxListDepth)
		case keys > maxListKeys:
			return line, fmt.Sprintf("more than %d keys: make several files of it", maxListKeys)
		case t.Position != nil && t.Position.IndentNum > maxListIndent:
			return line, fmt.Sprintf("indented by more than %d spaces", maxListIndent)
		}
	}
	return 0, ""
}

func lineOf(t *token.Token) int {
	if t == nil || t.Position == nil {
		return 0
	}
	return t.Position.Line
}

func atLine(line int) string { return "line " + strconv.Itoa(line) }

// listFile reads the list, or a single dataset without a list.
func (r *reading) listFile(file *ast.File) {
	for _, doc := range file.Docs {
		switch body := doc.Body.(type) {
		case nil, *ast.DirectiveNode, *ast.CommentGroupNode, *ast.NullNode:
		case *ast.SequenceNode:
			for _, item := range body.Values {
				r.listEntry(item)
			}
		case *ast.MappingNode, *ast.MappingValueNode:
			r.listEntry(body)
		default:
			r.problem(atLine(lineOf(doc.Body.GetToken())), "a list of datasets is wanted: - {name: …, endpoint: …}")
		}
	}
}

// listEntry reads a dataset.
func (r *reading) listEntry(n ast.Node) {
	var pairs []*ast.MappingValueNode
	switch n := n.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	default:
		r.problem(atLine(tokenLine(n)), "a dataset has keys: %s", listKeys)
		return
	}
	if !r.fits() {
		return
	}
	e := listed{b: r.draft(""), seen: map[string]bool{}}
	e.b.d.ByHand = true
	for _, pair := range pairs {
		e.pair(pair)
	}
	e.b.entry = atLine(tokenLine(n))
	if e.b.d.Name == "" && e.b.d.Title == "" && len(e.b.d.Endpoints)+len(e.b.d.Dumps)+len(e.b.d.Void) == 0 {
		e.b.report("a dataset without name, endpoint, dump and void")
		return
	}
	for i := range e.b.d.Dumps {
		e.b.d.Dumps[i].MediaType = e.mediaType(e.b.d.Dumps[i])
	}
	e.b.done()
}

func tokenLine(n ast.Node) int {
	if n == nil {
		return 0
	}
	return lineOf(n.GetToken())
}

// A listed is an entry of a list while it is read.
type listed struct {
	b    *draft
	seen map[string]bool
	kind string // "type" of its dumps
}

// pair reads a key with its values.
func (e *listed) pair(pair *ast.MappingValueNode) {
	line, key := tokenLine(pair.Key), ""
	if scalar, ok := pair.Key.(ast.ScalarNode); ok {
		key = fmt.Sprint(scalar.GetValue())
	}
	e.b.entry = atLine(line)
	if e.seen[key] {
		e.b.report("%s: it is there twice", clipped(key, 40))
	}
	e.seen[key] = true
	if !slices.Contains(strings.Split(listKeys, ", "), key) {
		e.b.report("%s: unknown key; there are %s", clipped(key, 40), listKeys)
		return
	}
	for _, v := range e.values(key, pair.Value) {
		e.value(key, v)
	}
}

// values returns the values of a key: one, or a list.
func (e *listed) values(key string, n ast.Node) (values []string) {
	switch n := n.(type) {
	case *ast.SequenceNode:
		for _, v := range n.Values {
			if _, nested := v.(*ast.SequenceNode); nested {
				e.b.report("%s: a list within a list", clipped(key, 40))
				continue
			}
			values = append(values, e.values(key, v)...)
		}
		return values
	case *ast.StringNode:
		return []string{n.Value}
	case *ast.LiteralNode:
		return []string{n.Value.Value}
	case ast.ScalarNode:
		if n.Type() == ast.NullType {
			e.b.report("%s: it is empty", clipped(key, 40))
			return nil
		}
		return []string{n.GetToken().Value}
	}
	e.b.report("%s: a text is wanted, or a list of them", clipped(key, 40))
	return nil
}

// value adds one value of a key.
func (e *listed) value(key, value string) {
	b := e.b
	switch key {
	case "name":
		b.d.Name = slug(value)
		if b.d.Name != value {
			b.report("name: %q has other than letters, digits, \".\", \"_\" and \"-\": it is called %q", clipped(value, 40), b.d.Name)
		}
	case "title":
		b.d.Title = clipped(oneLine(value), maxTitle)
	case "aliases":
		b.put("aliases", &b.d.Aliases, clipped(oneLine(value), maxName))
	case "homepage":
		b.d.Homepage = b.address("homepage", value)
	case "endpoint":
		b.endpoint(value)
	case "graph":
		b.putIRI("graph", &b.d.Graphs, value)
	case "dump":
		e.dump(value)
	case "type":
		e.kind = value
	case "void":
		b.putURL("void", &b.d.Void, value)
	case "example":
		b.putURL("example", &b.d.Examples, value)
	case "vocabulary":
		b.putIRI("vocabulary", &b.d.Vocabulary, value)
	case "space":
		b.putIRI("space", &b.d.Spaces, value)
	case "same":
		b.putIRI("same", &b.d.Same, value)
	case "triples":
		b.d.Triples = b.count("triples", value)
	}
}

// dump adds a dump: a Web address or a path.
func (e *listed) dump(value string) {
	if isAbsolute(value) && len(value) > 8 && (value[:7] == "http://" || value[:8] == "https://") {
		e.b.dump(value, "")
		return
	}
	if value != "" && len(value) <= maxDescription {
		e.b.putDump(Dump{URL: value})
	}
}

// mediaType returns the media type of a dump: as stated, or by its name.
func (e *listed) mediaType(d Dump) string {
	if mediaType, ok := rdfFormat(plainFormat(e.kind)); ok && mediaType != "" {
		return mediaType
	}
	_, named := roleOf("", d.URL, "rdf")
	return named
}
