package archive

import (
	"bytes"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"orbweaver"
)

// mimeRevisit stands for the media type of a revisit record, as in other people's indexes.
const mimeRevisit = "warc/revisit"

// A cdxLine is a line of a CDXJ index: key and timestamp before the JSON, whose numbers are strings
// by that format's custom.
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
}

// text writes the line of a record at a place, line feed included.
func (l cdxLine) text(ref orbweaver.Ref) ([]byte, error) {
	l.Length = strconv.FormatInt(ref.Length, 10)
	l.Offset = strconv.FormatInt(ref.Offset, 10)
	l.Filename = ref.File
	var b bytes.Buffer
	b.WriteString(l.key + " " + l.timestamp + " ")
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(l)
	return b.Bytes(), err
}

// parseLine reads a line back, but for key and timestamp.
func parseLine(text []byte) (l cdxLine, ref orbweaver.Ref, ok bool) {
	i := bytes.IndexByte(text, '{')
	if i < 0 || json.Unmarshal(text[i:], &l) != nil {
		return l, ref, false
	}
	offset, err1 := strconv.ParseInt(l.Offset, 10, 64)
	length, err2 := strconv.ParseInt(l.Length, 10, 64)
	return l, orbweaver.Ref{File: l.Filename, Offset: offset, Length: length}, err1 == nil && err2 == nil
}

// SURT writes a URL so that sorting puts the pages of a site, and the sites of a domain, together:
// "http://www.example.org:8080/a?b" is "org,example,www:8080)/a?b". Addresses stay in their order;
// path and query stay as they are. What is no URL is its own key, without spaces.
func SURT(target string) string {
	u, err := url.Parse(target)
	if err != nil || u.Host == "" {
		return strings.ReplaceAll(target, " ", "%20")
	}
	host := strings.ToLower(u.Hostname())
	if !isAddress(host) {
		labels := strings.Split(host, ".")
		slices.Reverse(labels)
		host = strings.Join(labels, ",")
	}
	if port := u.Port(); port != "" {
		host += ":" + port
	}
	path := u.EscapedPath()
	if path == "" {
		path = "/"
	}
	if u.RawQuery != "" || u.ForceQuery {
		path += "?" + u.RawQuery
	}
	return host + ")" + path
}

// isAddress says whether a host is an IP address.
func isAddress(host string) bool {
	return strings.Contains(host, ":") || strings.Trim(host, "0123456789.") == ""
}
