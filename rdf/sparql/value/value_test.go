package value_test

import (
	"errors"
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"
	"time"

	"orbweaver/rdf"
	"orbweaver/rdf/sparql/syntax"
	"orbweaver/rdf/sparql/value"
)

// environment returns an environment in which everything is known beforehand.
func environment() *value.Env {
	n := 0
	return &value.Env{
		Now:  time.Date(2011, 1, 10, 14, 45, 13, 815e6, time.FixedZone("", -5*3600)),
		Base: "http://example.org/a/b",
		NewBlank: func(label string) string {
			if label != "" {
				return "of" + label
			}
			n++
			return fmt.Sprint("b", n)
		},
		Random:  func() float64 { return 0.25 },
		NewUUID: func() string { return "b9302fb5-642e-4d3b-af19-29a8f6d894c9" },
	}
}

const prefixes = "BASE <http://example.org/a/b> PREFIX xsd: <http://www.w3.org/2001/XMLSchema#> PREFIX : <http://example.org/> "

// parse reads an expression of SPARQL.
func parse(t testing.TB, text string) syntax.Expr {
	t.Helper()
	q, err := syntax.ParseQuery(prefixes+"SELECT ("+text+" AS ?x) {}", syntax.Options{})
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return q.Select.Items[0].Expr
}

// eval evaluates an expression without variables that have a value, or lazy forms.
func eval(env *value.Env, e syntax.Expr) (value.Value, error) {
	switch e := e.(type) {
	case *syntax.TermExpr:
		return value.Of(e.Term), nil
	case *syntax.Call:
		args, err := evalAll(env, e.Args)
		if err != nil {
			return value.Value{}, err
		}
		return value.Call(env, e.Name, args)
	case *syntax.FunctionCall:
		args, err := evalAll(env, e.Args)
		if err != nil {
			return value.Value{}, err
		}
		return value.Function(env, e.IRI, args)
	}
	return value.Value{}, nil // a variable
}

func evalAll(env *value.Env, list []syntax.Expr) (args []value.Value, err error) {
	for _, e := range list {
		v, err := eval(env, e)
		if err != nil {
			return nil, err
		}
		args = append(args, v)
	}
	return args, nil
}

// A row is an expression and the term that it gives, as SPARQL; empty for an error.
type row struct{ expr, want string }

func check(t *testing.T, rows []row) {
	t.Helper()
	for _, r := range rows {
		got, err := eval(environment(), parse(t, r.expr))
		if r.want == "" {
			if err == nil {
				t.Errorf("%s is %v, want an error", r.expr, got.Term())
			}
			continue
		}
		want, wantErr := eval(environment(), parse(t, r.want))
		if err != nil || wantErr != nil || got.Term() != want.Term() {
			t.Errorf("%s is %v, %v; want %v", r.expr, got.Term(), err, want.Term())
		}
	}
}

