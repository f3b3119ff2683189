package archive

import (
	"bytes"
	"cmp"
	"errors"
	"hash/maphash"
	"math"
	"net/http"
	"slices"
	"strings"
	"time"
)

// A capture is one archived answer. It takes 56 bytes and its URL.
type capture struct {
	offset, length int64 // in the file
	date           int64 // nanoseconds since 1970
	url            int64 // start in the blob of URLs
	urlSize        uint32
	origin         int32 // of a revisit: index of the capture with its body; noOrigin for others
	file           uint16
	status         uint16 // 0: a revisit without a status line
	media          uint16 // index into the table of media types
	wanted         uint16 // the type that the request of a 303 preferred; 0: not known
	revisit        bool
	elsewhere      bool  // a revisit whose payload another archive has
	others         uint8 // captures of the same URL that follow in the index
}

const noOrigin = -1

// Keys are hashes of the names by which a revisit may refer to a capture; 0 is no name.
type keys struct{ id, place, digest uint64 }

// An indexer collects the captures of sources.
type indexer struct {
	urls     []byte
	captures []capture
	keys     []keys // of each capture: its own names, or of a revisit those it refers to
	media    []string
	mediaIDs map[string]uint16
	seed     maphash.Seed
	file     uint16
	tabled   bool // the folder of the file says which other archives have payloads
	wish     wish // of the request record last read
	made     made // rendered page last read
	rendered map[spot]span

	pending     capture // begun, not ended
	pendingKeys keys
	pendingURL  string
	pendingID   uint64 // hash of its record id
	pendingOdd  bool
	converting  bool // begun: a rendered page
	odd         int  // response records that are invalid
}

func newIndexer() *indexer {
	return &indexer{
		media: []string{""}, mediaIDs: map[string]uint16{"": 0}, seed: maphash.MakeSeed(),
	}
}

// begin classifies a record: an HTTP response, its revisit, a resource of the Web, or a request. Others are
// ignored.
func (x *indexer) begin(r *record, offset int64) error {
	x.pendingURL, x.pendingOdd = "", false
	h := &r.header
	switch h.kind {
	case "request":
		return x.takeRequest(r)
	case "conversion":
		if h.isRendered() {
			x.made = made{span{offset: offset, file: int32(x.file)}, x.hash(h.refersTo)}
			x.converting = true
		}
		return nil
	case "response", "revisit", "resource":
	default:
		return nil
	}
	if len(h.target) > maxURL {
		x.pendingOdd = true
		return nil
	}
	url, err := canonical(h.target)
	if err != nil {
		return nil // dns:, whois:, metadata: and the like
	}
	c := capture{offset: offset, date: instant(h.date), origin: noOrigin, file: x.file}
	ok, err := x.readAnswer(&c, r)
	if err != nil || !ok {
		return err
	}
	x.pending, x.pendingURL = c, url
	x.pendingKeys, x.pendingID = x.names(h, url), x.hash(h.id)
	if c.status == http.StatusSeeOther {
		x.pending.wanted = x.wantedOf(h, x.pendingKeys.id)
	}
	return nil
}

// readAnswer reads status and media type.
func (x *indexer) readAnswer(c *capture, r *record) (ok bool, err error) {
	h := &r.header
	c.revisit, c.elsewhere = h.kind == "revisit", h.isElsewhere() && x.tabled
	if h.kind == "resource" {
		c.status, c.media = 200, x.mediaID(plainMedia(h.contentType))
		return true, nil
	}
	if !r.isHTTP() {
		if !c.revisit {
			x.pendingOdd = true
		}
		return c.revisit, nil
	}
	start, whole, err := r.peek()
	if err != nil {
		return false, err
	}
	answer, err := splitHead(start, whole)
	if err != nil {
		x.pendingOdd = true
		return false, nil
	}
	c.status, c.media = uint16(answer.status), x.mediaID(answer.mediaType())
	if c.revisit && answer.status == 304 {
		c.status, c.media = 0, 0 // server-not-modified: the answer is the original's
	}
	return true, nil
}

// names hashes the names of a capture, or those that a revisit refers to.
func (x *indexer) names(h *header, url string) keys {
	if h.kind != "revisit" {
		return keys{x.hash(h.id), x.place(url, instant(h.date)), x.hash(h.digest)}
	}
	k := keys{id: x.hash(h.refersTo), digest: x.hash(h.digest)}
	if !h.refersDate.IsZero() {
		if h.refersURI != "" {
			if to, err := canonical(h.refersURI); err == nil {
				url = to
			}
		}
		k.place = x.place(url, instant(h.refersDate))
	}
	return k
}

// hash is 0 only for the empty name.
func (x *indexer) hash(name string) uint64 {
	if name == "" {
		return 0
	}
	return maphash.String(x.seed, name) | 1
}

func (x *indexer) place(url string, date int64) uint64 {
	return maphash.Comparable(x.seed, struct {
		url  string
		date int64
	}{url, date}) | 1
}

// instant is a sortable time; the zero time sorts first.
func instant(t time.Time) int64 {
	if t.IsZero() {
		return math.MinInt64
	}
	return t.UnixNano()
}

func (x *indexer) mediaID(media string) uint16 {
	id, known := x.mediaIDs[media]
	if !known && len(x.media) < 1<<16 {
		id = uint16(len(x.media))
		media = strings.Clone(media)
		x.media = append(x.media, media)
		x.mediaIDs[media] = id
	}
	return id
}

