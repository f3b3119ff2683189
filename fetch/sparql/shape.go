package sparql

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"

	"orbweaver"
	"orbweaver/rdf"
	"orbweaver/rdf/sparql/results"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
)

// read reads an answer that is not a page, by its bytes and the form of the query.
func (a *Answer) read(contentType string, head []byte) error {
	if a.query.Form == Ask {
		switch word := strings.ToLower(strings.TrimSpace(string(head))); word {
		case "true", "false": // text/boolean; CSV and TSV
			a.seen.format, a.Format, a.Media = "text", "text", "text/plain"
			return a.settle(word == "true")
		}
	}
	format := results.Detect(contentType, head)
	if a.query.Form == Graph && (format == results.RDF || format == results.Unknown) {
		return a.graph(contentType, head)
	}
	a.Format, a.Media, a.seen.format = format.String(), format.MediaType(), format.String()
	res, err := results.Read(a.in, format, results.Options{
		Name: "answer", Base: a.endpoint.URL,
		MaxRows: a.limits.Rows, MaxBytes: max(a.limits.Bytes, results.DefaultMaxBytes), MaxToken: a.limits.Token,
	})
	switch {
	case err != nil:
		return a.broken(err, head)
	case (format == results.CSV || format == results.TSV) && !areNames(res.Vars):
		return a.message(head)
	case a.query.Form == Ask:
		return a.truth(res)
	case res.Boolean != nil:
		return a.failed(ErrShape, "a boolean, where rows or a graph were wanted")
	case a.query.Form == Graph:
		return a.triples(res)
	}
	a.Vars = res.Vars
	a.Rows = counted(a, res.Rows)
	return nil
}

// areNames reports whether columns can be variables, unlike the line of a message.
func areNames(vars []string) bool {
	for _, name := range vars {
		if strings.ContainsAny(name, " <>\"'():") || len(name) > 200 {
			return false
		}
	}
	return true
}

// message returns the error of a message instead of an answer.
func (a *Answer) message(head []byte) error {
	class := says(text(head))
	if class == "" {
		class = ErrFormat
	}
	return a.failed(class, plain(head))
}

// settle sets a boolean answer.
func (a *Answer) settle(b bool) error {
	a.Boolean = &b
	a.Close()
	return nil
}

// truth sets the answer to ASK from a boolean, or from the table that some endpoints send: its single value, if
// that is a truth value, otherwise whether it has a row.
func (a *Answer) truth(res *results.Results) error {
	if res.Boolean != nil {
		return a.settle(*res.Boolean)
	}
	for row, err := range res.Rows {
		if err != nil {
			return a.broken(err, nil)
		}
		if len(row) == 1 {
			switch strings.ToLower(row[0].Value) {
			case "0", "false", "no":
				return a.settle(false)
			}
		}
		return a.settle(true)
	}
	return a.settle(false)
}

// graph reads a graph.
func (a *Answer) graph(contentType string, head []byte) error {
	format := syntax.Detect("", contentType, head)
	if format == syntax.Unknown {
		return a.message(head)
	}
	if class := says(firstLine(head)); class != "" && head[0] != '<' && head[0] != '@' && head[0] != '_' {
		return a.message(head)
	}
	a.Format, a.Media, a.seen.format = format.String(), format.MediaType(), format.String()
	a.Quads = counted(a, document.Quads(a.in, format, syntax.Options{
		Name: "answer", Base: a.endpoint.URL, Lenient: true, MaxToken: a.limits.Token,
		OnError: func(err error) {
			a.skipped++
			a.torn = err
		},
	}))
	return nil
}

// tornOff returns the error of a graph that ends within a statement, or nil. An invalid statement followed by
// others, or properly terminated, is only left out.
func (a *Answer) tornOff() error {
	if a.torn == nil || strings.HasSuffix(strings.TrimRight(string(a.body.tail), " \t\r\n}"), ".") {
		return nil
	}
	return fmt.Errorf("%w: %w", io.ErrUnexpectedEOF, a.torn)
}

// firstLine returns the first line, without a comment mark: "# Empty TURTLE".
func firstLine(b []byte) string {
	line, _, _ := strings.Cut(string(b), "\n")
	line, _, _ = strings.Cut(line, "#")
	return line
}

