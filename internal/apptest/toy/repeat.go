package toy

import (
	"fmt"
	"path/filepath"
	"testing"

	"orbweaver/internal/realdata"
)

// DemoLines returns the first lines of a crawl file over the demo web.
func DemoLines(t testing.TB) string {
	return fmt.Sprintf("seeds: [http://tidings.example/, http://signpost.example/, http://wayfarer.example/]\nweb: {archive: %s}\n",
		filepath.Join(realdata.Root(t), "examples/demo.warc.gz"))
}

// DemoFocus returns the ontology focus of the demo web as a line of a crawl file.
func DemoFocus(t testing.TB) string {
	return fmt.Sprintf("focus: {ontology: {files: %s, target: 'http://orbweaver.example/aircraft#Airplane'}}\n",
		filepath.Join(realdata.Root(t), "examples/aircraft.ttl"))
}
