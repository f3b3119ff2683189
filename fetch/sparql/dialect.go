package sparql

import (
	"errors"
	"net/http"
	"slices"
	"strings"
)

// A Known is a yes or no that may not be known yet: then it is empty.
type Known string

// What can be known.
const (
	Yes Known = "yes"
	No  Known = "no"
)

// The versions of SPARQL that an endpoint may speak.
const (
	Version10 = "1.0"
	Version11 = "1.1"
)

// The makes of servers that make a difference here.
const (
	Virtuoso = "virtuoso"
	Fuseki   = "fuseki"
)

const maxFormats = 16 // that a Dialect remembers

// A Dialect holds the observed capabilities of one endpoint. The zero value is the start: nothing observed.
type Dialect struct {
	Version string   `json:"version,omitempty"` // Version10 or Version11; empty: not known
	Get     Known    `json:"get,omitempty"`     // it answers queries by GET
	Form    Known    `json:"form,omitempty"`    // and those that are posted as a form
	Limit   int64    `json:"limit,omitempty"`   // rows at which it cut an answer; 0: not seen
	Formats []string `json:"formats,omitempty"` // that it answered in: names, sorted
	Server  string   `json:"server,omitempty"`  // its make: Virtuoso or Fuseki; empty: another
}

// seen is what one answer, or one error, shows of an endpoint.
type seen struct {
	post, modern bool
	server       string // header Server
	format       string
	cutAt        int64 // rows at which the endpoint cut; 0: it did not
	refused      bool  // the query never got to a SPARQL processor: this way of asking does not work
}

// Learn returns the dialect updated by an answer, or by the error that came instead. Truncation is learned only from
// an answer read to its end. Either may be nil.
func (d Dialect) Learn(a *Answer, err error) Dialect {
	var failed *Error
	switch {
	case errors.As(err, &failed):
		return d.after(failed.seen, failed.Class)
	case err == nil && a != nil:
		return d.after(a.seen, "")
	}
	return d
}

// after returns the dialect after an answer, or a failure of a class.
func (d Dialect) after(s seen, failed Class) Dialect {
	if server := makeOf(s.server); server != "" {
		d.Server = server
	}
	way := &d.Get
	if s.post {
		way = &d.Form
	}
	switch {
	case failed == "":
		*way = Yes
		if s.modern {
			d.Version = Version11
		}
	case failed == ErrParse:
		*way = Yes
		if s.modern && d.Version == "" {
			d.Version = Version10
		}
	case s.refused && *way == "":
		*way = No
	}
	if s.cutAt > 0 {
		d.Limit = s.cutAt
	}
	if s.format != "" && failed == "" && len(d.Formats) < maxFormats && !slices.Contains(d.Formats, s.format) {
		d.Formats = append(slices.Clone(d.Formats), s.format)
		slices.Sort(d.Formats)
	}
	return d
}

// makeOf returns a server's make by its header Server.
func makeOf(server string) string {
	server = strings.ToLower(server)
	for _, name := range [...]string{Virtuoso, Fuseki} {
		if strings.Contains(server, name) {
			return name
		}
	}
	return ""
}

// cutByServer reports what the header of an answer says of its rows: at how many the endpoint stops, 0
// when it does not say; and whether it gave up on time, with a part of the rows (Virtuoso's "anytime"
// queries).
func cutByServer(status int, h http.Header) (limit int64, late bool) {
	limit = number(h.Get("X-SPARQL-MaxRows"))
	late = status == http.StatusPartialContent || h.Get("X-SQL-State") == "S1TAT"
	return limit, late
}
