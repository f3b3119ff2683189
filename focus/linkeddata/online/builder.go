package online

import (
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/weburl"
)

// A builder computes the features of one link.
type builder struct {
	model *Model
	dst   []uint32
	group int
	from  int     // where the group starts in dst
	names *[]name // of features; nil unless names are needed
}

// A name is the readable form of a feature's code.
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
	b.enter(groupAbove)
	b.above(at)
}

// sight adds the features of the link's source.
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
	maxDepth = len(depths) - 1 // greater depths count as this one
)

func (b *builder) path(at location, shape uint64) {
	b.add(kindShape, b.pattern(at.place, at.extension), shape)
	path := b.hash(kindPath, at.extension)
	b.add(kindPath, b.pattern(at.folders, at.extension), mix(folded(path, at.folders)))
	depth := min(max(strings.Count(at.folders, "/")-1, 0), maxDepth)
	b.token(kindDepth, depths[depth:depth+1])
	b.words(kindDirectory, at.folders)
}

// above adds the shape without the last directory, with and without the host.
func (b *builder) above(at location) {
	up := above(at.folders)
	if up == "" {
		return
	}
	b.add(kindShapeAbove, b.pattern(at.host+up+"*/", at.extension), mix(folded(mix(folded(b.exact(kindShapeAbove, at.host), up)), at.extension)))
	b.add(kindPathAbove, b.pattern(up+"*/", at.extension), mix(folded(b.hash(kindPathAbove, at.extension), up)))
}

// above returns the directories without the last: "/a/" for "/a/b/"; empty for "/".
func above(folders string) string {
	if len(folders) < 2 {
		return ""
	}
	return folders[:strings.LastIndexByte(folders[:len(folders)-1], '/')+1]
}

// pattern returns the readable form of a shape; it is used for names only.
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

// texts adds the features of the link's texts and attributes.
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

// maxRels bounds the words of a rel attribute that are read.
const maxRels = 4

// enter starts a group; groups are entered in order.
func (b *builder) enter(group int) { b.group, b.from = group, len(b.dst) }

func (b *builder) full() bool { return len(b.dst)-b.from >= mosts[b.group] }

// token adds a whole text as one feature.
func (b *builder) token(k kind, s string) { b.add(k, s, b.hash(k, s)) }

// ruleCode returns the code of a rule's own cell, or of a hashed one if the model does not know the rule.
func (b *builder) ruleCode(rule string) uint32 {
	if i, known := b.model.index[rule]; known {
		return codeOf(groupRules, uint32(firstRule+i))
	}
	return codeOf(groupRules, uint32(b.hash(kindRule, rule))&(hashedCells-1))
}

// trustCode returns the code of a rule at a host.
func (b *builder) trustCode(rule string, host uint32) uint32 {
	return codeOf(groupTrust, uint32(mix(uint64(host)^b.hash(kindTrust, rule)))&(hashedCells-1))
}

// basis returns the initial hash of a kind.
func (b *builder) basis(k kind) uint64 {
	return mix(b.model.seed ^ uint64(k+1)*0x9e3779b97f4a7c15)
}

// hash returns the hash of a text in lower case with its numbers folded.
func (b *builder) hash(k kind, s string) uint64 { return mix(folded(b.basis(k), s)) }

// exact returns the hash of a text as it is.
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

// put inserts a code into its group in order, once.
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
