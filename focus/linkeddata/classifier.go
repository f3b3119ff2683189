package linkeddata

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/focus/linkeddata/online"
)

// A Classifier predicts the class of a link before it is followed.
type Classifier uint8

// The classifiers.
const (
	Rules  Classifier = iota // Relevancy_R and Relevancy_HR
	Online                   // starts as Rules and learns from every outcome: see package online
)

// ParseClassifier returns the classifier of a name used in crawl files.
func ParseClassifier(name string) (Classifier, bool) {
	switch name {
	case "rules":
		return Rules, true
	case "online":
		return Online, true
	}
	return Rules, false
}

// The rules of the online classifier, in addition to those of package online.
const (
	RuleOnline = "online" // the class and its probability
	RuleHope   = "hope"   // exploration bonus: what the link may be worth beyond its expected value
)

// Features returns the rules of reasons that the online classifier adds to those of the rules.
func Features() []string { return append(online.Reasons(), RuleOnline, RuleHope) }

// onlineRules are the rules passed to the online classifier.
func onlineRules() []online.Rule {
	rules := []online.Rule{
		{Name: RuleHTMLExtension, Class: online.H}, {Name: RuleHTMLLink, Class: online.H}, {Name: RuleOtherwise, Class: online.N},
		{Name: RuleSimilar, Class: online.HR}, {Name: RulePatternRecord, Class: online.H}, {Name: RuleWellKnown, Class: online.HR},
	}
	for _, name := range []string{
		RuleTypeTerm, RuleTitleTerm, RulePathTerm, RuleFileTerm, RuleAnchorTerm, RuleContextTerm, RuleTypeContent,
		RuleTitleContent, RuleAnchorContent, RuleContextContent, RuleExtension, RuleRDFLink, RuleVocabulary,
		RuleVoidDump, RuleVoidExample, RuleDownload, RuleSitemapDump, RuleSitemapSample, RuleSitemapDataset,
	} {
		rules = append(rules, online.Rule{Name: name, Class: online.R})
	}
	return rules
}

// hopeless reports whether a link is never followed. The classifier cannot learn otherwise: links that are
// never requested have no outcomes.
func (v verdict) hopeless() bool {
	if v.class != ClassN || len(v.reasons) == 0 {
		return false
	}
	return v.reasons[0].Rule != RuleOtherwise
}

// sight returns the input of the online classifier for a link.
func (v verdict) sight(link *orbweaver.Link, n note) *online.Sight {
	s := &online.Sight{Link: link, FromHTML: n.fromHTML, Vocabulary: n.vocabulary, PageClass: online.R}
	switch {
	case n.data:
		s.PageClass = online.HR
	case n.fromHTML:
		s.PageClass = online.H
	}
	for _, r := range v.reasons {
		s.Rules = append(s.Rules, r.Rule)
	}
	return s
}

// now extends the features of a link by the rules that depend on the learned state.
func (f *Focus) now(features []uint32, at location) (seen []uint32, rules []string) {
	seen = slices.Clone(features)
	if _, ok := f.similar.find(at); ok {
		rules = append(rules, RuleSimilar)
	}
	if _, bad := f.records.find(at); bad {
		rules = append(rules, RulePatternRecord)
	}
	for _, rule := range rules {
		seen = f.model.WithRule(seen, rule)
	}
	return seen, rules
}

// scoreSteps are the steps of scores of the online classifier: links that differ less go in the order found.
const scoreSteps = 12

// guess returns the online classifier's judgement of a link, with what else adds to its score.
func (f *Focus) guess(v verdict, link *orbweaver.Link, at location, features []uint32) (j orbweaver.Judgement, more []orbweaver.Reason) {
	switch {
	case f.described(link):
		j = outweighed(orbweaver.Judgement{Class: v.class, Reasons: v.reasons}, orbweaver.Reason{Rule: RuleDescribed, Evidence: namespace(link.To)})
		j.Drop = true
		return j, nil
	case v.hopeless():
		return orbweaver.Judgement{Class: ClassN, Drop: true, Reasons: v.reasons}, nil
	}
	seen, _ := f.now(features, at)
	missed := f.records.missed(at)
	p := f.model.Predict(seen, missed)
	score := math.Round(scoreSteps*f.model.Hope(seen, missed)) / scoreSteps
	by := f.byPlace(orbweaver.Judgement{Class: p.Class().String(), Score: score}, at, v)
	if f.opts.Hosts != HostsFound {
		by = f.byHost(by, at)
	}
	j = outweighed(orbweaver.Judgement{Class: by.Class, Score: score, Reasons: v.reasons}, orbweaver.Reason{
		Rule: RuleOnline, Evidence: fmt.Sprintf("%s in %.0f %%", p.Class(), 100*p[p.Class()]), Weight: score,
	})
	j.Score = by.Score
	if least := doubted(p, v, j.Class, f.model.Came(features)); least > 0 {
		by.Reasons = append(by.Reasons, orbweaver.Reason{Rule: RuleDoubt, Evidence: fmt.Sprintf("not %s: %.0f %% are asked for, and evidence", j.Class, 100*least)})
		j.Class = ClassH
	}
	return j, by.Reasons
}

