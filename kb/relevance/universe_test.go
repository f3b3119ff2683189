package relevance

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/rdf/syntax"
	"orbweaver/rdf/syntax/document"
)

// universe is the classes of some ontologies, joined.
type universe struct{ *Descriptions }

func readOntology(u *Descriptions, name string, content []byte) {
	format := syntax.Detect(name, "", content[:min(len(content), 1000)])
	opts := syntax.Options{Name: name, Base: "http://example.org/", Lenient: true}
	for q, err := range document.Quads(bytes.NewReader(content), format, opts) {
		if err != nil {
			return
		}
		u.Add(q)
	}
}

// few is the ontologies of the users' terms.
func few(t testing.TB) universe {
	u := universe{NewDescriptions(1 << 20)}
	for _, name := range []string{"akt-2003.n3", "dbpedia-3.9.owl.gz", "event-2007.n3", "foaf-2014.n3", "frbr-2009.n3", "schema-2014-02.n3.gz"} {
		content, err := os.ReadFile(filepath.Join(realdata.File(t, "ontologies"), name))
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasSuffix(name, ".gz") {
			content = gunzip(t, content)
		}
		readOntology(u.Descriptions, strings.TrimSuffix(name, ".gz"), content)
	}
	return u
}

func gunzip(t testing.TB, b []byte) []byte {
	r, err := gzip.NewReader(bytes.NewReader(b))
	if err != nil {
		t.Fatal(err)
	}
	b, err = io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// all is few, and the latest version of each vocabulary except those of music.
func all(t testing.TB) universe { return join(t, func(string) bool { return true }) }

// some is few, and the vocabularies that are part of some domains.
func some(t testing.TB) universe {
	return join(t, func(prefix string) bool { return slices.Contains([]string{"wo", "w3c-ssn", "bibo", "po"}, prefix) })
}

func join(t testing.TB, wanted func(prefix string) bool) universe {
	u := few(t)
	file, err := os.Open(realdata.File(t, "vocabularies-2018.tar.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	z, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	latest := map[string]string{}
	contents := map[string][]byte{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		parts := strings.Split(strings.TrimSuffix(path.Base(h.Name), ".n3"), "__")
		if h.Typeflag != tar.TypeReg || len(parts) < 4 || parts[1] == "mo" || parts[1] == "music" || !wanted(parts[1]) {
			continue
		}
		vocabulary, date := parts[0]+"__"+parts[1], parts[len(parts)-1]
		if latest[vocabulary] > date {
			continue
		}
		latest[vocabulary] = date
		if contents[vocabulary], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	names := []string{}
	for name := range contents {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		readOntology(u.Descriptions, name+".n3", contents[name])
	}
	return u
}
