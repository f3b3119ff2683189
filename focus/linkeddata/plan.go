package linkeddata

import (
	"context"
	"encoding/binary"
	"slices"

	"orbweaver"
	"orbweaver/focus/linkeddata/online"
)

// Plan proposes every distinct target of a page's links, and the vocabularies of its quads, with the
// predicted class. For the first page of a host it also proposes the description of the host's data. The
// links of a page that is neither RDF nor HTML are ignored, except those of sitemaps.
func (f *Focus) Plan(_ context.Context, p *orbweaver.Page, _ orbweaver.Judgement) ([]orbweaver.Proposal, error) {
	found := f.findings(p)
	allowance := f.after(p.Request, found.class)
	linked, vocabulary := f.noteOf(found, false), f.noteOf(found, true)
	linked.allowance, vocabulary.allowance = allowance, allowance
	notes := map[bool][]byte{false: linked.bytes(), true: vocabulary.bytes()}
	plan := make([]orbweaver.Proposal, 0, len(found.targets)+1)
	for _, t := range found.targets {
		if t.harvested && !t.mute {
			if next, ok := f.harvested(t, p); ok {
				plan = append(plan, next)
			}
		} else if !t.mute {
			plan = append(plan, f.proposal(t, notes[t.vocabulary], allowance))
		}
	}
	if t, ok := f.description(p); ok {
		if f.model != nil {
			t.features = f.model.Features(nil, t.sight(t.link, vocabulary))
		}
		plan = append(plan, f.proposal(t, notes[true], allowance))
	}
	return plan, nil
}

// Leads returns the canonical URLs that a page may lead to in addition to its links, independently of the
// learned state: the documents of vocabularies and the description of its host's data. It is safe for
// concurrent use.
func (f *Focus) Leads(p *orbweaver.Page) (urls []string) {
	for _, t := range f.prepare(p).targets {
		if t.vocabulary && !t.mute { // also what is harvested
			urls = append(urls, t.link.To)
		}
	}
	if to, ok := describedAt(p.URL); ok && f.opts.Beyond.WellKnown {
		urls = append(urls, to)
	}
	return urls
}

// proposal returns the proposal for a target.
func (f *Focus) proposal(t target, kept []byte, allowance int) orbweaver.Proposal {
	if f.model != nil {
		return f.guessed(t, kept)
	}
	at := locate(t.link.To)
	j := f.opinion(t.verdict, t.link, at, allowance, t.words)
	return orbweaver.Proposal{
		Request:   orbweaver.Request{URL: t.link.To, Via: t.link, Note: kept},
		Judgement: j,
		Keys:      f.keys(j, at, append(slices.Clip(t.words), f.listedKeys(t.verdict)...), f.describedKeys(t.verdict)),
	}
}

// keys returns the groups whose requests Learn may declare stale. Without Directories a request predicted HR keeps its rank.
func (f *Focus) keys(j orbweaver.Judgement, at location, words, more []string) (keys []string) {
	switch {
	case j.Drop, !f.opts.Beyond.Rerank:
		return nil
	case f.opts.Method == DomainRanking:
		return []string{domainKey + domainAt(at)}
	case f.opts.Method == Focused && (j.Class != ClassHR || f.opts.Beyond.Directories):
		keys = append(at.keys(), more...)
	}
	if f.opts.Hosts != HostsFound || f.opts.Beyond.Directories {
		keys = append(keys, hostKey+hostOf(at))
	}
	return append(keys, f.termKeys(words)...)
}