// RuleDoubt gives a link the class H, whatever is most probable: too little is known to predict more. Its score stays, and with it its turn.
const RuleDoubt = "doubt"

// The least probabilities of predictions. A page is predicted HR only when links of its shape have led to such pages, or to RDF; and R, where words
// alone speak for it, when links of its shape have led to RDF.
const leastR, leastHR = 0.6, 0.75

// doubted returns the probability that a class needs, if that of a link is not predicted yet; else 0. Of links of its shape, came is what came.
func doubted(p online.Prediction, v verdict, class string, came online.Counts) (least float64) {
	switch {
	case class == ClassR && (p[online.R] < leastR || came[online.R] == 0 && v.wordy()):
		return leastR
	case class == ClassHR && (came[online.HR]+came[online.R] == 0 || p[online.HR]+p[online.R] < leastHR):
		return leastHR
	}
	return 0
}

// wordy reports whether nothing but words says that RDF is behind a link: no statement, no extension, no media type.
func (v verdict) wordy() bool {
	return v.class == ClassR && !slices.ContainsFunc(v.reasons, func(r orbweaver.Reason) bool {
		return !isTermRule(r.Rule) && r.Rule != RuleVocabulary || r.Rule == RuleTypeTerm
	})
}

// doubts reports whether a link looked like RDF, and was not predicted to be.
func doubts(j orbweaver.Judgement) bool {
	return slices.ContainsFunc(j.Reasons, func(r orbweaver.Reason) bool { return r.Rule == RuleDoubt && strings.HasPrefix(r.Evidence, "not R") })
}

// guessed proposes a target by the online classifier.
func (f *Focus) guessed(t target, kept []byte) orbweaver.Proposal {
	at := locate(t.link.To)
	j, more := f.guess(t.verdict, t.link, at, t.features)
	j.Reasons = append(j.Reasons, more...)
	p := orbweaver.Proposal{Request: orbweaver.Request{URL: t.link.To, Via: t.link}, Judgement: j}
	if !p.Drop {
		p.Note = online.AppendNote(slices.Clip(kept), t.features)
		p.Keys = online.Keys(append(at.keys(), f.describedKeys(t.verdict)...), t.features)
		if f.opts.Hosts != HostsFound || f.opts.Beyond.Directories {
			p.Keys = append(p.Keys, hostKey+hostOf(at))
		}
	}
	return p
}

// guessAgain is Rerank with the online classifier, with the most important features as reasons.
func (f *Focus) guessAgain(p orbweaver.Proposal, n note) orbweaver.Judgement {
	r := f.reader()
	defer f.readers.Put(r)
	at, v := locate(p.URL), r.relevancy(p.Via, n.vocabulary, n.fromHTML)
	j, more := f.guess(v, p.Via, at, n.features)
	if j.Drop {
		return j
	}
	s := v.sight(p.Via, n)
	fired := slices.Clone(v.reasons)
	_, learned := f.now(n.features, at)
	for _, rule := range learned {
		s.Rules = append(s.Rules, rule)
		fired = append(fired, orbweaver.Reason{Rule: rule})
	}
	reasons, sum := f.model.Why(s, f.records.missed(at)), 0.0
	for _, reason := range reasons {
		sum += reason.Weight
	}
	why := slices.Grow(fired, len(reasons)+2+len(more))
	for i := range fired { // the share of the rules, split equally
		why[i].Weight = reasons[0].Weight / float64(len(fired))
	}
	online := j.Reasons[0]
	online.Weight = 0
	why = append(append(why, reasons[1:]...), orbweaver.Reason{Rule: RuleHope, Weight: j.Reasons[0].Weight - sum}, online)
	j.Reasons = append(why, more...)
	return j
}

// taught updates the online model by a request's outcome and its features at selection. A redirect is ignored
// unless its target is known: the target's outcome arrives with the same link.
func (f *Focus) taught(o orbweaver.Outcome, found *findings) (stale []string) {
	n, ok := readNote(o.Request.Note)
	if !ok || len(n.features) == 0 || o.Request.Purpose != orbweaver.ForPage {
		return nil
	}
	class := o.Actual.Class
	switch {
	case o.Page == nil && o.Redirect != "" && class == "":
		return nil
	case found != nil:
		class = found.class
		if _, leads := f.leads(found); class == ClassH && (leads || f.holds(found)) {
			class = ClassHR
		}
	case o.Err != nil:
		class = ClassN
	}
	actual, ok := online.ParseClass(class)
	if !ok {
		return nil
	}
	if !n.vocabulary {
		stale = f.settle(o.Request.Parent, actual == online.R)
	}
	seen, _ := f.now(n.features, locate(o.Request.URL))
	if actual == online.H && found != nil {
		return append(stale, f.wait(o.Request.URL, found, seen)...)
	}
	return append(stale, f.lesson(example{seen, actual, errors.Is(o.Err, orbweaver.ErrAbsent)})...)
}

// appendModel appends the model, preceded by its length; 0 if there is none.
func (f *Focus) appendModel(b []byte) ([]byte, error) {
	var state bytes.Buffer
	if f.model != nil {
		if err := f.model.Snapshot(&state); err != nil {
			return nil, err
		}
	}
	return appendString(b, state.String()), nil
}
