package value_test

import (
	"errors"
	"testing"

	"orbweaver/rdf"
	"orbweaver/rdf/sparql/value"
)

const xsd = "http://www.w3.org/2001/XMLSchema#"

// zoo has terms of all kinds, with what is hard to order among them.
func zoo() (all []value.Value) {
	all = []value.Value{
		{}, value.Of(rdf.NewBlank("a")), value.Of(rdf.NewBlank("b")), value.IRI("http://a/"), value.IRI("http://b/"),
		value.String(""), value.String("a"), value.String("b"), value.Of(rdf.NewLang("a", "en")),
		value.Of(rdf.NewLang("a", "EN")), value.Of(rdf.NewLang("b", "de")), value.Bool(true), value.Bool(false),
		value.Of(rdf.NewTyped("a", "http://t")), value.Of(rdf.NewTyped("b", "http://t")), value.Integer(7),
	}
	all = append(all, value.Of(rdf.NewDirLang("a", "en", rdf.LTR)), value.Of(rdf.NewDirLang("a", "en", rdf.RTL)))
	for _, o := range []rdf.Term{rdf.NewIRI("http://a/"), rdf.NewTyped("1", rdf.XSDInteger), rdf.NewTyped("01", rdf.XSDInteger), rdf.NewTyped("1", rdf.XSDDouble), rdf.NewTyped("NaN", rdf.XSDDouble)} {
		inner := rdf.NewTripleTerm(rdf.Triple{S: rdf.NewIRI("http://a/"), P: rdf.NewIRI("http://a/"), O: o})
		all = append(all, value.Of(inner), value.Of(rdf.NewTripleTerm(rdf.Triple{S: rdf.NewBlank("a"), P: rdf.NewIRI("http://a/"), O: inner})))
	}
	for _, typed := range []struct {
		datatype string
		forms    []string
	}{
		{"integer", []string{"1", "01", "x", "9007199254740993", "9007199254740992", "16777217", "-1", "0", "99999999999999999999"}},
		{"decimal", []string{"1.0", "0.1", "9007199254740992.5", "-0.0", "1e0"}},
		{"double", []string{"1", "0.1", "9007199254740992", "NaN", "INF", "-INF", "0", "-0", "1e300", "1e20"}},
		{"float", []string{"1", "0.1", "16777216", "NaN", "INF"}},
		{"byte", []string{"1", "300"}},
		{"dateTime", []string{"2000-01-01T00:00:00", "2000-01-01T00:00:00Z", "2000-01-01T01:00:00+14:00", "1999-12-31T24:00:00", "2000-01-01T12:00:00"}},
		{"date", []string{"2000-01-01", "2000-01-01Z", "2000-01-01+13:00", "2000-13-01"}},
		{"time", []string{"00:00:00", "24:00:00Z", "12:00:00-14:00"}},
		{"dayTimeDuration", []string{"P1D", "PT24H", "-PT0.1S", "PT0S"}},
		{"yearMonthDuration", []string{"P1Y", "P12M", "-P1M"}},
		{"gYear", []string{"2000", "1999"}},
	} {
		for _, form := range typed.forms {
			all = append(all, value.Of(rdf.NewTyped(form, xsd+typed.datatype)))
		}
	}
	return all
}

// TestOrderIsTotal: it is antisymmetric and transitive, and equivalent values have the same place.
func TestOrderIsTotal(t *testing.T) {
	all := zoo()
	for _, a := range all {
		for _, b := range all {
			ab := value.Order(a, b)
			if ab != -value.Order(b, a) || ab < -1 || ab > 1 {
				t.Errorf("%v and %v: %d and %d", a.Term(), b.Term(), ab, value.Order(b, a))
			}
			for _, c := range all {
				bc, ac := value.Order(b, c), value.Order(a, c)
				if ab <= 0 && bc <= 0 && (ac > 0 || ac == 0 && (ab < 0 || bc < 0)) {
					t.Errorf("%v, %v, %v: %d, %d, but %d", a.Term(), b.Term(), c.Term(), ab, bc, ac)
				}
			}
		}
	}
}

