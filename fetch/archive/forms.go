package archive

import (
	"bytes"
	"iter"
	"net/http"
)

// A server may answer one URL in several forms, depending on a request's field Accept: with documents of
// several media types, or with redirects (303 See Other) to them. An index keeps one capture of each form. The
// form of a document is its media type. The form of a redirect is the media type that its request preferred,
// according to the request record. A redirect without a known request has no form; the index keeps one such
// capture, and one unsuccessful response. Two documents with the same preferred type are not two forms: the URL
// changed over time.

// form is the media type by which a capture is chosen.
func (x *index) form(c *capture) string {
	if c.ok() {
		return x.media[c.media]
	}
	return x.media[c.wanted]
}

// negotiable reports whether the index may keep a capture beside others of its URL.
func (c *capture) negotiable() bool {
	return c.ok() || c.status == http.StatusSeeOther && c.wanted != 0
}

// addForms appends the captures of one URL that Fetch may choose from; group is sorted, best first. They are
// the first, and the best of each other form.
func (x *index) addForms(group []capture) {
	start := len(x.entries)
	x.entries = append(x.entries, group[0])
	if !group[0].negotiable() {
		return
	}
	for i := range group[1:] {
		c := &group[1+i]
		if len(x.entries)-start < maxForms && c.negotiable() && !x.hasForm(x.entries[start:], c) {
			x.entries = append(x.entries, *c)
		}
	}
	x.entries[start].others = uint8(len(x.entries) - start - 1)
}

// hasForm reports whether a kept capture has the form of c, or answers the same preference.
func (x *index) hasForm(kept []capture, c *capture) bool {
	for i := range kept {
		if x.form(&kept[i]) == x.form(c) || c.wanted != 0 && kept[i].wanted == c.wanted {
			return true
		}
	}
	return false
}

// choose returns the capture for the i-th entry's URL whose form accept prefers, and the first of equally
// preferred ones. An empty accept is usualAccept.
func (x *index) choose(i int, accept string) *capture {
	chosen := &x.entries[i]
	if chosen.others == 0 {
		return chosen
	}
	if accept == "" {
		accept = usualAccept
	}
	ranges := parseAccept(accept)
	most := quality(ranges, x.form(chosen))
	forms := x.entries[i : i+1+int(chosen.others)]
	for k := range forms {
		if q := quality(ranges, x.form(&forms[k])); q > most {
			chosen, most = &forms[k], q
		}
	}
	return chosen
}

// usual returns, for each URL in order, the capture for a request without Accept.
func (x *index) usual() iter.Seq[*capture] {
	return func(yield func(*capture) bool) {
		for i := 0; i < len(x.entries); i += 1 + int(x.entries[i].others) {
			if !yield(x.choose(i, "")) {
				return
			}
		}
	}
}

// A wish is the preference of a request record. The answer directly precedes or follows the request.
type wish struct {
	id, answer uint64 // hashes of the record's id and of its answer's id; 0: not named
	media      uint16 // most preferred
}

// takeRequest keeps a request's preference, and assigns it if its answer is known already.
func (x *indexer) takeRequest(r *record) error {
	x.wish = wish{}
	if !r.isRequest() {
		return nil
	}
	start, _, err := r.peek()
	if err != nil {
		return err
	}
	x.wish = wish{x.hash(r.header.id), x.hash(r.header.concurrent), x.mediaID(favourite(acceptOf(start)))}
	if last := len(x.captures) - 1; last >= 0 && x.wish.answer != 0 && x.keys[last].id == x.wish.answer {
		x.captures[last].wanted = x.wish.media
	}
	return nil
}

// wantedOf returns what the request of an answer wanted most, if its record was the last request; 0:
// not known.
func (x *indexer) wantedOf(h *header, id uint64) uint16 {
	asks := x.wish.answer != 0 && x.wish.answer == id
	if !asks && x.wish.id != 0 {
		asks = x.wish.id == x.hash(h.concurrent)
	}
	if !asks {
		return 0
	}
	return x.wish.media
}

// isRequest reports whether the first bytes of the block are those of a GET.
func (r *record) isRequest() bool {
	start, err := r.out.Peek(int(min(r.left, 4)))
	return err == nil && bytes.Equal(start, []byte("GET "))
}

// acceptOf returns the first field Accept of a request.
func acceptOf(request []byte) string {
	_, fields := nextLine(request)
	name, value, rest := nextField(fields)
	for n := 0; name != nil && n < maxFields; n++ {
		if bytes.EqualFold(name, []byte("Accept")) {
			return string(value)
		}
		name, value, rest = nextField(rest)
	}
	return ""
}
