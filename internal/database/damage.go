package database

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/record"

	"orbweaver"
)

// A damage is the error of a database that cannot be read. Its text names the file and what is wrong with it; Pebble's own
// text, which speaks of things inside Pebble, is left out.
type damage struct {
	file, why string
	cause     error
}

func (d damage) Error() string   { return fmt.Sprintf("%s: %v: %s", d.file, orbweaver.ErrDamaged, d.why) }
func (d damage) Unwrap() []error { return []error{orbweaver.ErrDamaged, d.cause} }

// Damaged returns the file, or the folder if it is not known, and what is wrong with it.
func (d damage) Damaged() (file, why string) { return d.file, d.why }

// Damage returns an error in the words of this program if err, of an open database, says that a file of the folder path is
// damaged: it wraps ErrDamaged. All other errors, nil too, return as they are.
func Damage(path string, err error) error {
	var known damage
	if err == nil || errors.As(err, &known) || !pebble.IsCorruptionError(err) {
		return err
	}
	return damageOf(path, err)
}

// damageOf describes the damage that an error of Pebble tells of.
func damageOf(path string, err error) error {
	text := err.Error()
	file := named(path, text)
	why := "it cannot be read"
	switch {
	case strings.Contains(text, "replaying WAL"), strings.Contains(text, "corrupt wal"), strings.HasSuffix(file, ".log"):
		why = "the log of latest changes cannot be read to its end"
		if file == path {
			file = brokenLog(path)
		}
	case strings.Contains(text, "pristine"), strings.Contains(text, "marker"):
		file, why = filepath.Join(path, "marker.format-version"), "the file that names the format is missing, or its name is wrong"
	case errors.Is(err, fs.ErrNotExist), strings.Contains(text, "no such file"), strings.Contains(text, "does not exist"):
		if why = "it is missing"; file == path {
			why = "one of its files is missing"
		}
	case strings.Contains(text, "anifest"):
		why = "the list of tables cannot be read"
	case strings.HasSuffix(file, ".sst"):
		why = "a table has bytes that are not those written"
	case strings.Contains(text, "key=value"), strings.Contains(text, "OPTIONS"), strings.Contains(text, "options"):
		if names, _ := filepath.Glob(filepath.Join(path, "OPTIONS-*")); file == path && len(names) > 0 {
			file = names[len(names)-1]
		}
		why = "the options cannot be read"
	}
	return damage{file, why, err}
}

// fileName is the name of a file of a database as errors have it.
var fileName = regexp.MustCompile(`MANIFEST-\d+|OPTIONS-\d+|\d+\.(?:sst|log|blob)|marker\.[a-z.-]+[\dA-Z.-]*`)

// tableNumber is how errors name a table whose file they do not name.
var tableNumber = regexp.MustCompile(`(?:file|table) (\d{6})\b`)

// named returns the file that an error names, or the folder.
func named(path, text string) string {
	if name := fileName.FindString(text); name != "" {
		return filepath.Join(path, name)
	}
	if m := tableNumber.FindStringSubmatch(text); m != nil {
		return filepath.Join(path, m[1]+".sst")
	}
	return path
}

// brokenLog returns the first log of a database whose records cannot be read to the end, or the folder.
func brokenLog(path string) string {
	names, err := filepath.Glob(filepath.Join(path, "*.log"))
	if err != nil {
		return path
	}
	slices.Sort(names)
	for i, name := range names {
		if whole := readLog(name); !whole && (i+1 < len(names) || len(names) == 1) {
			return name
		}
	}
	if len(names) > 0 {
		return names[len(names)-1]
	}
	return path
}

// readLog reports whether a log can be read to its end.
func readLog(name string) bool {
	file, err := os.Open(name)
	if err != nil {
		return false
	}
	defer file.Close()
	number, err := strconv.ParseUint(strings.TrimSuffix(filepath.Base(name), ".log"), 10, 32)
	if err != nil {
		return false
	}
	for r := numbered(record.NewReader, file, number); ; {
		next, err := r.Next()
		if err == nil {
			_, err = io.Copy(io.Discard, next)
		}
		if err != nil {
			return errors.Is(err, io.EOF)
		}
	}
}

// numbered calls NewReader with the number of a log, whose type Pebble does not export.
func numbered[N ~uint64](newReader func(io.Reader, N) *record.Reader, file io.Reader, number uint64) *record.Reader {
	return newReader(file, N(number))
}