// TestOrderAgrees: where "<" has an opinion, it is that of ORDER BY, but that promotion rounds.
func TestOrderAgrees(t *testing.T) {
	for _, a := range zoo() {
		for _, b := range zoo() {
			c, err := value.Compare(a, b)
			back, backErr := value.Compare(b, a)
			if (err == nil) != (backErr == nil) || c != -back {
				t.Errorf("%v and %v: %d, %v and back %d, %v", a.Term(), b.Term(), c, err, back, backErr)
			}
			if err == nil && c != 0 && c != value.Order(a, b) {
				t.Errorf("%v and %v: compared %d, ordered %d", a.Term(), b.Term(), c, value.Order(a, b))
			}
			equal, equalErr := value.Equal(a, b)
			if err == nil && (equalErr != nil || equal != (c == 0)) {
				t.Errorf("%v and %v: compared %d, equal %v, %v", a.Term(), b.Term(), c, equal, equalErr)
			}
			if back, err := value.Equal(b, a); back != equal || (err == nil) != (equalErr == nil) {
				t.Errorf("%v and %v: equal %v, %v and back %v, %v", a.Term(), b.Term(), equal, equalErr, back, err)
			}
		}
	}
}

func TestOrderOfKinds(t *testing.T) {
	sorted := []value.Value{{}, value.Of(rdf.NewBlank("z")), value.IRI("y:"), value.Bool(true), value.Integer(1), value.Integer(2), value.String("a"),
		value.Of(rdf.NewTripleTerm(rdf.Triple{S: rdf.NewBlank("a"), P: rdf.NewIRI("u:p"), O: rdf.NewIRI("u:o")}))}
	for i := range sorted[1:] {
		if value.Order(sorted[i], sorted[i+1]) != -1 {
			t.Errorf("%v does not come before %v", sorted[i].Term(), sorted[i+1].Term())
		}
	}
}

func TestTermsComeOutAsTheyWentIn(t *testing.T) {
	for _, v := range zoo() {
		term := v.Term()
		if again := value.Of(term).Term(); again != term {
			t.Errorf("%v became %v", term, again)
		}
	}
}

func TestAggregates(t *testing.T) {
	fails := errors.New("fails")
	integer := func(s string) value.Value { return value.Of(rdf.NewTyped(s, rdf.XSDInteger)) }
	numbers := []value.Value{value.Integer(1), value.Integer(2), integer("2"), integer("02")}
	for _, c := range []struct {
		name     string
		distinct bool
		in       []value.Value
		want     string // the term as it is printed, empty for an error
	}{
		{"COUNT", false, nil, "0"},
		{"SUM", false, nil, "0"},
		{"AVG", false, nil, "0"},
		{"GROUP_CONCAT", false, nil, ""},
		{"MIN", false, nil, "error"},
		{"MAX", false, nil, "error"},
		{"SAMPLE", false, nil, "error"},
		{"COUNT", false, numbers, "4"},
		{"COUNT", true, numbers, "3"},
		{"SUM", false, numbers, "7"},
		{"SUM", true, numbers, "5"},
		{"AVG", false, numbers, "1.75"},
		{"MIN", false, numbers, "1"},
		{"MAX", false, numbers, "2"},
		{"SAMPLE", false, numbers, "1"},
		{"GROUP_CONCAT", false, numbers, "1|2|2|02"},
		{"GROUP_CONCAT", true, numbers, "1|2|02"},
		{"SUM", false, []value.Value{value.Integer(1), value.String("a")}, "error"},
		{"MIN", false, []value.Value{value.Integer(1), value.IRI("u:a")}, "u:a"},
		{"GROUP_CONCAT", false, []value.Value{value.String("a"), value.Of(rdf.NewBlank("b"))}, "error"},
		{"GROUP_CONCAT", false, []value.Value{value.String(""), value.String("")}, "|"},
		{"COUNT", false, []value.Value{{}}, "0"}, // stands for an error here and below
		{"SUM", false, []value.Value{value.Integer(1), {}}, "error"},
		{"AVG", true, []value.Value{{}, value.Integer(1)}, "error"},
		{"GROUP_CONCAT", false, []value.Value{value.Integer(1), {}}, "error"},
		{"MIN", false, []value.Value{{}, value.Integer(1)}, "1"},
		{"MAX", true, []value.Value{value.Integer(1), {}}, "1"},
		{"SAMPLE", true, []value.Value{{}, value.Integer(1)}, "1"},
	} {
		a := value.NewAggregate(environment(), c.name, c.distinct, "|")
		for _, v := range c.in {
			if v.Bound() {
				a.Add(v, nil)
			} else {
				a.Add(v, fails)
			}
		}
		got, err := a.Result()
		text := got.Term().Value
		if err != nil {
			text = "error"
		}
		if text != c.want {
			t.Errorf("%s of %v: %q, %v; want %q", c.name, c.in, text, err, c.want)
		}
	}
	if value.NewAggregate(nil, "MEDIAN", false, "") != nil {
		t.Error("there is an aggregate by any name")
	}
}
