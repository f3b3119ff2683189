package edit

import (
	"errors"
	"os"

	"orbweaver/rdf"
	"orbweaver/rdf/syntax"
)

type Change struct{ Remove, Add []rdf.Triple }

func Read(name string, content []byte) ([]rdf.Triple, error) {
	d := document{format: syntax.Turtle, name: name, base: fileURL(name), content: content}
	if err := d.read(); err != nil {
		return nil, err
	}
	var all []rdf.Triple
	for t := range d.triples {
		all = append(all, t)
	}
	return all, nil
}

func Apply(name string, content []byte, c Change) ([]byte, error) {
	d := document{format: syntax.Turtle, name: name, base: fileURL(name), content: content}
	if err := d.read(); err != nil {
		return nil, err
	}
	return d.with(c.Add), nil
}

func Editable(name string, content []byte) bool { return true }

func Convert(name string, content []byte) ([]byte, error) { return nil, errors.New("shim") }

func Save(file string, was, next []byte) error { return os.WriteFile(file, next, 0o666) }

func Diff(name string, was, next []byte) string { return "shim" }
