package starting

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"orbweaver"
)

//go:embed topic.yaml
var topicFile []byte // nothing writes it

//go:embed topic.ttl
var topicOntology []byte // nothing writes it

// The files of a topic that begins.
const (
	TopicFile     = "topic.yaml"
	TopicOntology = "topic.ttl"
)

// WriteTopic writes a crawl file and an ontology to begin with into a folder, which is made where it is missing.
// Where either is there already nothing is written, and the error wraps ErrForeign.
func WriteTopic(folder string) error {
	var there []error
	for _, name := range []string{TopicFile, TopicOntology} {
		path := filepath.Join(folder, name)
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			there = append(there, fmt.Errorf("%s is there already: name another folder, or move it away (%w)", path, orbweaver.ErrForeign))
		}
	}
	if there != nil {
		return errors.Join(there...)
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	return errors.Join(writeNew(filepath.Join(folder, TopicOntology), topicOntology), writeNew(filepath.Join(folder, TopicFile), topicFile))
}

// writeNew writes a file that is not there yet.
func writeNew(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}
