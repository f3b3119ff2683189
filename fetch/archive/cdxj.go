package archive

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/internal/step"
)

// mimeRevisit is the media type of a revisit record, by the convention of CDX indexes.
const mimeRevisit = "warc/revisit"

// A cdxLine is a line of a CDXJ index: key and timestamp before the JSON, whose numbers are strings by
// convention.
type cdxLine struct {
	key       string // SURT
	timestamp string // 14 digits, UTC

	URL      string `json:"url"`
	Mime     string `json:"mime"`
	Status   string `json:"status"`
	Digest   string `json:"digest"`
	Length   string `json:"length"`
	Offset   string `json:"offset"`
	Filename string `json:"filename"`
	Purpose  string `json:"purpose,omitempty"` // PurposeContext, PurposeRequisite, or empty

	Elsewhere string `json:"elsewhere,omitempty"` // of a revisit whose payload another archive has: number of its file, bytes of the payload
}

// The purposes mark, in the index, a response that was fetched for another document.
const (
	PurposeContext   = "context"   // to read it (orbweaver.ForContext)
	PurposeRequisite = "requisite" // to show it (step.ForRequisite)
)

// purposeOf returns what marks the answer to a request; empty: nothing.
func purposeOf(req orbweaver.Request) string {
	switch req.Purpose {
	case orbweaver.ForContext:
		return PurposeContext
	case step.ForRequisite:
		return PurposeRequisite
	}
	return ""
}

// isPurpose reports whether a line of the index may have such a mark.
func isPurpose(s string) bool { return s == PurposeContext || s == PurposeRequisite }

// append writes the line of the record at ref, with a line feed.
func (l *cdxLine) append(b []byte, ref orbweaver.Ref) []byte {
	b = append(append(b, l.key...), ' ')
	b = append(append(b, l.timestamp...), ' ')
	b = appendQuoted(append(b, `{"url":`...), l.URL)
	b = appendQuoted(append(b, `,"mime":`...), l.Mime)
	b = appendQuoted(append(b, `,"status":`...), l.Status)
	b = appendQuoted(append(b, `,"digest":`...), l.Digest)
	b = strconv.AppendInt(append(b, `,"length":"`...), ref.Length, 10)
	b = strconv.AppendInt(append(b, `","offset":"`...), ref.Offset, 10)
	b = appendQuoted(append(b, `","filename":`...), ref.File)
	if l.Purpose != "" {
		b = appendQuoted(append(b, `,"purpose":`...), l.Purpose)
	}
	if l.Elsewhere != "" {
		b = appendQuoted(append(b, `,"elsewhere":`...), l.Elsewhere)
	}
	return append(b, "}\n"...)
}

// appendQuoted writes a JSON string.
func appendQuoted(b []byte, s string) []byte {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			var text bytes.Buffer
			enc := json.NewEncoder(&text)
			enc.SetEscapeHTML(false)
			_ = enc.Encode(s) // every string can be written
			return append(b, bytes.TrimSuffix(text.Bytes(), []byte("\n"))...)
		}
	}
	b = append(append(b, '"'), s...)
	return append(b, '"')
}

// parseLine reads a line, except key and timestamp.
func parseLine(text []byte) (l cdxLine, ref orbweaver.Ref, ok bool) {
	i := bytes.IndexByte(text, '{')
	if i < 0 || json.Unmarshal(text[i:], &l) != nil {
		return l, ref, false
	}
	offset, err1 := strconv.ParseInt(l.Offset, 10, 64)
	length, err2 := strconv.ParseInt(l.Length, 10, 64)
	return l, orbweaver.Ref{File: l.Filename, Offset: offset, Length: length}, err1 == nil && err2 == nil
}

// SURT writes a URL so that sorting groups the pages of a site and the sites of a domain:
// "http://www.example.org:8080/a?b" is "org,example,www:8080)/a?b". IP addresses, paths and queries stay
// unchanged. A string that is not a URL is its own key, without spaces.
func SURT(target string) string {
	if key, ok := plainSURT(target); ok {
		return key
	}
	u, err := url.Parse(target)
	if err != nil || u.Host == "" {
		return strings.ReplaceAll(target, " ", "%20")
	}
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" || u.ForceQuery {
		path += "?" + u.RawQuery
	}
	return surtOf(strings.ToLower(u.Hostname()), u.Port(), path)
}

// surtOf joins the parts of a key.
func surtOf(host, port, path string) string {
	b := make([]byte, 0, len(host)+len(port)+len(path)+2)
	if isAddress(host) {
		b = append(b, host...)
	} else {
		for end := len(host); end >= 0; {
			dot := strings.LastIndexByte(host[:end], '.')
			if b = append(b, host[dot+1:end]...); dot >= 0 {
				b = append(b, ',')
			}
			end = dot
		}
	}
	if port != "" {
		b = append(append(b, ':'), port...)
	}
	return string(append(append(b, ')'), path...))
}

// plainSURT is SURT without a parser, for the canonical form of nearly all URLs: a host of lower-case letters,
// an optional port, and nothing to escape.
func plainSURT(target string) (key string, ok bool) {
	rest, ok := strings.CutPrefix(target, "http://")
	if !ok {
		rest, ok = strings.CutPrefix(target, "https://")
	}
	i := strings.IndexByte(rest, '/')
	if !ok || i < 0 {
		return "", false
	}
	host, port, has := strings.Cut(rest[:i], ":")
	path, query, _ := strings.Cut(rest[i:], "?")
	plain := host != "" && consists(host, "-.") && host == strings.ToLower(host) && (!has || isDigits(port)) &&
		consists(path, "/-._~!$&'()*+,;=:@") && consists(query, "/-._~!$&'()*+,;=:@?%")
	if !plain {
		return "", false
	}
	return surtOf(host, port, rest[i:]), true
}

// consists reports whether s has only ASCII letters, digits and the characters of others.
func consists(s, others string) bool {
	for i := range len(s) {
		if c := s[i]; !isLetter(c) && !isDigit(c) && strings.IndexByte(others, c) < 0 {
			return false
		}
	}
	return true
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigits(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// isAddress reports whether a host is an IP address.
func isAddress(host string) bool {
	return strings.Contains(host, ":") || strings.Trim(host, "0123456789.") == ""
}