// end adds the record last begun.
func (x *indexer) end(length int64) {
	if x.pendingOdd {
		x.odd++
	}
	if x.converting {
		x.made.at.length, x.converting = length, false
	}
	if x.pendingURL == "" {
		return
	}
	c := x.pending
	x.render(&c, x.pendingID)
	c.length, c.url, c.urlSize = length, int64(len(x.urls)), uint32(len(x.pendingURL))
	x.urls = append(x.urls, x.pendingURL...)
	x.captures = append(x.captures, c)
	x.keys = append(x.keys, x.pendingKeys)
	x.pendingURL = ""
}

// cutBack drops the captures from the n-th on.
func (x *indexer) cutBack(n int) {
	if n < len(x.captures) {
		x.urls = x.urls[:x.captures[n].url]
	}
	x.captures, x.keys, x.pendingURL, x.wish, x.made = x.captures[:n], x.keys[:n], "", wish{}, made{}
}

// resolve finds the originals of revisits: by record id, then by URL and date, then by digest; the first in
// reading order wins. It returns the number of revisits without an original.
func (x *indexer) resolve() (lost int) {
	wanted := make(map[uint64]int32)
	for i, c := range x.captures {
		if k := x.keys[i]; c.revisit {
			wanted[k.id], wanted[k.place], wanted[k.digest] = noOrigin, noOrigin, noOrigin
		}
	}
	for i, c := range x.captures {
		if k := x.keys[i]; !c.revisit {
			for _, name := range [...]uint64{k.id, k.place, k.digest} {
				if first, ok := wanted[name]; ok && first == noOrigin && name != 0 {
					wanted[name] = int32(i)
				}
			}
		}
	}
	for i := range x.captures {
		c, k := &x.captures[i], x.keys[i]
		if !c.revisit {
			continue
		}
		for _, name := range [...]uint64{k.id, k.place, k.digest} {
			if c.origin == noOrigin {
				c.origin = wanted[name]
			}
		}
		if c.origin == noOrigin {
			if !c.elsewhere {
				lost++
			}
			continue
		}
		if c.elsewhere = false; c.status == 0 {
			origin := x.captures[c.origin]
			c.status, c.media = origin.status, origin.media
		}
	}
	return lost
}

// An index has, for each URL, the capture to answer with, and one for each other form of the document. It is
// immutable.
type index struct {
	urls    []byte
	entries []capture // by URL, and of one URL best first; origin is an index into origins
	origins []capture // without their URLs
	media   []string

	rendered map[spot]span // rendered pages, by their answers
}

// index selects for each URL the latest capture of status 2xx, or else the latest; of two with equal dates the
// one read later. It does the same for each other form. Revisits without original are left out.
func (x *indexer) index() *index {
	order := make([]int32, 0, len(x.captures))
	for i, c := range x.captures {
		if !c.revisit || c.elsewhere || c.origin != noOrigin {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(i, j int32) int {
		a, b := &x.captures[i], &x.captures[j]
		return cmp.Or(
			bytes.Compare(x.urlOf(a), x.urlOf(b)),
			compareBool(b.ok(), a.ok()), cmp.Compare(b.date, a.date), cmp.Compare(j, i))
	})
	idx := &index{entries: make([]capture, 0, len(order)), media: x.media, rendered: x.rendered}
	var group []capture
	for n, i := range order {
		group = append(group, x.captures[i])
		url := x.urlOf(&x.captures[i])
		if n+1 < len(order) && bytes.Equal(url, x.urlOf(&x.captures[order[n+1]])) {
			continue
		}
		first := len(idx.entries)
		idx.addForms(group)
		x.settle(idx, first, url)
		group = group[:0]
	}
	idx.urls = slices.Clip(idx.urls)
	return idx
}

// settle sets the URL and originals of the entries from first on.
func (x *indexer) settle(idx *index, first int, url []byte) {
	at := int64(len(idx.urls))
	idx.urls = append(idx.urls, url...)
	for i := first; i < len(idx.entries); i++ {
		c := &idx.entries[i]
		c.url = at
		if c.origin != noOrigin {
			idx.origins = append(idx.origins, x.captures[c.origin])
			c.origin = int32(len(idx.origins) - 1)
		}
	}
}

func (x *indexer) urlOf(c *capture) []byte { return x.urls[c.url : c.url+int64(c.urlSize)] }

func (c *capture) ok() bool { return c.status >= 200 && c.status < 300 }

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func (x *index) urlOf(c *capture) []byte { return x.urls[c.url : c.url+int64(c.urlSize)] }

// find returns the capture for a URL and a field Accept.
func (x *index) find(url, accept string) (capture, bool) {
	i, found := slices.BinarySearchFunc(x.entries, url, func(c capture, url string) int {
		return strings.Compare(string(x.urlOf(&c)), url)
	})
	if !found {
		return capture{}, false
	}
	return *x.choose(i, accept), true // the first of its URL
}

// add scans a source into the index. A file compressed as a whole is replaced by an uncompressed copy.
func (x *indexer) add(s *source, r *record, opts WebOptions) (used *source, found scanned, err error) {
	before, oddBefore := len(x.captures), x.odd
	found, err = scan(s, r, x)
	if errors.Is(err, errWhole) {
		x.cutBack(before)
		x.odd = oddBefore
		copied, err := s.spill(opts.TempDir, opts.MaxSpill)
		if err != nil {
			return s, found, err
		}
		s.file.Close()
		s = copied
		found, err = scan(s, r, x)
		return s, found, err
	}
	return s, found, err
}
