package node

import (
	"context"
	"errors"
	"os"

	"orbweaver/internal/cluster/bus"
	"orbweaver/ledger"
)

// A remote is a gather.Source: the results of a worker that a node has.
type remote struct {
	bus           *bus.Bus
	node          string
	crawl, worker string
}

// Name implements gather.Source.
func (r remote) Name() string { return r.worker }

// Since implements gather.Source.
func (r remote) Since(ctx context.Context, p ledger.Position) (*ledger.Excerpt, error) {
	var answer []byte
	if err := ask(ctx, r.bus, r.node, question{Do: "since", Crawl: r.crawl, Worker: r.worker, At: p}, &answer); err != nil {
		return nil, err
	}
	return r.excerptOf(ctx, answer)
}

// pieceSize is how much of a file is asked for at once, in bytes.
const pieceSize = 16 << 20

// File implements gather.Source.
func (r remote) File(ctx context.Context, name, into string, length int64) error {
	f, err := os.OpenFile(into, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	info, err := f.Stat()
	for at := int64(0); err == nil; {
		at = max(at, info.Size())
		to := at + pieceSize
		if length >= 0 {
			to = min(to, length)
		}
		if to <= at {
			break
		}
		var piece []byte
		if err = ask(ctx, r.bus, r.node, question{Do: "file", Crawl: r.crawl, Worker: r.worker, File: name, From: at, To: to}, &piece); err == nil {
			_, err = f.WriteAt(piece, at)
		}
		at += int64(len(piece))
		if len(piece) == 0 || length < 0 && at < to { // the end
			break
		}
	}
	return errors.Join(err, f.Close())
}

// Model implements gather.Source.
func (r remote) Model(ctx context.Context, whole bool) (all []byte, err error) {
	for {
		var piece []byte
		err = ask(ctx, r.bus, r.node, question{Do: "model", Crawl: r.crawl, Worker: r.worker, Whole: whole, From: int64(len(all)), To: int64(len(all)) + pieceSize}, &piece)
		if all = append(all, piece...); len(piece) < pieceSize || err != nil {
			return all, err
		}
	}
}

// Index implements gather.Source.
func (r remote) Index(ctx context.Context, from, to int64) (all []byte, err error) {
	for at := from; at < to && err == nil; {
		var piece []byte
		err = ask(ctx, r.bus, r.node, question{Do: "index", Crawl: r.crawl, Worker: r.worker, From: at, To: min(at+pieceSize, to)}, &piece)
		all = append(all, piece...)
		if at += int64(len(piece)); len(piece) == 0 && err == nil {
			err = errors.New("the index ends before its mark")
		}
	}
	return all, err
}
