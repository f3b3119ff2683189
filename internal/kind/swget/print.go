package swget

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"

	"orbweaver/internal/atomicfile"
	"orbweaver/internal/console"
	"orbweaver/internal/findings"
)

// CopyGraph copies the saved graph of a crawl folder to a file, which is empty if no document was saved.
func CopyGraph(folder, to string) error {
	in, err := os.Open(filepath.Join(folder, GraphFile))
	if errors.Is(err, os.ErrNotExist) {
		return os.WriteFile(to, nil, 0o644)
	}
	if err != nil {
		return err
	}
	defer in.Close()
	return atomicfile.Write(to, 0o666, func(out io.Writer) error {
		_, err := io.Copy(out, in)
		return err
	})
}

// Print prints the result nodes of a crawl folder: a line each with its IRI, with its level and the path to it, or as JSON.
func Print(w io.Writer, folder string, asJSON, paths bool) error {
	return Results(folder, func(n Node) error {
		switch {
		case asJSON:
			return console.WriteJSON(w, n)
		case paths:
			console.Say(w, "%s\t%s\t%s", n.IRI, strconv.Itoa(n.Level), findings.InWords(n.Path))
		default:
			console.Say(w, "%s", n.IRI)
		}
		return nil
	})
}
