package client

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"orbweaver"
)

// usualAccept is the Accept of a request without one.
const usualAccept = "text/html, application/xhtml+xml, text/turtle;q=0.9, application/rdf+xml;q=0.9, " +
	"application/ld+json;q=0.9, application/n-triples;q=0.9, */*;q=0.5"

const codings = "gzip, br, zstd" // those that page.Decode supports

// A message is the HTTP request that is sent.
type message struct {
	url, accept        string
	etag, lastModified string // of the cached version; empty: none
	mediaType          string // of the posted body; empty: a GET
	body               []byte // what is posted
}

// method is the HTTP method of the message.
func (m message) method() string {
	if m.mediaType == "" {
		return http.MethodGet
	}
	return http.MethodPost
}

// message returns the HTTP request for a request.
func (c *Client) message(r orbweaver.Request) message {
	if r.Query == "" || c.opt.Query == nil {
		return message{url: r.URL, accept: r.Accept}
	}
	to, mediaType, form := c.opt.Query(r)
	return message{url: to.URL, accept: to.Accept, mediaType: mediaType, body: form}
}

// A field is a line of a request head.
type field struct{ name, value string }

// fields returns the head of an exchange's message in the order of sending, with untrusted values cleaned.
func (c *Client) fields(x *exchange) []field {
	m := x.message
	accept, length := clean(m.accept), ""
	if accept == "" {
		accept = usualAccept
	}
	if m.mediaType != "" {
		length = strconv.Itoa(len(m.body))
	}
	all := [...]field{
		{"Host", x.authority},
		{"User-Agent", clean(c.opt.UserAgent)},
		{"Accept", accept},
		{"Accept-Encoding", codings},
		{"If-None-Match", clean(m.etag)},
		{"If-Modified-Since", clean(m.lastModified)},
		{"Content-Type", clean(m.mediaType)},
		{"Content-Length", length},
	}
	sent := make([]field, 0, len(all)+len(x.entry.Fields))
	for _, f := range all {
		if f.value != "" {
			sent = append(sent, f)
		}
	}
	for _, f := range x.entry.Fields {
		sent = append(sent, field{http.CanonicalHeaderKey(f.Name), clean(f.Value)})
	}
	return sent
}

// shown returns the fields that the caller may see: without secrets, unless these are to be archived.
func (x *exchange) shown(fields []field) []field {
	if x.entry.Archive || len(x.entry.Fields) == 0 {
		return fields
	}
	own := len(fields) - len(x.entry.Fields)
	seen := slices.Clone(fields[:own])
	for i, f := range x.entry.Fields {
		if !f.Secret {
			seen = append(seen, fields[own+i])
		}
	}
	return seen
}

// clean returns a value without control characters, which are invalid in a header.
func clean(value string) string {
	control := func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
	if strings.IndexFunc(value, control) < 0 {
		return strings.TrimSpace(value)
	}
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if control(r) {
			return -1
		}
		return r
	}, value))
}

// headerOf returns fields as a header.
func headerOf(fields []field) http.Header {
	h := make(http.Header, len(fields))
	values := make([]string, len(fields))
	for i, f := range fields {
		values[i] = f.value
		h[f.name] = values[i : i+1 : i+1]
	}
	return h
}

// appendHead appends the head of an HTTP/1.1 message to b, in absolute form for a proxy. The proxy's password,
// empty for none, is in no header that the caller sees.
func appendHead(b []byte, x *exchange, fields []field, absolute bool, auth string) []byte {
	b = append(append(b, x.message.method()...), ' ')
	if absolute {
		b = append(append(b, "http://"...), x.authority...)
	}
	b = append(append(b, x.path...), " HTTP/1.1\r\n"...)
	for _, f := range fields {
		b = appendField(b, f)
	}
	if absolute && auth != "" {
		b = appendField(b, field{"Proxy-Authorization", auth})
	}
	return append(b, "\r\n"...)
}

func appendField(b []byte, f field) []byte {
	b = append(append(b, f.name...), ": "...)
	return append(append(b, f.value...), "\r\n"...)
}
