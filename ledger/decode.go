package ledger

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/rdf"
)

// A decoder reads a record field by field. After the first field that does not fit, err is set and all further fields
// read as zero. Strings share the memory of the record, which is copied once.
type decoder struct {
	s   string
	err error
}

// decoding returns a decoder of a copy of a record.
func decoding(record []byte) decoder { return decoder{s: string(record)} }

// fail ends the decoding.
func (d *decoder) fail() { d.s, d.err = "", errShort }

// uint reads a varint as encoding/binary defines it.
func (d *decoder) uint() uint64 {
	var v uint64
	for i := 0; i < len(d.s) && i < binary.MaxVarintLen64; i++ {
		c := d.s[i]
		v |= uint64(c&0x7f) << (7 * i)
		if c < 0x80 {
			d.s = d.s[i+1:]
			return v
		}
	}
	d.fail()
	return 0
}

// int reads a signed varint.
func (d *decoder) int() int64 {
	v := d.uint()
	return int64(v>>1) ^ -int64(v&1)
}

func (d *decoder) string() string {
	n := d.uint()
	if n > uint64(len(d.s)) {
		d.fail()
		return ""
	}
	s := d.s[:n]
	d.s = d.s[n:]
	return s
}

// after reads a string that appendAfter wrote.
func (d *decoder) after(before string) string {
	n := d.uint()
	if n > uint64(len(before)) {
		d.fail()
		return ""
	}
	return before[:n] + d.string()
}

func (d *decoder) strings() []string {
	n := d.count()
	if n == 0 {
		return nil
	}
	list := make([]string, n)
	for i := range list {
		list[i] = d.string()
	}
	return list
}

// count reads the length of a list whose members take at least one byte each.
func (d *decoder) count() int {
	n := d.uint()
	if n > uint64(len(d.s)) {
		d.fail()
		return 0
	}
	return int(n)
}

func (d *decoder) byte() byte {
	if len(d.s) == 0 {
		d.fail()
		return 0
	}
	v := d.s[0]
	d.s = d.s[1:]
	return v
}

func (d *decoder) bool() bool { return d.byte() != 0 }

func (d *decoder) float() float64 { return math.Float64frombits(d.word()) }

// word reads eight bytes.
func (d *decoder) word() (bits uint64) {
	for i := range 8 {
		bits |= uint64(d.byte()) << (8 * i)
	}
	return bits
}

func (d *decoder) time() time.Time {
	ns := d.int()
	if ns == math.MinInt64 {
		return time.Time{}
	}
	return time.Unix(0, ns).UTC()
}

func (d *decoder) request() orbweaver.Request {
	r := orbweaver.Request{
		URL: d.string(), Accept: d.string(), Query: d.string(), State: d.string(), Parent: d.string(),
		Purpose: orbweaver.Purpose(d.byte()),
	}
	if d.bool() {
		r.Via = &orbweaver.Link{
			To: d.after(r.URL), Rel: d.string(), Type: d.string(), Title: d.string(),
			Anchor: d.string(), Context: d.string(),
		}
		d.origin(r.Via)
	}
	r.Depth = int(d.int())
	r.Redirects = d.strings()
	if note := d.string(); note != "" {
		r.Note = []byte(note)
	}
	return r
}

// origin reads what appendOrigin wrote.
func (d *decoder) origin(v *orbweaver.Link) {
	origin, rest, placed := strings.Cut(d.string(), "\x00")
	v.Origin = orbweaver.Origin(origin)
	if placed && len(rest) >= 4 {
		v.Path, v.Place = binary.LittleEndian.Uint32([]byte(rest)), rest[4:]
	}
}

func (d *decoder) judgement() orbweaver.Judgement {
	j := orbweaver.Judgement{Score: d.float(), Accepted: d.bool(), Drop: d.bool(), Class: d.string()}
	n := d.count()
	if n > 0 {
		j.Reasons = make([]orbweaver.Reason, 0, n)
	}
	for range n {
		j.Reasons = append(j.Reasons, orbweaver.Reason{Rule: d.string(), Evidence: d.string(), Weight: d.float()})
	}
	return j
}

func (d *decoder) waiting(id uint64) step.Waiting {
	return step.Waiting{
		ID: id,
		Proposal: orbweaver.Proposal{
			Request: d.request(), Judgement: d.judgement(),
		},
		Ahead: d.bool(),
	}
}

func (d *decoder) outcome() orbweaver.Outcome {
	o := orbweaver.Outcome{
		N: d.int(), Request: d.request(), Status: int(d.int()), Redirect: d.string(),
		Record: orbweaver.Ref{File: d.string(), Offset: d.int(), Length: d.int()},
		At:     d.time(), Predicted: d.judgement(), Actual: d.judgement(),
	}
	if d.bool() {
		o.Err = &pastError{failure: orbweaver.Failure(d.string()), message: d.string()}
	}
	if d.bool() {
		o.Page = &orbweaver.Page{
			Request: o.Request, Status: o.Status, Fetched: o.At,
			URL: d.string(), Canonical: d.string(), MediaType: d.string(),
			Title: d.string(), Lang: d.string(), Digest: d.string(),
			Size: d.int(), NoFollow: d.bool(), NoIndex: d.bool(), Rendered: d.bool(), Simhash: d.word(),
		}
		o.Duplicate = orbweaver.Duplicate{URL: d.string(), Near: d.bool()}
		if d.s != "" { // records of earlier versions end here
			o.Snippet = d.string()
		}
	}
	if d.s != "" { // or here
		o.Predicted.Chance, o.Actual.Chance = d.float(), d.float()
	}
	if d.s != "" { // or here
		o.Explored = d.bool()
	}
	if d.s != "" && o.Page != nil { // or here, as those of pages without data
		o.Page.Data = d.data()
	}
	if d.s != "" && o.Page != nil { // or here, as those of pages whose scripts nothing was decided about
		r := step.Rendering{Scripts: step.Scripts(d.string()), Why: d.string(), Kind: d.word(), Empty: d.bool()}
		if r != (step.Rendering{}) {
			o.Page.Rendering = &r
		}
	}
	if d.s != "" && o.Page != nil { // or here, as those of pages without flaws
		o.Page.Flaws = d.flaws()
	}
	return o
}

func (d *decoder) data() []rdf.Count {
	n := d.count()
	if n == 0 {
		return nil
	}
	counts := make([]rdf.Count, n)
	for i := range counts {
		counts[i] = rdf.Count{In: d.string(), Documents: d.int(), Triples: d.int()}
	}
	return counts
}

func (d *decoder) flaws() map[string]int {
	n := d.count()
	if n == 0 {
		return nil
	}
	flaws := make(map[string]int, min(n, 8))
	for range n {
		kind := d.string()
		flaws[kind] = int(d.int())
	}
	return flaws
}

// done returns a value, or an error if the record could not be decoded.
func done[T any](d *decoder, what string, v T) (T, error) {
	if d.err != nil {
		var zero T
		return zero, fmt.Errorf("ledger: %s: %w: %w", what, orbweaver.ErrDamaged, d.err)
	}
	return v, nil
}

// A pastError is the stored error of an earlier session.
type pastError struct {
	failure orbweaver.Failure
	message string
}

func (e *pastError) Error() string { return e.message }
func (e *pastError) Unwrap() error { return e.failure }
