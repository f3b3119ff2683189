package pages

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"orbweaver/crawl"
)

// A keyField is a key of the crawl file in the form.
type keyField struct {
	crawl.FileKey
	ID, Field  string // of the input
	Hint, More string // the first sentence of the documentation, and the rest
	Value      string
	Rows       int
	Problems   []crawl.Problem
	First      bool // it is shown, whether the rest is or not
}

// Paths reports whether the value names a file.
func (k keyField) Paths() bool { return strings.Contains(k.Type, "path") }

// Missing reports whether the key is required and not there.
func (k keyField) Missing() bool { return k.Need == "required" && k.Value == "" }

// Chosen reports whether a word is the value.
func (k keyField) Chosen(word string) bool { return k.Value == word }

// A keyGroup is a section of the crawl file in the form.
type keyGroup struct {
	ID, Label, Doc string
	First, Rest    []keyField
	Groups         []keyGroup
	Set            int // keys that are set
	Open           bool
}

// other is the group of keys that are in no section.
const other = "other"

// groupOrder is the order of the groups: what most crawls need comes first.
func groupOrder() []string {
	return []string{"seeds", "focus", "limits", "scope", "politeness", "web", "discover", "explore", "truth", "render", other}
}

// A filling fills the form with values and problems.
type filling struct {
	values   map[string]string
	problems map[string][]crawl.Problem // by path of a key
}

// item is the number of a list's item in the key of a problem.
var item = regexp.MustCompile(`\[\d+\]`)

// groupsOf returns the form of a crawl file, filled.
func groupsOf(values map[string]string, problems []crawl.Problem) []keyGroup {
	f := filling{values, map[string][]crawl.Problem{}}
	for _, p := range problems {
		key := item.ReplaceAllString(p.Key, "")
		f.problems[key] = append(f.problems[key], p)
	}
	keys := crawl.FileKeys()
	rest := keyGroup{ID: "s-" + other, Label: "Other keys"}
	byName := map[string]keyGroup{}
	for _, k := range keys {
		switch {
		case k.Name == "focus":
			byName[k.Name] = f.focus(k)
		case k.Form == crawl.SectionForm:
			byName[k.Name] = f.group(k)
		case k.Name == "seeds":
			field := f.field(k)
			byName[k.Name] = keyGroup{ID: "s-seeds", Label: "seeds", First: []keyField{field}, Open: true, Set: f.count(field)}
		default:
			rest.add(f.field(k))
		}
	}
	byName[other] = rest
	var groups []keyGroup
	for _, name := range groupOrder() {
		groups = append(groups, byName[name])
		delete(byName, name)
	}
	for _, k := range keys { // keys that a later version adds
		if g, ok := byName[k.Name]; ok {
			groups = append(groups, g)
		}
	}
	return groups
}

func (f filling) count(k keyField) int {
	if _, set := f.values[k.Path]; set {
		return 1
	}
	return 0
}

// focus is the group of the kind of focus, with the keys of the one that is chosen.
func (f filling) focus(k crawl.FileKey) keyGroup {
	field := f.field(k)
	i := slices.IndexFunc(k.Keys, func(kind crawl.FileKey) bool { return kind.Name == field.Value })
	g := keyGroup{ID: "s-focus", Label: "focus", Doc: k.Doc}
	if i >= 0 {
		inner := f.group(k.Keys[i])
		g.Doc, g.First, g.Rest, g.Groups, g.Set = inner.Doc, inner.First, inner.Rest, inner.Groups, inner.Set
	}
	field.Hint, field.More = "What kind of focus it is. Another kind keeps the keys that both have.", ""
	g.First = append([]keyField{field}, g.First...)
	g.Open = true
	return g
}

// group is the group of a section.
func (f filling) group(k crawl.FileKey) keyGroup {
	g := keyGroup{ID: "s-" + k.Path, Label: k.Path, Doc: k.Doc, Open: len(f.problems[k.Path]) > 0}
	for _, inner := range k.Keys {
		if inner.Form == crawl.SectionForm {
			sub := f.group(inner)
			g.Groups = append(g.Groups, sub)
			g.Set, g.Open = g.Set+sub.Set, g.Open || sub.Open
			continue
		}
		g.add(f.field(inner))
	}
	return g
}

// add adds a key: among the first if it is set, is required or has problems.
func (g *keyGroup) add(k keyField) {
	if k.Value != "" {
		g.Set++
	}
	if k.First {
		g.First = append(g.First, k)
		g.Open = g.Open || k.Value != "" || len(k.Problems) > 0
		return
	}
	g.Rest = append(g.Rest, k)
}

// Folded says how many keys a group folds.
func (g keyGroup) Folded() string { return some(len(g.Rest), "key") + " at the default" }

// Count says how many keys of a group are set, or how many there are.
func (g keyGroup) Count() string {
	if g.Set > 0 {
		return fmt.Sprintf("%d set", g.Set)
	}
	return some(g.all(), "key") + ", none set"
}

// all is the number of keys of a group and those within.
func (g keyGroup) all() int {
	n := len(g.First) + len(g.Rest)
	for _, inner := range g.Groups {
		n += inner.all()
	}
	return n
}

// some is a number of things in words.
func some(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}

// field is a key, filled.
func (f filling) field(k crawl.FileKey) keyField {
	value, set := f.values[k.Path]
	field := keyField{FileKey: k, ID: "k-" + strings.ReplaceAll(k.Path, ".", "-"), Field: "k." + k.Path, Value: value, Problems: f.problems[k.Path]}
	field.Hint, field.More = sentence(k.Doc)
	field.Rows = min(12, max(2, strings.Count(value, "\n")+2))
	field.First = set || k.Need == "required" || len(field.Problems) > 0
	return field
}

// sentence splits a documentation behind its first sentence.
func sentence(doc string) (first, rest string) {
	for i := range doc {
		if i > 20 && doc[i-1] == ' ' && doc[i-2] == '.' && i+1 < len(doc) && (doc[i] >= 'A' && doc[i] <= 'Z' || strings.Contains(doc[i:min(len(doc), i+24)], ": ")) {
			return doc[:i-1], doc[i:]
		}
	}
	return doc, ""
}
