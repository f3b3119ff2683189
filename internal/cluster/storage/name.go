package storage

import (
	"fmt"
	"strings"

	"orbweaver"
)

// Names that nobody may give.
const (
	checkMark = "~check-" // begins names of the objects by which Open checks a location
	putMark   = "~put-"   // begins names of files that are being written in a folder
)

// maxSegment is the length of the longest segment, in bytes, as file systems have it.
const maxSegment = 255

// checkName returns an error that wraps ErrInput unless an object may have the name.
func checkName(name string) error {
	if problem := problemOf(name); problem != "" {
		return fmt.Errorf("name %q: %s (%w)", clipped(name), problem, orbweaver.ErrInput)
	}
	return nil
}

// checkPrefix returns an error that wraps ErrInput unless names may begin so.
func checkPrefix(prefix string) error {
	whole := prefix + "x" // of the last segment there is a beginning, perhaps none
	if problem := problemOf(whole); problem != "" {
		return fmt.Errorf("prefix %q: %s (%w)", clipped(prefix), problem, orbweaver.ErrInput)
	}
	return nil
}

// clipped is a name as errors show it.
func clipped(name string) string {
	if len(name) > 2*MaxName {
		return name[:2*MaxName] + "…"
	}
	return name
}

// problemOf returns what is wrong with a name.
func problemOf(name string) string {
	if name == "" || len(name) > MaxName {
		return fmt.Sprintf("names have 1 to %d bytes", MaxName)
	}
	for segment := range strings.SplitSeq(name, "/") {
		switch {
		case segment == "":
			return "a segment is empty"
		case segment == "." || segment == "..":
			return "a segment is dots alone"
		case len(segment) > maxSegment:
			return fmt.Sprintf("a segment is longer than %d bytes", maxSegment)
		case strings.ContainsFunc(segment, func(r rune) bool {
			return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '-' || r == '_')
		}):
			return "names are of letters, digits, dots, -, _ and /"
		}
	}
	return ""
}
