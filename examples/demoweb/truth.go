package main

import (
	"bytes"
	"fmt"
)

// writeTruth writes the topics of every document: a header line, then "url<TAB>topic", in the order of the
// archive. A document with two topics has two lines.
func writeTruth(out *bytes.Buffer, documents []document) {
	out.WriteString("url\ttopic\n")
	for _, d := range documents {
		for _, topic := range d.topics {
			fmt.Fprintf(out, "%s\t%s\n", d.url, topic)
		}
	}
}
