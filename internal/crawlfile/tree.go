package crawlfile

import (
	"slices"

	"orbweaver/internal/crawlfile/notation"
)

// A NodeKind is the kind of a value in a file.
type NodeKind uint8

// The kinds of values.
const (
	Null   = NodeKind(nullNode)
	Bool   = NodeKind(boolNode)
	Number = NodeKind(numberNode)
	Text   = NodeKind(textNode)
	List   = NodeKind(listNode)
	Map    = NodeKind(mapNode)
)

// A Node is a value of a file with its place, aliases and merge keys resolved.
type Node struct {
	Kind    NodeKind
	Line    int     // from 1; of a map that of its first key
	Column  int     // in characters, from 1
	Text    string  // of a single value, without quotes and escapes
	Items   []*Node // of a list
	Entries []Entry // of a map, in the file's order
}

// An Entry is a key of a map with its place and value.
type Entry struct {
	Key          string
	Line, Column int
	Value        *Node
}

// Entry returns the entry of a key, or nil.
func (n *Node) Entry(key string) *Entry {
	i := slices.IndexFunc(n.Entries, func(e Entry) bool { return e.Key == key })
	if i < 0 {
		return nil
	}
	return &n.Entries[i]
}

// Tree reads YAML or JSON within the bounds of crawl files. name stands for it in the error, which is Problems.
func Tree(name string, src []byte) (*Node, error) {
	d := &decoding{file: name, places: map[string]place{}}
	root := readYAML(d, src)
	if root == nil || len(d.problems) > 0 {
		return nil, Problems(d.problems)
	}
	return root.tree(), nil
}

func (n *node) tree() *Node {
	out := &Node{Kind: NodeKind(n.kind), Line: n.at.line, Column: n.at.column, Text: n.text}
	for _, item := range n.items {
		out.Items = append(out.Items, item.tree())
	}
	for _, e := range n.entries {
		out.Entries = append(out.Entries, Entry{e.key, e.at.line, e.at.column, e.value.tree()})
	}
	return out
}

// Scalar writes a text as YAML: plain if that is unambiguous, otherwise in double quotes.
func Scalar(text string) string { return notation.Quoted(text) }
