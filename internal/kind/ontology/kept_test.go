package ontology

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"orbweaver/internal/crawlfolder"
	"orbweaver/kb/ontology"
)

// put writes a file and returns its path.
func put(t testing.TB, folder, name, content string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestKeep: files are kept to the byte, in order, once; also two of one name.
func TestKeep(t *testing.T) {
	folder, output := t.TempDir(), t.TempDir()
	const first = "@prefix : <urn:e#> . # a note\r\n:a a :B ." // no newline at the end
	if err := os.Mkdir(filepath.Join(folder, "more"), 0o777); err != nil {
		t.Fatal(err)
	}
	files := []string{put(t, folder, "a.ttl", first), put(t, filepath.Join(folder, "more"), "a.ttl", "<urn:x> a <urn:y> .\n")}
	if got := Files(output, files); !reflect.DeepEqual(got, files) {
		t.Errorf("before anything was kept: %v", got)
	}
	if err := os.MkdirAll(filepath.Join(output, Folder+crawlfolder.Partial, "left"), 0o777); err != nil { // by a crawl that was killed
		t.Fatal(err)
	}
	for range 2 {
		if err := Keep(output, files); err != nil {
			t.Fatal(err)
		}
		put(t, folder, "a.ttl", "<urn:new> a <urn:y> .\n") // what is kept stays
	}
	got := Files(output, files)
	want := []string{filepath.Join(output, "ontology", "01-a.ttl"), filepath.Join(output, "ontology", "02-a.ttl")}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i, content := range []string{first, "<urn:x> a <urn:y> .\n"} {
		if text, err := os.ReadFile(got[i]); err != nil || string(text) != content {
			t.Errorf("%s: %q, %v", got[i], text, err)
		}
	}
	if entries, err := os.ReadDir(output); err != nil || len(entries) != 1 {
		t.Errorf("left is %v, %v", entries, err)
	}
}

// TestKeepNothing: where a file cannot be kept, none is.
func TestKeepNothing(t *testing.T) {
	folder := t.TempDir()
	good := put(t, folder, "a.ttl", "<urn:x> a <urn:y> .\n")
	for name, bad := range map[string]string{
		"a file that is gone":  filepath.Join(folder, "gone.ttl"),
		"a file with an error": put(t, folder, "bad.ttl", "<urn:x> a"),
		"a file not packed":    put(t, folder, "bad.ttl.gz", "<urn:x> a <urn:y> .\n"),
	} {
		output, files := t.TempDir(), []string{good, bad}
		if err := Keep(output, files); err == nil || !strings.Contains(err.Error(), filepath.Base(bad)) {
			t.Errorf("%s: %v", name, err)
		}
		if got := Files(output, files); !reflect.DeepEqual(got, files) {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestKeepRelativeIRIs: what a file says does not change by being kept, in each syntax.
func TestKeepRelativeIRIs(t *testing.T) {
	const class = "http://www.w3.org/2002/07/owl#Class"
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	fmt.Fprintf(z, "<#A> a <%s> .\n", class)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"own.ttl":    "@prefix : <#> . :A a <" + class + "> . :B <http://www.w3.org/2000/01/rdf-schema#subClassOf> [ a <" + class + "> ] , :A .\n",
		"own.ttl.gz": packed.String(),
		"own.rdf": `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:ID="A"><rdf:type rdf:resource="` +
			class + `"/></rdf:Description></rdf:RDF>`,
	} {
		folder, output := t.TempDir(), t.TempDir()
		files := []string{put(t, folder, name, content)}
		if err := Keep(output, files); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		kept := Files(output, files)
		before, err := ontology.Load(files...)
		after, problem := ontology.Load(kept...)
		if err = errors.Join(err, problem); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if before.Len() == 0 || before.Len() != after.Len() {
			t.Fatalf("%s: %d entities, kept are %d", name, before.Len(), after.Len())
		}
		for i := range before.Len() {
			if before.Entity(i) != after.Entity(i) {
				t.Errorf("%s: %+v is kept as %+v", name, before.Entity(i), after.Entity(i))
			}
		}
		if filepath.Base(kept[0]) != "01-"+name+".nt" {
			t.Errorf("%s is kept as %s", name, kept[0])
		}
	}
}
