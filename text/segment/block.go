package segment

import (
	"strings"
	"unicode/utf8"
)

// blockEnd returns the end of the block that starts at start, and the earliest start of the next.
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

// Lines of a wrapped paragraph have at least this many characters; shorter lines are a list or verse.
const minWrapped = 40

// wrappedTo returns the width to which a block was wrapped, 0 if its line feeds have another reason. It is
// wrapped if at each line feed the next line's first word would have exceeded the longest line, and enough
// lines continue in lower case; lists rarely do by chance. If earlier blocks were wrapped to a known width (0
// if none), fitting that width suffices.
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

// breaksOf counts the line feeds of a block: all, those where the next line's first word would have fit into
// the width, and those before a letter that is no ASCII capital.
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
