package sparql

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"unicode"

	"orbweaver/rdf/sparql/eval"
	"orbweaver/rdf/sparql/syntax"
	"orbweaver/server/queue"
)

// A fault is an error with its HTTP status.
type fault struct {
	status int
	err    error
}

// Error returns the text of the error.
func (f *fault) Error() string { return f.err.Error() }

// Unwrap returns the error.
func (f *fault) Unwrap() error { return f.err }

// faulty returns a fault with a formatted error.
func faulty(status int, format string, args ...any) error {
	return &fault{status, fmt.Errorf(format, args...)}
}

// statusOf is the HTTP status of an error. A timeout is 504, so that 503 means that a retry may succeed; a
// request beyond the limits would fail again, and gets a 4xx.
func statusOf(err error) int {
	var f *fault
	var at *syntax.Error
	var elsewhere *eval.ServiceError
	switch {
	case errors.As(err, &f):
		return f.status
	case errors.Is(err, queue.ErrFull), errors.Is(err, queue.ErrBusy):
		return http.StatusServiceUnavailable
	case errors.As(err, &at):
		return http.StatusBadRequest
	case errors.Is(err, eval.ErrTime), errors.Is(err, context.DeadlineExceeded):
		return http.StatusGatewayTimeout
	case errors.Is(err, context.Canceled): // the server shuts down, or the client is gone
		return http.StatusServiceUnavailable
	case errors.Is(err, eval.ErrRows), errors.Is(err, eval.ErrMemory), errors.Is(err, eval.ErrSteps):
		return http.StatusUnprocessableEntity
	case errors.Is(err, eval.ErrService), errors.Is(err, eval.ErrNoLoader):
		return http.StatusForbidden
	case errors.As(err, &elsewhere):
		return http.StatusBadGateway
	case errors.Is(err, eval.ErrNoGraph), errors.Is(err, eval.ErrGraphExists):
		return http.StatusConflict
	}
	return http.StatusInternalServerError
}

// tell answers with an error, as plain text.
func tell(w http.ResponseWriter, err error) {
	h := w.Header()
	for _, name := range []string{"Content-Length", "Content-Encoding", "Content-Disposition"} {
		h.Del(name)
	}
	h.Set("Content-Type", "text/plain; charset=utf-8")
	status := statusOf(err)
	if status == http.StatusServiceUnavailable {
		h.Set("Retry-After", "1")
	}
	w.WriteHeader(status)
	fmt.Fprintln(w, err)
}

// located adds the line of a syntax error to it.
func located(text string, err error) error {
	if at := Pointer(text, err); at != "" {
		return faulty(http.StatusBadRequest, "%w\n%s", err, at)
	}
	return &fault{http.StatusBadRequest, err}
}

// shown is how many characters of a line are shown on either side of an error.
const shown = 60

// Pointer shows the position of an error in a text: the line, indented, and below it a caret under the
// column; then the query without its usual misprints: see Corrected. It is empty if the error has no position.
func Pointer(text string, err error) string {
	var at *syntax.Error
	if !errors.As(err, &at) || at.Line < 1 || at.Column < 1 {
		return ""
	}
	shown := pointer(text, at)
	if right := Corrected(text); right != "" {
		return shown + "\n" + right
	}
	return shown
}

// pointer shows a position.
func pointer(text string, at *syntax.Error) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if at.Line > len(lines) {
		return ""
	}
	line := []rune(lines[at.Line-1])
	column := min(at.Column-1, len(line))
	from, to := max(column-shown, 0), min(column+shown, len(line))
	for i, r := range line {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			line[i] = ' '
		}
	}
	return "  " + string(line[from:to]) + "\n  " + strings.Repeat(" ", column-from) + "^"
}