func TestArithmetic(t *testing.T) {
	check(t, []row{
		{"1 + 2", "3"},
		{"9223372036854775807 + 1", "9223372036854775808"},
		{"9223372036854775808 - 1", "9223372036854775807"},
		{"-9223372036854775808 - 1", "-9223372036854775809"},
		{"0 - (-9223372036854775808)", "9223372036854775808"},
		{"4294967296 * 4294967296", "18446744073709551616"},
		{"3037000500 * 3037000500", "9223372037000250000"},
		{"-3037000500 * 3037000500", "-9223372037000250000"},
		{"0.1 + 0.2", "0.3"},
		{"1.5 + 1.5", `"3"^^xsd:decimal`},
		{"1.0 + 2", `"3"^^xsd:decimal`},
		{"1.10 * 1.10", "1.21"},
		{"0.000000000000000001 * 0.000000000000000001", "0.000000000000000000000000000000000001"},
		{"1 / 2", "0.5"},
		{"6 / 3", `"2"^^xsd:decimal`},
		{"1 / 3", "0.33333333333333333333"},
		{"2 / 3", "0.66666666666666666667"},
		{"-2 / 3", "-0.66666666666666666667"},
		{"1 / 0", ""},
		{"1.0 / 0.0", ""},
		{"1e0 / 0", `"INF"^^xsd:double`},
		{"-1e0 / 0", `"-INF"^^xsd:double`},
		{"0e0 / 0", `"NaN"^^xsd:double`},
		{"1 + 1e0", `"2.0E0"^^xsd:double`},
		{"0.1 + 1e0", `"1.1E0"^^xsd:double`},
		{`"1"^^xsd:float + 1`, `"2.0E0"^^xsd:float`},
		{`"0.1"^^xsd:float + 0.2`, `"3.0E-1"^^xsd:float`},
		{`"1"^^xsd:float + 1e0`, `"2.0E0"^^xsd:double`},
		{`"16777216"^^xsd:float + 1`, `"1.6777216E7"^^xsd:float`},
		{`"1"^^xsd:byte + "1"^^xsd:byte`, "2"},
		{`"300"^^xsd:byte + 1`, ""},
		{`"1" + 1`, ""},
		{`:a + 1`, ""},
		{`?x + 1`, ""},
		{"-(3)", "-3"},
		{"+(3.0)", "3.0"},
		{`+("03"^^xsd:byte)`, "3"},
		{`-("01"^^xsd:int)`, "-1"},
		{"-(0e0)", `"-0.0E0"^^xsd:double`},
		{"ABS(-1.5)", "1.5"},
		{"ABS(-0e0)", `"0.0E0"^^xsd:double`},
		{`ABS("-INF"^^xsd:double)`, `"INF"^^xsd:double`},
		{"ABS(-9223372036854775808)", "9223372036854775808"},
		{`ABS("a")`, ""},
		{"CEIL(10.5)", `"11"^^xsd:decimal`},
		{"CEIL(-10.5)", `"-10"^^xsd:decimal`},
		{"FLOOR(10.5)", `"10"^^xsd:decimal`},
		{"FLOOR(-10.5)", `"-11"^^xsd:decimal`},
		{"ROUND(2.5)", `"3"^^xsd:decimal`},
		{"ROUND(2.4999)", `"2"^^xsd:decimal`},
		{"ROUND(-2.5)", `"-2"^^xsd:decimal`},
		{"ROUND(-2.51)", `"-3"^^xsd:decimal`},
		{"ROUND(7)", "7"},
		{"ROUND(2.5e0)", `"3.0E0"^^xsd:double`},
		{"ROUND(-2.5e0)", `"-2.0E0"^^xsd:double`},
		{"ROUND(-0.2e0)", `"-0.0E0"^^xsd:double`},
		{"ROUND(0.49999999999999994e0)", `"0.0E0"^^xsd:double`},
		{`CEIL("NaN"^^xsd:double)`, `"NaN"^^xsd:double`},
		{`FLOOR("1.5"^^xsd:float)`, `"1.0E0"^^xsd:float`},
	})
}

