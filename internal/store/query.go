package store

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/krsdb"
	"orbweaver/internal/offline/rdffile"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
	"orbweaver/rdf/sparql/algebra"
	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/results"
	sparql "orbweaver/rdf/sparql/syntax"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/turtle"
	protocol "orbweaver/server/sparql"
)

// queryBytes bounds the memory of one query, without the data.
const queryBytes = 4 << 30

// QueryOptions configures a query and the form of its answer.
type QueryOptions struct {
	Data    QueryData
	Text    string        // query or update
	Update  bool          // Text is an update: of a folder's store, or of files, whose updated data is then written to Out
	File    string        // file to read Text from; "-" is In
	Format  string        // one of QueryFormats; empty: for people
	Explain bool          // print the plan, not the answer
	Time    time.Duration // limit for the answer, without loading; 0: none
	Private bool          // SERVICE and LOAD may reach private addresses
	Union   bool          // without FROM, the default graph is the union of all graphs
	MaxRows int64         // limit of rows or triples; 0: none
	Alone   bool          // SERVICE reaches nothing: the query is an error
	turn    eval.Turn     // beside other queries; nil: it is alone
}

// QueryFormats returns the formats of answers: those of rows and booleans, and those of graphs.
func QueryFormats() (rows, graphs []string) {
	return []string{"table", "json", "csv", "tsv", "xml"}, []string{"turtle", "ntriples", "nquads"}
}

// UpdateFormats returns the formats of updated data.
func UpdateFormats() []string { return []string{"nquads", "trig"} }

// Query evaluates one query and writes the answer to Out: rows as a table, ASK as true or false, triples
// of CONSTRUCT and DESCRIBE as Turtle, unless Format says otherwise. The error wraps ErrInput when the
// query, the data or the format is wrong; an error of the query shows its line.
func Query(ctx context.Context, a *job.Job, opts QueryOptions) error {
	name, text, err := queryText(ctx, a, opts)
	if err != nil {
		return err
	}
	if opts.Update {
		return update(ctx, a, name, text, opts)
	}
	q, err := parseQuery(folderURL(), name, text) // relative IRIs name files in the working directory
	if err != nil {
		return err
	}
	if err := checkFormat(q.Form, opts.Format); err != nil {
		return err
	}
	switch {
	case krsdb.Is(opts.Data.Crawl):
		return queryKRS(ctx, a, q, opts)
	case opts.Data.Crawl != "":
		return queryBase(ctx, a, text, q, opts)
	}
	store, err := loadData(ctx, a, opts.Data)
	if err != nil {
		return err
	}
	r := store.Snapshot()
	return answer(ctx, a, r, indexInMemory(r), q, opts)
}

// queryText returns the query and its name in errors.
func queryText(ctx context.Context, a *job.Job, opts QueryOptions) (name, text string, err error) {
	switch {
	case opts.File == "" && opts.Update:
		return "update", opts.Text, nil
	case opts.File == "":
		return "query", opts.Text, nil
	}
	in, err := rdffile.Open(ctx, opts.File, a.In)
	if err != nil {
		return "", "", err
	}
	defer in.Close()
	b, err := io.ReadAll(io.LimitReader(in.Text, sparql.DefaultMaxBytes+1)) // parsing refuses a longer text
	if err != nil {
		return "", "", fmt.Errorf("%s: %w (%w)", in.Name, err, orbweaver.ErrInput)
	}
	return in.Name, string(b), nil
}

// parseQuery parses a query; base resolves relative IRIs.
func parseQuery(base, name, text string) (*algebra.Query, error) {
	tree, err := sparql.ParseQuery(text, sparql.Options{Name: name, Base: base})
	if err != nil {
		return nil, pointed(text, err)
	}
	q, err := algebra.TranslateQuery(tree)
	if err != nil {
		return nil, pointed(text, err)
	}
	return q, nil
}

// folderURL returns the working directory as an IRI; empty: unknown.
func folderURL() string {
	here, err := os.Getwd()
	if err != nil {
		return ""
	}
	return rdffile.URL(here) + "/"
}

// pointed adds to a syntax error the line that it is in.
func pointed(text string, err error) error {
	if at := protocol.Pointer(text, err); at != "" {
		return fmt.Errorf("%w (%w)\n%s", err, orbweaver.ErrInput, at)
	}
	return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
}

// checkFormat verifies that a format fits the answer.
func checkFormat(form algebra.Form, format string) error {
	rows, graphs := QueryFormats()
	fitting, what := rows, "rows"
	switch form {
	case algebra.AskForm:
		what = "true or false"
	case algebra.ConstructForm, algebra.DescribeForm:
		fitting, what = graphs, "triples"
	}
	if format != "" && !slices.Contains(fitting, format) {
		return fmt.Errorf("--format %s: the query's answer is %s: it is written as %s (%w)", format, what, strings.Join(fitting, ", "), orbweaver.ErrInput)
	}
	return nil
}

