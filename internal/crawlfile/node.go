package crawlfile

import (
	"fmt"
	"unicode/utf8"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// A builder builds nodes from a syntax tree. An alias shares the node of its anchor, but counts each time against
// maxNodes, so that a small file cannot expand to a large one.
type builder struct {
	*decoding
	anchors map[string]*node
	nodes   int
	failed  bool // a bound was exceeded: the file is rejected
}

// node builds the node of a value, or a null for an invalid value.
func (b *builder) node(n ast.Node, depth int) *node {
	out := b.build(n, depth)
	out.size = 1
	for _, item := range out.items {
		out.size += item.size
	}
	for _, e := range out.entries {
		out.size += e.value.size
	}
	return out
}

// build builds a node without its size.
func (b *builder) build(n ast.Node, depth int) *node {
	if n == nil || !b.spend(n, 1) || !b.shallow(n, depth) {
		return &node{}
	}
	at := placeOf(n.GetToken())
	switch n := n.(type) {
	case *ast.MappingNode:
		return b.mapping(n.Values, at, depth)
	case *ast.MappingValueNode:
		return b.mapping([]*ast.MappingValueNode{n}, at, depth)
	case *ast.SequenceNode:
		out := &node{kind: listNode, at: at}
		for _, v := range n.Values {
			if word := colonWord(v); word != nil {
				out.items = append(out.items, word)
				continue
			}
			out.items = append(out.items, b.node(v, depth+1))
		}
		return out
	case *ast.AnchorNode:
		value := b.node(n.Value, depth+1)
		b.anchors[nameOf(n.Name)] = value
		return value
	case *ast.AliasNode:
		return b.alias(n)
	case *ast.TagNode:
		b.add(at, "", "YAML tags such as "+n.Start.Value+" have no meaning here", "remove the tag")
		return b.node(n.Value, depth+1)
	}
	return scalar(n, at)
}

// spend counts nodes against maxNodes and reports the first excess.
func (b *builder) spend(n ast.Node, nodes int) bool {
	b.nodes += nodes
	if b.nodes > maxNodes && !b.failed {
		b.failed = true
		b.add(placeOf(n.GetToken()), "", fmt.Sprintf("more than %d values", maxNodes), "aliases count each time they are used")
	}
	return !b.failed
}

// shallow checks the depth against maxDepth and reports the first excess.
func (b *builder) shallow(n ast.Node, depth int) bool {
	if depth > maxDepth && !b.failed {
		b.failed = true
		b.add(placeOf(n.GetToken()), "", fmt.Sprintf("nested more than %d deep", maxDepth), "")
	}
	return !b.failed
}

// nameOf returns the name of an anchor or alias.
func nameOf(n ast.Node) string {
	if n == nil || n.GetToken() == nil {
		return ""
	}
	return n.GetToken().Value
}

// alias looks up an anchor. An anchor that contains the alias is not defined yet.
func (b *builder) alias(n *ast.AliasNode) *node {
	at := placeOf(n.GetToken())
	value := b.anchors[nameOf(n.Value)]
	switch {
	case value == nil:
		b.add(at, "", "alias *"+nameOf(n.Value)+" has no anchor before it", "")
		return &node{at: at}
	case !b.spend(n, value.size):
		return &node{}
	}
	return value
}

// scalar builds a leaf.
func scalar(n ast.Node, at place) *node {
	switch n := n.(type) {
	case *ast.StringNode:
		return &node{kind: textNode, at: at, text: n.Value}
	case *ast.LiteralNode:
		return &node{kind: textNode, at: at, text: n.Value.Value}
	case *ast.BoolNode:
		return &node{kind: boolNode, at: at, text: n.Token.Value}
	case *ast.IntegerNode, *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		return &node{kind: numberNode, at: at, text: n.GetToken().Value}
	}
	return &node{at: at}
}

// colonWord works around a bug of the YAML library: for an item such as ex:Plane in a flow list within a flow map, it
// takes the colon for that of a key, although YAML requires a space after a key's colon. colonWord returns such an item
// as text, and nil for a true map and other values.
func colonWord(n ast.Node) *node {
	if m, ok := n.(*ast.MappingNode); ok && !m.IsFlowStyle && len(m.Values) == 1 {
		n = m.Values[0]
	}
	pair, ok := n.(*ast.MappingValueNode)
	if !ok || pair.Value == nil || pair.Start == nil {
		return nil
	}
	key, colon, value := pair.Key.GetToken(), pair.Start, pair.Value.GetToken()
	if value == nil || key.Type != token.StringType || value.Indicator != token.NotIndicator ||
		!follows(key, colon) || !follows(colon, value) {
		return nil
	}
	return &node{kind: textNode, at: placeOf(key), text: key.Value + ":" + value.Value, size: 1}
}

// follows reports whether b begins where a ends.
func follows(a, b *token.Token) bool {
	if a.Position == nil || b.Position == nil {
		return false
	}
	return a.Position.Line == b.Position.Line &&
		a.Position.Column+utf8.RuneCountInString(a.Value) == b.Position.Column
}

// mapping builds a map. Its own keys take precedence over keys merged by "<<".
func (b *builder) mapping(values []*ast.MappingValueNode, at place, depth int) *node {
	out := &node{kind: mapNode, at: at}
	known := make(map[string]place, len(values))
	var merged []*node
	for _, v := range values {
		if v.Key.IsMergeKey() {
			merged = append(merged, b.node(v.Value, depth+1))
			continue
		}
		key, keyAt, ok := b.key(v.Key)
		value := b.node(v.Value, depth+1)
		switch before, twice := known[key]; {
		case !ok:
		case twice:
			b.add(keyAt, key, "given twice", fmt.Sprintf("first on line %d", before.line))
		default:
			known[key] = keyAt
			out.entries = append(out.entries, entry{key, keyAt, value})
		}
	}
	for _, m := range merged {
		b.merge(out, known, m)
	}
	if len(out.entries) > 0 {
		out.at = out.entries[0].at
	}
	return out
}

// key returns the text of a map's key.
func (b *builder) key(n ast.MapKeyNode) (string, place, bool) {
	var value ast.Node = n
	if explicit, ok := n.(*ast.MappingKeyNode); ok {
		value = explicit.Value
	}
	if value == nil {
		return "", place{}, false
	}
	at := placeOf(value.GetToken())
	leaf := scalar(value, at)
	if leaf.kind == nullNode {
		b.add(at, "", "a key must be a word", "")
		return "", at, false
	}
	return leaf.text, at, true
}

// merge adds the entries of a map, or of a list of maps, whose keys out lacks.
func (b *builder) merge(out *node, known map[string]place, from *node) {
	switch from.kind {
	case mapNode:
		for _, e := range from.entries {
			if _, there := known[e.key]; !there {
				known[e.key] = e.at
				out.entries = append(out.entries, e)
			}
		}
	case listNode:
		for _, item := range from.items {
			if item.kind == mapNode {
				b.merge(out, known, item)
				continue
			}
			b.add(item.at, "", "<< takes a map", "")
		}
	default:
		b.add(from.at, "", "<< takes a map", "")
	}
}
