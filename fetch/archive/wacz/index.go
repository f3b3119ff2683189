package wacz

import (
	"archive/zip"
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/klauspost/compress/gzip"

	"orbweaver/fetch/archive"
)

// blockLines is the number of index lines in a gzip member.
const blockLines = 1024

// writeIndex sorts the index, writes it in blocks, then writes the index of the blocks.
func (w *Writer) writeIndex() (err error) {
	if _, err := w.index.reread(); err != nil {
		return err
	}
	sorted := w.index.file.Name() + ".sorted"
	if err := archive.SortLines(w.index.file.Name(), sorted); err != nil {
		return err
	}
	file, err := os.Open(sorted)
	if err != nil {
		return errors.Join(err, os.Remove(sorted))
	}
	defer func() { err = errors.Join(err, file.Close(), os.Remove(sorted)) }()
	e, err := w.begin("indexes/index.cdx.gz", zip.Store)
	if err != nil {
		return err
	}
	b := newBlocks(e)
	for lines := bufio.NewReaderSize(file, 64<<10); ; {
		line, err := lines.ReadBytes('\n')
		if err == io.EOF {
			break
		}
		if err == nil {
			err = b.add(line)
		}
		if err != nil {
			return err
		}
	}
	if err := b.flush(); err != nil {
		return err
	}
	w.end(e)
	return w.put("indexes/index.idx", b.index.Bytes())
}

// A blocks is the compressed index.
type blocks struct {
	out   io.Writer
	zip   *gzip.Writer
	block bytes.Buffer // compressed
	first []byte       // key and time of the block's first line
	lines int          // of the block
	at    int          // bytes written
	index bytes.Buffer
}

func newBlocks(out io.Writer) *blocks {
	b := &blocks{out: out}
	b.zip = gzip.NewWriter(&b.block)
	b.index.WriteString("!meta 0 {\"format\": \"cdxj-gzip-1.0\", \"filename\": \"index.cdx.gz\"}\n")
	return b
}

func (b *blocks) add(line []byte) error {
	if b.lines == 0 {
		key, _, _ := bytes.Cut(line, []byte(" {"))
		b.first = bytes.Clone(key)
	}
	if _, err := b.zip.Write(line); err != nil {
		return err
	}
	if b.lines++; b.lines < blockLines {
		return nil
	}
	return b.flush()
}

// flush ends a block.
func (b *blocks) flush() error {
	if b.lines == 0 {
		return nil
	}
	if err := b.zip.Close(); err != nil {
		return err
	}
	sum := sha256.Sum256(b.block.Bytes())
	fmt.Fprintf(&b.index, "%s {\"offset\": %d, \"length\": %d, \"digest\": \"sha256:%s\"}\n",
		b.first, b.at, b.block.Len(), hex.EncodeToString(sum[:]))
	b.at += b.block.Len()
	_, err := b.out.Write(b.block.Bytes())
	b.block.Reset()
	b.zip.Reset(&b.block)
	b.lines = 0
	return err
}
