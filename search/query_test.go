package search_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"

	"orbweaver/search"
)

// shape writes a query's clauses so that they can be compared.
func shape(q search.Query) string {
	var all []string
	for _, c := range q.Clauses {
		s := []string{"", "+", "-"}[c.Need]
		if c.Field != "" {
			s += c.Field + ":"
		}
		var words []string
		for _, w := range c.Words {
			if w.Prefix {
				words = append(words, w.Text+"*")
			} else {
				words = append(words, strings.Join(w.Stems, "|"))
			}
		}
		all = append(all, s+strings.Join(words, "_"))
	}
	return strings.Join(all, " ")
}

func TestParse(t *testing.T) {
	y := search.Syntax{Fields: []string{"title", "text"}}
	german := search.Syntax{Langs: []string{"de", "en", "de-AT"}}
	for _, tc := range []struct {
		query  string
		syntax search.Syntax
		want   string
	}{
		{"Running stars", y, "run star"},
		{"+running -stars", y, "+run -star"},
		{`"running stars" x`, y, "run_star x"},
		{`-"running stars`, y, "-run_star"},
		{`a"b c"d`, y, "b_c d"},
		{"title:star other:star", y, "title:star other_star"},
		{`+title:"red star"`, y, "+title:red_star"},
		{"title: star", y, "titl star"},
		{"sta*", y, "sta*"},
		{"+title:Red-Sta**", y, "+title:red +title:sta*"},
		{"object-oriented c++ 1.5", y, "object_orient c++ 1.5"},
		{"the star of the sea", y, "star sea"},
		{"the who", y, "the who"},
		{"+the star", y, "+the star"},
		{`"the who" star`, y, "the_who star"},
		{"the -star", y, "the -star"},
		{"the*", y, "the*"},
		{"s", y, "s"},
		{"北京", y, "北_京"},
		{"Häuser", german, "haus|häuser"},
		{"+ - * \" : \xff", y, ""},
		{"", y, ""},
	} {
		q, err := search.Parse(tc.query, tc.syntax)
		if got := shape(q); got != tc.want || err != nil {
			t.Errorf("%s: %s, %v, not %s", tc.query, got, err, tc.want)
		}
	}
}

func TestParseLimits(t *testing.T) {
	for name, query := range map[string]string{
		"bytes":  strings.Repeat("x", 4097),
		"words":  strings.Repeat("x ", 65),
		"phrase": `"` + strings.Repeat("x ", 33) + `"`,
	} {
		if _, err := search.Parse(query, search.Syntax{}); !errors.Is(err, search.ErrQuery) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// FuzzParse: any text is a query within the limits, or refused as too long, and can be looked for in it.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`+title:"a b" -c d* e`, "\x00\xff", `"""`, "+-+-title:text:x", "****", "a\"b*\"*"} {
		f.Add(s)
	}
	y := search.Syntax{Fields: []string{"title", "text"}, Langs: []string{"", "de"}}
	db, store := on(f, vfs.NewMem())
	defer db.Close()
	r := store.Over(db)
	f.Fuzz(func(t *testing.T, s string) {
		q, err := search.Parse(s, y)
		if err != nil {
			if !errors.Is(err, search.ErrQuery) {
				t.Fatal(err)
			}
			return
		}
		again, err := search.Parse(s, y)
		if err != nil || !reflect.DeepEqual(q, again) || len(q.Clauses) > 64 {
			t.Fatalf("%q: %v, then %v, %v", s, q, again, err)
		}
		end := 0
		for _, span := range r.Highlights(q, search.Text{Text: s}) {
			if span.Start < end || span.End <= span.Start || span.End > len(s) {
				t.Fatalf("%q: %v", s, span)
			}
			end = span.End
		}
	})
}

func TestHighlights(t *testing.T) {
	db, store := on(t, vfs.NewMem())
	defer db.Close()
	for _, tc := range []struct{ query, field, lang, text, want string }{
		{"star", "text", "", "Stars and a star.", "[Stars] and a [star]."},
		{`"red star"`, "text", "", "red, a red star red", "red, a [red star] red"},
		{`"red star"`, "text", "", "red\n\nstar", "red\n\nstar"},
		{`"a a"`, "text", "", "a a a b", "[a a a] b"},
		{"sta* -dog", "text", "", "State dog sta", "[State] dog [sta]"},
		{"title:star", "text", "", "star", "star"},
		{"title:star", "title", "", "star", "[star]"},
		{"haus", "text", "de", "Häuser", "[Häuser]"},
		{"nothing", "text", "", "star", "star"},
	} {
		q, err := search.Parse(tc.query, search.Syntax{Fields: []string{"title"}, Langs: []string{"en", "de"}})
		if err != nil {
			t.Fatal(err)
		}
		got, end := "", 0
		for _, s := range store.Over(db).Highlights(q, search.Text{Field: tc.field, Lang: tc.lang, Text: tc.text}) {
			got += fmt.Sprintf("%s[%s]", tc.text[end:s.Start], tc.text[s.Start:s.End])
			end = s.End
		}
		if got += tc.text[end:]; got != tc.want {
			t.Errorf("%s in %s: %s, not %s", tc.query, tc.text, got, tc.want)
		}
	}
}
