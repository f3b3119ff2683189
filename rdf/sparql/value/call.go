package value

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"time"

	"orbweaver/rdf"
	"orbweaver/rdf/iri"
)

// An Env is the environment of a query's functions. It is not safe for concurrent use. Functions that need a
// missing part return an error.
type Env struct {
	Now  time.Time // result of NOW, including the time zone
	Base string    // absolute IRI that IRI() resolves against; empty: none

	// NewBlank returns the label of a blank node. For "" (BNODE()) it is new each time. For ":" followed by s
	// (BNODE(s)) it is the same within one solution.
	NewBlank func(label string) string
	Random   func() float64 // result of RAND, in [0, 1)
	NewUUID  func() string  // result of UUID and STRUUID: 36 characters, lower case

	patterns map[string]pattern
}

// Call calls a function or operator by its name in algebra.Call; the number of arguments must be valid. An
// argument without a value is an error. The lazy forms are not among these functions.
func Call(env *Env, name string, args []Value) (Value, error) {
	for _, a := range args {
		if !a.Bound() {
			return Value{}, ErrType
		}
	}
	switch len(args) {
	case 0:
		return ofNothing(env, name)
	case 1:
		return ofOne(env, name, args[0])
	case 2:
		return ofTwo(env, name, args[0], args[1])
	}
	switch {
	case name == "CONCAT":
		return concat(args)
	case name == "TRIPLE" && len(args) == 3:
		return quoted(args)
	case name == "STRLANGDIR" && len(args) == 3:
		return directed(args[0], args[1], args[2])
	case name == "SUBSTR" && len(args) == 3:
		return substring(args[0], args[1], args[2:])
	case name == "REGEX" && len(args) == 3:
		return matches(env, args[0], args[1], args[2])
	case name == "REPLACE" && len(args) == 3:
		return replace(env, args[0], args[1], args[2], String(""))
	case name == "REPLACE" && len(args) == 4:
		return replace(env, args[0], args[1], args[2], args[3])
	}
	return noSuch(name, len(args))
}

func noSuch(name string, args int) (Value, error) {
	return Value{}, fmt.Errorf("%s with %d arguments: %w", name, args, ErrUnknownFunction)
}

// ofNothing calls a function without arguments.
func ofNothing(env *Env, name string) (Value, error) {
	switch {
	case name == "CONCAT":
		return String(""), nil
	case name == "NOW":
		return ofTime(env.Now), nil
	case name == "RAND" && env.Random != nil:
		return newDouble(env.Random()), nil
	case name == "UUID" && env.NewUUID != nil:
		return IRI("urn:uuid:" + env.NewUUID()), nil
	case name == "STRUUID" && env.NewUUID != nil:
		return String(env.NewUUID()), nil
	case name == "BNODE" && env.NewBlank != nil:
		return Of(rdf.NewBlank(env.NewBlank(""))), nil
	}
	return noSuch(name, 0)
}

// ofOne calls a function or operator with one argument.
func ofOne(env *Env, name string, v Value) (Value, error) {
	switch name {
	case "!":
		b, err := EBV(v)
		return Bool(!b), err
	case "+":
		if v.IsNumeric() && v.typeIRI() == v.class.datatype() {
			return v, nil
		}
		return plain(v)
	case "-":
		return negate(v)
	case "ABS":
		return absolute(v)
	case "CEIL", "FLOOR", "ROUND":
		return rounded(name, v)
	case "ISIRI":
		return Bool(v.kind == rdf.IRI), nil
	case "ISBLANK":
		return Bool(v.kind == rdf.Blank), nil
	case "ISLITERAL":
		return Bool(v.kind == rdf.Literal), nil
	case "ISNUMERIC":
		return Bool(v.IsNumeric()), nil
	case "ISTRIPLE", "SUBJECT", "PREDICATE", "OBJECT":
		return ofTriple(name, v)
	case "HASLANG":
		return Bool(v.lang != ""), nil
	case "HASLANGDIR":
		return Bool(v.dir() != rdf.Undirected), nil
	case "LANGDIR":
		return ofLiteral(v, v.dir().String())
	case "STR":
		return str(v)
	case "LANG":
		return ofLiteral(v, v.lang)
	case "DATATYPE":
		v, err := ofLiteral(v, v.typeIRI())
		v.kind, v.class, v.datatype = rdf.IRI, term, ""
		return v, err
	case "IRI", "URI":
		return toIRI(env, v)
	case "BNODE":
		if v.class != text || env.NewBlank == nil {
			return Value{}, ErrType
		}
		return Of(rdf.NewBlank(env.NewBlank(":" + v.value))), nil
	case "STRLEN", "UCASE", "LCASE", "ENCODE_FOR_URI", "CONCAT":
		return ofString(name, v)
	case "MD5", "SHA1", "SHA256", "SHA384", "SHA512":
		return hash(name, v)
	case "YEAR", "MONTH", "DAY", "HOURS", "MINUTES", "SECONDS", "TIMEZONE", "TZ":
		return ofMoment(name, v)
	}
	return noSuch(name, 1)
}

