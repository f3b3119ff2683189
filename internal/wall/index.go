package wall

import (
	_ "embed" // words.txt
	"strings"
	"sync"
	"unicode/utf8"
)

// A list is a kind of phrase.
type list uint8

const (
	notFound list = iota
	explaining
	maintenance
	login
	parked
	consent
	policy
	walled
	lists
)

// An index finds the phrases of all lists in one pass over a text.
type index struct {
	titles  map[string][]said // by the whole phrase
	phrases map[string][]said // by the first word
	wide    []said            // in scripts without blanks
}

// A said is a phrase of a list; of walls, with its place in wallWords.
type said struct {
	phrase string
	list   list
	word   int
}

//go:embed words.txt
var wordsFile string

// sections returns the lines of words.txt by section.
var sections = sync.OnceValue(func() map[string][]string {
	all, section := map[string][]string{}, ""
	for line := range strings.Lines(wordsFile) {
		switch line = strings.TrimSuffix(line, "\n"); {
		case strings.HasPrefix(line, "["):
			section = strings.Trim(line, "[]")
		case line != "":
			all[section] = append(all[section], line)
		}
	}
	return all
})

// listNames are the names of lists in words.txt.
var listNames = map[string]list{
	"soft-404": notFound, "explaining": explaining, "maintenance": maintenance, "login": login,
	"parked": parked, "consent": consent, "policy": policy,
}

var phrases = sync.OnceValue(func() *index {
	x := &index{titles: map[string][]said{}, phrases: map[string][]said{}}
	for name, of := range listNames { // a title may be of several lists: in any order
		for _, title := range sections()[name+" titles"] {
			x.titles[title] = append(x.titles[title], said{title, of, 0})
		}
		for _, phrase := range sections()[name+" words"] {
			x.add(said{phrase, of, 0})
		}
	}
	for i, w := range wallWords {
		if one := (said{w.says, walled, i}); w.title {
			x.titles[w.says] = append(x.titles[w.says], one)
		} else {
			x.add(one)
		}
	}
	return x
})

func (x *index) add(s said) {
	if isWide(s.phrase) {
		x.wide = append(x.wide, s)
		return
	}
	first, _, _ := strings.Cut(s.phrase, " ")
	x.phrases[first] = append(x.phrases[first], s)
}

// isWide reports whether a text has characters of a script without blanks.
func isWide(s string) bool {
	for i := range len(s) {
		if s[i] >= 0xE3 && s[i] <= 0xED {
			return true
		}
	}
	return false
}

// A heard is what a text says: where the first phrase of each list begins, counted from 1; 0: none does.
type heard struct {
	at    [lists]int
	walls uint // the first of wallWords, from 1
}

func (h *heard) add(s said, at int) {
	if was := h.at[s.list]; was == 0 || at+1 < was {
		h.at[s.list] = at + 1
	}
	if s.list == walled && (h.walls == 0 || uint(s.word)+1 < h.walls) {
		h.walls = uint(s.word) + 1
	}
}

// join adds what another text says.
func (h *heard) join(o heard) {
	for i, at := range o.at {
		if at > 0 && (h.at[i] == 0 || at < h.at[i]) {
			h.at[i] = at
		}
	}
	if o.walls > 0 && (h.walls == 0 || o.walls < h.walls) {
		h.walls = o.walls
	}
}

// within reports whether a phrase of a list begins within the first bytes.
func (h *heard) within(of list, most int) bool { return h.at[of] > 0 && h.at[of] <= most+1 }

// said finds the phrases of a normal text. A phrase begins where a word does.
func (x *index) said(text string) (h heard) {
	var q quoting
	for i := 0; i < len(text); {
		for i < len(text) && !isLetter(text[i]) {
			i += q.pass(text[i:])
		}
		end := i
		for end < len(text) && text[end] != ' ' && text[end] != '\n' {
			end++
		}
		for _, s := range x.phrases[text[i:end]] {
			if !q.open && strings.HasPrefix(text[i:], s.phrase) {
				h.add(s, i)
			}
		}
		for i < end {
			i += q.pass(text[i:])
		}
	}
	if isWide(text) {
		for _, s := range x.wide {
			if at := strings.Index(text, s.phrase); at >= 0 {
				h.add(s, at)
			}
		}
	}
	return h
}

// A quoting is whether a text quotes: what is quoted is not said to the reader.
type quoting struct{ open bool }

// pass passes over one character, and returns its bytes.
func (q *quoting) pass(text string) int {
	switch text[0] {
	case '"':
		q.open = !q.open
	case '\n':
		q.open = false
	case 0xC2: // « and »
		q.open = strings.HasPrefix(text, "«") || q.open && !strings.HasPrefix(text, "»")
	case 0xE2: // “ ends what „ began
		switch {
		case strings.HasPrefix(text, "“"):
			q.open = !q.open
			return len("“")
		case strings.HasPrefix(text, "„"):
			q.open = true
		case strings.HasPrefix(text, "”"):
			q.open = false
		}
	}
	return 1
}

// isLetter reports whether a word may begin with a byte.
func isLetter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c >= 0xC3 && c != 0xE2
}

// maxParts bounds the parts of a title.
const maxParts = 10

// titled finds the lists of which a title, or a run of its parts between separators, is a phrase.
func (x *index) titled(title string) (h heard) {
	if len(title) > 300 {
		return h
	}
	starts, ends := []int{0}, []int{}
	for i, r := range title {
		if !strings.ContainsRune(separators, r) {
			continue
		}
		if ends = append(ends, i); len(ends) == maxParts {
			break
		}
		starts = append(starts, i+utf8.RuneLen(r))
	}
	ends = append(ends, len(title))
	for _, start := range starts {
		for _, end := range ends {
			if start >= end {
				continue
			}
			for _, s := range x.titles[strings.Trim(title[start:end], " ,?\"()[]")] {
				h.add(s, start)
			}
		}
	}
	return h
}

// separators stand between the parts of a title.
const separators = "-–—|·•:»«/.!…*~<>;¡¿。！\n"
