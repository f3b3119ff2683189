package linkeddata

import (
	"errors"
	"math"
	"slices"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/text"
	"orbweaver/weburl"
)

// RuleLearnedTerm gives a link of HTML the class R: a word in its text or address led to RDF before. The paper
// names "supporting web documents in different languages" as future work; its S_terms are a fixed list.
const RuleLearnedTerm = "learned-term"

// The bounds of learned terms.
const (
	maxLearned      = 1 << 16 // words of all languages
	maxLanguages    = 64      // languages that are told apart; texts of others have none
	maxLearnedWord  = 40      // bytes of a word
	maxTextWords    = 12      // words of a link's anchor and title
	maxAddressWords = 8       // words of its path, file name and query
	maxTermKeys     = 4       // words whose change ranks a waiting link anew
	maxLanguage     = 3       // bytes of a language
	maxTermText     = 400     // bytes read of each text
)

const (
	caution    = 2    // pseudo-count of links with the language's share of RDF, for every word
	leastRDF   = 2    // links to RDF before a word counts
	listed     = 0.57 // chance of RDF behind a listed term before any link: the lowest precision of R in the paper (Table I)
	unlikely   = 0.25 // chance of RDF below which a listed term gives no class
	leastDoubt = 4    // links by a listed term before it is doubted
	likely     = 0.5  // chance of RDF from which a word gives the class R
	termKey    = "term:"
	inAddress  = "url" // stands for the language of words in addresses, which have none
	steady     = 64    // links of a word after which one more moves its chance by less than leastMove
)

// learned are the words of links that were followed from pages of HTML, by language, with what the links led
// to. It consists of sums. Beyond maxLearned a word that never led to RDF makes place for a new one.
type learned struct {
	list  []learnedTerm // in order of first occurrence
	index map[string]int
	langs []language // in order of first occurrence
	spare int        // where the search for a word to replace goes on
}

// A language counts the links of one language.
type language struct {
	name       string
	rdf, links int64
}

// A learnedTerm counts the links with a word.
type learnedTerm struct {
	key        string // language, a colon, the word
	rdf, links int64
	reported   float64 // its chance when it was last declared stale
}

func newLearned() learned { return learned{index: map[string]int{}} }

// language returns the counts of a language; nil if it is not known.
func (l *learned) language(name string) *language {
	for i := range l.langs {
		if l.langs[i].name == name {
			return &l.langs[i]
		}
	}
	return nil
}

// share returns the share of a language's links that led to RDF, of which one half in four are assumed before.
func (l *language) share() float64 {
	if l == nil {
		return 0.5 / 4
	}
	return (float64(l.rdf) + 0.5) / (float64(l.links) + 4)
}

// chance returns the chance that a link with the word leads to RDF: the share of its links that did, shrunk
// towards that of its language, p = (r + 2b)/(n + 2). In log-odds it is what the word adds to the language's.
func (l *learned) chance(t *learnedTerm) float64 {
	name, _, _ := strings.Cut(t.key, ":")
	return (float64(t.rdf) + caution*l.language(name).share()) / (float64(t.links) + caution)
}

// tells reports whether a word gives the class R.
func (l *learned) tells(t *learnedTerm) (chance float64, ok bool) {
	chance = l.chance(t)
	return chance, t.rdf >= leastRDF && chance >= likely
}

// best returns the word of highest chance among keys that gives the class R, the first of equals.
func (l *learned) best(keys []string) (best *learnedTerm, chance float64) {
	for _, key := range keys {
		if i, known := l.index[key]; known {
			if p, ok := l.tells(&l.list[i]); ok && p > chance {
				best, chance = &l.list[i], p
			}
		}
	}
	return best, chance
}

// why returns the evidence of a word: daten (de): 5 of 6 links with it led to RDF.
func (t *learnedTerm) why() string {
	lang, word, _ := strings.Cut(t.key, ":")
	where := ""
	if lang != "" {
		where = " (" + lang + ")"
	}
	return word + where + ": " + strconv.FormatInt(t.rdf, 10) + " of " + strconv.FormatInt(t.links, 10) + " links with it led to RDF"
}

