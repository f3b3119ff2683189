package ontology

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/kb/ontology"
	"orbweaver/rdf/syntax/turtle/edit"
)

// mayGrow checks that an ontology file may be extended: it is not read-only, and not the initial ontology kept by another
// crawl.
func mayGrow(file string) error {
	folder := filepath.Dir(file)
	if filepath.Base(folder) == Folder && !crawlfolder.IsFresh(filepath.Dir(folder)) {
		return fmt.Errorf("%s is what a crawl keeps of its ontology as it was; to add to that, crawl with a copy of it (%w)", console.Relative(file), orbweaver.ErrInput)
	}
	grows, _, err := edit.Append(file, nil) // writes nothing, and says where it would
	if err != nil {
		return err
	}
	if info, err := os.Stat(grows); err == nil && info.Mode().Perm()&0o222 == 0 {
		return fmt.Errorf("%s is read-only: nothing was decided (%w)", console.Relative(grows), orbweaver.ErrInput)
	}
	return nil
}

// iriOf finds the IRI of an entity by that or by its name.
func iriOf(o *ontology.Ontology, name string) (string, error) {
	i, err := Find(o, name)
	if err != nil {
		return "", fmt.Errorf("%s (%w)", strings.TrimPrefix(err.Error(), "target "), orbweaver.ErrInput)
	}
	return o.Entity(i).IRI, nil
}

// Find finds an entity by its IRI, or by its local name or label where only one has it.
func Find(o *ontology.Ontology, name string) (int, error) {
	found := o.Named(name)
	if _, local, prefixed := strings.Cut(name, ":"); len(found) == 0 && prefixed && !strings.HasPrefix(local, "//") {
		found = o.Named(local)
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return 0, fmt.Errorf("target %s is not in the ontology; near are %s (%w)",
			name, strings.Join(o.Nearest(name, 3), ", "), orbweaver.ErrInput)
	}
	var iris []string
	for _, i := range found[:min(len(found), shownCandidates)] {
		iris = append(iris, o.Entity(i).IRI)
	}
	if more := len(found) - shownCandidates; more > 0 {
		iris = append(iris, fmt.Sprintf("%d more", more))
	}
	return 0, fmt.Errorf("target %s names several entities: %s; give the IRI of one (%w)", name, strings.Join(iris, ", "), orbweaver.ErrInput)
}

// shownCandidates is how many entities of one name are listed.
const shownCandidates = 5
