package value_test

import (
	"testing"
	"unicode/utf8"

	"orbweaver/rdf"
	"orbweaver/rdf/sparql/value"
)

// names are those of all functions and operators; those of the casts come behind.
func names() []string {
	return []string{
		"TRIPLE", "SUBJECT", "PREDICATE", "OBJECT", "ISTRIPLE", "LANGDIR", "STRLANGDIR", "HASLANG", "HASLANGDIR",
		"!", "+", "-", "*", "/", "=", "!=", "<", ">", "<=", ">=", "STR", "LANG", "LANGMATCHES", "DATATYPE", "IRI", "BNODE",
		"RAND", "ABS", "CEIL", "FLOOR", "ROUND", "CONCAT", "STRLEN", "UCASE", "LCASE", "ENCODE_FOR_URI", "CONTAINS",
		"STRSTARTS", "STRENDS", "STRBEFORE", "STRAFTER", "YEAR", "MONTH", "DAY", "HOURS", "MINUTES", "SECONDS", "TIMEZONE",
		"TZ", "NOW", "UUID", "STRUUID", "MD5", "SHA1", "SHA256", "SHA384", "SHA512", "STRLANG", "STRDT", "SAMETERM", "ISIRI",
		"ISBLANK", "ISLITERAL", "ISNUMERIC", "REGEX", "SUBSTR", "REPLACE", "", "boolean", "double", "float", "decimal",
		"integer", "int", "unsignedLong", "dateTime", "date", "time", "dayTimeDuration", "yearMonthDuration", "string",
	}
}

// FuzzCall: whatever it is called with, a function returns an error or a term that is right: one that
// reads back as the same value, and a string that is not longer than it may be.
func FuzzCall(f *testing.F) {
	for i := range names() {
		f.Add(uint8(i), uint8(2), "1", "integer", "2.5", "decimal", "", "")
		f.Add(uint8(i), uint8(3), "abc", "string", "(b)", "string", "$1", "string")
		f.Add(uint8(i), uint8(1), "2000-02-29T24:00:00.5-14:00", "dateTime", "", "", "i", "")
		f.Add(uint8(i), uint8(3), "u:s", "", "u:p", "", "en", "triple")
		f.Add(uint8(i), uint8(2), "a", "rtl", "ar", "string", "rtl", "string")
		f.Add(uint8(i), uint8(2), "-1e-400", "double", "é", "en", "i", "")
		f.Add(uint8(i), uint8(1), "-P1DT0.5S", "dayTimeDuration", "-P1M", "yearMonthDuration", "", "")
	}
	all := names()
	f.Fuzz(func(t *testing.T, which, count uint8, a, aType, b, bType, c, cType string) {
		var args []value.Value
		for _, in := range [...]struct{ form, datatype string }{{a, aType}, {b, bType}, {c, cType}, {a, bType}} {
			if !utf8.ValidString(in.form + in.datatype) {
				return
			}
			switch in.datatype {
			case "":
				args = append(args, value.IRI(in.form))
			case "en":
				args = append(args, value.Of(rdf.NewLang(in.form, in.datatype)))
			case "rtl":
				args = append(args, value.Of(rdf.NewDirLang(in.form, "ar", rdf.RTL)))
			case "triple":
				args = append(args, value.Of(rdf.NewTripleTerm(rdf.Triple{S: rdf.NewIRI(a), P: rdf.NewIRI("u:p"), O: rdf.NewTyped(in.form, xsd+bType)})))
			default:
				args = append(args, value.Of(rdf.NewTyped(in.form, xsd+in.datatype)))
			}
		}
		args = args[:int(count)%(len(args)+1)]
		for _, v := range args {
			if again := value.Of(v.Term()); again.Term() != v.Term() {
				t.Fatalf("%v became %v", v.Term(), again.Term())
			}
		}
		name := all[int(which)%len(all)]
		var got value.Value
		var err error
		if int(which)%len(all) > 67 {
			got, err = value.Function(environment(), xsd+name, args)
		} else {
			got, err = value.Call(environment(), name, args)
		}
		if err != nil {
			return
		}
		term := got.Term()
		if !got.Bound() || !utf8.ValidString(term.Value) || len(term.Value) > value.MaxString {
			t.Fatalf("%s of %v gives %v", name, args, term)
		}
		again := value.Of(term)
		if value.Order(again, got) != 0 || again.IsNumeric() != got.IsNumeric() {
			t.Fatalf("%s of %v gives %v, which reads as another value", name, args, term)
		}
		value.EBV(got)
	})
}

func BenchmarkCompare(b *testing.B) {
	x, y := value.Of(rdf.NewTyped("42", rdf.XSDInteger)), value.Of(rdf.NewTyped("41.5", rdf.XSDDecimal))
	b.ReportAllocs()
	for b.Loop() {
		value.Compare(x, y)
	}
}

func BenchmarkOf(b *testing.B) {
	for _, t := range []rdf.Term{
		rdf.NewIRI("http://a/"), rdf.NewString("abc"), rdf.NewTyped("42", rdf.XSDInteger), rdf.NewTyped("41.5", rdf.XSDDecimal),
		rdf.NewTyped("4.5e3", rdf.XSDDouble), rdf.NewTyped("2000-01-01T00:00:00Z", xsd+"dateTime"), rdf.NewTyped("7", xsd+"int"),
	} {
		b.Run(t.Datatype, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				value.Of(t)
			}
		})
	}
}

func BenchmarkSum(b *testing.B) {
	b.ReportAllocs()
	v := value.Integer(3)
	for b.Loop() {
		a := value.NewAggregate(nil, "SUM", false, "")
		for range 1000 {
			a.Add(v, nil)
		}
		a.Result()
	}
}

func BenchmarkRegex(b *testing.B) {
	env := environment()
	args := []value.Value{value.String("the quick brown fox"), value.String("^the .* fox$")}
	b.ReportAllocs()
	for b.Loop() {
		value.Call(env, "REGEX", args)
	}
}
