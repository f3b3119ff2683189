package microdata

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"

	"orbweaver/rdf"
)

const xsd = "http://www.w3.org/2001/XMLSchema#"

// longest bounds the values examined as a number or a time, in bytes.
const longest = 64

// A form is the lexical form of a datatype: the intersection of HTML and XML Schema.
type form struct {
	datatype string
	pattern  *regexp.Regexp
}

const (
	year  = `[0-9]{4,}`
	month = year + `-(?:0[1-9]|1[0-2])`
	day   = month + `-(?:0[1-9]|[12][0-9]|3[01])`
	clock = `(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]+)?`
	zone  = `(?:Z|[+-](?:0[0-9]|1[0-3]):[0-5][0-9])?`
)

// numbers and moments are tried in order. Read-only.
var (
	numbers = []form{
		{rdf.XSDInteger, whole(`-?[0-9]+`)},
		{rdf.XSDDouble, whole(`-?(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?`)},
	}
	moments = []form{
		{xsd + "date", whole(day)},
		{xsd + "time", whole(clock + zone)},
		{xsd + "dateTime", whole(day + `T` + clock + zone)},
		{xsd + "gYearMonth", whole(month)},
		{xsd + "gYear", whole(year)},
		{xsd + "duration", whole(`P(?:[0-9]+Y)?(?:[0-9]+M)?(?:[0-9]+D)?(?:T(?:[0-9]+H)?(?:[0-9]+M)?(?:[0-9]+(?:\.[0-9]+)?S)?)?`)},
	}
)

func whole(pattern string) *regexp.Regexp { return regexp.MustCompile(`^(?:` + pattern + `)$`) }

// typed returns a literal of the first datatype whose form a value has, or the zero Term.
func typed(value string, forms []form) rdf.Term {
	value = trim(value)
	if value == "" || len(value) > longest || strings.HasSuffix(value, "P") || strings.HasSuffix(value, "T") {
		return rdf.Term{} // a duration must end in a field
	}
	for _, f := range forms {
		if f.pattern.MatchString(value) {
			return rdf.NewTyped(value, f.datatype)
		}
	}
	return rdf.Term{}
}

// number returns the value of a <data> or <meter>.
func number(value string) rdf.Term {
	if t := typed(value, numbers); !t.IsZero() {
		return t
	}
	return rdf.NewString(value)
}

// moment returns the value of a <time>.
func (p *reader) moment(el *html.Node, value string) rdf.Term {
	if t := typed(value, moments); !t.IsZero() {
		return t
	}
	return p.literal(el, value)
}
