package catalogs

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"orbweaver"
	"orbweaver/fetch/sparql"
)

// The test queries. All are cheap: each ends with its first row, or counts few things.
const (
	askQuery   = "ASK {}"
	unionQuery = "SELECT ?s WHERE { { ?s a ?c } UNION { ?c a ?s } } LIMIT 1"
	countQuery = "SELECT (COUNT(?s) AS ?n) WHERE { ?s a <http://www.w3.org/2002/07/owl#Ontology> }"
	rowsQuery  = "SELECT ?s WHERE { ?s ?p ?o } LIMIT "
)

// maxAnswer bounds an answer, in bytes, except that of the query for many rows.
const maxAnswer = 1 << 20

// probe is the test of one endpoint.
type probe struct {
	*check
	*Checked
	endpoint sparql.Endpoint // current address, and what the test learned so far
	times    []time.Duration
}

// run sends all queries. It stops if the endpoint cannot be reached, reports that it is down, or fails a
// query for a reason that another method would not change.
func (p *probe) run(ctx context.Context) {
	class := p.try(ctx, askQuery, &p.Ask)
	switch class {
	case sparql.ErrUnreached, sparql.ErrTimedOut, sparql.ErrUnavailable:
		p.finish()
		return
	}
	if !p.post(ctx, class) {
		p.finish()
		return
	}
	p.try(ctx, unionQuery, &p.Union)
	p.try(ctx, countQuery, &p.Count)
	if p.rows > 0 && p.Up {
		var many sparql.Known
		p.try(ctx, rowsQuery+strconv.Itoa(p.rows), &many)
	}
	p.finish()
}

// post tests POST after a query by GET failed with a class, or was answered if class is empty. It reports
// whether one of the methods works for the other queries.
func (p *probe) post(ctx context.Context, class sparql.Class) bool {
	before, reason, message := p.endpoint.Dialect.Get, p.Reason, p.Message
	p.endpoint.Dialect.Get = sparql.No // makes the endpoint post a form
	var posted sparql.Known
	p.try(ctx, askQuery, &posted)
	p.endpoint.Dialect.Get, p.Reason, p.Message = before, reason, message
	unheard := class == sparql.ErrNoEndpoint || class == sparql.ErrForbidden || class == sparql.ErrMoved
	if posted == sparql.Yes {
		p.Ask, p.Reason, p.Message = sparql.Yes, "", ""
		if unheard {
			p.endpoint.Dialect.Get = sparql.No
		}
	}
	return posted == sparql.Yes || !unheard
}

// finish derives figures from all answers together.
func (p *probe) finish() {
	p.Dialect = p.endpoint.Dialect
	if p.Up {
		p.Reason, p.Message = p.whenUp()
	}
	if p.endpoint.URL != p.Endpoint {
		p.Moved = p.endpoint.URL
	}
	if n := len(p.times); n > 0 {
		slices.Sort(p.times)
		p.Millis = max(1, ((p.times[(n-1)/2] + p.times[n/2]) / 2).Milliseconds())
	}
}

// whenUp returns why a query of an otherwise working endpoint failed, unless only the request method was
// at fault.
func (p *probe) whenUp() (reason, message string) {
	if p.Ask == sparql.Yes && p.Union == sparql.Yes && p.Count == sparql.Yes {
		return "", ""
	}
	return p.Reason, p.Message
}

// try sends one query to the address after redirects, and records whether it was answered.
func (p *probe) try(ctx context.Context, text string, known *sparql.Known) sparql.Class {
	query, err := sparql.ReadQuery(text)
	if err != nil {
		return p.failed(err, known)
	}
	for range maxHops + 1 {
		if p.Asked > 0 && wait(ctx, p.delay) != nil {
			return sparql.ErrUnreached
		}
		err = p.ask(ctx, query)
		var moved *sparql.Error
		if !errors.As(err, &moved) || moved.Class != sparql.ErrMoved || moved.To == "" {
			break
		}
		p.endpoint.URL = moved.To
	}
	if err == nil {
		*known, p.Up = sparql.Yes, true
		return ""
	}
	return p.failed(err, known)
}