func TestComparison(t *testing.T) {
	check(t, []row{
		{"1 = 1.0", "true"},
		{`"01"^^xsd:integer = 1`, "true"},
		{`1 = "1"`, "false"},
		{"1 != 2", "true"},
		{`"NaN"^^xsd:double = "NaN"^^xsd:double`, "false"},
		{`"NaN"^^xsd:double != "NaN"^^xsd:double`, "true"},
		{`"NaN"^^xsd:double < 1`, "false"},
		{`"NaN"^^xsd:double >= 1`, "false"},
		{"0e0 = -0e0", "true"},
		{"9007199254740993 = 9007199254740992e0", "true"}, // promoted to double
		{"9007199254740993 < 9007199254740994", "true"},
		{`"16777217"^^xsd:float = 16777216`, "true"},
		{"0.1 < 0.10000000000000000000000001", "true"},
		{`"a" = "a"^^xsd:string`, "true"},
		{`"a"@en = "a"@EN`, "true"},
		{`"a"@en = "a"`, "false"},
		{`"a"@en = "a"^^:t`, "false"},
		{`"a"@en = "a"^^xsd:integer`, "false"},
		{`"a" = "a"^^:t`, ""},
		{`"a" = "a"^^xsd:integer`, ""},
		{`"a"^^:t = "a"^^:t`, "true"},
		{`"a"^^:t = "b"^^:t`, ""},
		{`"a"^^:t != "b"^^:t`, ""},
		{`"x"^^xsd:integer = "x"^^xsd:integer`, "true"},
		{`"x"^^xsd:integer = 1`, ""},
		{`"a" = :a`, "false"},
		{":a = :a", "true"},
		{":a = :b", "false"},
		{`BNODE("a") = BNODE("a")`, "true"},
		{`BNODE("a") = :a`, "false"},
		{"BNODE() = BNODE()", "false"},
		{"?x = ?x", ""},
		{"?x = 1", ""},
		{`true = "1"^^xsd:boolean`, "true"},
		{"false < true", "true"},
		{"true < 1", ""},
		{"true = 1", "false"},
		{`"a" < "b"`, "true"},
		{`"" < "a"`, "true"},
		{`"a" <= "a"`, "true"},
		{`"a"@en < "b"@en`, ""},
		{`:a < :b`, ""},
		{`"a"^^:t < "b"^^:t`, ""},
		{`"2000-01-01T00:00:00Z"^^xsd:dateTime = "1999-12-31T19:00:00-05:00"^^xsd:dateTime`, "true"},
		{`"2000-01-01T00:00:00Z"^^xsd:dateTime < "2000-01-01T00:00:00.1Z"^^xsd:dateTime`, "true"},
		{`"1999-12-31T24:00:00"^^xsd:dateTime = "2000-01-01T00:00:00"^^xsd:dateTime`, "true"},
		{`"2000-01-15T00:00:00"^^xsd:dateTime < "2000-02-15T00:00:00Z"^^xsd:dateTime`, "true"},
		{`"2000-01-15T12:00:00"^^xsd:dateTime < "2000-01-16T12:00:00Z"^^xsd:dateTime`, "true"},
		{`"2000-01-01T12:00:00"^^xsd:dateTime = "1999-12-31T23:00:00Z"^^xsd:dateTime`, ""},
		{`"2000-01-16T00:00:00"^^xsd:dateTime < "2000-01-16T12:00:00Z"^^xsd:dateTime`, ""},
		{`"2000-01-16T00:00:00"^^xsd:dateTime < "2000-01-16T14:00:00Z"^^xsd:dateTime`, ""},
		{`"2000-01-16T00:00:00"^^xsd:dateTime < "2000-01-16T14:00:00.1Z"^^xsd:dateTime`, "true"},
		{`"-0001-01-01T00:00:00Z"^^xsd:dateTime < "0001-01-01T00:00:00Z"^^xsd:dateTime`, "true"},
		{`"12000-01-01T00:00:00Z"^^xsd:dateTime > "9999-01-01T00:00:00Z"^^xsd:dateTime`, "true"},
		{`"2001-02-29T00:00:00Z"^^xsd:dateTime = "2001-03-01T00:00:00Z"^^xsd:dateTime`, ""},
		{`"2006-08-23"^^xsd:date = "2006-08-23Z"^^xsd:date`, ""},
		{`"2006-08-23+00:00"^^xsd:date = "2006-08-23Z"^^xsd:date`, "true"},
		{`"2006-08-23"^^xsd:date > "2006-08-22"^^xsd:date`, "true"},
		{`"2006-08-23"^^xsd:date = "2006-08-23T00:00:00"^^xsd:dateTime`, "false"},
		{`"08:00:00+09:00"^^xsd:time < "17:00:00-06:00"^^xsd:time`, "true"},
		{`"PT1H"^^xsd:dayTimeDuration = "PT60M"^^xsd:dayTimeDuration`, "true"},
		{`"-PT0.5S"^^xsd:dayTimeDuration < "PT0S"^^xsd:dayTimeDuration`, "true"},
		{`"-PT0.5S"^^xsd:dayTimeDuration > "-PT0.6S"^^xsd:dayTimeDuration`, "true"},
		{`"P1Y"^^xsd:yearMonthDuration = "P12M"^^xsd:yearMonthDuration`, "true"},
		{`"a"@ar--rtl = "a"@AR--rtl`, "true"},
		{`"a"@ar--rtl = "a"@ar--ltr`, "false"},
		{`"a"@ar--rtl = "a"@ar`, "false"},
		{`<<( :a :b 1 )>> = <<( :a :b 1.0 )>>`, "true"},
		{`<<( :a :b 1 )>> = <<( :a :b 2 )>>`, "false"},
		{`<<( :a :b 1 )>> = <<( :c :b 1 )>>`, "false"},
		{`<<( :a :b <<( :a :b 1 )>> )>> = <<( :a :b <<( :a :b 1.0 )>> )>>`, "true"},
		{`<<( :a :b "a"^^:t )>> = <<( :a :b "b"^^:t )>>`, ""},
		{`<<( :a :b "NaN"^^xsd:double )>> = <<( :a :b "NaN"^^xsd:double )>>`, "false"},
		{`<<( :a :b 1 )>> = :a`, "false"},
		{`<<( :a :b 1 )>> < <<( :a :b 2 )>>`, ""},
		{`SAMETERM(<<( :a :b 1 )>>, <<( :a :b 1.0 )>>)`, "false"},
		{`SAMETERM("01"^^xsd:integer, 1)`, "false"},
		{`SAMETERM(1, 2 - 1)`, "true"},
	})
}

