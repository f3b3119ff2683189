package ontology

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
)

// sniffed is the number of bytes of a file examined to determine its syntax.
const sniffed = 4 << 10

// batchSize is the number of statements that pass from one goroutine to another at once.
const batchSize = 512

// Load reads an ontology from files. Names ending in .gz are decompressed; name and content determine the
// syntax. Relative IRIs are resolved against the file's own file: URL. An error names the file; a syntax
// error wraps a *syntax.Error with line and column.
func Load(files ...string) (*Ontology, error) {
	documents := make([]iter.Seq2[rdf.Triple, error], len(files))
	for i, file := range files {
		documents[i] = ahead(readFile(file))
	}
	return Build(documents...)
}

// A batch is what another goroutine has read.
type batch struct {
	triples []rdf.Triple
	err     error // behind them
}

// ahead yields what a sequence does, which another goroutine runs ahead of the consumer by some batches.
func ahead(triples iter.Seq2[rdf.Triple, error]) iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		filled, emptied, stop := make(chan batch), make(chan []rdf.Triple, 2), make(chan struct{})
		emptied <- make([]rdf.Triple, 0, batchSize)
		emptied <- make([]rdf.Triple, 0, batchSize)
		go fill(triples, filled, emptied, stop)
		defer func() {
			close(stop)
			for range filled { // until the other goroutine has ended
			}
		}()
		for b := range filled {
			for _, t := range b.triples {
				if !yield(t, nil) {
					return
				}
			}
			if b.err != nil {
				yield(rdf.Triple{}, b.err)
				return
			}
			emptied <- b.triples[:0]
		}
	}
}

// fill sends a sequence in batches, until it ends or stop is closed, and closes filled.
func fill(triples iter.Seq2[rdf.Triple, error], filled chan<- batch, emptied <-chan []rdf.Triple, stop <-chan struct{}) {
	defer close(filled)
	send := func(b batch) bool {
		select {
		case filled <- b:
			return true
		case <-stop:
			return false
		}
	}
	list := <-emptied
	for t, err := range triples {
		if err != nil {
			send(batch{list, err})
			return
		}
		if list = append(list, t); len(list) < cap(list) {
			continue
		}
		if !send(batch{triples: list}) {
			return
		}
		list = <-emptied
	}
	send(batch{triples: list})
}

// readFile yields a file's triples, opening it when iterated.
func readFile(name string) iter.Seq2[rdf.Triple, error] {
	return func(yield func(rdf.Triple, error) bool) {
		f, err := os.Open(name)
		if err != nil {
			yield(rdf.Triple{}, fmt.Errorf("ontology: %w", err))
			return
		}
		defer f.Close()
		for t, err := range read(f, name) {
			if err != nil {
				err = fmt.Errorf("ontology: %w", err)
			}
			if !yield(t, err) || err != nil {
				return
			}
		}
	}
}

func read(r io.Reader, name string) iter.Seq2[rdf.Triple, error] {
	inner := name
	if strings.HasSuffix(name, ".gz") {
		inner = strings.TrimSuffix(name, ".gz")
		z, err := gzip.NewReader(r)
		if err != nil {
			return func(yield func(rdf.Triple, error) bool) {
				yield(rdf.Triple{}, fmt.Errorf("%s: %w", name, err))
			}
		}
		r = z
	}
	buffered := bufio.NewReaderSize(r, sniffed)
	head, _ := buffered.Peek(sniffed) // reading reports the error again
	return document.Read(buffered, syntax.Detect(inner, "", head), syntax.Options{Name: name, Base: fileURL(inner)})
}

func fileURL(name string) string {
	if abs, err := filepath.Abs(name); err == nil {
		name = abs
	}
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(name)}).String()
}
