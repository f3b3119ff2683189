// Package bytepair counts the tokens of texts as language models do that encode byte pairs: by a file with the ranks of a model's vocabulary, in the
// format of the program tiktoken. Of text that looks like a special token (<|endoftext|>) the characters are counted.
//
// Byte-pair encoding is that of Sennrich, Haddow and Birch, Neural Machine Translation of Rare Words with Subword Units (ACL 2016), section 3.2, over bytes:
// of all adjacent parts of a piece of text that are a token together, those of the lowest rank are joined, the first ones first, until none is left.
//
// This package is not part of the stable API.
package bytepair

import (
	"bufio"
	"container/heap"
	"encoding/base64"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"orbweaver"
)

// Bounds of a file of ranks. Those known have at most 200 000 tokens, of at most 128 bytes.
const (
	maxTokens = 1 << 20
	maxToken  = 1 << 10 // bytes
)

// An Encoding counts tokens. It does not change: any number of goroutines may use it.
type Encoding struct {
	name    string // of the file
	ranks   map[string]uint32
	longest int // token, in bytes
	cut     func(text string) int
}

// Read reads a file of ranks: lines of a token in base64, a space, and the token's rank. How texts are cut into pieces, before parts of these are joined, does not stand in the
// file: it follows from the encoding's name, which is that of the file without extension, or stands before it, as in cl100k_base=FILE. Names are cl100k_base and o200k_base. Errors about the name and the content wrap orbweaver.ErrInput.
func Read(named string) (*Encoding, error) {
	name, path, found := strings.Cut(named, "=")
	if _, err := cutters(name); !found || err != nil {
		path = named
		name, _, _ = strings.Cut(filepath.Base(path), ".")
	}
	cut, err := cutters(name)
	if err != nil {
		return nil, fmt.Errorf("%s: %w: say which by NAME=FILE (%w)", path, err, orbweaver.ErrInput)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	e := &Encoding{name: filepath.Base(path), ranks: map[string]uint32{}, cut: cut}
	lines := bufio.NewScanner(file)
	known := map[uint32]bool{}
	n := 0
	for lines.Scan() {
		n++
		if err := e.line(lines.Text(), known); err != nil {
			return nil, fmt.Errorf("%s:%d: %w (%w)", path, n, err, orbweaver.ErrInput)
		}
	}
	if err := lines.Err(); err != nil { // a line that is too long, too
		return nil, fmt.Errorf("%s:%d: %w (%w)", path, n+1, err, orbweaver.ErrInput)
	}
	for b := range 256 {
		if _, ok := e.ranks[string([]byte{byte(b)})]; !ok {
			return nil, fmt.Errorf("%s: no token is the byte 0x%02x alone: the file is not whole, or has no ranks of bytes (%w)", path, b, orbweaver.ErrInput)
		}
	}
	return e, nil
}

// line takes a line of a file of ranks, of which some are known.
func (e *Encoding) line(line string, known map[uint32]bool) error {
	encoded, number, _ := strings.Cut(line, " ")
	token, err := base64.StdEncoding.DecodeString(encoded)
	rank, wrong := strconv.ParseUint(number, 10, 31)
	switch {
	case err != nil || wrong != nil || len(token) == 0:
		return errors.New("not a token in base64, a space and a rank")
	case len(token) > maxToken:
		return fmt.Errorf("a token of %d bytes: %d at most", len(token), maxToken)
	case len(e.ranks) == maxTokens:
		return fmt.Errorf("more than %d tokens", maxTokens)
	case known[uint32(rank)]:
		return fmt.Errorf("another token has the rank %d", rank)
	}
	if _, twice := e.ranks[string(token)]; twice {
		return fmt.Errorf("the token %q stands twice", token)
	}
	e.ranks[string(token)], known[uint32(rank)] = uint32(rank), true
	e.longest = max(e.longest, len(token))
	return nil
}

// Name returns the name of the file.
func (e *Encoding) Name() string { return e.name }

// Count counts the tokens of a text.
func (e *Encoding) Count(text string) (n int) {
	for len(text) > 0 {
		piece := text[:e.cut(text)]
		text = text[len(piece):]
		if _, one := e.ranks[piece]; one {
			n++
		} else {
			n += e.joined(piece)
		}
	}
	return n
}

// none is the rank of what is no token.
const none = math.MaxUint32

// joined counts the parts of a piece when no two of them can be joined, in n log n steps for n bytes. A part is known by its first byte.
func (e *Encoding) joined(piece string) int {
	n := len(piece)
	next, before := make([]int, n+1), make([]int, n+1) // parts
	ranks := make([]uint32, n+1)                       // of a part with the next one
	var order queue
	rank := func(i int) {
		ranks[i] = none
		if j := next[i]; j < n && next[j]-i <= e.longest {
			if r, ok := e.ranks[piece[i:next[j]]]; ok {
				ranks[i] = r
				order = append(order, uint64(r)<<32|uint64(i))
				heap.Fix(&order, len(order)-1)
			}
		}
	}
	for i := range next {
		next[i], before[i] = min(i+1, n), i-1
	}
	for i := range n {
		rank(i)
	}
	parts := n
	for len(order) > 0 {
		first := order[0]
		i := int(first & math.MaxUint32)
		order[0] = order[len(order)-1]
		order = order[:len(order)-1]
		if len(order) > 0 {
			heap.Fix(&order, 0)
		}
		if ranks[i] != uint32(first>>32) { // a part of it was joined with another
			continue
		}
		j := next[i]
		next[i], ranks[j] = next[j], none
		before[next[j]] = i
		parts--
		rank(i)
		if i > 0 {
			rank(before[i])
		}
	}
	return parts
}

// A queue is a heap of ranks with, in their lower half, the parts that have them.
type queue []uint64

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return q[i] < q[j] }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(any)          {} // by append and heap.Fix, which allocate nothing
func (q *queue) Pop() any          { return nil }
