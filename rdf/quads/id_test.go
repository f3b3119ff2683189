package quads_test

import (
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

const xsd = "http://www.w3.org/2001/XMLSchema#"

func TestInline(t *testing.T) {
	for _, tc := range []struct {
		datatype, lexical string
		kind              quads.Kind // 0: it is for the dictionary
	}{
		{"string", "", quads.KindString},
		{"string", "\x00", quads.KindString},
		{"string", "seven b", quads.KindString},
		{"string", "eight by", 0},
		{"boolean", "true", quads.KindBoolean},
		{"boolean", "false", quads.KindBoolean},
		{"boolean", "1", 0},
		{"integer", "0", quads.KindInteger},
		{"integer", "-1", quads.KindInteger},
		{"integer", "576460752303423487", quads.KindInteger},
		{"integer", "-576460752303423487", quads.KindInteger},
		{"integer", "576460752303423488", 0},
		{"integer", "9999999999999999999", 0},
		{"integer", "-0", 0},
		{"integer", "+1", 0},
		{"integer", "01", 0},
		{"integer", " 1", 0},
		{"integer", "", 0},
		{"integer", "-", 0},
		{"integer", "--1", 0},
		{"int", "1", 0},
		{"decimal", "0", quads.KindDecimal},
		{"decimal", "0.0", quads.KindDecimal},
		{"decimal", "1.50", quads.KindDecimal},
		{"decimal", "-0.000001", quads.KindDecimal},
		{"decimal", "72057594037.927935", quads.KindDecimal},
		{"decimal", "99999999999", 0},
		{"decimal", "1.", 0},
		{"decimal", ".5", 0},
		{"decimal", "-0.0", 0},
		{"decimal", "1.0000001", 0},
		{"decimal", "1.-1", 0},
		{"dateTime", "2002-05-30T09:30:10Z", quads.KindDateTime},
		{"dateTime", "2002-05-30T09:30:10", quads.KindDateTime},
		{"dateTime", "2002-05-30T09:30:10.500-08:00", quads.KindDateTime},
		{"dateTime", "2002-05-30T09:30:10.5+05:45", quads.KindDateTime},
		{"dateTime", "0000-01-01T00:00:00+14:00", quads.KindDateTime},
		{"dateTime", "9999-12-31T23:59:59.999-14:00", quads.KindDateTime},
		{"dateTime", "2002-05-30T24:00:00", 0},
		{"dateTime", "2002-05-30T09:30:10.1234", 0},
		{"dateTime", "2002-05-30T09:30:10.", 0},
		{"dateTime", "2002-05-30T09:30:10-00:00", 0},
		{"dateTime", "2002-05-30T09:30:10+00:01", 0},
		{"dateTime", "2002-02-29T00:00:00Z", 0},
		{"dateTime", "-0002-01-01T00:00:00Z", 0},
		{"dateTime", "2002-05-30", 0},
		{"date", "2004-02-29", quads.KindDate},
		{"date", "2004-02-28+13:45", quads.KindDate},
		{"date", "2004-02-30", 0},
		{"date", "2004-2-3", 0},
		{"date", "2004-02-28T", 0},
	} {
		term := rdf.NewTyped(tc.lexical, xsd+tc.datatype)
		id, ok := quads.Inline(term)
		if ok != (tc.kind != 0) || ok && id.Kind() != tc.kind {
			t.Errorf("%q of xsd:%s: kind %d, %v, not %d", tc.lexical, tc.datatype, id.Kind(), ok, tc.kind)
		}
		if back, held := id.Inline(); ok && (!held || back != term) {
			t.Errorf("%q of xsd:%s comes back as %v", tc.lexical, tc.datatype, back)
		}
	}
}

// TestOrder: each list is in the order of its values.
func TestOrder(t *testing.T) {
	for datatype, list := range map[string][]string{
		"integer":  {"-576460752303423487", "-10", "-9", "0", "1", "9", "10", "576460752303423487"},
		"decimal":  {"-72057594037.9", "-1.5", "-1.25", "0", "0.000001", "0.1", "1.25", "1.5", "10", "9000.001"},
		"string":   {"", "\x00", "\x00a", "a", "a\x00", "ab", "b", "ü"},
		"boolean":  {"false", "true"},
		"date":     {"0000-01-01", "1969-12-31", "1970-01-01+01:00", "1970-01-01", "1970-01-01Z", "1970-01-01-01:00"},
		"dateTime": {"0000-01-01T00:00:00", "1969-12-31T23:59:59.999", "1970-01-01T01:00:00.5+01:00", "1970-01-01T00:00:01"},
	} {
		var last quads.ID
		for _, lexical := range list {
			id, ok := quads.Inline(rdf.NewTyped(lexical, xsd+datatype))
			if !ok || id <= last {
				t.Errorf("xsd:%s: %q is not above the one before", datatype, lexical)
			}
			if n, ok := id.Integer(); ok != (datatype == "integer") || ok && strconv.FormatInt(n, 10) != lexical {
				t.Errorf("xsd:%s: %q is the integer %d, %v", datatype, lexical, n, ok)
			}
			last = id
		}
	}
}

// FuzzInline: what is inline comes back as it was; and whatever bits an ID has, it holds nothing or what
// leads back to it.
func FuzzInline(f *testing.F) {
	for i, s := range []string{"short", "-12", "-1.50", "true", "2002-05-30T09:30:10.50+05:45", "2004-02-29Z", "0000-01-01T00:00:00+14:00"} {
		f.Add(s, uint64(i+4)<<60|1<<59)
	}
	f.Fuzz(func(t *testing.T, s string, bits uint64) {
		for _, datatype := range []string{"string", "integer", "decimal", "boolean", "date", "dateTime"} {
			term := rdf.NewTyped(s, xsd+datatype)
			if id, ok := quads.Inline(term); ok {
				if back, held := id.Inline(); !held || back != term {
					t.Fatalf("%v comes back as %v", term, back)
				}
			}
		}
		if term, ok := quads.ID(bits).Inline(); ok {
			id, again := quads.Inline(term)
			if third, _ := id.Inline(); again && third != term {
				t.Fatalf("%#x holds %v, whose ID holds %v", bits, term, third)
			}
		}
	})
}

// randomTerm is any term that a quad may have, and some that no syntax can write.
func randomTerm(r *rand.Rand) rdf.Term {
	b := make([]byte, r.IntN(12))
	for i := range b {
		b[i] = "ab01-.:TZ \x00\xff"[r.IntN(12)]
	}
	s := string(b)
	switch r.IntN(8) {
	case 0:
		return rdf.NewIRI(s)
	case 1:
		return rdf.NewLang(s, []string{"en", "de-AT", ""}[r.IntN(3)])
	case 2:
		return rdf.Term{Kind: rdf.Literal, Value: s, Datatype: "http://e.org/d", Lang: "en"}
	case 3:
		return rdf.NewTyped(s, "http://e.org/"+s)
	case 4:
		return rdf.NewTyped(strconv.Itoa(r.IntN(2000)-1000), xsd+"integer")
	case 5:
		return rdf.NewTyped(s, "")
	}
	datatypes := []string{"string", "integer", "decimal", "double", "date", "dateTime", "boolean", "gYear"}
	return rdf.NewTyped(s, xsd+datatypes[r.IntN(len(datatypes))])
}

// TestTermsComeBack: both kinds of store give back every term as it was, and know it.
func TestTermsComeBack(t *testing.T) {
	db, store := on(t, vfs.NewMem(), tiny)
	defer db.Close()
	w, err := store.Writer()
	if err != nil {
		t.Fatal(err)
	}
	batch, memory := db.NewBatch(), quads.NewMemory()
	w.Begin(batch)
	r := rand.New(rand.NewPCG(3, 4))
	var terms []rdf.Term
	for range 2000 {
		term := randomTerm(r)
		terms = append(terms, term)
		q := rdf.Quad{S: term, P: term, O: term, G: term}
		if _, err := w.Add(q, ""); err != nil {
			t.Fatal(err)
		}
		if _, err := memory.Add(q, ""); err != nil {
			t.Fatal(err)
		}
	}
	commit(t, w, batch)
	snapshot := store.Snapshot()
	defer snapshot.Close()
	for name, reader := range map[string]quads.Reader{"Pebble": snapshot, "memory": memory.Snapshot()} {
		for _, term := range terms {
			id, ok, err := reader.Lookup(term)
			if err != nil || !ok {
				t.Fatalf("%s: %#v: %v, %v", name, term, ok, err)
			}
			if back, err := reader.Term(id); err != nil || back != term {
				t.Fatalf("%s: %#v comes back as %#v, %v", name, term, back, err)
			}
		}
		if _, ok, err := reader.Lookup(rdf.NewIRI("http://e.org/never")); ok || err != nil {
			t.Errorf("%s: knows what it was never told: %v", name, err)
		}
		for _, bits := range []uint64{1 << 60, 5<<60 | 2, 15 << 60, 7} {
			if term, err := reader.Term(quads.ID(bits)); err == nil {
				t.Errorf("%s: %#x is %v", name, bits, term)
			}
		}
	}
}
