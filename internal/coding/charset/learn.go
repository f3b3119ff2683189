//go:build ignore

// Learn computes models.bin from texts: go run learn.go FOLDER, where the folder has a file CODE.txt for each
// language below, lines of text in UTF-8. Of the texts the program keeps how often a letter follows another,
// in sixteen steps, and which characters of Chinese, Japanese and Korean are most frequent.
package main

import (
	"bytes"
	"cmp"
	"compress/flate"
	"fmt"
	"log"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// languages are those with alphabets, English first, by script.
var languages = []string{
	"Latin en de fr es pt it nl da sv fi is et lv lt pl cs sk hu ro sl hr tr vi sq ca",
	"Cyrillic ru uk be bg sr mk", "Greek el", "Hebrew he", "Arabic ar fa", "Thai th",
}

// frequent is the number of characters kept of a language without an alphabet.
var frequent = []struct {
	code string
	n    int
}{{"zhs", 700}, {"zht", 700}, {"ja", 600}, {"ko", 450}}

func main() {
	var out bytes.Buffer
	for _, line := range languages {
		script, codes, _ := strings.Cut(line, " ")
		for code := range strings.FieldsSeq(codes) {
			text := read(code)
			letters := alphabet(text, unicode.Scripts[script])
			fmt.Fprintf(&out, "%s %s %s\n", code, script, string(letters))
			out.Write(table(text, letters))
		}
	}
	for _, f := range frequent {
		fmt.Fprintf(&out, "%s Han %s\n", f.code, string(top(read(f.code), f.n)))
	}
	var packed bytes.Buffer
	w, _ := flate.NewWriter(&packed, flate.BestCompression)
	w.Write(out.Bytes())
	w.Close()
	if err := os.WriteFile("models.bin", packed.Bytes(), 0o666); err != nil {
		log.Fatal(err)
	}
	fmt.Println(out.Len(), "bytes, packed", packed.Len())
}

func read(code string) string {
	content, err := os.ReadFile(filepath.Join(os.Args[1], code+".txt"))
	if err != nil {
		log.Fatal(err)
	}
	text := norm.NFC.String(strings.ToLower(string(content)))
	if code == "vi" {
		return vietnamese(text)
	}
	return text
}

// vietnamese writes tones as windows-1258 does: marks after the letters that it lacks.
func vietnamese(text string) string {
	var b strings.Builder
	for _, r := range text {
		if _, ok := charmap.Windows1258.EncodeRune(r); ok {
			b.WriteRune(r)
			continue
		}
		for _, d := range marked(r) {
			b.WriteRune(d)
		}
	}
	return b.String()
}

// marked is a letter with its tone as a mark of its own.
func marked(r rune) []rune {
	parts := []rune(norm.NFD.String(string(r)))
	for i, p := range parts {
		if strings.ContainsRune("\u0300\u0301\u0303\u0309\u0323", p) {
			rest := slices.Delete(slices.Clone(parts), i, i+1)
			return append([]rune(norm.NFC.String(string(rest))), p)
		}
	}
	return []rune{r}
}

// alphabet are the letters, and the marks, of a script that the text has more than once in 30 000 characters;
// with Latin all of ASCII's.
func alphabet(text string, script *unicode.RangeTable) []rune {
	count, all := map[rune]int{}, 0
	for _, r := range text {
		if unicode.Is(script, r) && unicode.IsLetter(r) || unicode.IsMark(r) {
			count[r]++
			all++
		}
	}
	var letters []rune
	for r, n := range count {
		if r >= 0x80 && n*30000 > all {
			letters = append(letters, r)
		}
	}
	slices.Sort(letters)
	if script == unicode.Latin {
		letters = append([]rune("abcdefghijklmnopqrstuvwxyz"), letters...)
	}
	return letters
}

// table are the costs of each letter after each, in bits, two in a byte; 0 is whatever is no letter.
func table(text string, letters []rune) []byte {
	n := len(letters) + 1
	pairs, single, before := make([]float64, n*n), make([]float64, n), make([]float64, n)
	last := 0
	for _, r := range text {
		i := slices.Index(letters, r) + 1
		pairs[last*n+i]++
		before[last]++
		single[i]++
		last = i
	}
	all := 0.0
	for _, c := range single {
		all += c
	}
	const k = 20
	packed := make([]byte, (n*n+1)/2)
	for i, c := range pairs {
		p := (c + k*(single[i%n]+1)/(all+float64(n))) / (before[i/n] + k)
		bits := byte(min(15, math.Round(-math.Log2(p))))
		packed[i/2] |= bits << (4 * (i % 2))
	}
	return packed
}

// top are the most frequent characters that are no ASCII, the first first.
func top(text string, n int) []rune {
	count := map[rune]int{}
	for _, r := range text {
		if unicode.IsLetter(r) && r >= 0x2e80 {
			count[r]++
		}
	}
	all := slices.SortedFunc(maps.Keys(count), func(a, b rune) int {
		return cmp.Or(count[b]-count[a], int(a-b))
	})
	return all[:min(n, len(all))]
}
