package archive

import (
	"bytes"
	"crypto/sha1"
	"encoding/base32"
	"fmt"
	"maps"
	"net/http"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"orbweaver"
)

// A Packed is an answer ready to be appended: its records are compressed.
type Packed struct {
	target   string
	date     string // WARC-Date
	id       string // of the response or revisit
	requests string // id of the request
	head     []byte // HTTP head, for a revisit
	sum      [sha1.Size]byte
	size     int64  // of the payload
	ip       string // of the server; empty when it is not known
	protocol string
	line     cdxLine
	request  []byte // gzip members
	response []byte
}

// Digest returns the payload's digest: "sha1:" and base32.
func (p *Packed) Digest() string { return p.line.Digest }

// Pack makes the records of an answer: a GET as it was sent or,
// where that is not known, with what its Request says, and the response with its
// payload, which are the bytes as received but for the transfer coding. resp.Body is not touched.
// The head is kept but for what would be untrue: Transfer-Encoding, a wrong Content-Length, a
// Content-Encoding that the payload plainly does not have. Fields that no HTTP head may hold, and
// those over maxHead bytes together, are left out.
//
// Record ids are a function of the request's identity, the date and the payload. The error wraps
// ErrBadURL for a request whose target cannot stand in a WARC header, and ErrMalformed for a status
// that is not final.
func (w *Writer) Pack(resp *orbweaver.Response, payload []byte) (*Packed, error) {
	req := resp.Request
	p := &Packed{target: TargetURI(req), date: warcDate(resp.At), sum: sha1.Sum(payload), size: int64(len(payload))}
	if p.target == "" || len(p.target) > maxURL || strings.ContainsFunc(p.target, isControlOrSpace) {
		return nil, fmt.Errorf("archive %.200q: %w", p.target, orbweaver.ErrBadURL)
	}
	if resp.Status < 200 || resp.Status > 999 {
		return nil, fmt.Errorf("archive %s: %w: status %d", p.target, orbweaver.ErrMalformed, resp.Status)
	}
	digest := digestOf(p.sum)
	p.id = recordID("response", p.target, req.Accept, req.State, p.date, digest)
	p.requests = recordID("request", p.target, req.Accept, req.State, p.date, digest)
	p.head = writeHead(resp, payload)
	p.line = cdxLine{
		key: SURT(p.target), timestamp: resp.At.UTC().Format("20060102150405"),
		URL: p.target, Mime: plainMedia(resp.Header.Get("Content-Type")),
		Status: strconv.Itoa(resp.Status), Digest: digest,
	}
	p.ip, p.protocol = serverIP(resp.Address), resp.Protocol
	p.packRequest(w, resp)
	block := sha1.New()
	block.Write(p.head)
	block.Write(payload)
	h := p.fields("response", p.id, "application/http;msgtype=response", len(p.head)+len(payload))
	h = appendField(h, "WARC-Concurrent-To", p.requests)
	h = appendField(h, "WARC-Payload-Digest", digest)
	h = appendField(h, "WARC-Block-Digest", digestOf([sha1.Size]byte(block.Sum(nil))))
	p.response = w.press.zip(resp.Header, h, p.head, payload)
	return p, nil
}

func isControlOrSpace(r rune) bool { return r <= ' ' || r == 0x7f }

// serverIP returns the IP of an address with a port.
func serverIP(address string) string {
	at, err := netip.ParseAddrPort(address)
	if err != nil {
		return ""
	}
	return at.Addr().String()
}

// packRequest writes the request record: as it was sent, or nothing but what is known of it.
func (p *Packed) packRequest(w *Writer, resp *orbweaver.Response) {
	_, rest, _ := strings.Cut(p.target, "://")
	host, path := rest, "/"
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	path, _, _ = strings.Cut(path, "#")
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	var block []byte
	block = fmt.Appendf(block, "GET %s HTTP/1.1\r\nHost: %s\r\n", path, host)
	block = append(appendSent(block, resp, w.opts.Software), "\r\n"...)
	h := p.fields("request", p.requests, "application/http;msgtype=request", len(block))
	h = appendField(h, "WARC-Concurrent-To", p.id)
	h = appendField(h, "WARC-Block-Digest", digestOf(sha1.Sum(block)))
	p.request = w.press.zip(nil, h, block, nil)
}

