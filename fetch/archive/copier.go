package archive

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"time"

	"orbweaver"
)

// A Copier writes selected records of a stock as one WARC file, each record a gzip member. Records that the
// stock stores as gzip members are copied byte for byte. Of a copied record only its position is kept.
type Copier struct {
	stock    *Stock
	out      io.Writer
	name     string
	software string
	limit    int64
	at       int64 // bytes written
	begun    bool
	plate    *plate
	record   *record
	between  *bufio.Reader     // of the bytes between two records
	written  map[span]struct{} // records copied
}

// A Copied describes a copied response.
type Copied struct {
	URL       string // as archived
	At        time.Time
	Status    int    // HTTP status; 0: a revisit that has no answer of its own
	MediaType string // by the archived header; "warc/revisit" for a revisit
	Digest    string // of the payload; empty if the record has none
	Ref       orbweaver.Ref
}

// NewCopier begins a WARC file of the given name; software names the writer. Payloads that must be decoded have
// at most limit bytes; 0: 10 MB.
func NewCopier(s *Stock, out io.Writer, name, software string, limit int64) *Copier {
	if limit <= 0 {
		limit = defaultMaxBody
	}
	return &Copier{
		stock: s, out: out, name: oneLine(name), software: oneLine(software), limit: limit,
		plate: newPlate(), record: newRecord(), between: bufio.NewReader(nil), written: map[span]struct{}{},
	}
}

// Copy writes the records of an answer: what its page's scripts made of it, if the stock has it; its request, if it directly precedes the answer in
// the stock; and the response, resource or revisit. A revisit whose original was not copied before, or is in another archive, is written as a
// full response.
// Copying in the order of the holdings is therefore cheapest.
//
// An error that wraps a Failure (ErrDamaged, ErrTooLarge, ErrMalformed) says that the answer cannot be copied;
// nothing of it was written and the Copier can continue. Any other error is of the output.
func (c *Copier) Copy(h Holding) (Copied, error) {
	told, err := c.examine(h)
	if err != nil {
		return Copied{}, err
	}
	var whole []byte
	_, has := c.written[h.origin]
	if h.origin.length > 0 && !has || h.origin.length == 0 && c.record.header.isElsewhere() ||
		c.stock.sources[h.own.file].arc {
		if whole, err = c.whole(h, &told); err != nil {
			return Copied{}, err
		}
	}
	if err := c.begin(told.At); err != nil {
		return Copied{}, err
	}
	if made := c.renderedOf(h); made.length > 0 {
		if err := c.raw(made); err != nil {
			return Copied{}, err
		}
	}
	if request := c.requestOf(h, told.URL); request.length > 0 {
		if err := c.raw(request); err != nil {
			return Copied{}, err
		}
	}
	start := c.at
	if whole != nil {
		err = c.write(whole)
	} else {
		err = c.raw(h.own)
		c.written[h.own] = struct{}{}
	}
	told.Ref = orbweaver.Ref{File: c.name, Offset: start, Length: c.at - start}
	return told, err
}

// Close writes the warcinfo record if no other record was written.
func (c *Copier) Close() error { return c.begin(time.Time{}) }

// begin writes the warcinfo record.
func (c *Copier) begin(date time.Time) error {
	if c.begun {
		return nil
	}
	c.begun = true
	return c.write(packInfo(c.software, c.name, warcDate(date)))
}

func (c *Copier) write(b []byte) error {
	n, err := c.out.Write(b)
	c.at += int64(n)
	return err
}

// examine reads a record to its end to verify that it is complete, and describes it.
func (c *Copier) examine(h Holding) (told Copied, err error) {
	r, source := c.record, c.stock.sources[h.own.file]
	told, err = c.tell(h)
	if err == nil {
		err = r.wholeAt(source, h.own.length)
	}
	if err != nil {
		return told, damagedAt(source, h.own, err)
	}
	return told, nil
}

func (c *Copier) tell(h Holding) (told Copied, err error) {
	r := c.record
	if err := r.open(c.stock.sources[h.own.file], h.own.offset, h.own.length); err != nil {
		return told, err
	}
	told = Copied{URL: r.header.target, At: r.header.date, Digest: r.header.digest}
	kind := r.header.kind
	switch {
	case kind == "resource":
		told.Status, told.MediaType = 200, plainMedia(r.header.contentType)
	case kind != "response" && kind != "revisit":
		return told, fmt.Errorf("a %.20q record", kind)
	case r.isHTTP():
		head, err := r.head()
		if err != nil {
			return told, err
		}
		told.Status, told.MediaType = head.status, head.mediaType()
	case kind == "response":
		return told, errors.New("a response that is no HTTP answer")
	}
	if kind == "revisit" {
		told.MediaType = mimeRevisit
	}
	return told, nil
}

