package ledger

import (
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/text"
)

// Reads reports whether the query asks for what pages say, so that each page has to be looked at.
func (q PageQuery) Reads() bool {
	return q.Type != "" || q.Lang != "" || q.Entity != "" || q.Text != ""
}

// Holds reports whether a line is what the query asks pages to say.
func (q PageQuery) Holds(l Line) bool {
	switch {
	case q.Type != "" && l.Type != q.Type && !strings.HasPrefix(l.Type, q.Type+"/"), q.Lang != "" && l.Lang != q.Lang:
		return false
	case q.Entity != "" && !names(l, q.Entity):
		return false
	case q.Text == "":
		return true
	}
	said := text.Key(q.Text)
	return slices.ContainsFunc([]string{l.Title, l.Snippet, l.URL}, func(s string) bool { return strings.Contains(text.Key(s), said) })
}

// names reports whether the reasons of a line name an entity.
func names(l Line, entity string) bool {
	entity = text.Fold(entity)
	return slices.ContainsFunc(EntitiesOf(l), func(name string) bool { return text.Fold(name) == entity })
}

// EntitiesOf returns what the reasons of a line name: entities, nouns and terms, each once, the heaviest first.
func EntitiesOf(l Line) (names []string) {
	for _, r := range l.Reasons {
		if name := entityOf(r); name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// entityOf returns the name that the evidence of a reason begins with; empty if the reason names none.
func entityOf(r orbweaver.Reason) string {
	if r.Weight <= 0 || !namesWords(r.Rule) && r.Rule != "data" {
		return ""
	}
	name, rest, found := strings.Cut(r.Evidence, ": ")
	if !found || strings.ContainsRune(name, '×') {
		name, _, _ = strings.Cut(r.Evidence, " ×")
		rest = ""
	}
	if len(name) > maxPhrase || rest == "" && !strings.Contains(r.Evidence, "×") {
		return ""
	}
	return name
}
