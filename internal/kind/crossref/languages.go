package crossref

import (
	"fmt"
	"maps"
	"slices"

	"orbweaver"
)

// maxLanguages is how many languages of pages are counted.
const maxLanguages = 100

// languages counts the pages of a session by language.
type languages map[string]int64

func (l languages) add(p *orbweaver.Page) {
	if p != nil && p.Lang != "" && (l[p.Lang] > 0 || len(l) < maxLanguages) {
		l[p.Lang]++
	}
}

// foreign returns a warning if all pages were in other languages than the item, else "".
func (l languages) foreign(item string) string {
	most := ""
	for _, lang := range slices.Sorted(maps.Keys(l)) {
		if most == "" || l[lang] > l[most] {
			most = lang
		}
	}
	if item == "" || most == "" || l[item] > 0 {
		return ""
	}
	return fmt.Sprintf("no page was in the language of the item (%s), most were in another (%s): they have names in common at most", item, most)
}