// answer evaluates a query and writes its result. It opens the full text only if the query uses it.
func answer(ctx context.Context, a *job.Job, r quads.Reader, open func(context.Context) (*Index, error), q *algebra.Query, opts QueryOptions) error {
	limited := ctx
	if opts.Time > 0 {
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, opts.Time)
		defer cancel()
	}
	o := eval.Options{Union: opts.Union, MaxRows: opts.MaxRows, MaxBytes: queryBytes, Explain: opts.Explain, Turn: opts.turn}
	if !opts.Alone {
		web := federationOf(a, opts.Private)
		defer web.Close()
		o.Service = web
	}
	text := &textSearch{store: r, open: open}
	defer text.Close()
	res, err := eval.Query(limited, r, q, computed(r, text.with(limited, o)))
	if err == nil {
		if opts.Explain {
			err = explainQuery(a, res)
		} else {
			err = writeAnswer(a, res, q, opts.Format)
		}
	}
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil:
		return console.ErrInterrupted
	}
	return fmt.Errorf("query: %w", err)
}

// explainQuery reads an answer to its end, and writes the plan with its figures.
func explainQuery(a *job.Job, res *eval.Result) error {
	start, n := time.Now(), 0
	count := func(err error) error {
		if err == nil {
			n++
		}
		return err
	}
	switch res.Form {
	case algebra.SelectForm:
		for _, err := range res.Rows() {
			if count(err) != nil {
				return err
			}
		}
	case algebra.ConstructForm, algebra.DescribeForm:
		for _, err := range res.Triples() {
			if count(err) != nil {
				return err
			}
		}
	}
	_, err := fmt.Fprintf(a.Out, "%s\nanswer: %s, %v\n", strings.TrimRight(res.Explain(), "\n"), answerOf(res, n), time.Since(start).Round(time.Microsecond))
	return err
}

// answerOf summarizes an answer in a word or two.
func answerOf(res *eval.Result, n int) string {
	switch res.Form {
	case algebra.AskForm:
		return fmt.Sprint(res.Boolean)
	case algebra.SelectForm:
		return fmt.Sprintf("rows: %d", n)
	}
	return fmt.Sprintf("triples: %d", n)
}

// writeAnswer writes an answer in a format that fits it.
func writeAnswer(a *job.Job, res *eval.Result, q *algebra.Query, format string) error {
	f := rowFormat(format)
	switch {
	case res.Form == algebra.ConstructForm || res.Form == algebra.DescribeForm:
		return writeTriples(a, res, q.Prefixes, format)
	case res.Form == algebra.AskForm && f == results.Unknown:
		_, err := fmt.Fprintln(a.Out, res.Boolean)
		return err
	case res.Form == algebra.AskForm:
		return results.WriteBoolean(a.Out, f, res.Boolean)
	case f == results.Unknown:
		return results.WriteTable(a.Out, a.Width, res.Vars, res.Rows())
	}
	out := results.NewWriter(a.Out, f, res.Vars)
	for row, err := range res.Rows() {
		if err == nil {
			err = out.Write(row)
		}
		if err != nil {
			return err
		}
	}
	return out.Close()
}

// rowFormat returns a format by its name; Unknown for the table for people.
func rowFormat(name string) results.Format {
	switch name {
	case "json":
		return results.JSON
	case "xml":
		return results.XML
	case "csv":
		return results.CSV
	case "tsv":
		return results.TSV
	}
	return results.Unknown
}

// writeTriples writes the answer of CONSTRUCT or DESCRIBE. It omits triples that no syntax can express.
func writeTriples(a *job.Job, res *eval.Result, prefixes map[string]string, format string) error {
	sink := &rdffile.Sink{W: a.Out}
	var out rdffile.Writer = rdffile.Sentences{Writer: turtle.NewWriter(sink, syntax.WriteOptions{Prefixes: used(prefixes)})}
	if format != "" {
		if to := rdffile.Notation(format); to != rdffile.InTurtle {
			out = to.Writer(sink)
		}
	}
	for t, err := range res.Triples() {
		if err == nil {
			err = out.Write(rdf.Quad{S: t.S, P: t.P, O: t.O})
		}
		if err != nil {
			return err
		}
	}
	return out.Close()
}

// used returns the prefixes of a query, or nil if it has none: then the writer chooses prefixes.
func used(prefixes map[string]string) map[string]string {
	if len(prefixes) == 0 {
		return nil
	}
	return prefixes
}
