// Command demoweb makes the demo web: a small invented Web about aircraft, travel and a dozen other topics,
// and a separate island of linked data, for trying and comparing crawls without the real Web; and a second web,
// the campus of a university.
//
// A web is made from tables of facts (facts/*.tsv) and sentences (words/*.txt). The output is one WARC 1.1
// file and the truth: the topics of each page. Both depend only on the input files: the program reads no
// clock, and seeds its random numbers with the page's address.
//
// It neither fetches nor judges: a page's topic is that of its facts, whatever words it uses.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	out := flag.String("out", "examples", "folder to write the archives and their truths to")
	flag.Parse()
	if err := run(*out); err != nil {
		fmt.Fprintln(os.Stderr, "demoweb:", err)
		os.Exit(1)
	}
}

// run makes the webs and writes their files into a folder.
func run(folder string) error {
	for _, made := range []struct {
		name string
		make func() ([]document, error)
	}{{"demo", makeAll}, {"campus", makeCampus}} {
		documents, err := made.make()
		if err == nil {
			err = write(folder, made.name, documents)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// write writes the two files of a web: its archive and its truth.
func write(folder, name string, documents []document) error {
	var archive, truth bytes.Buffer
	if err := writeWARC(&archive, documents); err != nil {
		return err
	}
	writeTruth(&truth, documents)
	if err := os.WriteFile(filepath.Join(folder, name+".warc.gz"), archive.Bytes(), 0o644); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(folder, name+"-truth.tsv"), truth.Bytes(), 0o644)
}

// makeAll returns all responses, in the order in which they are written. Those of the island, which no other
// page links to, come last, so that they change no earlier record.
func makeAll() ([]document, error) {
	documents, err := makeWeb()
	if err != nil {
		return nil, err
	}
	island, err := makeIsland()
	return append(documents, island...), err
}

// readMainland reads the sources of the Web without its island.
func readMainland() (*web, error) { return readWeb("", "words/*.txt") }

// makeWeb reads the embedded facts and words and returns the responses of the Web without its island.
func makeWeb() ([]document, error) {
	w, err := readMainland()
	if err != nil {
		return nil, err
	}
	w.writePages()
	w.writeIndexes()
	w.writeArticles()
	w.writeData()
	w.writeOddities()
	return w.documents, w.problems()
}
