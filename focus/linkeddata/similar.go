package linkeddata

// A similar is S_HR, the set of HTML pages that led to RDF, by the two patterns of each: section III.C.3 of
// the paper. A URL is similar to a member if host and number of directories are equal and either all
// directories but the last are equal, or all directories are equal and the file names differ. Lookup uses the
// URL's own two patterns and needs no search.
type similar struct {
	folders patterns // by host and all directories but the last: the last directories seen
	files   patterns // by host and all directories: the file names seen
}

func newSimilar() similar { return similar{newPatterns(), newPatterns()} }

// The bounds of S_HR: patterns per kind, and bytes per pattern. What exceeds them is not learned.
const maxPatterns, maxPattern = 1 << 17, 512

// patternKey is the prefix of patterns' keys.
const patternKey = "pattern:"

// add adds a page to S_HR. It returns the keys of requests that may have become similar.
func (s *similar) add(url string) (stale []string) {
	at := locate(url)
	if at.above != "" && s.folders.add(at.above, at.last) {
		stale = append(stale, at.folderKey())
	}
	if s.files.add(at.folders, at.file) {
		stale = append(stale, at.fileKey())
	}
	return stale
}

// find returns the pattern by which a URL is similar to a member.
func (s *similar) find(at location) (pattern string, ok bool) {
	switch {
	case s.files.has(at.folders, at.file):
		return at.folders + "*", true
	case at.above != "" && s.folders.has(at.above, at.last):
		return at.above + "*/", true
	}
	return "", false
}

// folderKey is the key of URLs that differ in their last directory, or below it.
func (at location) folderKey() string { return patternKey + at.above + "*/" }

// fileKey is the key of URLs that differ in their file name.
func (at location) fileKey() string { return patternKey + at.folders + "*" }

// keys returns the keys of a request that may become similar to a member.
func (at location) keys() []string {
	if at.above == "" {
		return []string{at.fileKey()}
	}
	return []string{at.folderKey(), at.fileKey()}
}

// patterns holds, for each pattern, the values in which its members differ: one value, or several. A value is
// only compared and therefore stored as a hash.
type patterns struct {
	list  []pattern // in order of first occurrence
	index map[string]int
}

type pattern struct {
	key     string
	first   uint64
	several bool
}

func newPatterns() patterns { return patterns{index: map[string]int{}} }

// add reports whether URLs have become similar.
func (p *patterns) add(key, value string) bool {
	i, known := p.index[key]
	switch {
	case !known && (len(p.list) == maxPatterns || len(key) > maxPattern):
		return false
	case !known:
		p.put(pattern{key: key, first: hash(value)})
		return true
	case p.list[i].several || p.list[i].first == hash(value):
		return false
	}
	p.list[i].several = true
	return true
}

func (p *patterns) put(one pattern) {
	p.index[one.key] = len(p.list)
	p.list = append(p.list, one)
}

// has reports whether the pattern has a member with another value.
func (p *patterns) has(key, value string) bool {
	i, known := p.index[key]
	return known && (p.list[i].several || p.list[i].first != hash(value))
}

// hash is FNV-1a.
func hash(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}
