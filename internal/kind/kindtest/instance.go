package kindtest

import (
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"orbweaver/eval"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/kind"
	"orbweaver/ledger"
)

// SeenFile is what the kind leaves in the crawl folder: pages by the names of things, as JSON.
const SeenFile = "sightings.json"

// An instance is the focus of one crawl.
type instance struct {
	kind.Plain
	focus *focus
}

// View is what was seen so far; a thing that no page names is a warning.
func (in *instance) View(*kind.Env, *ledger.Ledger, bool) (kind.View, error) {
	now := maps.Clone(in.focus.seen)
	v := kind.View{Facts: now.facts, Print: now.print, Keep: func(folder string) error {
		content, err := json.Marshal(now)
		if err != nil {
			return err
		}
		return atomicfile.WriteFile(filepath.Join(folder, SeenFile), content, 0o666)
	}}
	for _, name := range in.focus.names() {
		if now[name] == 0 {
			v.Warnings = append(v.Warnings, "no page names "+name)
		}
	}
	return v, nil
}

// facts tells a report how many pages name each thing.
func (s seen) facts(facts *eval.CrawlFacts) {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		facts.More = append(facts.More, eval.Fact{Name: "pages that name " + name, Value: fmt.Sprint(s[name])})
	}
}

// print tells people.
func (s seen) print(w io.Writer, folder string) {
	fmt.Fprintf(w, "Pages by thing: %s\n", filepath.Join(folder, SeenFile))
	for _, name := range slices.Sorted(maps.Keys(s)) {
		fmt.Fprintf(w, "  %s: %d\n", name, s[name])
	}
}

// readSeen reads what View kept in a folder.
func readSeen(folder string) (seen, error) {
	content, err := os.ReadFile(filepath.Join(folder, SeenFile))
	if err != nil {
		return nil, err
	}
	var s seen
	return s, json.Unmarshal(content, &s)
}
