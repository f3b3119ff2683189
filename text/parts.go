package text

import "strings"

// Parts returns parts of a text, given by their starts and ends in bytes, with a blank line between two; the text
// itself if there are none. Page.Article has such parts.
func Parts(text string, parts [][2]int) string {
	switch len(parts) {
	case 0:
		return text
	case 1:
		return text[parts[0][0]:parts[0][1]]
	}
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(text[p[0]:p[1]])
	}
	return b.String()
}