// triples makes a graph of a table of subjects, predicates and objects.
func (a *Answer) triples(res *results.Results) error {
	if len(res.Vars) < 3 {
		return a.failed(ErrShape, fmt.Sprintf("a table of %d columns, where a graph was wanted", len(res.Vars)))
	}
	a.Quads = counted(a, func(yield func(rdf.Quad, error) bool) {
		for row, err := range res.Rows {
			if err != nil {
				yield(rdf.Quad{}, err)
				return
			}
			q := rdf.Quad{S: row[0], P: row[1], O: row[2]}
			if !(rdf.Triple{S: q.S, P: q.P, O: q.O}).IsValid() {
				a.skipped++
				continue
			}
			if !yield(q, nil) {
				return
			}
		}
	})
	return nil
}

// counted yields the rows or quads of the answer, counted and limited, with errors of this package, and closes
// the answer after the last.
func counted[T any](a *Answer, in iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		defer a.Close()
		var none T
		for t, err := range in {
			if err == nil && a.count >= int64(a.limits.Rows) {
				err = fmt.Errorf("more than %d: %w", a.limits.Rows, orbweaver.ErrTooLarge)
			}
			if err != nil {
				yield(none, a.broken(err, nil))
				return
			}
			a.torn = nil
			if a.count++; !yield(t, nil) {
				return
			}
		}
		if err := a.tornOff(); err != nil {
			yield(none, a.broken(err, nil))
			return
		}
		a.finish()
	}
}

// finish determines, once all has been read, whether the answer is complete.
func (a *Answer) finish() {
	limit, late := cutByServer(a.status, a.Header)
	own := a.query.Limit
	switch {
	case late:
		a.cut = CutTime
	case a.query.Form == Select && own != NoLimit && a.count >= own, a.query.Form == Graph && own != NoLimit:
	case limit > 0:
		if a.count >= limit {
			a.cut, a.seen.cutAt = CutTold, a.count
		}
	case a.count > 0 && a.count == a.endpoint.Dialect.Limit, isRound(a.count):
		a.cut, a.seen.cutAt = CutRound, a.count
	}
}

// isRound reports whether a number is a likely configured limit: one digit and at least three zeros.
func isRound(n int64) bool {
	zeros := 0
	for ; n > 0 && n%10 == 0; n /= 10 {
		zeros++
	}
	return zeros >= 3 && n < 10
}

// broken returns the error of an answer whose reading failed with err. head is given if nothing was parsed yet:
// a message instead of an answer is at its start. A message that interrupts an answer is at its end.
func (a *Answer) broken(err error, head []byte) error {
	if a.ctx.Err() != nil {
		return fmt.Errorf("sparql %s: %w", a.endpoint.URL, a.ctx.Err())
	}
	failure := orbweaver.FailureOf(err)
	tail := strings.ToLower(text(a.body.tail))
	e := a.failed(ErrBroken, plain([]byte(err.Error())))
	e.cause = err
	switch {
	case failure == orbweaver.ErrTooLarge, errors.Is(err, results.ErrLimit):
		e.Class = ErrAboveLimit
	case failure == orbweaver.ErrTimeout:
		e.Class = ErrTimedOut
	case failure != "error":
	case head != nil && says(text(head)) != "":
		return a.message(head)
	case strings.Contains(tail, "cancelled due to time"), strings.Contains(tail, "s1t00"):
		e.Class, e.Message, e.stated, e.cause = ErrTimedOut, plain(a.body.tail), true, nil
	case errors.Is(err, io.ErrUnexpectedEOF), strings.Contains(err.Error(), "unexpected EOF"),
		strings.HasSuffix(err.Error(), "is not closed"): // of RDF/XML
		e.cause = errors.Join(orbweaver.ErrCut, err)
	case errors.Is(err, results.ErrFormat), head != nil:
		return a.message(head)
	default:
		e.cause = errors.Join(orbweaver.ErrUnreadable, err)
	}
	return e
}

// withoutQuery returns the endpoint of a redirect target, without the parameters of the query.
func withoutQuery(address string) string {
	base, parameters, _ := strings.Cut(address, "?")
	var own []string
	for p := range strings.SplitSeq(parameters, "&") {
		switch name, _, _ := strings.Cut(p, "="); name {
		case "query", "default-graph-uri", "named-graph-uri", "timeout", "":
		default:
			own = append(own, p)
		}
	}
	if len(own) == 0 {
		return base
	}
	return base + "?" + strings.Join(own, "&")
}
