package linkeddata

import (
	"fmt"

	"orbweaver/focus/linkeddata"
	"orbweaver/internal/crawlfile"
)

// The modes.
const (
	modeDefault = "default"
	modePaper   = "paper"
)

// A setting is a key that the paper's crawler has at one value.
type setting struct {
	key   string
	word  *string // of a key with words; else
	flag  *bool
	value string // the word, or true or false
}

// now returns the value of the section.
func (s setting) now() string {
	if s.word != nil {
		return *s.word
	}
	return fmt.Sprint(*s.flag)
}

// set gives the key the paper's value.
func (s setting) set() {
	if s.word != nil {
		*s.word = s.value
		return
	}
	*s.flag = s.value == "true"
}

// settings are the keys that mode: paper sets, in the order of the reference. The compared method of section
// IV.A.3, non_focused, does not analyze links: it follows class N too.
func (s *section) settings() []setting {
	all := []setting{
		{key: "classifier", word: &s.Classifier, value: "rules"},
		{key: "hr", word: &s.HR, value: "paper"},
		{key: "learned", word: &s.Learned, value: "arrived"},
		{key: "hosts", word: &s.Hosts, value: "found"},
		{key: "rerank", flag: &s.Rerank, value: "false"},
		{key: "keep_n", flag: &s.KeepN, value: fmt.Sprint(s.Method == nonFocused)},
		{key: "pattern_record", flag: &s.PatternRecord, value: "false"},
		{key: "graded", flag: &s.Graded, value: "false"},
		{key: "directories", flag: &s.Directories, value: "false"},
		{key: "described", flag: &s.Described, value: "false"},
		{key: "well_known", flag: &s.WellKnown, value: "false"},
		{key: "stated", flag: &s.Stated, value: "false"},
		{key: "learn_terms", flag: &s.LearnTerms, value: "false"},
		{key: "harvest", flag: &s.Harvest, value: "false"},
		{key: "link_headers", flag: &s.LinkHeaders, value: "false"},
		{key: "frames", flag: &s.Frames, value: "false"},
		{key: "data", word: &s.Data, value: "rdfa"},
		{key: "suffix", word: &s.Suffix, value: "any"},
	}
	return all
}

// readings are the keys on which the paper can be read several ways: mode: paper has the literal one unless
// the file chooses another.
func (s *section) readings() []setting {
	return []setting{
		{key: "vocabularies", word: &s.Vocabularies, value: "terms"},
		{key: "rdf_links", word: &s.RDFLinks, value: "documents"},
	}
}

const nonFocused = "non_focused"

// Check completes mode: paper and reports keys that contradict it. Unless the file says otherwise, what the online
// classifier cannot do has the rules, and it ranks hosts by their bounds.
func (Kind) Check(of any, c *crawlfile.Check) {
	s := of.(*section)
	if s.Mode != modePaper {
		if !c.Given("classifier") && (s.Method != "focused" || !s.Rerank || s.LearnTerms) {
			s.Classifier = "rules"
		}
		if !c.Given("hosts") && s.Classifier == "online" {
			s.Hosts = "bandit"
		}
		return
	}
	if s.Method != "focused" && s.Method != nonFocused {
		contradicts(c, "method", s.Method, "focused, or non_focused, which the paper compares with")
	}
	for _, one := range s.settings() {
		if c.Given(one.key) && one.now() != one.value {
			contradicts(c, one.key, one.now(), one.value)
		}
		one.set()
	}
	for _, one := range s.readings() {
		if !c.Given(one.key) {
			one.set()
		}
	}
	if c.Crawl == nil {
		return
	}
	if c.GivenInFile("sitemaps") && c.Crawl.Sitemaps != "off" {
		c.Problem("mode", "paper reads no sitemaps, and the file has sitemaps: "+c.Crawl.Sitemaps, "write sitemaps: off or leave it out, or leave out mode: paper")
	}
	c.Crawl.Sitemaps = "off"
}

// contradicts reports a key that mode: paper has at another value.
func contradicts(c *crawlfile.Check, key, is, paper string) {
	c.Problem(key, is+" contradicts mode: paper, which has "+key+": "+paper, "leave out "+key+", or mode: paper and write the paper's values of the other keys one by one")
}

// beyond returns the options of the section that the paper does not have.
func (s *section) beyond() (linkeddata.Beyond, linkeddata.Readings) {
	b := linkeddata.Beyond{
		PatternRecord: s.PatternRecord, Described: s.Described, WellKnown: s.WellKnown, Stated: s.Stated, Harvest: s.Harvest, LinkHeaders: s.LinkHeaders,
		Frames: s.Frames, Graded: s.Graded, Directories: s.Directories, LearnTerms: s.LearnTerms, Rerank: s.Rerank,
		Linked: s.Learned != "arrived", Plausible: s.Suffix != "any",
	}
	var r linkeddata.Readings
	r.Vocabularies, _ = linkeddata.ParseVocabularies(s.Vocabularies) // the crawl file was checked
	r.RDFLinks, _ = linkeddata.ParseRDFLinks(s.RDFLinks)
	r.Match, _ = linkeddata.ParseMatch(s.Match)
	return b, r
}
