package online

import (
	"slices"

	"orbweaver"
)

// A Sight is the evidence about a link before it is followed.
type Sight struct {
	Link       *orbweaver.Link
	Rules      []string // names of the rules that fired
	FromHTML   bool     // its page is HTML
	PageClass  Class    // class of its page
	Vocabulary bool     // not a link of the page: a vocabulary that its quads use
}

// The groups of features, in the order of their codes. Each has the same influence at first.
const (
	groupSight = iota // the source of the link
	groupRules
	groupTrust // rules at this host
	groupHost
	groupPath
	groupFile
	groupAnchor
	groupContext
	groupAttributes
	groupAbove // the directory above the last
	groupPast
	groups = iota
)

// mosts bound the features per group; Predict adds those of the last group.
var mosts = [...]int{
	groupSight: 5, groupRules: 10, groupTrust: 6, groupHost: 5, groupPath: 12, groupFile: 10, groupAnchor: 10,
	groupContext: 24, groupAttributes: 10, groupAbove: 2,
}

const (
	// MaxFeatures bounds the features of a link.
	MaxFeatures = keys + 94
	maxCodes    = MaxFeatures - keys + maxPast
)

// A kind is the source of a feature's text.
type kind uint8

const (
	kindOrigin kind = iota
	kindPage
	kindPageClass
	kindVocabulary
	kindRule
	kindTrust
	kindHost
	kindDomain
	kindLabel
	kindShape
	kindPath
	kindDirectory
	kindDepth
	kindExtension
	kindFile
	kindQuery
	kindAnchor
	kindContext
	kindTitle
	kindRel
	kindType
	kindShapeAbove
	kindPathAbove
)

// kinds give the group and the displayed name of each kind.
var kinds = [...]struct {
	group int
	name  string
}{
	kindOrigin:     {groupSight, "origin"},
	kindPage:       {groupSight, "page"},
	kindPageClass:  {groupSight, "page-class"},
	kindVocabulary: {groupSight, "link-kind"},
	kindRule:       {groupRules, "rule"},
	kindTrust:      {groupTrust, "rule-at-host"},
	kindHost:       {groupHost, "host"},
	kindDomain:     {groupHost, "domain"},
	kindLabel:      {groupHost, "host-word"},
	kindShape:      {groupPath, "shape"},
	kindPath:       {groupPath, "path"},
	kindDirectory:  {groupPath, "directory-word"},
	kindDepth:      {groupPath, "depth"},
	kindExtension:  {groupFile, "file-extension"},
	kindFile:       {groupFile, "file-word"},
	kindQuery:      {groupFile, "query-key"},
	kindAnchor:     {groupAnchor, "anchor-word"},
	kindContext:    {groupContext, "context-word"},
	kindTitle:      {groupAttributes, "title-word"},
	kindRel:        {groupAttributes, "rel"},
	kindType:       {groupAttributes, "type"},
	kindShapeAbove: {groupAbove, "shape-above"},
	kindPathAbove:  {groupAbove, "path-above"},
}

// A code is a feature of a link: its group, and the cell with its weights. The codes of a link are ascending.
const groupShift = 20

func codeOf(group int, index uint32) uint32 { return uint32(group)<<groupShift | index }

func group(code uint32) int { return int(code >> groupShift) }

func index(code uint32) uint32 { return code & (1<<groupShift - 1) }

// Features appends the features of a link, at most MaxFeatures: hashes that depend only on the sight, the
// seed and the rules, not on the learned state.
func (m *Model) Features(dst []uint32, s *Sight) []uint32 {
	b := builder{model: m, dst: dst}
	b.read(s)
	return b.dst
}

// WithRule returns features with an additional rule that fired, one that depends on the learned state.
func (m *Model) WithRule(features []uint32, rule string) []uint32 {
	if len(features) < keys {
		return features
	}
	b := builder{model: m}
	features = inserted(features, b.ruleCode(rule))
	return inserted(features, b.trustCode(rule, features[ofHost]))
}

// inserted returns features with an additional code, unless it is present or its group is full.
func inserted(features []uint32, code uint32) []uint32 {
	before, at := 0, keys
	for ; at < len(features) && features[at] < code; at++ {
		if group(features[at]) == group(code) {
			before++
		}
	}
	size := before
	for i := at; i < len(features) && group(features[i]) == group(code); i++ {
		size++
	}
	if size >= mosts[group(code)] || at < len(features) && features[at] == code {
		return features
	}
	return slices.Insert(features, at, code)
}
