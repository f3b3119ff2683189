package online

import (
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/weburl"
)

// A Sight is what is seen of a link before it is followed.
type Sight struct {
	Link       *orbweaver.Link
	Rules      []string // names of those that fired
	FromHTML   bool     // its page is HTML
	PageClass  Class    // of its page
	Vocabulary bool     // no link of the page: a vocabulary that its quads use
}

// The groups of features, in the order in which features have them. Each has the same say at first.
const (
	groupSight = iota // where the link stands
	groupRules
	groupTrust // rules, at this host
	groupHost
	groupPath
	groupFile
	groupAnchor
	groupContext
	groupAttributes
	groupPast
)

// mosts bound the features of a group, the last of which Predict adds.
var mosts = [...]int{
	groupSight: 5, groupRules: 10, groupTrust: 6, groupHost: 5, groupPath: 12, groupFile: 10, groupAnchor: 10,
	groupContext: 24, groupAttributes: 10,
}

const (
	// MaxFeatures bounds the features of a link.
	MaxFeatures = keys + 92
	maxCodes    = MaxFeatures - keys + maxPast
)

// A kind of feature tells what its text is of.
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
)

// kinds say of which group a kind is, and what people call it.
var kinds = [...]struct {
	group int
	name  string
}{
	kindOrigin:     {groupSight, "origin"},
	kindPage:       {groupSight, "page"},
	kindPageClass:  {groupSight, "page-class"},
	kindVocabulary: {groupSight, "vocabulary"},
	kindRule:       {groupRules, "rule"},
	kindTrust:      {groupTrust, "rule-at-host"},
	kindHost:       {groupHost, "host"},
	kindDomain:     {groupHost, "domain"},
	kindLabel:      {groupHost, "host-word"},
	kindShape:      {groupPath, "shape"},
	kindPath:       {groupPath, "path"},
	kindDirectory:  {groupPath, "directory-word"},
	kindDepth:      {groupPath, "depth"},
	kindExtension:  {groupFile, "extension"},
	kindFile:       {groupFile, "file-word"},
	kindQuery:      {groupFile, "query-key"},
	kindAnchor:     {groupAnchor, "anchor-word"},
	kindContext:    {groupContext, "context-word"},
	kindTitle:      {groupAttributes, "title-word"},
	kindRel:        {groupAttributes, "rel"},
	kindType:       {groupAttributes, "type"},
}

// A code is a feature of a link: its group, and the cell that has its weights. Codes of one link are
// ascending.
const groupShift = 20

func codeOf(group int, index uint32) uint32 { return uint32(group)<<groupShift | index }

func group(code uint32) int { return int(code >> groupShift) }

func index(code uint32) uint32 { return code & (1<<groupShift - 1) }

// Features appends the features of a link, at most MaxFeatures: hashes that are the same for the same
// sight and seed. It depends on what the model was made of alone, not on what it learned.
func (m *Model) Features(dst []uint32, s *Sight) []uint32 {
	b := builder{model: m, dst: dst}
	b.read(s)
	return b.dst
}

// WithRule returns features with one more rule that fires: one that depends on what a crawl learned.
func (m *Model) WithRule(features []uint32, rule string) []uint32 {
	if len(features) < keys {
		return features
	}
	b := builder{model: m}
	features = inserted(features, b.ruleCode(rule))
	return inserted(features, b.trustCode(rule, features[ofHost]))
}

// inserted are features with a code more, unless they have it, or its group is full.
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

// A builder gathers the features of one link.
type builder struct {
	model *Model
	dst   []uint32
	group int
	from  int     // where the group starts in dst
	names *[]name // of features, where they are asked for
}

// A name is what a feature's code stands for.
type name struct {
	code uint32
	kind kind
	text string
}

func (b *builder) read(s *Sight) {
	at := locate(s.Link.To)
	domain := weburl.PayLevelDomain(at.name)
	host := b.exact(kindHost, at.host)
	shape := mix(folded(mix(folded(host, at.folders)), at.extension))
	b.dst = append(b.dst, uint32(b.exact(kindDomain, domain)), uint32(host), uint32(shape))

	b.enter(groupSight)
	b.sight(s)
	b.enter(groupRules)
	for _, rule := range s.Rules {
		b.put(kindRule, rule, b.ruleCode(rule))
	}
	b.enter(groupTrust)
	for _, rule := range s.Rules {
		b.put(kindTrust, rule, b.trustCode(rule, uint32(host)))
	}
	b.enter(groupHost)
	b.add(kindHost, at.host, host)
	b.add(kindDomain, domain, b.exact(kindDomain, domain))
	b.words(kindLabel, at.name)
	b.enter(groupPath)
	b.path(at, shape)
	b.enter(groupFile)
	b.file(at)
	b.texts(s.Link)
}