// add counts a link with words, and returns those whose opinion on waiting links changed.
func (l *learned) add(keys []string, rdf bool) (stale []string) {
	for _, lang := range languagesOf(keys) {
		l.count(lang, rdf)
	}
	for _, key := range keys {
		t := l.meet(key)
		if t == nil {
			continue
		}
		if t.links++; rdf {
			t.rdf++
		}
		stale = l.told(t, stale)
	}
	return stale
}

// told appends the word's key if its opinion on waiting links changed since it was last told.
func (l *learned) told(t *learnedTerm, stale []string) []string {
	now := 0.0
	if p, ok := l.tells(t); ok {
		now = p
	}
	if _, bad := l.doubted([]string{t.key}); bad {
		now = 1
	}
	if math.Abs(now-t.reported) >= leastMove || (now == 0) != (t.reported == 0) {
		t.reported = now
		stale = append(stale, termKey+t.key)
	}
	return stale
}

// languagesOf returns the languages of keys, each once, in order.
func languagesOf(keys []string) (langs []string) {
	for _, key := range keys {
		if lang, _, _ := strings.Cut(key, ":"); !slices.Contains(langs, lang) {
			langs = append(langs, lang)
		}
	}
	return langs
}

func (l *learned) count(lang string, rdf bool) {
	of := l.language(lang)
	if of == nil {
		if len(l.langs) == maxLanguages {
			return
		}
		l.langs = append(l.langs, language{name: lang})
		of = &l.langs[len(l.langs)-1]
	}
	if of.links++; rdf {
		of.rdf++
	}
}

// meet returns the counts of a word, adding it if it is new; nil if there are too many, or too many languages.
func (l *learned) meet(key string) *learnedTerm {
	if i, known := l.index[key]; known {
		return &l.list[i]
	}
	if lang, _, _ := strings.Cut(key, ":"); l.language(lang) == nil {
		return nil
	}
	if len(l.list) < maxLearned {
		return l.put(learnedTerm{key: key})
	}
	for range maxLearned / 64 { // a bounded search: what leads to RDF stays
		at := l.spare
		l.spare = (l.spare + 1) % len(l.list)
		if one := &l.list[at]; one.rdf == 0 {
			delete(l.index, one.key)
			*one = learnedTerm{key: key}
			l.index[key] = at
			return one
		}
	}
	return nil
}

func (l *learned) put(t learnedTerm) *learnedTerm {
	l.index[t.key] = len(l.list)
	l.list = append(l.list, t)
	return &l.list[len(l.list)-1]
}

// keysOf returns the words of a link of HTML: those of its anchor and title in the language of its page, and
// those of its address. The words of the host and the extension do not count.
func (r *reader) keysOf(link *orbweaver.Link, lang string) (keys []string) {
	if link == nil || link.Origin == orbweaver.FromTriple || link.Origin == orbweaver.FromSeed {
		return nil
	}
	lang = languageOf(lang)
	keys = r.appendWords(keys, lang, link.Anchor, maxTextWords)
	if link.Title != link.Anchor {
		keys = r.appendWords(keys, lang, link.Title, maxTextWords)
	}
	return r.appendWords(keys, inAddress, weburl.PathWords(link.To), len(keys)+maxAddressWords)
}

// languageOf returns the primary subtag of a language, empty if it is unknown, or none that is told apart.
func languageOf(tag string) string {
	if tag = text.Primary(tag); len(tag) > maxLanguage || tag == inAddress || strings.ContainsAny(tag, ": ") {
		return ""
	}
	return tag
}

