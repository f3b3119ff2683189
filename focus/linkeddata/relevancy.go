package linkeddata

import (
	"strings"

	"orbweaver"
)

// The rules of links, in the order of evaluation. Only the first matching rule of N is recorded; of R all
// matching rules are, each a row of the paper's Table II.
const (
	RuleProtocol       = "protocol"        // N: not http(s)
	RuleOtherExtension = "other-extension" // N: an extension of what is neither RDF nor HTML

	RuleTypeTerm    = "type-term"    // R: the attribute type contains a term
	RuleTitleTerm   = "title-term"   // R: the attribute title contains a term
	RulePathTerm    = "path-term"    // R: a directory contains a term
	RuleFileTerm    = "file-term"    // R: the file name or query contains a term; the extension does not count
	RuleAnchorTerm  = "anchor-term"  // R: the anchor text contains a term
	RuleContextTerm = "context-term" // R: the text around the link contains a term

	RuleTypeContent    = "type-content"    // R: the attribute type contains a content type
	RuleTitleContent   = "title-content"   // R: the attribute title contains a content type
	RuleAnchorContent  = "anchor-content"  // R: the anchor text contains a content type
	RuleContextContent = "context-content" // R: the text around the link contains a content type

	RuleExtension  = "extension"  // R: an extension of RDF
	RulePacked     = "packed"     // R: an archive that an IRI of a triple names, or whose link speaks of data
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

// scoreOf returns the priority of a class, 0..1.
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

// A verdict is the result of Relevancy_R for a link: its class (R, H or N), the score, and the rules, whose
// weights add up to the score.
type verdict struct {
	class    string
	score    float64
	endpoint bool // it is stated that the URL is an endpoint and not a document
	reasons  []orbweaver.Reason
}

// over reports whether a link is better evidence for its target than another: an endpoint precedes anything
// else, then the higher score counts.
func (v verdict) over(w verdict) bool {
	return !w.endpoint && (v.endpoint || v.score > w.score)
}

// relevancy is Relevancy_R, section III.C.2 of the paper, for a link of a page that is HTML or not. A vocabulary
// link is an RDF link to the document of a predicate or class.
func (r *reader) relevancy(link *orbweaver.Link, vocabulary, html bool) verdict {
	p := r.lists.propertiesOf(link)
	of, stated := r.lists.extensions[p.extension], r.statedBy(link)
	switch {
	case p.protocol != "http" && p.protocol != "https":
		return because(ClassN, 0, RuleProtocol, p.protocol)
	case stated == RuleEndpoint:
		v := because(ClassN, 0, stated, "")
		v.endpoint = true
		return v
	case stated == RuleWellKnown:
		return because(ClassR, scoreHR, stated, "")
	case r.beyond.Harvest && unpacks(p.extension) && (p.triple || r.ofDump(&p)):
		reasons := r.signs(&p, of, stated, false, false)
		if len(reasons) == 0 {
			reasons = []orbweaver.Reason{{Rule: RulePacked, Evidence: p.extension}}
		}
		return r.shared(reasons)
	case of == ClassN && (stated == "" || !r.lists.packed[p.extension]):
		return because(ClassN, 0, RuleOtherExtension, p.extension)
	}
	ofRDF := p.triple && (!html || r.readings.RDFLinks == OfTriples)
	if reasons := r.signs(&p, of, stated, vocabulary, ofRDF); len(reasons) > 0 {
		return r.shared(reasons)
	}
	switch {
	case of == ClassH:
		return because(ClassH, scoreH, RuleHTMLExtension, p.extension)
	case p.extension == "":
		return because(ClassH, scoreH, RuleHTMLLink, "")
	}
	return because(ClassN, 0, RuleOtherwise, p.extension)
}

// shared returns the verdict R for reasons of equal weight.
func (r *reader) shared(reasons []orbweaver.Reason) verdict {
	score := scoreR
	if r.beyond.Graded {
		score = 0
		for _, one := range reasons {
			score = max(score, gradeOf(one.Rule))
		}
	}
	for i := range reasons {
		reasons[i].Weight = score / float64(len(reasons))
	}
	return verdict{class: ClassR, score: score, reasons: reasons}
}

// gradeOf returns the score of a link that is R by a rule: the paper has one for all. What is stated of a URL, its extension and the type that its link
// names say what it is; words of anchors, titles and file names what it is called; words of directories and around the link what else is there.
func gradeOf(rule string) float64 {
	switch rule {
	case RuleTitleTerm, RuleFileTerm, RuleAnchorTerm, RuleTitleContent, RuleAnchorContent, RuleRDFLink:
		return scoreR - 0.1
	case RulePathTerm, RuleContextTerm, RuleContextContent:
		return scoreR - 0.2
	}
	return scoreR
}

// ofDump reports whether the words of a link to an archive say that data is in it: a term of RDF, or a word for data.
func (r *reader) ofDump(p *properties) bool {
	for _, s := range [...]string{unescaped(p.path), unescaped(p.name), p.typ, p.title, p.anchor, p.context} {
		if _, ok := r.term(s); ok {
			return true
		}
		for _, word := range wordsOf(s) {
			switch strings.Trim(strings.ToLower(word), "0123456789-_.") {
			case "data", "dataset", "datasets", "dump", "dumps", "ontology", "graph", "statements", "void":
				return true
			}
		}
	}
	return false
}

// because returns a verdict with a single reason.
func because(class string, score float64, rule, evidence string) verdict {
	return verdict{class: class, score: score, reasons: []orbweaver.Reason{{Rule: rule, Evidence: evidence, Weight: score}}}
}

// signs returns the matching rules of R with their evidence; ofRDF: the link is an RDF link.
func (r *reader) signs(p *properties, extension, stated string, vocabulary, ofRDF bool) (reasons []orbweaver.Reason) {
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
	sign(RuleRDFLink, "", ofRDF && !vocabulary && p.extension == "")
	return reasons
}

// termOf returns the first term in a directory of a path: phrases do not span directories.
func (r *reader) termOf(path string) (written string, ok bool) {
	for directory := range strings.SplitSeq(path, "/") {
		if written, ok = r.term(unescaped(directory)); ok {
			return written, true
		}
	}
	return "", false
}