// damagedAt adds the place to an error and makes it a failure.
func damagedAt(source *source, at span, err error) error {
	a := answer{ref: orbweaver.Ref{File: source.name, Offset: at.offset}, failure: orbweaver.ErrDamaged}
	return a.damaged(err)
}

// wholeAt reads to the end of a record and checks its length.
func (r *record) wholeAt(s *source, length int64) error {
	if !s.compressed {
		return r.skip(r.left)
	}
	if err := r.endOfMember(); err != nil {
		return err
	}
	at, err := r.place.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if used := at - int64(r.in.Buffered()); used != length {
		return fmt.Errorf("a record of %d bytes, not %d", used, length)
	}
	return nil
}

// raw copies a verified record.
func (c *Copier) raw(at span) error {
	source := c.stock.sources[at.file]
	if !source.compressed {
		return c.compress(source, at)
	}
	n, err := io.Copy(c.out, io.NewSectionReader(source.file, at.offset, at.length))
	c.at += n
	if err == nil && n < at.length {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// compress writes an uncompressed record as a gzip member.
func (c *Copier) compress(source *source, at span) error {
	r := c.record
	if err := r.open(source, at.offset, at.length); err != nil {
		return err
	}
	read, err := r.place.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	length := read - int64(r.out.Buffered()) + r.left // without the line ends that follow
	count := &counted{to: c.out}
	z := c.plate.level(Usual)
	z.Reset(count)
	_, err = io.Copy(z, io.NewSectionReader(source.file, at.offset, length))
	if err == nil {
		_, err = z.Write([]byte("\r\n\r\n"))
	}
	err = errors.Join(err, z.Close())
	c.at += count.n
	return err
}

// counted counts the bytes written.
type counted struct {
	to io.Writer
	n  int64
}

func (c *counted) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	c.n += int64(n)
	return n, err
}

// maxBetween is the most records between two answers of a crawl's own archive, without blanks: a warcinfo, the rendered page and the
// request.
const maxBetween = 3

// renderedOf finds the complete rendered page of an answer; its length is 0 if there is none.
func (c *Copier) renderedOf(h Holding) span {
	source := c.stock.sources[h.own.file]
	at := h.rendered
	if at.length == 0 && h.before >= 0 && h.before < h.own.offset && source.compressed {
		at = renderedBetween(source, h)
	}
	if at.length == 0 {
		return span{}
	}
	if _, answer, err := readRendered(c.stock.sources[at.file], at, c.limit); err != nil || answer != c.record.header.id {
		return span{} // the answer alone can be had
	}
	return at
}

// requestOf finds the complete request of an answer, with the same URL; its length is 0 if there is none.
func (c *Copier) requestOf(h Holding, target string) span {
	source := c.stock.sources[h.own.file]
	if h.before < 0 || h.before >= h.own.offset || !source.compressed {
		return span{}
	}
	at, _, ok := requestBetween(source, c.record, c.between, h.before, h.own.offset, target)
	if !ok {
		return span{}
	}
	return span{at, h.own.offset - at, h.own.file}
}

// requestBetween returns the offset of a complete request with a URL that ends at an offset, of the records from another offset on, and that of the
// rendered page before it, or else its own.
func requestBetween(s *source, r *record, in *bufio.Reader, from, to int64, target string) (at, made int64, ok bool) {
	seen := requests{file: s.name, made: -1}
	walk := &scanner{source: s, record: r, see: &seen, in: in, read: counter{s.file, from}}
	walk.in.Reset(&walk.read)
	for seen.others < maxBetween {
		if at := walk.offset(); at >= to || walk.member(at) != nil {
			break
		}
	}
	made = seen.at
	if seen.made >= 0 {
		made = seen.made
	}
	return seen.at, made, seen.target == target && walk.offset() == to
}

// requests is a visitor that keeps the last record if it is a request.
type requests struct {
	file   string
	target string
	at     int64
	made   int64 // of a rendered page, with at most the request after it; -1: there is none
	others int   // records that are no blanks
}

func (q *requests) begin(r *record, offset int64) error {
	q.target, q.at = "", offset
	switch {
	case r.header.kind == "request":
		q.target = r.header.target
	case r.header.isRendered():
		q.made = offset
	default:
		q.made = -1
	}
	if !isBlank(&r.header, q.file, offset) {
		q.others++
	}
	return nil
}

func (q *requests) end(int64) {}
