package segment

import (
	"strings"
	"unicode/utf8"
)

// blockEnd returns where the block that starts at start ends, and where the next one may start.
func blockEnd(text string, start int) (end, next int) {
	for i := start; ; {
		n := strings.IndexByte(text[i:], '\n')
		if n < 0 {
			return len(text), len(text)
		}
		end, i = i+n, i+n+1
		for i < len(text) && text[i] != '\n' && classes[text[i]] == space {
			i++
		}
		if i < len(text) && text[i] == '\n' {
			return end, i + 1
		}
	}
}

// Lines of a paragraph that was wrapped have at least this many characters; fewer are taken for
// those of a list or of verse.
const minWrapped = 40

// wrappedTo returns the width that a block's line feeds keep its lines to, 0 if they are there for
// another reason: at each, the next line's first word would have made the line longer than the
// longest there is, and enough lines go on in lower case. A list seldom looks so by chance. Of a text
// in which blocks were wrapped to a known width (0 if none is), nothing more than that is asked.
func wrappedTo(block string, known int) int {
	if strings.IndexByte(block, '\n') < 0 {
		return 0
	}
	width := 0
	for line := range strings.Lines(block) {
		width = max(width, utf8.RuneCountInString(strings.TrimSpace(line)))
	}
	if width < minWrapped {
		return 0
	}
	if width <= known {
		if breaks, odd, _ := breaksOf(block, known); odd*6 <= breaks {
			return known
		}
	}
	breaks, odd, lower := breaksOf(block, width)
	if few := breaks < 3; odd*6 > breaks || few && lower*2 < breaks || lower*4 < breaks {
		return 0
	}
	return width
}

// breaksOf counts the line feeds of a block: all, those where the next line's first word would have
// had room in so many characters, and those before a letter that is no capital of ASCII.
func breaksOf(block string, width int) (all, odd, lower int) {
	length := -1
	for line := range strings.Lines(block) {
		line = strings.TrimSpace(line)
		if length >= 0 && line != "" {
			word, _, _ := strings.Cut(line, " ")
			all++
			if length+1+utf8.RuneCountInString(word) <= width {
				odd++
			}
			if !isUpper(line[0]) && classes[line[0]]&(letter|high) != 0 {
				lower++
			}
		}
		length = utf8.RuneCountInString(line)
	}
	return all, odd, lower
}
