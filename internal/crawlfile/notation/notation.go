// Package notation is how sizes and durations are written in crawl files, and which word a misspelt one was meant to be.
package notation

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Duration parses durations such as 1h30m, 30s, 250ms, and 0.
func Duration(text string) (nanoseconds int64, hint string, ok bool) {
	if duration, err := time.ParseDuration(text); err == nil {
		return int64(duration), "", true
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		return 0, "add a unit: " + text + "s, " + text + "m or " + text + "h", false
	}
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.ParseUint(days, 10, 16); err == nil {
			return 0, fmt.Sprintf("write %dh", n*24), false
		}
	}
	return 0, "", false
}

// PrintDuration formats a duration without the trailing zero parts of time.Duration.String.
func PrintDuration(duration time.Duration) string {
	text := duration.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// A unit is a unit of size.
type unit struct {
	name  string
	bytes int64
}

// units lists the units of sizes. A unit follows all units whose names end in its name. PrintSize uses the decimal ones.
func units() []unit {
	return []unit{
		{"TiB", 1 << 40}, {"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10},
		{"TB", 1e12}, {"GB", 1e9}, {"MB", 1e6}, {"kB", 1e3}, {"B", 1},
	}
}

// Size parses a number of bytes such as 500, 10MB, 1.5 GB or 64 KiB. Case is ignored.
func Size(text string) (bytes int64, hint string, ok bool) {
	factor, digits := int64(1), strings.TrimSpace(text)
	for _, u := range units() {
		if cut := len(digits) - len(u.name); cut > 0 && strings.EqualFold(digits[cut:], u.name) {
			factor, digits = u.bytes, strings.TrimSpace(digits[:cut])
			break
		}
	}
	if n, err := strconv.ParseInt(digits, 10, 64); err == nil {
		if n > math.MaxInt64/factor || n < math.MinInt64/factor {
			return 0, "too large", false
		}
		return n * factor, "", true
	}
	n, err := strconv.ParseFloat(digits, 64)
	if err == nil && math.Abs(n)*float64(factor) < 1<<62 {
		return int64(math.Round(n * float64(factor))), "", true
	}
	if last := strings.ToUpper(text[max(0, len(text)-1):]); strings.ContainsAny(last, "KMGT") {
		return 0, fmt.Sprintf("write %sB, or %siB for powers of 1024", text, text), false
	}
	return 0, "", false
}

// PrintSize formats a size exactly, in the largest decimal unit possible.
func PrintSize(bytes int64) string {
	for _, u := range units()[4:] {
		if bytes%u.bytes == 0 && (bytes != 0 || u.bytes == 1) {
			return strconv.FormatInt(bytes/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(bytes, 10)
}

// Nearest returns the word that the user most likely meant, or "" if none is near. It allows one edit per three letters
// and ignores hyphens and case.
func Nearest(written string, words []string) string {
	const longest = 40
	if len(written) > longest {
		return ""
	}
	plain := strings.ReplaceAll(strings.ToLower(written), "-", "_")
	best, fewest := "", max(1, len(plain)/3)+1
	for _, word := range words {
		if slips := distance(plain, word); slips < fewest {
			best, fewest = word, slips
		}
	}
	return best
}

// distance returns the optimal string alignment distance of a and b: the number of letters to insert, delete, replace or
// swap with their neighbour.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row := make([]int, len(b)+1)
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

// Alternatives formats words as "a, b or c".
func Alternatives(words []string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
