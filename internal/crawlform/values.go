// Package crawlform shows a crawl file as the values of a form, and changes its text where a person changes a value: all else stays as it
// is written, comments and order included. Nothing in it knows a focus; it goes by the keys that the schema documents.
package crawlform

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/crawlfile"
)

// Values returns the values of a crawl file's keys as a form shows them, by path: a text as it is, a list of texts as a line each, the
// kind of focus as its name, and all else as YAML. Keys that are not set are missing. The error is crawlfile.Problems if it is no YAML.
func Values(schema crawlfile.Schema, src []byte) (map[string]string, error) {
	root, err := parsed(src)
	if err != nil {
		return nil, err
	}
	values := map[string]string{}
	collect(values, schema.Documented(), root)
	return values, nil
}

// parsed reads a file within the bounds of all crawl files. Its root is a map.
func parsed(src []byte) (*crawlfile.Node, error) {
	root, err := crawlfile.Tree("crawl file", src)
	if err == nil && root.Kind != crawlfile.Map {
		err = crawlfile.Problems{{File: "crawl file", Line: root.Line, Msg: "must be a section of keys"}}
	}
	return root, err
}

// collect adds the values of keys that a section sets.
func collect(values map[string]string, keys []crawlfile.Key, section *crawlfile.Node) {
	for _, k := range keys {
		e := section.Entry(k.Name)
		if e == nil || e.Value.Kind == crawlfile.Null {
			continue
		}
		switch {
		case k.Form == crawlfile.KindForm && e.Value.Kind == crawlfile.Map:
			collectKind(values, k, e.Value)
		case k.Form == crawlfile.SectionForm && e.Value.Kind == crawlfile.Map:
			collect(values, k.Keys, e.Value)
		case k.Form == crawlfile.SectionForm && k.Shorts():
			collect(values, k.Keys, &crawlfile.Node{Kind: crawlfile.Map, Entries: []crawlfile.Entry{{Key: k.ShortFor(e.Value), Value: e.Value}}})
		default:
			values[k.Path] = shownValue(e.Value)
		}
	}
}

// collectKind adds the values of the first kind of focus that a file has.
func collectKind(values map[string]string, focus crawlfile.Key, section *crawlfile.Node) {
	for _, kind := range focus.Keys {
		if e := section.Entry(kind.Name); e != nil {
			values[focus.Path] = kind.Name
			collect(values, kind.Keys, e.Value)
			return
		}
	}
}

// isLeaf reports whether a value is a single text, number or word.
func isLeaf(n *crawlfile.Node) bool { return n.Kind != crawlfile.List && n.Kind != crawlfile.Map }

// shownValue writes a value for a form.
func shownValue(n *crawlfile.Node) string {
	switch {
	case isLeaf(n):
		return n.Text
	case n.Kind == crawlfile.List && !slices.ContainsFunc(n.Items, func(i *crawlfile.Node) bool { return !isLeaf(i) || strings.Contains(i.Text, "\n") }):
		lines := make([]string, len(n.Items))
		for i, item := range n.Items {
			lines[i] = item.Text
		}
		return strings.Join(lines, "\n")
	}
	return strings.TrimPrefix(block(n, ""), "\n")
}

// Set sets keys of a crawl file to values as of Values; an empty value removes the key. All that is not set stays as it is written,
// comments and order included. The error wraps orbweaver.ErrInput: a key is unknown, a value is no YAML where it is to be, or the file
// is written so that only a person can change it, by aliases for example.
func Set(schema crawlfile.Schema, src []byte, values map[string]string) ([]byte, error) {
	keys, text := schema.Documented(), strings.ReplaceAll(string(src), "\r\n", "\n")
	for _, path := range inOrderOf(keys, values) {
		k := crawlfile.FindKey(keys, path)
		if k == nil || k.Form == crawlfile.SectionForm {
			return nil, fmt.Errorf("%.100s: unknown key (%w)", path, orbweaver.ErrInput)
		}
		root, err := parsed([]byte(text))
		if err != nil {
			return nil, err
		}
		value, err := read(k, values[path], root)
		if err != nil {
			return nil, err
		}
		e := editing{src: text, root: root, keys: keys}
		if text, err = e.set(k, value); err != nil {
			return nil, err
		}
	}
	return []byte(text), nil
}

