package item

import "strings"

// Key returns a unique, stable name of a term: its stem, or the stems of a collocation joined by spaces. It survives
// eviction and does not depend on surface forms. It is false for an unknown or dropped number.
func (s *State) Key(id uint32) (string, bool) {
	u := s.find(id)
	if u == nil {
		return "", false
	}
	if u.stem != "" {
		return u.stem, true
	}
	var stems []string
	for _, word := range u.gram {
		if word == 0 {
			break
		}
		w := s.find(word)
		if w == nil || w.stem == "" {
			return "", false
		}
		stems = append(stems, w.stem)
	}
	return strings.Join(stems, " "), true
}

// Lookup returns the number of the term that has a key; false when no term has.
func (s *State) Lookup(key string) (uint32, bool) {
	stems := strings.Split(key, " ")
	if len(stems) > len(gramKey{}) {
		return 0, false
	}
	var k gramKey
	for i, stem := range stems {
		at, ok := s.at[stem]
		if !ok {
			return 0, false
		}
		k[i] = s.units[at].id
	}
	if len(stems) == 1 {
		return k[0], true
	}
	at, ok := s.gramAt[k]
	if !ok || s.phrases[at].term == 0 {
		return 0, false
	}
	return s.phrases[at].term, true
}
