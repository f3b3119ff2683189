package changes

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of a diff.
const (
	maxDiff     = 4 << 10 // bytes
	maxText     = 1 << 20 // bytes of a text that are compared
	maxCompared = 1 << 22 // pairs of sentences
	around      = 1       // sentences shown before and after what changed
)

// Diff returns what differs between two texts, sentence by sentence, one a line: "-" before what is gone, "+" before what is new, a space before
// a sentence on either side of these, and "@@" between parts that are apart. It is empty if the texts are the same but for
// white space; cut is set if it is longer than 4 KB.
func Diff(before, after string) (diff string, cut bool) {
	edits := compare(sentences(before), sentences(after))
	shown := make([]bool, len(edits))
	for i, e := range edits {
		if e.sign != ' ' {
			for k := max(0, i-around); k <= min(i+around, len(edits)-1); k++ {
				shown[k] = true
			}
		}
	}
	var b strings.Builder
	for i, e := range edits {
		if !shown[i] {
			continue
		}
		if i > 0 && !shown[i-1] && b.Len() > 0 {
			b.WriteString("@@\n")
		}
		line := e.text
		if room := maxDiff - b.Len() - 2; len(line) > room {
			for room = max(room, 0); room > 0 && !utf8.RuneStart(line[room]); room-- {
			}
			line, cut = line[:room], true
		}
		if len(line) > 0 {
			b.WriteByte(e.sign)
			b.WriteString(line)
			b.WriteByte('\n')
		}
		if cut {
			break
		}
	}
	return b.String(), cut
}

// An edit is a sentence that is gone (-), new (+) or neither ( ).
type edit struct {
	sign byte
	text string
}

// compare returns the sentences of both texts in order: the longest common subsequence stays. Texts with too many pairs of sentences between
// their common ends are taken to differ in all of them.
func compare(a, b []string) (edits []edit) {
	var tail []edit
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		edits = append(edits, edit{' ', a[0]})
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		tail = append(tail, edit{' ', a[len(a)-1]})
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	var common [][]int32 // [i][j]: length of the longest of a[i:] and b[j:]
	if len(a)*len(b) <= maxCompared {
		common = make([][]int32, len(a)+1)
		for i := range common {
			common[i] = make([]int32, len(b)+1)
		}
		for i := len(a) - 1; i >= 0; i-- {
			for j := len(b) - 1; j >= 0; j-- {
				if common[i][j] = max(common[i+1][j], common[i][j+1]); a[i] == b[j] {
					common[i][j] = common[i+1][j+1] + 1
				}
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case common != nil && i < len(a) && j < len(b) && a[i] == b[j]:
			edits = append(edits, edit{' ', a[i]})
			i, j = i+1, j+1
		case i < len(a) && (j == len(b) || common == nil || common[i+1][j] >= common[i][j+1]):
			edits = append(edits, edit{'-', a[i]})
			i++
		default:
			edits = append(edits, edit{'+', b[j]})
			j++
		}
	}
	for k := len(tail) - 1; k >= 0; k-- {
		edits = append(edits, tail[k])
	}
	return edits
}

// sentences splits a text at line breaks and after full stops, and the like, that white space follows. White space within is one space.
func sentences(text string) (list []string) {
	if len(text) > maxText {
		text = text[:maxText]
	}
	for line := range strings.Lines(text) {
		var last rune
		start := 0
		for i, r := range line {
			if unicode.IsSpace(r) && strings.ContainsRune(".!?", last) || strings.ContainsRune("。！？", last) {
				list = appendSentence(list, line[start:i])
				start = i
			}
			last = r
		}
		list = appendSentence(list, line[start:])
	}
	return list
}

func appendSentence(list []string, s string) []string {
	if s = strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " "); s != "" {
		list = append(list, s)
	}
	return list
}