// sight takes where the link stands.
func (b *builder) sight(s *Sight) {
	b.token(kindOrigin, string(s.Link.Origin))
	page := "other"
	if s.FromHTML {
		page = "html"
	}
	b.token(kindPage, page)
	b.token(kindPageClass, s.PageClass.String())
	if s.Vocabulary {
		b.token(kindVocabulary, "vocabulary")
	}
}

const (
	depths   = "0123456789"
	maxDepth = len(depths) - 1 // deeper ones are as deep
)

func (b *builder) path(at location, shape uint64) {
	b.add(kindShape, b.pattern(at.place, at.extension), shape)
	path := b.hash(kindPath, at.extension)
	b.add(kindPath, b.pattern(at.folders, at.extension), mix(folded(path, at.folders)))
	depth := min(max(strings.Count(at.folders, "/")-1, 0), maxDepth)
	b.token(kindDepth, depths[depth:depth+1])
	b.words(kindDirectory, at.folders)
}

// pattern is what people see of a shape; it is needed for names alone.
func (b *builder) pattern(folders, extension string) string {
	if b.names == nil {
		return ""
	}
	return folders + "*" + extension
}

func (b *builder) file(at location) {
	b.token(kindExtension, at.extension)
	for query := at.query; query != ""; {
		pair := query
		if i := strings.IndexByte(query, '&'); i >= 0 {
			pair, query = query[:i], query[i+1:]
		} else {
			query = ""
		}
		name, _, _ := strings.Cut(pair, "=")
		b.token(kindQuery, name)
		if b.full() {
			return
		}
	}
	b.words(kindFile, at.file)
}

// texts takes what is written on and around the link, and its attributes.
func (b *builder) texts(l *orbweaver.Link) {
	b.enter(groupAnchor)
	b.words(kindAnchor, l.Anchor)
	b.enter(groupContext)
	b.words(kindContext, l.Context)
	b.enter(groupAttributes)
	if l.Type != "" {
		b.token(kindType, cut(l.Type))
	}
	rels := 0
	for rel := range strings.FieldsSeq(cut(l.Rel)) {
		if b.token(kindRel, rel); rels == maxRels {
			break
		}
		rels++
	}
	b.words(kindTitle, l.Title)
}

// maxRels is how many words of a rel attribute are looked at.
const maxRels = 4

// enter starts a group; groups are entered in their order.
func (b *builder) enter(group int) { b.group, b.from = group, len(b.dst) }

func (b *builder) full() bool { return len(b.dst)-b.from >= mosts[b.group] }

// token takes a text as one feature.
func (b *builder) token(k kind, s string) { b.add(k, s, b.hash(k, s)) }

// ruleCode is that of a rule's own cell, or of a hashed one when the model does not know the rule.
func (b *builder) ruleCode(rule string) uint32 {
	if i, known := b.model.index[rule]; known {
		return codeOf(groupRules, uint32(firstRule+i))
	}
	return codeOf(groupRules, uint32(b.hash(kindRule, rule))&(hashedCells-1))
}

// trustCode is that of a rule at a host.
func (b *builder) trustCode(rule string, host uint32) uint32 {
	return codeOf(groupTrust, uint32(mix(uint64(host)^b.hash(kindTrust, rule)))&(hashedCells-1))
}

// basis is what hashes of a kind start from.
func (b *builder) basis(k kind) uint64 {
	return mix(b.model.seed ^ uint64(k+1)*0x9e3779b97f4a7c15)
}

// hash is that of a text in lower case with its numbers folded.
func (b *builder) hash(k kind, s string) uint64 { return mix(folded(b.basis(k), s)) }

// exact is that of a name in which all counts.
func (b *builder) exact(k kind, s string) uint64 {
	h := b.basis(k)
	for i := range len(s) {
		h = fnv(h, s[i])
	}
	return mix(h)
}

func (b *builder) add(k kind, s string, hash uint64) {
	b.put(k, s, codeOf(b.group, uint32(hash)&(hashedCells-1)))
}

// put inserts a code in its place in the group, once.
func (b *builder) put(k kind, s string, code uint32) {
	if b.full() {
		return
	}
	i := len(b.dst)
	for i > b.from && b.dst[i-1] > code {
		i--
	}
	if i > b.from && b.dst[i-1] == code {
		return
	}
	b.dst = slices.Insert(b.dst, i, code)
	if b.names != nil {
		*b.names = append(*b.names, name{code, k, s})
	}
}
