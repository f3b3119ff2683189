package ontology

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"orbweaver/internal/atomicfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
	"orbweaver/rdf/syntax/ntriples"
)

// Folder is the subfolder of a crawl folder for the initial ontology; it exists once the ontology was changed.
const Folder = "ontology"

// Keep copies the ontology before its first change. It copies all files or none.
func Keep(output string, files []string) error {
	folder := filepath.Join(output, Folder)
	if _, err := os.Stat(folder); err == nil {
		return nil
	}
	if err := os.RemoveAll(folder + crawlfolder.Partial); err != nil {
		return err
	}
	if err := os.MkdirAll(folder+crawlfolder.Partial, 0o777); err != nil {
		return err
	}
	for i, file := range files {
		if err := keepFile(filepath.Join(folder+crawlfolder.Partial, keptName(i, file)), file); err != nil {
			return fmt.Errorf("keep the ontology as it was: %w", err)
		}
	}
	return atomicfile.Place(folder+crawlfolder.Partial, folder)
}

// keptName is the name of the copy of the i-th ontology file.
func keptName(i int, file string) string { return fmt.Sprintf("%02d-%s", i+1, filepath.Base(file)) }

// spelledOut is the suffix of a copy converted to N-Triples: a file with IRIs relative to its location would mean something
// else in another folder.
const spelledOut = ".nt"

// keepFile copies an ontology file byte for byte, or its triples.
func keepFile(to, file string) error {
	said, err := saidHere(file)
	if err != nil {
		return err
	}
	if said != nil {
		return os.WriteFile(to+spelledOut, said, 0o666)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	return os.WriteFile(to, text, 0o666)
}

// saidHere returns the triples of a file, as N-Triples, if they depend on its location, else nil.
func saidHere(file string) (said []byte, err error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	inner, content := strings.TrimSuffix(file, ".gz"), io.Reader(f)
	if inner != file {
		if content, err = gzip.NewReader(f); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	buffered := bufio.NewReader(content)
	head, _ := buffered.Peek(buffered.Size()) // an error comes again when reading
	here := (&url.URL{Scheme: "file", Path: filepath.ToSlash(inner)}).String()
	depends := false
	for t, err := range document.Read(buffered, syntax.Detect(inner, "", head), syntax.Options{Name: file, Base: here}) {
		if err != nil {
			return nil, err
		}
		depends = depends || isLocal(t.S) || isLocal(t.P) || isLocal(t.O)
		said = ntriples.AppendTriple(said, t)
	}
	if !depends {
		return nil, nil
	}
	return said, nil
}

// isLocal reports whether a term names a file, as relative IRIs come to do.
func isLocal(t rdf.Term) bool {
	return t.Kind == rdf.IRI && strings.HasPrefix(t.Value, "file:") || strings.HasPrefix(t.Datatype, "file:")
}

// Files returns the initial ontology files of a crawl: the copies, if there are any.
func Files(output string, files []string) []string {
	if _, err := os.Stat(filepath.Join(output, Folder)); err != nil {
		return files
	}
	kept := make([]string, len(files))
	for i, file := range files {
		kept[i] = filepath.Join(output, Folder, keptName(i, file))
		if _, err := os.Stat(kept[i] + spelledOut); err == nil {
			kept[i] += spelledOut
		}
	}
	return kept
}
