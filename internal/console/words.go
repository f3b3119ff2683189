package console

import (
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Say prints a line.
func Say(w io.Writer, format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// Percent returns a share in 0..100.
func Percent(part, whole int64) float64 {
	if whole == 0 {
		return 0
	}
	return 100 * float64(part) / float64(whole)
}

// Relative shortens a path below the working directory, for display.
func Relative(path string) string {
	here, err := filepath.Abs(".")
	if err != nil {
		return path
	}
	short, err := filepath.Rel(here, path)
	if err != nil || strings.HasPrefix(short, ".."+string(filepath.Separator)+"..") {
		return path
	}
	return short
}

// SizeOf formats a number of bytes in a suitable unit; 1 kB is 1000 bytes.
func SizeOf(n int64) string {
	units := []string{"kB", "MB", "GB", "TB"}
	if n < 1000 {
		return fmt.Sprintf("%d bytes", n)
	}
	size, unit := float64(n)/1000, 0
	for size >= 1000 && unit < len(units)-1 {
		size /= 1000
		unit++
	}
	return fmt.Sprintf("%.1f %s", size, units[unit])
}

// Padded pads a text with spaces to n characters.
func Padded(s string, n int) string {
	return s + strings.Repeat(" ", max(0, n-utf8.RuneCountInString(s)))
}

// Visible returns a text of the Web on one line of at most n characters, without control characters and
// bidirectional marks.
func Visible(s string, n int) string {
	var b strings.Builder
	written, space := 0, false
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			space = written > 0
			continue
		case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r == utf8.RuneError:
			r = unicode.ReplacementChar
		}
		if space {
			b.WriteByte(' ')
			written++
		}
		if space = false; written >= max(n, 1)-1 {
			b.WriteRune('…')
			break
		}
		b.WriteRune(r)
		written++
	}
	return b.String()
}

// OneLine returns a text on one line.
func OneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// WriteJSON writes a value as indented JSON and does not escape URLs.
func WriteJSON(w io.Writer, value any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(value)
}

// Fact prints a name and its value if there is one.
func Fact(w io.Writer, name, value string, there bool) {
	if there {
		Say(w, "  %-11s %s", name, value)
	}
}