// appendSent writes the fields of a request, but for Host.
func appendSent(b []byte, resp *orbweaver.Response, agent string) []byte {
	if resp.Asked == nil {
		if accept := resp.Request.Accept; accept != "" {
			b = appendField(b, "Accept", oneLine(accept))
		}
		return appendField(b, "User-Agent", agent)
	}
	for _, name := range slices.Sorted(maps.Keys(resp.Asked)) {
		for _, value := range resp.Asked[name] {
			if name != "Host" {
				b = appendField(b, name, oneLine(value))
			}
		}
	}
	return b
}

// packRevisit writes the record that says: as that one.
func (w *Writer) packRevisit(p *Packed, original *header) []byte {
	h := p.fields("revisit", p.id, "application/http;msgtype=response", len(p.head))
	h = appendField(h, "WARC-Concurrent-To", p.requests)
	h = appendField(h, "WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest")
	h = appendField(h, "WARC-Refers-To", original.id)
	h = appendField(h, "WARC-Refers-To-Target-URI", original.target)
	h = appendField(h, "WARC-Refers-To-Date", warcDate(original.date))
	h = appendField(h, "WARC-Payload-Digest", p.line.Digest)
	h = appendField(h, "WARC-Block-Digest", digestOf(sha1.Sum(p.head)))
	return w.press.zip(nil, h, p.head, nil)
}

// packInfo writes the record that each file starts with.
func (z *press) packInfo(software, file, date string) []byte {
	block := appendField(nil, "software", software)
	block = appendField(block, "format", "WARC File Format 1.1")
	block = appendField(block, "conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/")
	p := &Packed{date: date}
	h := p.fields("warcinfo", recordID("warcinfo", file, date), "application/warc-fields", len(block))
	h = appendField(h, "WARC-Filename", file)
	h = appendField(h, "WARC-Block-Digest", digestOf(sha1.Sum(block)))
	return z.zip(nil, h, block, nil)
}

// fields starts a WARC header with what all records have.
func (p *Packed) fields(kind, id, contentType string, length int) []byte {
	h := append(make([]byte, 0, 1024), "WARC/1.1\r\n"...)
	h = appendField(h, "WARC-Type", kind)
	h = appendField(h, "WARC-Record-ID", id)
	h = appendField(h, "WARC-Date", p.date)
	if p.target != "" {
		h = appendField(h, "WARC-Target-URI", p.target)
	}
	if p.ip != "" {
		h = appendField(h, "WARC-IP-Address", p.ip)
	}
	if p.protocol != "" {
		h = appendField(h, "WARC-Protocol", p.protocol)
	}
	h = appendField(h, "Content-Type", contentType)
	return appendField(h, "Content-Length", strconv.Itoa(length))
}

func appendField(b []byte, name, value string) []byte {
	b = append(b, name...)
	b = append(b, ": "...)
	b = append(b, value...)
	return append(b, "\r\n"...)
}

// isDense says whether compressing again is work for nothing.
func isDense(fields http.Header, payload []byte) bool {
	if len(payload) < 1024 {
		return false
	}
	media := plainMedia(fields.Get("Content-Type"))
	image := strings.HasPrefix(media, "image/") && media != "image/svg+xml" && media != "image/bmp"
	return image || fields.Get("Content-Encoding") != "" && !lacksCoding(fields, payload) ||
		strings.HasPrefix(media, "video/") || strings.HasPrefix(media, "audio/") || hasMagic(payload)
}

