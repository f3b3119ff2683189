package main

import (
	"fmt"
	"io/fs"
	"strings"
)

// A section is a named part of a file of words/: "=== name attributes", then its paragraphs.
type section struct {
	name       string
	attributes []string
	paragraphs []paragraph
}

// A paragraph is a run of lines up to a blank one. Each line is a slot: variants separated by " | ",
// of which a page uses one. A line that starts with "* " is an item of a list, one with "# " the
// title, one with "## " a heading.
type paragraph []slot

// A slot holds the variants of one sentence or a few related ones.
type slot struct {
	mark     string // "", "*", "#" or "##"
	variants []string
}

// readWords reads all files of a pattern and returns their sections in order.
func readWords(pattern string) ([]section, error) {
	paths, err := fs.Glob(sources, pattern) // sorted
	if err != nil {
		return nil, err
	}
	var sections []section
	for _, path := range paths {
		data, err := sources.ReadFile(path)
		if err != nil {
			return nil, err
		}
		more, err := parseWords(path, string(data))
		if err != nil {
			return nil, err
		}
		sections = append(sections, more...)
	}
	return sections, nil
}

// parseWords reads the sections of one file. Lines before the first section are notes.
func parseWords(path, text string) ([]section, error) {
	var sections []section
	fresh := true // the next line starts a paragraph
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if name, ok := strings.CutPrefix(line, "=== "); ok {
			fields := strings.Fields(name)
			if len(fields) == 0 {
				return nil, fmt.Errorf("%s:%d: a section without a name", path, i+1)
			}
			sections = append(sections, section{name: fields[0], attributes: fields[1:]})
			fresh = true
			continue
		}
		if line == "" || len(sections) == 0 {
			fresh = true
			continue
		}
		last := &sections[len(sections)-1]
		if fresh {
			last.paragraphs = append(last.paragraphs, nil)
		}
		fresh = false
		n := len(last.paragraphs) - 1
		last.paragraphs[n] = append(last.paragraphs[n], parseSlot(line))
	}
	return sections, nil
}

// parseSlot reads one line.
func parseSlot(line string) slot {
	var s slot
	for _, mark := range []string{"##", "#", "*"} {
		if rest, ok := strings.CutPrefix(line, mark+" "); ok {
			s.mark, line = mark, rest
			break
		}
	}
	s.variants = strings.Split(line, " | ")
	return s
}

// attribute returns the value of a "key=value" attribute of the section, or "".
func (s section) attribute(key string) string {
	for _, a := range s.attributes {
		if value, ok := strings.CutPrefix(a, key+"="); ok {
			return value
		}
	}
	return ""
}
