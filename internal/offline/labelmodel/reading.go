package labelmodel

import (
	"context"
	"crypto/sha256"
	"iter"
	"sync"

	"orbweaver/page"
	"orbweaver/text/item"
)

// A reading is a document as it is read beside others.
type reading struct {
	document
	err   error // the stream ends with it
	sum   [16]byte
	draft item.Draft
	done  chan struct{}
}

// A readers' room reads documents by many goroutines and gives them in their order.
type readers struct {
	reader item.Reader
	lang   string // of all documents; empty: told by each
	known  int64  // so many at the start have been learned: of these the sums alone are wanted
}

// ahead is how many documents are read ahead, a worker.
const ahead = 8

// all ranges over documents, read by some workers. Memory is bounded by what is read ahead.
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

// send puts documents into both channels.
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
		work <- x // there are always workers
	}
}

// read makes a document's draft.
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

// summed cuts the document and sums its words: two with the same sum are the same document twice.
func (x *reading) summed() {
	x.cut()
	sum := sha256.Sum256([]byte(x.Title + "\x00" + x.Text))
	x.sum = [16]byte(sum[:16])
}
