package archive

import (
	"bytes"
	"net/http"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// A press makes gzip members of records. Any number of goroutines may use it.
type press struct {
	zippers sync.Pool // of *gzip.Writer, fast
	storers sync.Pool // of *gzip.Writer, not compressing
}

func (p *press) ready() {
	p.zippers.New = func() any { return newZipper(gzip.BestSpeed) }
	p.storers.New = func() any { return newZipper(gzip.NoCompression) }
}

func newZipper(level int) *gzip.Writer {
	z, err := gzip.NewWriterLevel(nil, level)
	if err != nil {
		panic(err) // both levels exist
	}
	return z
}

// zip makes a gzip member of a record. A payload that was compressed already is stored as it is.
func (p *press) zip(fields http.Header, header, head, payload []byte) []byte {
	pool := &p.zippers
	if isDense(fields, payload) {
		pool = &p.storers
	}
	var out bytes.Buffer
	out.Grow(512 + len(payload)/3)
	z := pool.Get().(*gzip.Writer)
	defer pool.Put(z)
	z.Reset(&out)
	for _, part := range [][]byte{header, []byte("\r\n"), head, payload, []byte("\r\n\r\n")} {
		_, _ = z.Write(part) // a buffer takes all
	}
	_ = z.Close()
	return out.Bytes()
}