// ofTwo calls a function or operator with two arguments.
func ofTwo(env *Env, name string, a, b Value) (Value, error) {
	switch name {
	case "+", "-", "*", "/":
		return arithmetic(name, a, b)
	case "=", "!=":
		equal, err := Equal(a, b)
		return Bool(equal == (name == "=")), err
	case "<", ">", "<=", ">=":
		return relation(name, a, b)
	case "SAMETERM":
		return Bool(SameTerm(a, b)), nil
	case "LANGMATCHES":
		if a.class != text || b.class != text {
			return Value{}, ErrType
		}
		return Bool(langMatches(a.value, b.value)), nil
	case "STRDT":
		return typed(a, b)
	case "STRLANG":
		return tagged(a, b)
	case "CONCAT":
		return concat([]Value{a, b})
	case "CONTAINS", "STRSTARTS", "STRENDS", "STRBEFORE", "STRAFTER":
		return ofStrings(name, a, b)
	case "SUBSTR":
		return substring(a, b, nil)
	case "REGEX":
		return matches(env, a, b, String(""))
	}
	return noSuch(name, 2)
}

// str returns the text of an IRI or a literal.
func str(v Value) (Value, error) {
	if v.kind == rdf.Blank || v.kind == rdf.TripleTerm {
		return Value{}, ErrType
	}
	return String(v.Term().Value), nil
}

// ofLiteral returns s as a string if v is a literal.
func ofLiteral(v Value, s string) (Value, error) {
	if v.kind != rdf.Literal {
		return Value{}, ErrType
	}
	return String(s), nil
}

// toIRI makes an IRI of a string, resolved against the base.
func toIRI(env *Env, v Value) (Value, error) {
	switch {
	case v.kind == rdf.IRI:
		return v, nil
	case v.class != text:
		return Value{}, ErrType
	}
	absolute := v.value
	if env.Base != "" {
		base, err := iri.ParseBase(env.Base)
		if err != nil {
			return Value{}, fmt.Errorf("base %s: %w", env.Base, err)
		}
		if absolute, err = base.Resolve(v.value); err != nil {
			return Value{}, fmt.Errorf("%s: %w", v.value, err)
		}
	}
	if err := iri.Check(absolute); err != nil {
		return Value{}, fmt.Errorf("%s: %w", absolute, err)
	}
	return IRI(absolute), nil
}

// typed is STRDT.
func typed(s, datatype Value) (Value, error) {
	if s.class != text || datatype.kind != rdf.IRI || datatype.value == rdf.LangString || datatype.value == rdf.DirLangString {
		return Value{}, ErrType
	}
	return Of(rdf.NewTyped(s.value, datatype.value)), nil
}

// tagged is STRLANG.
func tagged(s, lang Value) (Value, error) {
	if s.class != text || lang.class != text || !isTag(lang.value) {
		return Value{}, ErrType
	}
	return Of(rdf.NewLang(s.value, lang.value)), nil
}

// directed is STRLANGDIR.
func directed(s, lang, dir Value) (Value, error) {
	d, ok := rdf.DirectionOf(dir.value)
	if s.class != text || lang.class != text || dir.class != text || !isTag(lang.value) || !ok {
		return Value{}, ErrType
	}
	return Of(rdf.NewDirLang(s.value, lang.value, d)), nil
}

// quoted is TRIPLE.
func quoted(args []Value) (Value, error) {
	t := rdf.Triple{S: args[0].Term(), P: args[1].Term(), O: args[2].Term()}
	if !t.IsValid() || t.O.Depth() >= rdf.MaxTripleDepth {
		return Value{}, ErrType
	}
	if len(t.S.Value)+len(t.P.Value)+len(t.O.Value) > MaxString {
		return Value{}, errSize
	}
	return Of(rdf.NewTripleTerm(t)), nil
}

// ofTriple is isTRIPLE, SUBJECT, PREDICATE or OBJECT.
func ofTriple(name string, v Value) (Value, error) {
	if name == "ISTRIPLE" {
		return Bool(v.kind == rdf.TripleTerm), nil
	}
	t, ok := v.Term().Triple()
	switch {
	case !ok:
		return Value{}, ErrType
	case name == "SUBJECT":
		return Of(t.S), nil
	case name == "PREDICATE":
		return Of(t.P), nil
	}
	return Of(t.O), nil
}

// hash returns the hash of a string, in hexadecimal.
func hash(name string, v Value) (Value, error) {
	if v.class != text {
		return Value{}, ErrType
	}
	var sum []byte
	in := []byte(v.value)
	switch name {
	case "MD5":
		s := md5.Sum(in)
		sum = s[:]
	case "SHA1":
		s := sha1.Sum(in)
		sum = s[:]
	case "SHA256":
		s := sha256.Sum256(in)
		sum = s[:]
	case "SHA384":
		s := sha512.Sum384(in)
		sum = s[:]
	case "SHA512":
		s := sha512.Sum512(in)
		sum = s[:]
	}
	return String(hex.EncodeToString(sum)), nil
}

// ofMoment returns a part of a dateTime or, where it has it, of a date or time.
func ofMoment(name string, v Value) (Value, error) {
	if v.class != dateTime && v.class != date && v.class != timeOfDay {
		return Value{}, ErrType
	}
	c := v.clock()
	switch {
	case name == "TZ":
		return String(zoneText(v.zone)), nil
	case name == "TIMEZONE" && v.zone != noZone:
		return newDayTime(int64(v.zone) * 60), nil
	case v.class != timeOfDay && name == "YEAR":
		return Integer(c.year), nil
	case v.class != timeOfDay && name == "MONTH":
		return Integer(int64(c.month)), nil
	case v.class != timeOfDay && name == "DAY":
		return Integer(int64(c.day)), nil
	case v.class != date && name == "HOURS":
		return Integer(int64(c.hour)), nil
	case v.class != date && name == "MINUTES":
		return Integer(int64(c.minute)), nil
	case v.class != date && name == "SECONDS":
		return smallDecimal(int64(c.whole)*1e9+int64(c.nanos), 9), nil
	}
	return Value{}, ErrType
}
