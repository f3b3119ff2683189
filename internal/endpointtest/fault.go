package endpointtest

import (
	"fmt"
	"net/http"
	"strings"
)

// A Kind is a way not to answer a query.
type Kind string

// The kinds. The zero Kind answers.
const (
	Down    Kind = "down"       // nothing listens
	Silent  Kind = "silent"     // takes the request, and never answers
	HangUp  Kind = "hangs-up"   // closes the connection without an answer
	Cut     Kind = "cut"        // closes the connection in the middle of the answer, whose length it said
	Status  Kind = "status"     // Fault.Status with Fault.Text
	Moved   Kind = "moved"      // Fault.Status with a Location on the same port, where it answers
	Lost    Kind = "lost"       // 302 with a Location that is no URL
	Page    Kind = "page"       // 200 with a page in HTML
	Message Kind = "message"    // 200 with the text of an error, called results
	Empty   Kind = "empty"      // 200 with nothing, called results
	Boolean Kind = "boolean"    // 200 with the answer to ASK, whatever was asked
	Media   Kind = "media-type" // an answer that is called Fault.Text; in a Profile it is Profile.MediaType
)

// A Fault is how an endpoint does not answer.
type Fault struct {
	Kind   Kind
	Status int    // HTTP status of Status and Moved
	Text   string // body of Status and Message, as the survey has it
}

// reasons are what HTTP statuses were called by servers.
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
	{"No operations allowed", http.StatusInternalServerError}, // a message of its own in place of the reason, like the next two
	{"Error occured while processing", http.StatusInternalServerError},
	{"The query timed out", http.StatusServiceUnavailable},
	{"Moved Temporarily", http.StatusFound},
	{"Moved Permanently", http.StatusMovedPermanently},
}

// malformed is what endpoints say of a query that they cannot read.
const malformed = "Virtuoso 37000 Error SP030: SPARQL compiler, line 3: syntax error"

// faultOf returns what the survey's client met by what it said of it; the line chooses among ways that
// look alike to it:
//
//	no such host, no route, no connection         Down
//	connect timed out, read timed out             Silent
//	the reason of an HTTP status, or its text     Status, 301 and 302 Moved
//	illegal characters in an escape               Lost
//	Content-Type: text/html                       Page
//	Content-Type: anything else                   Media; text/plain in an even line: no type at all
//	the parser of XML cannot start                Empty, Message or Cut, by the line's rest by 3
//	not a result set                              Boolean
//
// The survey's client gave the first bytes of an answer's body behind the reason: they are the Text.
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

// mediaFault is an answer that is called what it is not.
func mediaFault(line int, name string) Fault {
	switch {
	case name == "text/html":
		return Fault{Kind: Page}
	case name == "text/plain" && line%2 == 0:
		return Fault{Kind: Media, Text: Unsaid}
	}
	return Fault{Kind: Media, Text: name}
}

// statusFault is an HTTP status by its reason, or by what is said in place of it.
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
	return Fault{}, fmt.Errorf("an exception that nobody knows: %.100q", text)
}
