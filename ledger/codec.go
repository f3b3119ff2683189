package ledger

import (
	"encoding/binary"
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
	"orbweaver/rdf"
)

// errShort reports a record that ends before its fields do.
var errShort = errors.New("record too short")

// The codec writes records as varints and length-prefixed strings: about a microsecond a request, where a self-describing
// format takes twenty. The database holds the number of the format. Format 4 identifies requests by a keyed hash; ledgers of
// format 3 are still read and written, and stay of that format.
const (
	format  = 4
	unkeyed = 3
)

// appendString writes a length and the bytes.
func appendString(b []byte, s string) []byte {
	b = binary.AppendUvarint(b, uint64(len(s)))
	return append(b, s...)
}

// appendFloat writes eight bytes.
func appendFloat(b []byte, f float64) []byte {
	return binary.LittleEndian.AppendUint64(b, math.Float64bits(f))
}

// appendBool writes one byte.
func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, 1)
	}
	return append(b, 0)
}

// appendTime writes nanoseconds since 1970; the zero time has a value of its own.
func appendTime(b []byte, t time.Time) []byte {
	if t.IsZero() {
		return binary.AppendVarint(b, math.MinInt64)
	}
	return binary.AppendVarint(b, t.UnixNano())
}

// appendAfter writes a string as the length of the prefix it shares with another, and the rest.
func appendAfter(b []byte, before, s string) []byte {
	n := 0
	for n < len(before) && n < len(s) && before[n] == s[n] {
		n++
	}
	return appendString(binary.AppendUvarint(b, uint64(n)), s[n:])
}

// appendStrings writes a list.
func appendStrings(b []byte, list []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = appendString(b, s)
	}
	return b
}

func appendRequest(b []byte, r orbweaver.Request) []byte {
	for _, s := range [...]string{r.URL, r.Accept, r.Query, r.State, r.Parent} {
		b = appendString(b, s)
	}
	b = append(b, byte(r.Purpose))
	b = appendBool(b, r.Via != nil)
	if v := r.Via; v != nil {
		b = appendAfter(b, r.URL, v.To)
		for _, s := range [...]string{v.Rel, v.Type, v.Title, v.Anchor, v.Context} {
			b = appendString(b, s)
		}
		b = appendOrigin(b, v)
	}
	b = binary.AppendVarint(b, int64(r.Depth))
	b = appendStrings(b, r.Redirects)
	return appendString(b, string(r.Note))
}

// appendOrigin writes where a link stands: its origin and, if it has a path, a NUL, its path and its place. Earlier
// versions read all of it as an origin.
func appendOrigin(b []byte, v *orbweaver.Link) []byte {
	if v.Path == 0 && v.Place == "" {
		return appendString(b, string(v.Origin))
	}
	b = binary.AppendUvarint(b, uint64(len(v.Origin)+len(v.Place)+5))
	b = binary.LittleEndian.AppendUint32(append(append(b, v.Origin...), 0), v.Path)
	return append(b, v.Place...)
}

func appendJudgement(b []byte, j orbweaver.Judgement) []byte {
	b = appendFloat(b, j.Score)
	b = appendBool(b, j.Accepted)
	b = appendBool(b, j.Drop)
	b = appendString(b, j.Class)
	b = binary.AppendUvarint(b, uint64(len(j.Reasons)))
	for _, r := range j.Reasons {
		b = appendString(b, r.Rule)
		b = appendString(b, r.Evidence)
		b = appendFloat(b, r.Weight)
	}
	return b
}

func appendWaiting(b []byte, w step.Waiting) []byte {
	b = appendRequest(b, w.Request)
	b = appendJudgement(b, w.Judgement)
	return appendBool(b, w.Ahead)
}

func appendOutcome(b []byte, o *orbweaver.Outcome) []byte {
	b = binary.AppendVarint(b, o.N)
	b = appendRequest(b, o.Request)
	b = binary.AppendVarint(b, int64(o.Status))
	b = appendString(b, o.Redirect)
	b = appendString(b, o.Record.File)
	b = binary.AppendVarint(b, o.Record.Offset)
	b = binary.AppendVarint(b, o.Record.Length)
	b = appendTime(b, o.At)
	b = appendJudgement(b, o.Predicted)
	b = appendJudgement(b, o.Actual)
	b = appendBool(b, o.Err != nil)
	if o.Err != nil {
		b = appendString(b, string(orbweaver.FailureOf(o.Err)))
		b = appendString(b, o.Err.Error())
	}
	b = appendBool(b, o.Page != nil)
	if p := o.Page; p != nil {
		for _, s := range [...]string{p.URL, p.Canonical, p.MediaType, p.Title, p.Lang, p.Digest} {
			b = appendString(b, s)
		}
		b = binary.AppendVarint(b, p.Size)
		b = appendBool(b, p.NoFollow)
		b = appendBool(b, p.NoIndex)
		b = appendBool(b, p.Rendered)
		b = binary.LittleEndian.AppendUint64(b, p.Simhash)
		b = appendString(b, o.Duplicate.URL)
		b = appendBool(b, o.Duplicate.Near)
		b = appendString(b, o.Snippet)
	}
	b = appendFloat(appendFloat(b, o.Predicted.Chance), o.Actual.Chance)
	b = appendBool(b, o.Explored)
	if o.Page == nil {
		return b
	}
	rendering, decided := o.Page.Rendering.(*step.Rendering)
	flawed := len(o.Page.Flaws) > 0
	if len(o.Page.Data) > 0 || decided || flawed {
		b = appendData(b, o.Page.Data)
	}
	if flawed && !decided {
		rendering = &step.Rendering{} // none: see decoder.outcome
	}
	if decided || flawed {
		b = appendString(appendString(b, string(rendering.Scripts)), rendering.Why)
		b = appendBool(binary.LittleEndian.AppendUint64(b, rendering.Kind), rendering.Empty)
	}
	if flawed {
		b = appendFlaws(b, o.Page.Flaws)
	}
	return b
}

func appendFlaws(b []byte, flaws map[string]int) []byte {
	b = binary.AppendUvarint(b, uint64(len(flaws)))
	for _, kind := range slices.Sorted(maps.Keys(flaws)) {
		b = binary.AppendVarint(appendString(b, kind), int64(flaws[kind]))
	}
	return b
}

func appendData(b []byte, counts []rdf.Count) []byte {
	b = binary.AppendUvarint(b, uint64(len(counts)))
	for _, c := range counts {
		b = appendString(b, c.In)
		b = binary.AppendVarint(b, c.Documents)
		b = binary.AppendVarint(b, c.Triples)
	}
	return b
}