func TestEffectiveBooleanValue(t *testing.T) {
	check(t, []row{
		{"!true", "false"},
		{`!"x"^^xsd:boolean`, "true"},
		{`!"x"^^xsd:integer`, "true"},
		{`!"300"^^xsd:byte`, "true"},
		{"!0", "true"},
		{"!0.0", "true"},
		{"!0.1", "false"},
		{"!0e0", "true"},
		{`!"NaN"^^xsd:float`, "true"},
		{`!""`, "true"},
		{`!"false"`, "false"},
		{`!"a"@en`, "false"},
		{`!:a`, ""},
		{`!"a"^^:t`, ""},
		{`!"2000-01-01"^^xsd:date`, ""},
		{`!"x"^^xsd:date`, ""},
		{`!?x`, ""},
	})
}

// TestLogic has the truth table of section 17.2.
func TestLogic(t *testing.T) {
	fails := errors.New("fails")
	for _, r := range []struct{ a, b, or, and string }{
		{"T", "T", "T", "T"}, {"T", "F", "T", "F"}, {"F", "T", "T", "F"}, {"F", "F", "F", "F"},
		{"T", "E", "T", "E"}, {"E", "T", "T", "E"}, {"F", "E", "E", "F"}, {"E", "F", "E", "F"}, {"E", "E", "E", "E"},
	} {
		in := func(s string) (bool, error) {
			if s == "E" {
				return false, fails
			}
			return s == "T", nil
		}
		out := func(b bool, err error) string {
			switch {
			case err != nil:
				return "E"
			case b:
				return "T"
			}
			return "F"
		}
		a, aErr := in(r.a)
		b, bErr := in(r.b)
		if or, and := out(value.Or(a, aErr, b, bErr)), out(value.And(a, aErr, b, bErr)); or != r.or || and != r.and {
			t.Errorf("%s and %s: or %s, and %s; want %s and %s", r.a, r.b, or, and, r.or, r.and)
		}
	}
}

// TestDecimalsAgainstRationals: sums and products are exact, quotients nearly.
func TestDecimalsAgainstRationals(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	number := func() (value.Value, *big.Rat) {
		text := fmt.Sprint(random.Int64() >> random.IntN(63))
		if random.IntN(3) == 0 {
			text = fmt.Sprint(random.Int64()) + fmt.Sprint(random.Int64())
		}
		if random.IntN(4) > 0 {
			at := random.IntN(len(text) + 1)
			text = text[:at] + "." + text[at:]
		}
		if random.IntN(2) == 0 {
			text = "-" + text
		}
		r, _ := new(big.Rat).SetString(text)
		return value.Of(rdf.NewTyped(text, rdf.XSDDecimal)), r
	}
	env := environment()
	for range 20000 {
		a, x := number()
		b, y := number()
		for _, op := range []string{"+", "-", "*", "/", "<"} {
			got, err := value.Call(env, op, []value.Value{a, b})
			want := new(big.Rat)
			switch op {
			case "+":
				want.Add(x, y)
			case "-":
				want.Sub(x, y)
			case "*":
				want.Mul(x, y)
			case "/":
				if y.Sign() == 0 {
					continue
				}
				want.Quo(x, y)
			case "<":
				if less, _ := value.EBV(got); less != (x.Cmp(y) < 0) {
					t.Fatalf("%v < %v: %v", a.Term(), b.Term(), less)
				}
				continue
			}
			r, ok := new(big.Rat).SetString(got.Term().Value)
			if err != nil || !ok {
				t.Fatalf("%v %s %v: %v", a.Term(), op, b.Term(), err)
			}
			off := new(big.Rat).Sub(r, want)
			bound := new(big.Rat)
			if op == "/" {
				bound.SetString("0.000000000000000000005")
			}
			if off.Abs(off).Cmp(bound) > 0 {
				t.Fatalf("%v %s %v is %v", a.Term(), op, b.Term(), got.Term())
			}
			if again := value.Of(got.Term()); !value.SameTerm(again, got) || value.Order(again, got) != 0 {
				t.Fatalf("%v is read as %v", got.Term(), again.Term())
			}
		}
	}
}
