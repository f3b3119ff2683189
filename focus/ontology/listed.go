package ontology

import (
	"slices"

	"orbweaver"
	"orbweaver/focus/inlinks"
	"orbweaver/focus/urlwords"
)

// RuleURL is the rule of a link that is a URL alone: see package urlwords.
const RuleURL = urlwords.Rule

// listedFlag marks the Note of a request that a list names: what its URL says stands between the links and the stems. With
// no other link, Pages is the flag alone.
const listedFlag = 1 << 31

// A note is what the Note of a request says.
type note struct {
	inlinks.Links
	listed *urlwords.Listed // nil: no list names the URL
	stems  stems
}

// parseNote decodes a Note; false for a note of another kind, such as a seed's.
func parseNote(b []byte) (n note, ok bool) {
	links, rest, ok := inlinks.Read(b)
	if !ok {
		return n, false
	}
	if links.Pages&listedFlag != 0 {
		links.Pages &^= listedFlag
		var l urlwords.Listed
		if l, rest, ok = urlwords.Parse(rest); !ok {
			return n, false
		}
		n.listed = &l
	}
	n.Links, n.stems = links, rest
	return n, n.stems.valid()
}

// append encodes a Note without its stems.
func (n note) append(b []byte) []byte {
	if n.listed == nil {
		return n.Links.Append(b)
	}
	marked := n.Links
	marked.Pages |= listedFlag
	return n.listed.Append(marked.Append(b))
}

// alone reports whether no other link leads to the request.
func (n note) alone() bool { return n.listed != nil && n.Pages == 0 }

// isAlone reports whether a link is a URL alone.
func isAlone(l *orbweaver.Link) bool {
	return l.Origin == orbweaver.FromSitemap && l.Anchor == "" && l.Title == "" && l.Context == ""
}

// proposeAlone proposes the target of a link that is a URL alone.
func (f *Focus) proposeAlone(found *findings, l *link, p *orbweaver.Page) orbweaver.Proposal {
	listed := f.listed(found, l, p.Links[l.At].To)
	n := note{listed: &listed}
	j := f.conclude(orbweaver.Judgement{}, n)
	return orbweaver.Proposal{
		Request:   orbweaver.Request{URL: p.Links[l.At].To, Via: &p.Links[l.At], Note: n.append(nil)},
		Judgement: j, Keys: []string{urlwords.Key},
	}
}

// listed reads a link that is a URL alone.
func (f *Focus) listed(found *findings, l *link, url string) urlwords.Listed {
	stemmer := f.stemmers.Get("en")
	defer f.stemmers.Put("en", stemmer)
	return f.urls.Read(url, min(1, f.evidence(found.by, l.Path.hits)), stemmer)
}

// learnURLs learns the words of URLs: those that a sitemap lists, or those of a page. It reports whether all listed URLs
// should be ranked again.
func (f *Focus) learnURLs(o orbweaver.Outcome) (stale bool) {
	found := f.findings(o.Page)
	for _, first := range found.Targets {
		if l := &found.Links[first]; isAlone(&o.Page.Links[l.At]) {
			f.urls.Meet(f.listed(found, l, o.Page.Links[l.At].To))
		}
	}
	if !f.urls.Lists() || o.Request.Purpose == orbweaver.ForSitemap {
		return f.urls.Lists()
	}
	stemmer := f.stemmers.Get("en")
	defer f.stemmers.Put("en", stemmer)
	n, linked := parseNote(o.Request.Note)
	if n.listed == nil {
		l := f.urls.Read(o.Request.URL, 0, stemmer)
		n.listed = &l
	}
	lead := urlwords.Lead{None: !linked, Alone: linked && n.Pages == 0, Score: f.linked(n).score}
	return f.urls.Learn(*n.listed, lead, o.Page.Title+"\n\n"+o.Page.Text, stemmer, f.promise(o.Actual))
}

// promise returns the worth of a page for ranking URLs: its chance to be accepted, or, if none is known, what its score lends to
// links. The mean score would put many middling pages, of which none is accepted, before a few good ones.
func (f *Focus) promise(j orbweaver.Judgement) float64 {
	if j.Chance > 0 {
		return j.Chance
	}
	return f.lends(j.Score)
}

// worth returns the score of a request: that of its links, raised by the lift of its best word, at most 1, and if
// it is listed, changed by what its URL says; or that of its URL alone, if that is more.
func (f *Focus) worth(n note) (w worth) {
	if n.Pages > 0 || n.listed == nil {
		w = f.linked(n)
	}
	if n.listed != nil {
		signs := f.urls.Sign(*n.listed)
		raised, alone := f.urls.Raise(w.score, signs), f.urls.Score(signs)
		if n.alone() || alone > raised {
			return worth{score: alone, alone: true, signs: signs, raise: alone}
		}
		w.score, w.signs, w.raise = raised, signs, raised-w.score
	}
	return w
}

// linked returns the score of a request by its links and their words alone.
func (f *Focus) linked(n note) (w worth) {
	if w.score = n.Best; f.opts.Paper.Inlinks == MeanLink {
		w.score = n.Score()
	}
	if w.word, w.lift = f.words.best(n.stems); w.word != nil {
		w.lift = min(w.lift, 1-w.score)
	}
	w.score += w.lift
	return w
}

// worth is the score of a request and what it rests on: word and lift, or signs.
type worth struct {
	score float64
	word  *word // nil: none has a lift
	lift  float64
	alone bool           // the URL alone
	signs urlwords.Signs // of a listed URL
	raise float64        // by the signs
}

// conclude sets a judgement's score to worth, and its reasons: those of the best link, corrected to add up to it, or that of
// the URL. It modifies no reasons in place.
func (f *Focus) conclude(j orbweaver.Judgement, n note) orbweaver.Judgement {
	w := f.worth(n)
	if j.Score = w.score; w.alone {
		j.Reasons = []orbweaver.Reason{{Rule: RuleURL, Evidence: f.urls.Why(w.signs), Weight: w.score}}
		return j
	}
	j.Reasons = f.appendLearned(slices.Clip(j.Reasons), n, w)
	return j
}
