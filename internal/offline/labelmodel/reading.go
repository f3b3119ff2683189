package labelmodel

import (
	"context"
	"crypto/sha256"
	"iter"
	"sync"

	"orbweaver/page"
	"orbweaver/text/item"
)

// reading is a document that a worker reads.
type reading struct {
	document
	err   error // ends the stream
	sum   [16]byte
	draft item.Draft
	done  chan struct{}
}

// readers reads documents in parallel and yields them in their order.
type readers struct {
	reader item.Reader
	lang   string // language of all documents; empty: detected for each
	known  int64  // number of documents at the start that are learned already: only their checksums are computed
}

// ahead is the number of documents read ahead per worker.
const ahead = 8

// all ranges over documents that workers read in parallel. The documents read ahead bound its memory.
func (r *readers) all(ctx context.Context, workers int, documents iter.Seq2[document, error]) iter.Seq[*reading] {
	return func(yield func(*reading) bool) {
		ctx, stop := context.WithCancel(ctx)
		order, work := make(chan *reading, ahead*workers), make(chan *reading, ahead*workers)
		var group sync.WaitGroup
		defer group.Wait()
		defer stop()
		group.Go(func() {
			defer close(order)
			defer close(work)
			r.send(ctx, documents, order, work)
		})
		for range workers {
			group.Go(func() {
				for x := range work {
					r.read(x, ctx.Err() == nil)
					close(x.done)
				}
			})
		}
		for x := range order {
			<-x.done
			if !yield(x) {
				return
			}
		}
	}
}

// send sends the documents to both channels.
func (r *readers) send(ctx context.Context, documents iter.Seq2[document, error], order, work chan<- *reading) {
	n := int64(0)
	for d, err := range documents {
		x := &reading{document: d, err: err, done: make(chan struct{})}
		select {
		case order <- x:
		case <-ctx.Done():
			return
		}
		if n++; err != nil {
			close(x.done)
			return
		}
		if n <= r.known {
			x.summed()
			close(x.done)
			continue
		}
		work <- x // never blocks forever: workers run until work is closed
	}
}

// read computes a document's draft.
func (r *readers) read(x *reading, wanted bool) {
	x.summed()
	if !wanted || x.Text == "" {
		return
	}
	if x.Lang = page.Language(x.Lang, x.Text); r.lang != "" {
		x.Lang = r.lang
	}
	x.draft = r.reader.Read(x.Text, x.Title, x.Lang)
}

// summed truncates the document and computes a checksum of its words, which identifies repeated documents.
func (x *reading) summed() {
	x.cut()
	sum := sha256.Sum256([]byte(x.Title + "\x00" + x.Text))
	x.sum = [16]byte(sum[:16])
}
