package ontology

import (
	"math"
	"strings"

	"orbweaver/text"
	"orbweaver/weburl"
)

const (
	plainShare  = 0.05 // weight of the contrast in texts relative to that of names: most words of a text are not names
	boilerPages = 20   // pages of a host, or of all, before a word can count as boilerplate
	boilerShare = 0.8  // share of them that contain it
	surely      = 10.8 // log-likelihood ratio exceeded by chance once in a thousand
)

// judge scores a word or phrase as a suggestion. The score is the root of the log-likelihood ratio with which
// titles and links of on-topic pages name it more often than others, plus a small share of that in texts;
// times the mean score of the pages titled so, shrunk towards the mean of all pages (pseudo-count 1). The
// reported shares are those of the stronger contrast.
func (g *gaps) judge(s *suggested, w *wordGap) {
	named, plain := w.named.contrast(g.pages), plainShare*w.text.contrast(g.texts)
	s.worth = math.Sqrt(named+plain) * (float64(w.titled)/thousand + g.pages.share()) / float64(w.titles+1)
	if named >= plain && named > 0 {
		s.show(&w.named, g.pages)
	} else {
		s.show(&w.text, g.texts)
	}
}

// judgePair scores a pair: like a phrase of a text that titles no page, capped by the significance of the two
// occurring together more often than by chance, if idf is learned and informative.
func (f *Focus) judgePair(s *suggested, p *pairGap) {
	g := f.gaps
	surprise := p.text.contrast(g.nearby)
	if f.idf.source == Learned {
		a, b := f.idf.df[p.a], f.idf.df[p.b]
		both := min(s.Count, a, b)
		surprise = min(surprise, contrast(mass{both * thousand, (b - both) * thousand}, mass{a * thousand, (f.idf.pages - a) * thousand}))
	}
	s.worth = math.Sqrt(plainShare*surprise) * g.pages.share()
	s.show(&p.text, g.nearby)
}

// show sets the pages and the score of a suggestion.
func (s *suggested) show(t *tally, all mass) {
	since := all.less(t.before)
	s.Score = rounded(s.worth)
	s.On = rounded(float64(t.met.on) / float64(max(since.on, 1)))
	s.Off = rounded(float64(t.met.off) / float64(max(since.off, 1)))
}

// rounded rounds to four decimals.
func rounded(x float64) float64 { return math.Round(x*1e4) / 1e4 }

// isNoise reports whether a word or phrase is never suggested: the host's own name or boilerplate; or, unless
// titles and links confirm it as a name, a word that is as frequent on other pages or occurs in any text.
func (g *gaps) isNoise(slot int) bool {
	w := &g.wordsOf[slot]
	if g.isBoilerplate(w) || g.isNavigation(w) {
		return true
	}
	unheard := w.text.met == mass{} && w.named.met != mass{} // near no entity: only a name
	return w.named.contrast(g.pages) < surely && (unheard || !g.peculiar(slot) || isPlain(w.form))
}

// isBoilerplate reports whether a word is on nearly every page of the host where it occurs most, or is part
// of that host's name.
func (g *gaps) isBoilerplate(w *wordGap) bool {
	if w.at.host < 0 || w.at.votes == 0 {
		return false
	}
	host := g.hosts[w.at.host]
	pages := host.pages - w.at.since
	return pages >= boilerPages && float64(w.at.met) >= boilerShare*float64(pages) || names(text.Key(weburl.HostWords(host.name)), w.form)
}

// isNavigation reports whether nearly every page has a link of these words, or a title, whatever its score: the menu of
// a site whose pages are on several hosts, or so few on each that isBoilerplate cannot tell.
func (g *gaps) isNavigation(w *wordGap) bool {
	all := g.pages.less(w.named.before)
	pages, met := all.on+all.off, w.named.met.on+w.named.met.off
	return pages >= boilerPages*thousand && float64(met) >= boilerShare*float64(pages)
}

// names reports whether a label of a host's name, except the last, is the phrase without spaces.
func names(host, phrase string) bool {
	phrase = strings.NewReplacer(". ", "", " ", "", "-", "").Replace(text.Key(phrase))
	labels := strings.Split(host, ".")
	for _, label := range labels[:len(labels)-1] {
		if strings.ReplaceAll(label, "-", "") == phrase {
			return true
		}
	}
	return false
}

// isPlain reports whether a word or phrase of a text consists of general words: it begins or ends with a word
// of the calendar or a count, ends with an adverb or participle, or begins with an adverb. It knows English
// only.
func isPlain(form string) bool {
	var words text.Scanner
	var first, last string
	n := 0
	for words.Reset(form); words.Next(); n++ {
		if last = string(words.Word()); n == 0 {
			first = last
		}
	}
	return common(first) || common(last) || strings.HasSuffix(first, "ly") || strings.HasSuffix(last, "ly") || strings.HasSuffix(last, "ed")
}

// common reports whether a word is of the calendar, a count or general.
func common(word string) bool {
	switch word {
	case "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
		"monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday", "spring", "summer", "autumn", "winter",
		"second", "seconds", "minute", "minutes", "hour", "hours", "day", "days", "week", "weeks", "month", "months",
		"year", "years", "decade", "decades", "century", "centuries", "date", "dates", "time", "times", "today", "later", "early", "late", "ago":
	case "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "twelve", "twenty", "hundred", "thousand", "million", "billion",
		"first", "third", "fourth", "fifth", "last", "next", "dozen", "half", "number", "numbers", "amount", "total", "percent":
	case "new", "old", "good", "great", "large", "small", "big", "high", "low", "long", "short", "main", "major", "different",
		"various", "certain", "able", "like", "example", "examples", "part", "parts", "kind", "kinds", "type", "types", "way", "ways",
		"thing", "things", "people", "person", "use", "uses", "using", "make", "makes", "making", "made", "take", "takes", "took", "taken",
		"become", "becomes", "became", "get", "gets", "got", "give", "gives", "given", "gave", "go", "goes", "went", "gone", "come", "comes", "came",
		"see", "seen", "saw", "known", "know", "include", "includes", "including", "called", "said", "say", "says", "found", "began", "begun",
		"usually", "possible", "common", "general", "following", "page", "pages", "note", "notes", "list", "section", "chapter", "figure", "table":
	default:
		return false
	}
	return true
}
