package archive

import (
	"bytes"
	"iter"
	"net/http"
)

// A server may answer one URL in several forms, by what a request's field Accept says: with documents of several
// media types, or with redirects (303 See Other) to them. An index keeps one capture of each form. That of a document
// is its media type. A redirect has none of its own: its form is the media type that its request preferred, according
// to the request record. A redirect without a known request has no form; one such is kept, as of all unsuccessful
// responses. Two documents whose requests preferred the same type are not two forms: the URL answered with something
// else later.

// form is the media type by which a capture is chosen.
func (x *index) form(c *capture) string {
	if c.ok() {
		return x.media[c.media]
	}
	return x.media[c.wanted]
}

// negotiable says whether a capture may stand beside others of its URL.
func (c *capture) negotiable() bool {
	return c.ok() || c.status == http.StatusSeeOther && c.wanted != 0
}

// addForms appends the captures of one URL, which come best first, that Fetch may choose from: the
// first, and behind it the best of each other form.
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

// hasForm says whether one of the captures that are kept is of a form, or answered the same wish.
func (x *index) hasForm(kept []capture, c *capture) bool {
	for i := range kept {
		if x.form(&kept[i]) == x.form(c) || c.wanted != 0 && kept[i].wanted == c.wanted {
			return true
		}
	}
	return false
}

// choose returns what answers a request for the i-th entry's URL: the form most wanted, and of those
// wanted as much the first. An empty accept is the usual one.
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

// usual returns what answers the usual request, for each URL in order.
func (x *index) usual() iter.Seq[*capture] {
	return func(yield func(*capture) bool) {
		for i := 0; i < len(x.entries); i += 1 + int(x.entries[i].others) {
			if !yield(x.choose(i, "")) {
				return
			}
		}
	}
}

// A wish is what a request record says of its answer, which stands right before or right behind it.
type wish struct {
	id, answer uint64 // hashes of the record's id, and of that of its answer; 0: not named
	media      uint16 // wanted most
}

// takeRequest notes what a request wanted, and for which answer, if that is known already.
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

// isRequest says whether the block is a GET by its first bytes.
func (r *record) isRequest() bool {
	start, err := r.out.Peek(int(min(r.left, 4)))
	return err == nil && bytes.Equal(start, []byte("GET "))
}

// acceptOf returns the field Accept of a request, the first of several.
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
