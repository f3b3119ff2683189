// Command demoweb makes the demo web: a small invented Web about aircraft, travel and a dozen other
// things, and an island of linked data beside it, on which crawls can be tried and compared without
// touching the real one; and a second web, the campus of a university.
//
// A web is made from tables of facts (facts/*.tsv) and sentences (words/*.txt). It is written as
// one WARC 1.1 file with, beside it, the truth: which page was made about what. Both depend on those
// files alone; the program reads no clock and draws no random number that the page's address does not
// decide, so the same files give the same records each time.
//
// It fetches nothing, and judges nothing: what a page is about is what its facts were about, whatever
// words it came to use.
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

// makeAll returns all responses, in the order in which they are written: those of the island, which
// nothing else leads to, come last, so that they change no record before them.
func makeAll() ([]document, error) {
	documents, err := makeWeb()
	if err != nil {
		return nil, err
	}
	island, err := makeIsland()
	return append(documents, island...), err
}

// readMainland reads what the Web but for its island is made from.
func readMainland() (*web, error) { return readWeb("", "words/*.txt") }

// makeWeb reads the embedded facts and words and returns the responses of the Web but for its island.
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
