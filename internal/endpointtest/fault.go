package endpointtest

import (
	"fmt"
	"net/http"
	"strings"
)

// Kind is a way of failing to answer a query.
type Kind string

// The kinds of faults. The zero Kind answers.
const (
	Down    Kind = "down"       // nothing listens
	Silent  Kind = "silent"     // accepts the request and never answers
	HangUp  Kind = "hangs-up"   // closes the connection without an answer
	Cut     Kind = "cut"        // closes the connection in the middle of an answer with a declared length
	Status  Kind = "status"     // Fault.Status with Fault.Text
	Moved   Kind = "moved"      // Fault.Status with a Location on the same port, where it answers
	Lost    Kind = "lost"       // 302 with a Location that is not a URL
	Page    Kind = "page"       // 200 with an HTML page
	Message Kind = "message"    // 200 with an error message declared as results
	Empty   Kind = "empty"      // 200 with an empty body declared as results
	Boolean Kind = "boolean"    // 200 with a boolean result for any query
	Media   Kind = "media-type" // an answer declared as Fault.Text; in a Profile that is Profile.MediaType
)

// Fault is the way in which an endpoint fails.
type Fault struct {
	Kind   Kind
	Status int    // HTTP status of Status and Moved
	Text   string // body of Status and Message, as in the survey
}

// reasons maps reason phrases of servers to HTTP statuses.
var reasons = [...]struct {
	text   string
	status int
}{
	{"Authorization Required", http.StatusUnauthorized},
	{"Forbidden", http.StatusForbidden},
	{"Not Found", http.StatusNotFound},
	{"Not Acceptable", http.StatusNotAcceptable},
	{"Bad Request", http.StatusBadRequest},
	{"Petición incorrecta", http.StatusBadRequest},
	{"Service Temporarily Unavailable", http.StatusServiceUnavailable},
	{"Service Unavailable", http.StatusServiceUnavailable},
	{"Bad Gateway", http.StatusBadGateway},
	{"Proxy Error", http.StatusBadGateway},
	{"Gateway Timeout", http.StatusGatewayTimeout},
	{"Internal Server Error", http.StatusInternalServerError},
	{"Error Interno del Servidor", http.StatusInternalServerError},
	{"No operations allowed", http.StatusInternalServerError}, // a custom message in place of the reason phrase, like the next two
	{"Error occured while processing", http.StatusInternalServerError},
	{"The query timed out", http.StatusServiceUnavailable},
	{"Moved Temporarily", http.StatusFound},
	{"Moved Permanently", http.StatusMovedPermanently},
}

// malformed is the error message for a query that cannot be parsed.
const malformed = "Virtuoso 37000 Error SP030: SPARQL compiler, line 3: syntax error"

// faultOf derives the fault from the exception of the survey's client. The line number selects among
// faults that cause the same exception:
//
//	no such host, no route, no connection         Down
//	connect timed out, read timed out             Silent
//	reason phrase of an HTTP status, or its text  Status; Moved for 301 and 302
//	illegal characters in an escape               Lost
//	Content-Type: text/html                       Page
//	Content-Type: anything else                   Media; without Content-Type on even lines if text/plain
//	the XML parser cannot start                   Empty, Message or Cut, by line modulo 3
//	not a result set                              Boolean
//
// The exception includes the first bytes of an answer's body after the reason phrase: they become Text.
func faultOf(line int, exception string) (Fault, error) {
	text := exception
	for _, class := range [...]string{"QueryExceptionHTTP:", "QueryException:", "ResultSetException:", "IllegalArgumentException:"} {
		text = strings.TrimPrefix(text, class)
	}
	starts := func(s string) bool { return strings.HasPrefix(text, s) }
	switch {
	case text == "":
		return Fault{}, nil
	case starts("java.net.UnknownHostException"), starts("java.net.NoRouteToHostException"), starts("Failed to connect"):
		return Fault{Kind: Down}, nil
	case starts("java.net.SocketTimeoutException"):
		return Fault{Kind: Silent}, nil
	case starts("URLDecoder: Illegal hex characters"):
		return Fault{Kind: Lost}, nil
	case starts("Not an ResultSet result"):
		return Fault{Kind: Boolean}, nil
	case starts("Failed when initializing the StAX"):
		return [...]Fault{{Kind: Empty}, {Kind: Message, Text: malformed}, {Kind: Cut}}[line%3], nil
	}
	if named, ok := strings.CutPrefix(text, "Endpoint returned Content-Type: "); ok {
		name, _, _ := strings.Cut(named, " ")
		return mediaFault(line, name), nil
	}
	return statusFault(text)
}

// mediaFault is an answer with a wrong media type.
func mediaFault(line int, name string) Fault {
	switch {
	case name == "text/html":
		return Fault{Kind: Page}
	case name == "text/plain" && line%2 == 0:
		return Fault{Kind: Media, Text: Unsaid}
	}
	return Fault{Kind: Media, Text: name}
}

// statusFault is an HTTP status, by its reason phrase or the message in its place.
func statusFault(text string) (Fault, error) {
	for _, r := range reasons {
		if !strings.HasPrefix(text, r.text) {
			continue
		}
		f := Fault{Kind: Status, Status: r.status, Text: text}
		switch {
		case r.status/100 == 3:
			f.Kind = Moved
		case strings.Contains(text, "Error 408"):
			f.Status = http.StatusRequestTimeout
		}
		return f, nil
	}
	return Fault{}, fmt.Errorf("unknown exception %.100q", text)
}
