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
var topicFile []byte // read-only

//go:embed topic.ttl
var topicOntology []byte // read-only

// The files that WriteTopic writes.
const (
	TopicFile     = "topic.yaml"
	TopicOntology = "topic.ttl"
)

// WriteTopic writes a sample crawl file and a sample ontology into a folder, which it creates if it is missing. If
// either file exists, WriteTopic writes nothing and the error wraps ErrForeign.
func WriteTopic(folder string) error {
	var there []error
	for _, name := range []string{TopicFile, TopicOntology} {
		path := filepath.Join(folder, name)
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			there = append(there, fmt.Errorf("%s exists already: name another folder, or move it away (%w)", path, orbweaver.ErrForeign))
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

// writeNew creates a file. It fails if the file exists.
func writeNew(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = f.Write(content)
	return errors.Join(err, f.Close())
}
