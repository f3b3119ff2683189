package spotlight_test

import (
	"reflect"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"orbweaver/fetch/spotlight"
)

func TestBlocks(t *testing.T) {
	long := strings.Repeat("é", spotlight.MaxBlock) // twice as many bytes
	words := strings.Repeat("word ", spotlight.MaxBlock/4)
	for _, tc := range []struct {
		name, text string
		want       []string
	}{
		{"nothing", "", nil},
		{"space and signs", " \n\n\t—\n\n", nil},
		{"one", " a b\nc ", []string{"a b\nc"}},
		{"a blank line may hold spaces", "a\n \t\r\nb\n\n\n\nc", []string{"a", "b", "c"}},
		{"a number is a word", "1984\n\n...", []string{"1984"}},
		{"at the end of a sentence", strings.Repeat("a", 6000) + `. (b.) ` + strings.Repeat("c ", 2500), []string{strings.Repeat("a", 6000) + `. (b.)`, strings.Repeat("c ", 2499) + "c"}},
		{"of any script", strings.Repeat("字", 2500) + "。" + strings.Repeat("字", 2500), []string{strings.Repeat("字", 2500) + "。", strings.Repeat("字", 2500)}},
		{"not at a sentence in the first half", "A. " + words[:11000], []string{strings.TrimSpace("A. " + words[:9995]), strings.TrimSpace(words[9995:11000])}},
		{"at a space", words[:11000], []string{strings.TrimSpace(words[:10000]), strings.TrimSpace(words[10000:11000])}},
		{"between characters", "x" + long, []string{"x" + long[:9998], long[9998:19998], long[19998:]}},
		{"bytes that are none", "a" + strings.Repeat("\x80", 10_003), []string{"a" + strings.Repeat("\x80", 9996)}},
	} {
		if got, _ := spotlight.Blocks(tc.text); !reflect.DeepEqual(got, tc.want) {
			var lengths []int
			for _, b := range got {
				lengths = append(lengths, len(b))
			}
			t.Errorf("%s: %.200q, of %v bytes", tc.name, got, lengths)
		}
	}
}

// FuzzBlocks: blocks are in order, none is too long, and no word is left out.
func FuzzBlocks(f *testing.F) {
	f.Add("a\n\nb. c", uint16(3))
	f.Add("é\xff 。", uint16(9000))
	f.Fuzz(func(t *testing.T, text string, times uint16) {
		text = strings.Repeat(text, 1+min(int(times), 1<<20/(len(text)+1)))
		all, starts := spotlight.Blocks(text)
		end := 0
		for i, b := range all {
			if starts[i] < end || len(b) == 0 || len(b) > spotlight.MaxBlock || text[starts[i]:starts[i]+len(b)] != b {
				t.Fatalf("block %d: from %d, %d bytes", i, starts[i], len(b))
			}
			if words(text[end:starts[i]]) > 0 {
				t.Fatalf("%q is left out", text[end:starts[i]])
			}
			if utf8.ValidString(text) && !utf8.ValidString(b) {
				t.Fatalf("%q is cut within a character", b)
			}
			end = starts[i] + len(b)
		}
		if words(text[end:]) > 0 {
			t.Fatalf("%q is left out", text[end:])
		}
	})
}

func words(s string) (n int) {
	for _, r := range s {
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			n++
		}
	}
	return n
}
