package linkeddata

import (
	"strings"

	"orbweaver"
)

// The rules of links, in the order in which they are tried. The first of N fires alone; of those of R
// all that hold are recorded, a row each of the paper's Table II.
const (
	RuleProtocol       = "protocol"        // N: not http(s)
	RuleOtherExtension = "other-extension" // N: an extension of what is neither RDF nor HTML

	RuleTypeTerm    = "type-term"    // R: the attribute type holds a term
	RuleTitleTerm   = "title-term"   // R: the attribute title does
	RulePathTerm    = "path-term"    // R: a directory does
	RuleFileTerm    = "file-term"    // R: the file name does, or its query; the extension aside
	RuleAnchorTerm  = "anchor-term"  // R: the anchor text does
	RuleContextTerm = "context-term" // R: the text around the link does

	RuleTypeContent    = "type-content"    // R: the attribute type holds a content type
	RuleTitleContent   = "title-content"   // R: the attribute title does
	RuleAnchorContent  = "anchor-content"  // R: the anchor text does
	RuleContextContent = "context-content" // R: the text around the link does

	RuleExtension  = "extension"  // R: an extension of RDF
	RuleRDFLink    = "rdf-link"   // R: an IRI of a triple, without extension
	RuleVocabulary = "vocabulary" // R: the document of a predicate or a class, without extension

	RuleHTMLExtension = "html-extension" // H: an extension of HTML
	RuleHTMLLink      = "html-link"      // H: a link of HTML without extension
	RuleOtherwise     = "otherwise"      // N: none of the above

	RuleSimilar = "similar" // HR: H, and the URL is similar to one that led to RDF
)

// The scores of classes; N has none.
const (
	scoreR  = 1.0
	scoreHR = 2.0 / 3
	scoreH  = 1.0 / 3
)

// scoreOf is the priority of a class, 0..1.
func scoreOf(class string) float64 {
	switch class {
	case ClassR:
		return scoreR
	case ClassHR:
		return scoreHR
	case ClassH:
		return scoreH
	}
	return 0
}

// A verdict is what Relevancy_R says of a link: its class, R, H or N, the score that goes with it, and
// the rules. Their weights add up to the score.
type verdict struct {
	class    string
	score    float64
	endpoint bool // it is stated that no document is there
	reasons  []orbweaver.Reason
}

// over reports whether a link is better evidence for its target than another: that it is an endpoint, else that it is
// worth more.
func (v verdict) over(w verdict) bool {
	return !w.endpoint && (v.endpoint || v.score > w.score)
}

// relevancy is Relevancy_R, section III.C.2 of the paper. A vocabulary link is an RDF link to the
// document of a predicate or class.
func (r *reader) relevancy(link *orbweaver.Link, vocabulary bool) verdict {
	p := r.lists.propertiesOf(link)
	of, stated := r.lists.extensions[p.extension], statedBy(link)
	switch {
	case p.protocol != "http" && p.protocol != "https":
		return because(ClassN, 0, RuleProtocol, p.protocol)
	case stated == RuleEndpoint:
		v := because(ClassN, 0, stated, "")
		v.endpoint = true
		return v
	case stated == RuleWellKnown:
		return because(ClassR, scoreHR, stated, "")
	case of == ClassN && (stated == "" || !r.lists.packed[p.extension]):
		return because(ClassN, 0, RuleOtherExtension, p.extension)
	}
	if reasons := r.signs(&p, of, stated, vocabulary); len(reasons) > 0 {
		for i := range reasons {
			reasons[i].Weight = scoreR / float64(len(reasons))
		}
		return verdict{class: ClassR, score: scoreR, reasons: reasons}
	}
	switch {
	case of == ClassH:
		return because(ClassH, scoreH, RuleHTMLExtension, p.extension)
	case p.extension == "":
		return because(ClassH, scoreH, RuleHTMLLink, "")
	}
	return because(ClassN, 0, RuleOtherwise, p.extension)
}

// because is a verdict for one reason.
func because(class string, score float64, rule, evidence string) verdict {
	return verdict{class: class, score: score, reasons: []orbweaver.Reason{{Rule: rule, Evidence: evidence, Weight: score}}}
}

// signs are the rules of R that hold, with what made them.
func (r *reader) signs(p *properties, extension, stated string, vocabulary bool) (reasons []orbweaver.Reason) {
	sign := func(rule, evidence string, ok bool) {
		if ok {
			reasons = append(reasons, orbweaver.Reason{Rule: rule, Evidence: evidence})
		}
	}
	termIn := func(rule, s string) {
		written, ok := r.term(s)
		sign(rule, written, ok)
	}
	contentIn := func(rule, s string) {
		name, ok := r.contentType(s)
		sign(rule, name, ok)
	}
	termIn(RuleTypeTerm, p.typ)
	termIn(RuleTitleTerm, p.title)
	written, ok := r.termOf(p.path)
	sign(RulePathTerm, written, ok)
	termIn(RuleFileTerm, unescaped(p.name))
	termIn(RuleAnchorTerm, p.anchor)
	termIn(RuleContextTerm, p.context)
	contentIn(RuleTypeContent, p.typ)
	contentIn(RuleTitleContent, p.title)
	contentIn(RuleAnchorContent, p.anchor)
	contentIn(RuleContextContent, p.context)
	sign(RuleExtension, p.extension, extension == ClassR)
	sign(stated, "", stated != "")
	sign(RuleVocabulary, "", vocabulary && p.extension == "")
	sign(RuleRDFLink, "", p.rdf && !vocabulary && p.extension == "")
	return reasons
}

// termOf returns the first term in a directory of a path: a phrase does not continue in the next.
func (r *reader) termOf(path string) (written string, ok bool) {
	for directory := range strings.SplitSeq(path, "/") {
		if written, ok = r.term(unescaped(directory)); ok {
			return written, true
		}
	}
	return "", false
}