// failed records why a query was not answered. A feature counts as missing only if the endpoint reports
// that it does not support it.
func (p *probe) failed(err error, known *sparql.Known) sparql.Class {
	var e *sparql.Error
	class, message, reason := sparql.ErrUnreached, err.Error(), ""
	if errors.As(err, &e) {
		class, message = e.Class, e.Message
	}
	if class == sparql.ErrParse || class == sparql.ErrShape || class == sparql.ErrFormat {
		*known = sparql.No
	}
	if reason = string(class); class == sparql.ErrUnreached {
		reason = string(orbweaver.FailureOf(err))
	}
	if _, detail, found := strings.Cut(message, ": "+string(orbweaver.FailureOf(err))+": "); found && strings.HasPrefix(message, "fetch ") {
		message = detail // without URL and class, which have columns of their own
	}
	if e != nil && e.Status/100 > 2 && e.Status/100 != 3 {
		message = strings.TrimSpace(strconv.Itoa(e.Status) + " " + message)
	}
	if p.Reason == "" {
		p.Reason, p.Message = reason, visible(message, 300)
	}
	return class
}

// ask sends a query and reads the answer to its end.
func (p *probe) ask(ctx context.Context, query sparql.Query) error {
	limits := sparql.Limits{Rows: max(p.rows, 1) + 1000, Bytes: maxAnswer}
	if p.rows > 0 {
		limits.Bytes += int64(p.rows) << 10
	}
	c := &sparql.Client{Fetcher: p.client, Limits: limits}
	began := time.Now()
	p.Asked++
	answer, err := c.Ask(ctx, p.endpoint, query)
	if err == nil {
		err = drain(answer)
	}
	if !errors.Is(err, sparql.ErrMoved) { // the dialect is that of the redirecting address
		p.endpoint.Dialect = p.endpoint.Dialect.Learn(answer, err)
	}
	if err == nil {
		p.times = append(p.times, time.Since(began))
		if limit, malformed := strconv.ParseInt(answer.Header.Get("X-SPARQL-MaxRows"), 10, 64); malformed == nil && limit > 0 {
			p.endpoint.Dialect.Limit = limit
		}
	}
	return err
}

// drain reads the rows of an answer.
func drain(answer *sparql.Answer) error {
	defer answer.Close()
	if answer.Rows == nil {
		return nil
	}
	for _, err := range answer.Rows {
		if err != nil {
			return err
		}
	}
	return nil
}

// checkTable writes one line per endpoint.
func checkTable(out io.Writer, all []*Checked) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "dataset\tendpoint\tup\tSPARQL\tby\trows\tmake\tms\twhy not")
	up, modern := 0, 0
	for _, e := range all {
		millis, word := "-", "no"
		if e.Up {
			millis, word = strconv.FormatInt(e.Millis, 10), "yes"
			up++
		}
		if e.Dialect.Version == sparql.Version11 {
			modern++
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", e.Dataset, visible(e.Endpoint, 100), word, orDash(e.Dialect.Version), orDash(ways(e.Dialect)),
			number(int(e.Dialect.Limit)), orDash(e.Dialect.Server), millis, orDash(visible(why(e), 80)))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\n%d of %s up, %d of them with SPARQL 1.1\n", up, counted(len(all), "endpoint"), modern)
	return err
}

// ways returns the request methods that an endpoint accepts.
func ways(d sparql.Dialect) string {
	var words []string
	if d.Get == sparql.Yes {
		words = append(words, "GET")
	}
	if d.Form == sparql.Yes {
		words = append(words, "POST")
	}
	return strings.Join(words, ", ")
}

// why describes what an endpoint lacks.
func why(e *Checked) string {
	text := strings.TrimSpace(e.Reason + " " + e.Message)
	if !e.Up {
		return text
	}
	var lacks []string
	for _, q := range []struct {
		word  string
		known sparql.Known
	}{{"ASK", e.Ask}, {"UNION", e.Union}, {"COUNT", e.Count}} {
		if q.known != sparql.Yes {
			lacks = append(lacks, "no "+q.word)
		}
	}
	if len(lacks) == 0 {
		return ""
	}
	return strings.Join(lacks, ", ") + ": " + text
}
