package help

import (
	"cmp"
	"math"
	"path"
	"slices"
	"strings"
	"unicode"

	"orbweaver/internal/order"
	stems "orbweaver/text"
)

// Bounds on a search.
const (
	maxQuery = 20 // words
	maxFound = 30
	around   = 90 // bytes before and behind the first word in a passage
)

// weights of words in headings, beside 1 in the text.
const (
	inHeading = 6
	inName    = 4      // the page's own heading, its address
	inTitle   = 1      // of the page, for each of its sections
	typical   = 1200.0 // bytes of a section
)

// An entry is a section of a page that can be found.
type entry struct {
	page *Page
	*Section
}

// A counted is how often a form of a word stands in a section, with the weights of its places.
type counted struct {
	form  string
	times float64
}

// A Found is a section that has all words of a query.
type Found struct {
	Path, Page, Section string
	Passage             []Part
	Score               float64 // higher is better; comparable within one search
}

// A Part of a passage. Hit: it is one of the words.
type Part struct {
	Text string
	Hit  bool
}

func isLetter(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// A word in lower case, and its stem behind "=", which no word begins with.
type word struct{ written, stem string }

// tokens calls f with the place and the forms of each word of a text, until it returns false.
func tokens(s *stems.Stemmer, text string, f func(start, end int, w word) bool) {
	for start := 0; start < len(text); {
		i := strings.IndexFunc(text[start:], isLetter)
		if i < 0 {
			return
		}
		start += i
		end := len(text)
		if n := strings.IndexFunc(text[start:], func(r rune) bool { return !isLetter(r) }); n >= 0 {
			end = start + n
		}
		w := word{written: strings.ToLower(text[start:end])}
		w.stem = "=" + s.Stem([]byte(w.written))
		if !f(start, end, w) {
			return
		}
		start = end
	}
}

// take adds the sections of a page to what is searched.
func (s *Shelf) take(page *Page) {
	stemmer := stems.NewStemmer("en")
	for i := range page.Sections {
		section := &page.Sections[i]
		times := map[string]float64{}
		add := func(text string, weight float64) {
			tokens(stemmer, text, func(_, _ int, w word) bool {
				times[w.written] += weight
				times[w.stem] += weight
				return true
			})
		}
		add(section.Name, inHeading)
		add(page.Title, inTitle)
		if section.Level == 1 {
			add(path.Base(page.Path), inName)
		}
		add(section.Text, 1)
		var words []counted
		for form, n := range times {
			words = append(words, counted{form, n})
			s.holding[form]++
		}
		order.By(words, func(a, b counted) int { return cmp.Compare(a.form, b.form) })
		s.entries, s.words = append(s.entries, entry{page, section}), append(s.words, words)
	}
}

// Search returns the sections that have all words of a query, the best first. The last letters of a word may be missing.
//
// A section scores the sum over words of idf · n/(n+4(1+l)), where n counts the word with the weight of its places, and l is the length of the
// section beside a typical one.
func (s *Shelf) Search(query string) []Found {
	stemmer := stems.NewStemmer("en")
	var asked []word
	tokens(stemmer, query, func(_, _ int, w word) bool {
		asked = append(asked, w)
		return len(asked) < maxQuery
	})
	var found []Found
	for i, e := range s.entries {
		score := s.score(s.words[i], float64(len(e.Text))/typical, asked)
		if score == 0 {
			continue
		}
		at := e.page.Path
		if e.Anchor != "" {
			at += "#" + e.Anchor
		}
		found = append(found, Found{Path: at, Page: e.page.Title, Section: e.Name, Score: score, Passage: passage(stemmer, e.Text, asked)})
	}
	order.By(found, func(a, b Found) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Path, b.Path))
	})
	return found[:min(len(found), maxFound)]
}

// score is 0 unless the words of a section, so many times as long as a typical one, have all that is asked.
func (s *Shelf) score(words []counted, long float64, asked []word) (sum float64) {
	for _, w := range asked {
		best := 0.0
		for _, form := range []string{w.written, w.stem} {
			i, _ := slices.BinarySearchFunc(words, form, func(c counted, f string) int { return cmp.Compare(c.form, f) })
			for ; i < len(words) && matches(words[i].form, form); i++ {
				idf := math.Log(1 + float64(len(s.entries))/float64(s.holding[words[i].form]))
				best = max(best, idf*words[i].times/(words[i].times+4*(1+long)))
			}
		}
		if best == 0 {
			return 0
		}
		sum += best
	}
	return sum
}

// matches reports whether a form begins with one that is asked for, or is its stem.
func matches(form, asked string) bool {
	return form == asked || asked[0] != '=' && strings.HasPrefix(form, asked)
}

// passage is the text around the first word that is asked for, with such words marked.
func passage(stemmer *stems.Stemmer, text string, asked []word) (parts []Part) {
	from, to, last := -1, 0, 0
	tokens(stemmer, text, func(start, end int, w word) bool {
		if from >= 0 && start > to {
			return false
		}
		if !slices.ContainsFunc(asked, func(a word) bool { return matches(w.written, a.written) || w.stem == a.stem }) {
			return true
		}
		if from < 0 {
			from, to = edge(text, start-around), edge(text, start+around)
			last = from
		}
		parts = append(parts, Part{Text: text[last:start]}, Part{text[start:end], true})
		last, to = end, max(to, end)
		return true
	})
	if from < 0 {
		from, to, last = 0, edge(text, 2*around), 0
	}
	rest := text[last:max(to, last)]
	if max(to, last) < len(text) {
		rest += " …"
	}
	return append(parts, Part{Text: rest})
}

// edge is a place near n, within the text, at which no character is cut.
func edge(text string, n int) int {
	n = min(max(n, 0), len(text))
	for n > 0 && n < len(text) && text[n]&0xC0 == 0x80 {
		n--
	}
	return n
}