// opinion applies the learned state, Relevancy_HR included, to a verdict, and sets the priority by the
// method.
func (f *Focus) opinion(v verdict, link *orbweaver.Link, at location, allowance int, words []string) orbweaver.Judgement {
	j := orbweaver.Judgement{Class: v.class, Score: v.score, Reasons: v.reasons}
	if f.described(link) {
		j = outweighed(j, orbweaver.Reason{Rule: RuleDescribed, Evidence: namespace(link.To)})
		j.Drop = true
		return j
	}
	if j.Class == ClassR {
		if pattern, bad := f.records.find(at); bad {
			j.Class = ClassH
			return outweighed(j, orbweaver.Reason{Rule: RulePatternRecord, Evidence: pattern, Weight: scoreFailed})
		}
	}
	if f.learnsTerms() && j.Class == ClassR {
		if t, bad := f.learned.doubted(v.termsAlone()); bad {
			j.Class = ClassH
			j = outweighed(j, orbweaver.Reason{Rule: RuleLearnedTerm, Evidence: t.why(), Weight: scoreH})
		}
	}
	if j.Class == ClassH {
		if pattern, ok := f.similar.find(at); ok {
			j.Class, j.Score = ClassHR, scoreHR
			j.Reasons = append(slices.Clip(j.Reasons), orbweaver.Reason{
				Rule: RuleSimilar, Evidence: pattern, Weight: scoreHR - scoreH,
			})
		}
	}
	if j.Class == ClassH || j.Class == ClassHR {
		j = f.byTerms(j, at, words)
	}
	j = f.byPlace(j, at, v)
	switch j.Drop = j.Class == ClassN && !f.opts.KeepN; {
	case j.Drop, f.opts.Method == Focused && f.opts.Hosts == HostsFound:
		return j
	case f.opts.Method == Focused:
		return f.byHost(j, at)
	}
	return f.otherwise(j, at, allowance)
}

// Rerank repeats the prediction with the current state. A request without a link stays unchanged, and all do
// where ranks are those of extraction.
func (f *Focus) Rerank(_ orbweaver.Known, p orbweaver.Proposal) orbweaver.Judgement {
	kept, ok := readNote(p.Note)
	if !ok || p.Via == nil || !f.opts.Beyond.Rerank {
		return p.Judgement
	}
	if f.model != nil {
		return f.guessAgain(p, kept)
	}
	r := f.reader()
	defer f.readers.Put(r)
	var words []string
	if kept.fromHTML && f.learnsTerms() {
		words = r.keysOf(p.Via, kept.lang)
	}
	return f.opinion(r.relevancy(p.Via, kept.vocabulary, kept.fromHTML), p.Via, locate(p.URL), kept.allowance, words)
}

// A note is the data about the linking page that is kept with a request.
type note struct {
	fromHTML   bool     // the page is HTML
	vocabulary bool     // not a link of the page: a vocabulary that its quads use
	data       bool     // the page is HTML with embedded data
	allowance  int      // links that the path may go beyond the request: see Focus.after
	lang       string   // of the page, where learned terms need it
	features   []uint32 // with Online
}

// bytes encodes a note without its features: a byte of flags, the allowance as a uvarint, and the language if
// there is one, preceded by its length.
func (n note) bytes() []byte {
	var marks byte
	if n.fromHTML {
		marks |= 1
	}
	if n.vocabulary {
		marks |= 2
	}
	if n.data {
		marks |= 4
	}
	if n.lang != "" {
		marks |= 8
	}
	b := binary.AppendUvarint([]byte{marks}, uint64(max(n.allowance, 0)))
	if n.lang != "" {
		b = append(append(b, byte(len(n.lang))), n.lang...)
	}
	return b
}

// readNote decodes a note; false for a note of another kind, such as a seed's.
func readNote(b []byte) (note, bool) {
	if len(b) < 2 || b[0] > 15 {
		return note{}, false
	}
	allowance, size := binary.Uvarint(b[1:])
	if size <= 0 || allowance > maxAllowance {
		return note{}, false
	}
	n := note{fromHTML: b[0]&1 != 0, vocabulary: b[0]&2 != 0, data: b[0]&4 != 0, allowance: int(allowance)}
	rest, ok := b[1+size:], true
	if b[0]&8 != 0 {
		if len(rest) == 0 || int(rest[0]) >= len(rest) || rest[0] > maxLanguage {
			return note{}, false
		}
		n.lang, rest = string(rest[1:1+rest[0]]), rest[1+rest[0]:]
	}
	if len(rest) > 0 {
		n.features, rest, ok = online.ReadNote(nil, rest)
	}
	return n, ok && len(rest) == 0
}
