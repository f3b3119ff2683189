package sparql

import (
	"errors"
	"net/http"
	"slices"
	"strings"
)

// A Known is a yes or no; empty: not known yet.
type Known string

// The values of Known.
const (
	Yes Known = "yes"
	No  Known = "no"
)

// The versions of SPARQL.
const (
	Version10 = "1.0"
	Version11 = "1.1"
)

// Server software that is treated specially.
const (
	Virtuoso = "virtuoso"
	Fuseki   = "fuseki"
)

const maxFormats = 16 // kept in a Dialect

// A Dialect holds the observed capabilities of one endpoint. The zero value is the start: nothing observed.
type Dialect struct {
	Version string   `json:"version,omitempty"` // Version10 or Version11; empty: not known
	Get     Known    `json:"get,omitempty"`     // it answers GET
	Form    Known    `json:"form,omitempty"`    // it answers posted forms
	Limit   int64    `json:"limit,omitempty"`   // rows at which it truncated an answer; 0: not seen
	Formats []string `json:"formats,omitempty"` // names of the formats of its answers, sorted
	Server  string   `json:"server,omitempty"`  // Virtuoso or Fuseki; empty: another
}

// seen is what one answer or error reveals about an endpoint.
type seen struct {
	post, modern bool
	server       string // header Server
	format       string
	cutAt        int64 // rows at which the endpoint truncated; 0: it did not
	refused      bool  // the query never reached a SPARQL processor: this request method does not work
}

// Learn returns the dialect updated by an answer, or by the error instead of one; either may be nil. Truncation
// is learned only from an answer read to its end.
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

// makeOf returns the software of a server by its header Server.
func makeOf(server string) string {
	server = strings.ToLower(server)
	for _, name := range [...]string{Virtuoso, Fuseki} {
		if strings.Contains(server, name) {
			return name
		}
	}
	return ""
}

// cutByServer reports what the header of an answer says about its rows: the maximum, 0 if none; and whether a
// time limit truncated them (Virtuoso's "anytime" queries).
func cutByServer(status int, h http.Header) (limit int64, late bool) {
	limit = number(h.Get("X-SPARQL-MaxRows"))
	late = status == http.StatusPartialContent || h.Get("X-SQL-State") == "S1TAT"
	return limit, late
}