func hasMagic(b []byte) bool {
	return bytes.HasPrefix(b, []byte{0x1f, 0x8b}) || bytes.HasPrefix(b, []byte("PK\x03\x04")) ||
		bytes.HasPrefix(b, []byte{0x28, 0xb5, 0x2f, 0xfd})
}

// lacksCoding says whether a payload plainly does not have the content coding its head claims.
func lacksCoding(fields http.Header, payload []byte) bool {
	codings := fields["Content-Encoding"]
	if len(payload) == 0 || len(codings) == 0 {
		return false
	}
	list := strings.Split(codings[len(codings)-1], ",") // the last one is the outermost
	switch strings.ToLower(strings.TrimSpace(list[len(list)-1])) {
	case "gzip", "x-gzip":
		return !bytes.HasPrefix(payload, []byte{0x1f, 0x8b})
	case "zstd":
		return !bytes.HasPrefix(payload, []byte{0x28, 0xb5, 0x2f, 0xfd}) &&
			!(len(payload) > 3 && payload[0]&0xf0 == 0x50 && bytes.Equal(payload[1:4], []byte{0x2a, 0x4d, 0x18}))
	}
	return false
}

// writeHead writes status line and fields, sorted by name.
func writeHead(resp *orbweaver.Response, payload []byte) []byte {
	b := fmt.Appendf(make([]byte, 0, 512), "HTTP/1.1 %d %s\r\n", resp.Status, http.StatusText(resp.Status))
	names := make([]string, 0, len(resp.Header))
	for name := range resp.Header {
		names = append(names, name)
	}
	slices.Sort(names)
	left := maxFields
	for _, name := range names {
		for _, value := range trueValues(resp.Header, name, payload) {
			value = oneLine(value)
			if len(b)+len(name)+len(value)+6 <= maxHead && isToken([]byte(name)) && left > 0 {
				b = appendField(b, name, value)
				left--
			}
		}
	}
	return append(b, "\r\n"...)
}

// trueValues returns the values of a field, corrected by the payload.
func trueValues(fields http.Header, name string, payload []byte) []string {
	values := fields[name]
	switch http.CanonicalHeaderKey(name) {
	case "Transfer-Encoding":
		return nil
	case "Content-Length":
		return []string{strconv.Itoa(len(payload))}
	case "Content-Encoding":
		if lacksCoding(fields, payload) {
			return nil
		}
	}
	return values
}

// oneLine makes a field value of any text: line ends and other controls become spaces.
func oneLine(s string) string {
	control := func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }
	if strings.IndexFunc(s, control) < 0 {
		return strings.TrimSpace(s)
	}
	b := []byte(s)
	for i, c := range b {
		if control(rune(c)) {
			b[i] = ' '
		}
	}
	return strings.TrimSpace(string(b))
}

// warcDate writes a time as precisely as it is known.
func warcDate(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }

// digestOf writes a SHA-1 as WARC does.
func digestOf(sum [sha1.Size]byte) string {
	return "sha1:" + base32.StdEncoding.EncodeToString(sum[:])
}

// emptyDigest is the digest of no bytes.
const emptyDigest = "sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ"

func parseDigest(s string) (sum [sha1.Size]byte, ok bool) {
	text, ok := strings.CutPrefix(s, "sha1:")
	if !ok || len(text) != 32 {
		return sum, false
	}
	_, err := base32.StdEncoding.Decode(sum[:], []byte(text))
	return sum, err == nil
}

// recordID is a UUID of version 5 (RFC 9562, section 5.5) over names, in a name space of ours.
func recordID(names ...string) string {
	h := sha1.New()
	h.Write([]byte("orbweaver/archive"))
	for _, name := range names {
		fmt.Fprintf(h, "\x00%d\x00%s", len(name), name)
	}
	id := h.Sum(nil)[:16]
	id[6] = id[6]&0x0f | 0x50
	id[8] = id[8]&0x3f | 0x80
	return fmt.Sprintf("<urn:uuid:%x-%x-%x-%x-%x>", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
