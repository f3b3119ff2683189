package starting

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"orbweaver"
)

//go:embed topic.yaml
var topicFile []byte // read-only

//go:embed topic.ttl
var topicOntology []byte // read-only

// TopicOntology is the ontology that WriteTopic writes.
const TopicOntology = "topic.ttl"

// unnamed is the name of a crawl in a folder whose name no crawl can have.
const unnamed = "topic"

// A Topic is what is known of a crawl before its file is written.
type Topic struct {
	Seeds   []string // URLs; none: an example
	Terms   []string // words and phrases; none: an ontology says what the crawl looks for
	Contact string   // URL or e-mail address; empty: its user is to write one
}

// TopicFile returns the path of the crawl file that WriteTopic writes into a folder. It has the name of the folder, as far as a
// crawl can have it, so that crawls of several folders differ in name.
func TopicFile(folder string) string {
	name := unnamed
	if whole, err := filepath.Abs(folder); err == nil {
		name = filepath.Base(whole)
	}
	name = strings.Map(func(r rune) rune {
		if r == '.' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return '-'
	}, name)
	if name = strings.Trim(name, ".-_"); name == "" || len(name) > 100 {
		name = unnamed
	}
	return filepath.Join(folder, name+".yaml")
}

// The parts of the sample crawl file that a Topic replaces.
const (
	sampleFile    = "topic.yaml"
	sampleSeed    = "  - https://example.org/\n"
	sampleContact = "# contact: me@example.org  "
	sampleFocus   = "# What it looks for:"
	sampleNext    = "# When it ends."
)

// file returns the crawl file of a topic, which will have a name.
func (t Topic) file(name string) []byte {
	text := strings.Replace(string(topicFile), sampleFile, name, 1)
	if t.Contact != "" {
		text = strings.Replace(text, sampleContact, "  contact: "+strconv.Quote(t.Contact), 1)
	}
	if len(t.Seeds) > 0 {
		text = strings.Replace(text, sampleSeed, quoted("  - ", t.Seeds), 1)
	}
	if len(t.Terms) > 0 {
		before, rest, _ := strings.Cut(text, sampleFocus)
		_, after, _ := strings.Cut(rest, sampleNext)
		text = before + "# What it looks for: pages with these words and phrases; the rarer one is, the more it counts.\nfocus:\n  keyword:\n    terms:\n" +
			quoted("      - ", t.Terms) + "\n" + sampleNext + after
	}
	return []byte(text)
}

// quoted returns a YAML list.
func quoted(before string, all []string) string {
	var b strings.Builder
	for _, s := range all {
		b.WriteString(before + strconv.Quote(s) + "\n")
	}
	return b.String()
}

// WriteTopic writes a crawl file into a folder, which it creates if it is missing, and, if the topic has no terms, a
// sample ontology. If either file exists, WriteTopic writes nothing and the error wraps ErrForeign.
func WriteTopic(folder string, t Topic) error {
	name := filepath.Base(TopicFile(folder))
	files := map[string][]byte{name: t.file(name)}
	if len(t.Terms) == 0 {
		files[TopicOntology] = topicOntology
	}
	names := slices.Sorted(maps.Keys(files))
	var there []error
	for _, name := range names {
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
	var failed []error
	for _, name := range names {
		failed = append(failed, writeNew(filepath.Join(folder, name), files[name]))
	}
	return errors.Join(failed...)
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
