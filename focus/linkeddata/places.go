package linkeddata

import (
	"fmt"
	"slices"
	"strings"

	"orbweaver"
)

// RuleAbove gives a link to a directory in which RDF was found the class HR, and a score above others: its page lists what is in it, as a rule.
const RuleAbove = "above"

// RuleDescriptions lowers the score of a request for the description of a host by the share of hosts that had none.
const RuleDescriptions = "descriptions"

// scoreAbove is the least score of such a link.
const scoreAbove = (scoreR + scoreHR) / 2

// directory returns the directory that a URL names, with or without a slash at its end: "a.test/data/" for http://a.test/data; empty if it
// names none.
func (at location) directory() string {
	switch {
	case at.file == "":
		return at.folders
	case strings.IndexByte(at.file, '?') >= 0:
		return ""
	}
	return at.folders + at.file + "/"
}

// above reports whether RDF was found in the directory that a URL names, and which that is.
func (f *Focus) above(at location) (directory string, ok bool) {
	if len(f.places.list) == 0 {
		return "", false
	}
	directory = at.directory()
	return directory, directory != "" && f.places.has(hash(directory))
}

// inPlace adds the directory of a document of RDF, and returns the keys of requests that may name it.
func (f *Focus) inPlace(url string) (stale []string) {
	at := locate(url)
	if !f.opts.Beyond.Directories || f.places.has(hash(at.folders)) || len(at.folders) > maxPattern {
		return nil
	}
	f.places.set(hash(at.folders), 0)
	if at.above == "" {
		return []string{at.fileKey()}
	}
	return []string{at.folderKey(), locate("http://" + at.above).fileKey()}
}

// descriptions counts the hosts that were asked to describe their data, and those that did.
type descriptions struct{ asked, found int64 }

// describedKey is the key of requests for descriptions of hosts.
const describedKey = "described"

// share is the expected share of hosts with a description, above 0 and up to 1: 1 before any was asked.
func (d descriptions) share() float64 { return float64(d.found+1) / float64(d.asked+1) }

// describedKeys returns the key by which a request for the description of a host is ranked anew.
func (f *Focus) describedKeys(v verdict) []string {
	if f.opts.Beyond.Directories && v.describes() {
		return []string{describedKey}
	}
	return nil
}

// describes reports whether a verdict is that of a request for the description of a host.
func (v verdict) describes() bool { return len(v.reasons) == 1 && v.reasons[0].Rule == RuleWellKnown }

// answered counts the outcome of a request for the description of a host, and returns the keys of requests to rerank.
func (f *Focus) answered(o orbweaver.Outcome, class string) (stale []string) {
	r := o.Request
	if r.Via == nil || r.Via.Origin != orbweaver.FromSeed || r.Purpose != orbweaver.ForPage || o.Page == nil && o.Redirect != "" || !f.opts.Beyond.Directories {
		return nil
	}
	if f.descriptions.asked++; class == ClassR {
		f.descriptions.found++
	}
	return []string{describedKey}
}

// byPlace adjusts the judgement of a link by what was found in places: a directory with RDF goes before other pages, and the description of a
// host as early as those of others deserve.
func (f *Focus) byPlace(j orbweaver.Judgement, at location, v verdict) orbweaver.Judgement {
	if v.describes() {
		if f.descriptions.asked == 0 {
			return j
		}
		score := j.Score * f.descriptions.share()
		j.Reasons = append(slices.Clip(j.Reasons), orbweaver.Reason{
			Rule: RuleDescriptions, Evidence: fmt.Sprintf("%d of %d hosts", f.descriptions.found, f.descriptions.asked), Weight: score - j.Score,
		})
		if j.Score = score; 2*f.descriptions.found < f.descriptions.asked {
			j.Class = ClassH
		}
		return j
	}
	if directory, ok := f.above(at); ok && (j.Class == ClassH || j.Class == ClassHR) && j.Score < scoreAbove {
		j.Reasons = append(slices.Clip(j.Reasons), orbweaver.Reason{Rule: RuleAbove, Evidence: directory, Weight: scoreAbove - j.Score})
		j.Class, j.Score = ClassHR, scoreAbove
		return j
	}
	return f.byYield(j, at)
}
