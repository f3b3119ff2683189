package node

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"orbweaver/internal/cluster/bus"
	"orbweaver/ledger"
)

// The entries of one page come in one excerpt, however many statements it has. An excerpt that is too large for an answer of the bus is kept in a file of the node, and asked for in pieces.

// wholeSize is the size of the largest excerpt that is answered at once, in bytes.
const wholeSize = bus.MaxAnswer / 2

// mostKept is how many excerpts a node keeps at a time: who asks for another one may have gone.
const mostKept = 4

// A kept is an excerpt in a file, which has no name.
type kept struct {
	token string
	file  *os.File
}

// A head is the first line of the answer to "since". The excerpt follows if there is no token.
type head struct {
	Size  int64  `json:"size"`
	Token string `json:"token,omitempty"`
}

// excerpt answers with an excerpt, or with how to ask for it.
func (n *Node) excerpt(x *ledger.Excerpt) ([]byte, error) {
	size := int64(len(x.Entries)) + 1<<20 // more than the rest takes
	if size > cmp.Or(n.o.Whole, wholeSize) {
		return n.keep(x)
	}
	var b bytes.Buffer
	err := json.NewEncoder(&b).Encode(head{})
	if err == nil {
		err = x.Write(&b)
	}
	return b.Bytes(), err
}

// keep writes an excerpt into a file.
func (n *Node) keep(x *ledger.Excerpt) ([]byte, error) {
	path := filepath.Join(n.o.Folder, "excerpt-"+rand.Text()[:8])
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	k := &kept{token: rand.Text(), file: f}
	err = x.Write(f)
	size, failed := f.Seek(0, io.SeekEnd)
	if err = errors.Join(err, failed, os.Remove(path)); err != nil { // the file stays for as long as it is open
		return nil, errors.Join(err, f.Close())
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.excerpts = append(n.excerpts, k); len(n.excerpts) > mostKept {
		err = n.excerpts[0].file.Close()
		n.excerpts = n.excerpts[1:]
	}
	answer, failed := json.Marshal(head{Size: size, Token: k.token})
	return append(answer, '\n'), errors.Join(err, failed)
}

// piece answers with a part of an excerpt. With its end, the excerpt is dropped.
func (n *Node) piece(q question) ([]byte, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	at := slices.IndexFunc(n.excerpts, func(k *kept) bool { return k.token == q.File })
	if at < 0 || q.From < 0 || q.To < q.From || q.To-q.From > pieceSize {
		return nil, fmt.Errorf("no piece %d to %d of an excerpt %q: ask for it again", q.From, q.To, q.File)
	}
	k := n.excerpts[at]
	b := make([]byte, q.To-q.From)
	read, err := k.file.ReadAt(b, q.From)
	if !errors.Is(err, io.EOF) {
		return b[:read], err
	}
	n.excerpts = slices.Delete(n.excerpts, at, at+1)
	return b[:read], k.file.Close()
}

// release drops the excerpts.
func (n *Node) release() {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, k := range n.excerpts {
		_ = k.file.Close() // it was read, and nobody wants more
	}
	n.excerpts = nil
}

// excerptOf reads the answer to "since", and asks for its pieces.
func (r remote) excerptOf(ctx context.Context, answer []byte) (*ledger.Excerpt, error) {
	first, rest, _ := bytes.Cut(answer, []byte("\n"))
	var h head
	if err := json.Unmarshal(first, &h); err != nil {
		return nil, err
	}
	if h.Token == "" {
		return ledger.ReadExcerpt(bytes.NewReader(rest))
	}
	var b bytes.Buffer
	for more := true; more; {
		var piece []byte
		at := int64(b.Len())
		err := ask(ctx, r.bus, r.node, question{Do: "piece", File: h.Token, From: at, To: at + pieceSize}, &piece)
		if err != nil {
			return nil, fmt.Errorf("bytes from %d of an excerpt of %d: %w", at, h.Size, err)
		}
		b.Write(piece)
		more = len(piece) == pieceSize
	}
	if int64(b.Len()) != h.Size {
		return nil, fmt.Errorf("an excerpt of %d bytes has %d", h.Size, b.Len())
	}
	return ledger.ReadExcerpt(&b)
}
