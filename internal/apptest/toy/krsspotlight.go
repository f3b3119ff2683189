package toy

import (
	"bytes"
	"io"
	"path/filepath"
	"testing"

	"orbweaver/internal/console"
	"orbweaver/internal/kind/krs"
)

// Learn builds a KRS of the planes.
func Learn(t *testing.T, dir string, change func(*krs.Job)) (folder, told string, err error) {
	t.Helper()
	job := krs.Job{Dir: filepath.Join(dir, "planes.krs"), Topic: "planes", Corpus: []string{filepath.Join(dir, "corpus")}}
	change(&job)
	var out bytes.Buffer
	err = (&krs.Jobs{Console: console.Console{Out: io.Discard, Err: &out}}).Build(t.Context(), job)
	return job.Dir, out.String(), err
}

// PlanesFile is a crawl file; %s: more of krs, the archive, more.
const PlanesFile = `seeds: [http://planes.test/hub]
web: {archive: [%s]}
focus: {krs: {file: planes.krs, %s}}
output: %s
`
