package archive

import (
	"bytes"
	"crypto/sha1"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/internal/step"
)

// A Packed is an answer ready for one Append: its records are gzip members.
type Packed struct {
	target   string
	date     string // WARC-Date
	id       string // of the response or revisit
	requests string // id of the request
	sum      [sha1.Size]byte
	size     int64  // of the payload
	ip       string // of the server; empty: not known
	protocol string
	line     cdxLine
	twin     *twin         // a response of another archive with this payload; nil: none
	out      *bytes.Buffer // HTTP head, for a revisit; the members of the rendered page, the request, the response; nil after Append
	head     int           // end of the head in out
	rendered int           // end of the rendered page in out; 0: there is none
	request  int           // end of the request in out
}

// Digest returns the payload's digest: "sha1:" and base32.
func (p *Packed) Digest() string { return p.line.Digest }

// Pack makes the records of an answer: a GET as it was sent, or reconstructed from its Request, and the
// response with its payload: the bytes received, without the transfer coding. It does not read resp.Body. Of
// the head it corrects or drops only wrong fields: Transfer-Encoding, a wrong Content-Length, a
// Content-Encoding that the payload clearly does not have. It also drops fields that are invalid in HTTP, and
// those beyond maxHead bytes. A page that was rendered (resp.Rendered) comes with a record of what its scripts made of it.
//
// Record ids are a function of the request's identity, the date and the payload. A response has a digest of its
// payload and none of its block, which gzip's checksum covers. The error wraps ErrBadURL for a request whose
// target is invalid in a WARC header, and ErrMalformed for a status that is not final.
func (w *Writer) Pack(resp *step.Response, payload []byte) (*Packed, error) {
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
	p.line = cdxLine{
		key: SURT(p.target), timestamp: resp.At.UTC().Format("20060102150405"),
		URL: p.target, Mime: plainMedia(resp.Header.Get("Content-Type")),
		Status: strconv.Itoa(resp.Status), Digest: digest, Purpose: purposeOf(req),
	}
	p.ip, p.protocol = serverIP(resp.Address), resp.Protocol
	p.out = w.press.buffer(len(payload))
	plate := w.press.plate()
	defer w.press.putPlate(plate)
	p.out.Write(appendHead(p.out.AvailableBuffer(), resp, payload))
	p.head = p.out.Len()
	html, err := renderedOf(resp)
	if err != nil {
		return nil, err
	}
	if html != nil {
		p.packRendered(plate, w.effort(), html)
		p.rendered = p.out.Len()
	}
	p.packRequest(plate, resp, w.opts.Software)
	p.request = p.out.Len()
	if w.known != nil && p.size > 0 {
		if p.twin, err = w.known.find(p.sum, p.size); err != nil {
			return nil, err
		}
	}
	if p.twin == nil || p.size < leastSpared { // a small response may be smaller than a revisit
		p.packResponse(plate, w.effort(), resp, payload)
	}
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

// packRequest writes the request record: as sent, or reconstructed.
func (p *Packed) packRequest(plate *plate, resp *step.Response, agent string) {
	_, rest, _ := strings.Cut(p.target, "://")
	host, path := rest, ""
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		host, path = rest[:i], rest[i:]
	}
	path, _, _ = strings.Cut(path, "#")
	b := append(plate.text[:0], "GET "...)
	if !strings.HasPrefix(path, "/") {
		b = append(b, '/')
	}
	b = append(append(b, path...), " HTTP/1.1\r\n"...)
	b = appendField(b, "Host", host)
	b = append(appendSent(b, resp, agent), "\r\n"...)
	n := len(b)
	b = p.appendFields(b, "request", p.requests, "application/http;msgtype=request", n)
	b = appendField(b, "WARC-Concurrent-To", p.id)
	b = appendField(b, "WARC-Block-Digest", digestOf(sha1.Sum(b[:n])))
	store(p.out, b[n:], lineEnd, b[:n], recordEnd)
	plate.text = b
}

// appendSent writes the fields of a request, except Host.
func appendSent(b []byte, resp *step.Response, agent string) []byte {
	if resp.Asked == nil {
		if accept := resp.Request.Accept; accept != "" {
			b = appendField(b, "Accept", oneLine(accept))
		}
		return appendField(b, "User-Agent", agent)
	}
	names := make([]string, 0, 16)
	for name := range resp.Asked {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range resp.Asked[name] {
			if name != "Host" {
				b = appendField(b, name, oneLine(value))
			}
		}
	}
	return b
}

func (p *Packed) packResponse(plate *plate, effort Effort, resp *step.Response, payload []byte) {
	b := p.appendFields(plate.text[:0], "response", p.id, "application/http;msgtype=response", p.head+len(payload))
	b = p.appendRendered(appendField(b, "WARC-Concurrent-To", p.requests))
	b = appendField(b, "WARC-Payload-Digest", p.line.Digest)
	plate.record(p.out, effort, resp.Header, b, p.out.Bytes()[:p.head], payload)
	plate.text = b
}

// revisit replaces the response by a revisit of original, which is at a place. It has a digest of its block: the payload digest
// describes bytes that are in another record.
func (p *Packed) revisit(original *header, at orbweaver.Ref) {
	head := p.out.Bytes()[:p.head]
	b := p.appendFields(make([]byte, 0, 1024), "revisit", p.id, "application/http;msgtype=response", len(head))
	b = p.appendRendered(appendField(b, "WARC-Concurrent-To", p.requests))
	b = appendRefers(b, original)
	b = appendField(b, "Orbweaver-Payload", fmt.Sprintf("%d %d %s", at.Offset, at.Length, at.File))
	b = appendField(b, "WARC-Payload-Digest", p.line.Digest)
	b = appendField(b, "WARC-Block-Digest", digestOf(sha1.Sum(head)))
	p.out.Truncate(p.request)
	store(p.out, b, lineEnd, head, recordEnd)
	p.line.Mime = mimeRevisit
}

// appendRefers appends the fields by which a revisit refers to the response that has its payload.
func appendRefers(b []byte, original *header) []byte {
	b = appendField(b, "WARC-Profile", "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest")
	if original.id != "" {
		b = appendField(b, "WARC-Refers-To", original.id)
	}
	b = appendField(b, "WARC-Refers-To-Target-URI", original.target)
	return appendField(b, "WARC-Refers-To-Date", warcDate(original.date))
}

// packInfo makes the warcinfo record, the first of each file.
func packInfo(software, file, date string) []byte {
	block := appendField(nil, "software", software)
	block = appendField(block, "format", "WARC File Format 1.1")
	block = appendField(block, "conformsTo", "http://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/")
	p := &Packed{date: date}
	h := p.appendFields(nil, "warcinfo", recordID("warcinfo", file, date), "application/warc-fields", len(block))
	h = appendField(h, "WARC-Filename", file)
	h = appendField(h, "WARC-Block-Digest", digestOf(sha1.Sum(block)))
	var out bytes.Buffer
	store(&out, h, lineEnd, block, recordEnd)
	return out.Bytes()
}

// appendFields starts a WARC header with the fields that all records have; length is that of the block.
func (p *Packed) appendFields(h []byte, kind, id, contentType string, length int) []byte {
	h = append(h, "WARC/1.1\r\n"...)
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
	h = strconv.AppendInt(append(h, "Content-Length: "...), int64(length), 10)
	return append(h, "\r\n"...)
}

func appendField(b []byte, name, value string) []byte {
	b = append(b, name...)
	b = append(b, ": "...)
	b = append(b, value...)
	return append(b, "\r\n"...)
}

// warcDate formats a time in its full precision.
func warcDate(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