// appendWords appends the keys of a text's words, each once, until there are most of them.
func (r *reader) appendWords(keys []string, lang, s string, most int) []string {
	if len(s) > maxTermText {
		s = s[:maxTermText]
	}
	for r.words.Reset(s); len(keys) < most && r.words.Next(); {
		word := bare(r.words.Word())
		if len(word) < 2 || len(word) > maxLearnedWord || !letters(word) || text.StopWord(lang, word) && lang != inAddress {
			continue
		}
		if key := lang + ":" + string(word); !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

// letters reports whether a word has no digit: numbers and codes tell one thing from another of its kind.
func letters(word []byte) bool {
	for _, c := range word {
		if '0' <= c && c <= '9' {
			return false
		}
	}
	return true
}

// byTerms gives a link of HTML that looks like a page the class R where a learned word says so. Its score lies
// between those of HR and R: what the link's form says precedes what words let expect.
func (f *Focus) byTerms(j orbweaver.Judgement, at location, keys []string) orbweaver.Judgement {
	if _, bad := f.records.find(at); bad {
		return j
	}
	t, chance := f.learned.best(keys)
	if t == nil {
		return j
	}
	score := scoreHR + (scoreR-scoreHR)*chance
	j.Reasons = append(slices.Clip(j.Reasons), orbweaver.Reason{Rule: RuleLearnedTerm, Evidence: t.why(), Weight: score - j.Score})
	j.Class, j.Score = ClassR, score
	return j
}

// learnsTerms reports whether words of links are learned. The online classifier learns them by itself, and the
// methods of comparison rank by no class.
func (f *Focus) learnsTerms() bool {
	return f.opts.Beyond.LearnTerms && f.opts.Method == Focused && f.model == nil
}

// teach counts what a link of HTML led to: class is that of the page, empty where nothing arrived. A redirect
// counts when its target arrives, and what a host did not answer counts for nothing.
func (f *Focus) teach(o orbweaver.Outcome, class string) (stale []string) {
	kept, ok := readNote(o.Request.Note)
	if !ok || !f.learnsTerms() || !kept.fromHTML || kept.vocabulary || o.Request.Purpose != orbweaver.ForPage {
		return nil
	}
	if o.Page == nil && !errors.Is(o.Err, orbweaver.ErrAbsent) && !errors.Is(o.Err, orbweaver.ErrStatus) {
		return nil
	}
	r := f.reader()
	defer f.readers.Put(r)
	keys := r.keysOf(o.Request.Via, kept.lang)
	v := r.relevancy(o.Request.Via, false, true)
	if v.class == ClassR {
		keys = slices.DeleteFunc(keys, func(key string) bool { return strings.HasPrefix(key, inAddress+":") })
	}
	return f.learned.add(append(keys, v.termsAlone()...), class == ClassR)
}

// isTermRule reports whether a rule gives the class R by a listed term.
func isTermRule(rule string) bool {
	switch rule {
	case RuleTypeTerm, RuleTitleTerm, RulePathTerm, RuleFileTerm, RuleAnchorTerm, RuleContextTerm:
		return true
	}
	return false
}

// termsAlone returns the keys of the listed terms that give a link the class R, each by its rule; none if
// anything else does, or a term is too long to be counted.
func (v verdict) termsAlone() (keys []string) {
	if v.class != ClassR {
		return nil
	}
	for _, r := range v.reasons {
		if !isTermRule(r.Rule) || len(r.Evidence) > maxLearnedWord {
			return nil
		}
		keys = append(keys, r.Rule+":"+r.Evidence)
	}
	return keys
}

// doubted returns the listed term that misled least, if every one that speaks for a link has misled.
func (l *learned) doubted(keys []string) (best *learnedTerm, doubted bool) {
	highest := 0.0
	for _, key := range keys {
		i, known := l.index[key]
		if !known {
			return nil, false
		}
		t := &l.list[i]
		chance := (float64(t.rdf) + caution*listed) / (float64(t.links) + caution)
		if chance >= unlikely || t.links < leastDoubt {
			return nil, false
		}
		if best == nil || chance > highest {
			best, highest = t, chance
		}
	}
	return best, best != nil
}

// termKeys returns the keys of a link that waits: its first words that may still change its rank.
func (f *Focus) termKeys(keys []string) (stale []string) {
	for _, key := range keys {
		if i, known := f.learned.index[key]; known && f.learned.list[i].links >= steady {
			continue
		}
		if stale = append(stale, termKey+key); len(stale) == maxTermKeys {
			break
		}
	}
	return stale
}

// listedKeys returns the keys by which a link is ranked anew when its listed terms come to be doubted.
func (f *Focus) listedKeys(v verdict) []string {
	if !f.learnsTerms() {
		return nil
	}
	return v.termsAlone()
}