// inOrderOf returns the paths of values in the order of the keys, unknown ones last: a kind of focus comes before its keys.
func inOrderOf(keys []crawlfile.Key, values map[string]string) []string {
	at, order := map[string]int{}, 0
	var number func([]crawlfile.Key)
	number = func(keys []crawlfile.Key) {
		for _, k := range keys {
			order++
			at[k.Path] = order
			number(k.Keys)
		}
	}
	number(keys)
	paths := make([]string, 0, len(values))
	for path := range values {
		if at[path] == 0 {
			at[path] = order + 1
		}
		paths = append(paths, path)
	}
	slices.SortFunc(paths, func(a, b string) int {
		if at[a] != at[b] {
			return at[a] - at[b]
		}
		return strings.Compare(a, b)
	})
	return paths
}

// digits are numbers, sizes, durations and percentages, which need no quotes.
var digits = regexp.MustCompile(`^[+-]?[0-9][0-9A-Za-z.%]*$`)

// read reads a value of a form; nil: the key is to be removed. root is the file as it is.
func read(k *crawlfile.Key, text string, root *crawlfile.Node) (*crawlfile.Node, error) {
	text = strings.ToValidUTF8(strings.ReplaceAll(text, "\r\n", "\n"), "\uFFFD")
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	switch k.Form {
	case crawlfile.KindForm:
		return otherKind(k, strings.TrimSpace(text), root)
	case crawlfile.ListForm:
		if n, err := crawlfile.Tree(k.Path, []byte(text)); err == nil && n.Kind == crawlfile.Map && k.Free {
			return n, nil
		}
		list := &crawlfile.Node{Kind: crawlfile.List}
		for line := range strings.Lines(text) {
			if line = strings.TrimSpace(line); line != "" {
				list.Items = append(list.Items, &crawlfile.Node{Kind: crawlfile.Text, Text: line})
			}
		}
		if first := list.Items[0].Text; len(list.Items) == 1 && (first == "true" || first == "false") && k.Free {
			return &crawlfile.Node{Kind: crawlfile.Bool, Text: first}, nil
		}
		return list, nil
	case crawlfile.YAMLForm:
		return crawlfile.Tree(k.Path, []byte(text))
	}
	text = strings.TrimSpace(text)
	if k.Form == crawlfile.NumberForm && digits.MatchString(text) || k.Form == crawlfile.WordForm && (text == "true" || text == "false") {
		return &crawlfile.Node{Kind: crawlfile.Number, Text: text}, nil
	}
	return &crawlfile.Node{Kind: crawlfile.Text, Text: text}, nil
}

// kind returns a focus of another kind, with the values of keys that both kinds have.
func otherKind(k *crawlfile.Key, name string, root *crawlfile.Node) (*crawlfile.Node, error) {
	to := crawlfile.FindKey(k.Keys, k.Path+"."+name)
	if to == nil {
		return nil, fmt.Errorf("%s: %s is no kind of focus (%w)", k.Path, crawlfile.Quote(name), orbweaver.ErrInput)
	}
	section := &crawlfile.Node{Kind: crawlfile.Map}
	if now := root.Entry(k.Name); now != nil {
		for _, kind := range now.Value.Entries {
			from := crawlfile.FindKey(k.Keys, k.Path+"."+kind.Key)
			for _, e := range kind.Value.Entries {
				if from == nil {
					break
				}
				a, b := crawlfile.FindKey(from.Keys, from.Path+"."+e.Key), crawlfile.FindKey(to.Keys, to.Path+"."+e.Key)
				if a != nil && b != nil && a.Type == b.Type && !(b.Form == crawlfile.WordForm && !slices.Contains(b.Words, e.Value.Text)) {
					section.Entries = append(section.Entries, crawlfile.Entry{Key: e.Key, Value: e.Value})
				}
			}
		}
	}
	return &crawlfile.Node{Kind: crawlfile.Map, Entries: []crawlfile.Entry{{Key: name, Value: section}}}, nil
}
