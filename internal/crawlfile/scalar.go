package crawlfile

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"orbweaver/internal/crawlfile/notation"
	"orbweaver/weburl"
)

// scalar decodes one word, number, size, duration or path into v and checks it. It reports whether v
// was set.
func (d *decoding) scalar(v reflect.Value, f field, n *node, key string) bool {
	if n.kind == listNode || n.kind == mapNode {
		d.problem(key, "must be "+wanted(v, f)+", not "+n.describe(), "")
		return false
	}
	if n.kind == nullNode {
		d.problem(key, "is empty", "")
		return false
	}
	switch {
	case v.Kind() == reflect.String:
		return d.text(v, f, n, key)
	case v.Kind() == reflect.Bool:
		return d.boolean(v, n, key)
	}
	number, hint, ok := parseNumber(v, f, n.text)
	if !ok {
		d.problem(key, "must be "+wanted(v, f)+", not "+shorten(n.text), hint)
		return false
	}
	if msg := outOfRange(v, f, number); msg != "" {
		d.problem(key, msg, "")
		return false
	}
	setNumber(v, number)
	return true
}

// wanted describes the values of a field, for messages.
func wanted(v reflect.Value, f field) string {
	switch {
	case isDuration(v):
		return "a duration such as 30s or 2h"
	case f.as == "size":
		return "a size such as 10MB or 2GB"
	case f.as == "share":
		return "a percentage such as 2%, or a number such as 0.02"
	case f.isPath():
		return "a path"
	case v.Kind() == reflect.String:
		return "a text"
	case v.Kind() == reflect.Bool:
		return "true or false"
	case v.Kind() == reflect.Float64:
		return "a number"
	}
	return "a whole number"
}

// text decodes a string. By the field's tags it may be one of a list of words, or a path.
func (d *decoding) text(v reflect.Value, f field, n *node, key string) bool {
	switch {
	case n.kind == boolNode:
		d.problem(key, "must be "+wanted(v, f)+", not "+n.text, "for the word put quotes around it")
		return false
	case strings.TrimSpace(n.text) == "" && (f.need || f.isPath() || f.oneof != ""):
		d.problem(key, "is empty", "")
		return false
	case strings.ContainsRune(n.text, 0):
		d.problem(key, "holds a zero byte", "")
		return false
	}
	text := n.text
	if words := strings.Split(f.oneof, "|"); f.oneof != "" && !slices.Contains(words, text) {
		hint := ""
		if near := notation.Nearest(text, words); near != "" {
			hint = "did you mean " + near + "?"
		}
		d.problem(key, "must be "+notation.Alternatives(words)+", not "+shorten(text), hint)
		return false
	}
	if f.as == "storage" {
		return d.storage(v, text, key)
	}
	if f.as == "source" && strings.Contains(text, "://") {
		canonical, err := weburl.Canonical(text)
		if err != nil {
			msg, hint := badURL(text, err)
			d.problem(key, msg, hint)
			return false
		}
		text = canonical
	} else if f.isPath() && !(f.as == "idf" && isIDFWord(text)) {
		var ok bool
		if text, ok = d.absolute(text, key); !ok {
			return false
		}
		if d.within != "" && !notation.Within(text, d.within) {
			d.problem(key, "leads out of "+d.within, "copy the file there")
			return false
		}
		d.readable(text, f.as, key)
	}
	v.SetString(text)
	return true
}

// storage decodes the location of a storage, a folder or s3://BUCKET/PREFIX.
func (d *decoding) storage(v reflect.Value, text, key string) bool {
	bucket := strings.HasPrefix(text, "s3://")
	if !bucket {
		var ok bool
		if text, ok = d.absolute(text, key); !ok {
			return false
		}
	}
	switch {
	case d.within != "" && bucket:
		d.problem(key, "needs the keys in the environment of this process, which is not allowed here", "run this crawl by orbweaver crawl")
		return false
	case d.within != "" && !notation.Within(text, d.within):
		d.problem(key, "leads out of "+d.within, "name a folder there")
		return false
	}
	v.SetString(text)
	return true
}

// isIDFWord reports whether a value of idf is a keyword, not a path.
func isIDFWord(text string) bool { return text == "learned" || text == "none" }

// readable reports a path that is missing or of the wrong kind.
func (d *decoding) readable(path, as, key string) {
	if !d.look {
		return
	}
	if msg, hint := notation.Readable(path, as, d.file); msg != "" {
		d.problem(key, msg, hint)
	}
}

// boolean decodes true or false.
func (d *decoding) boolean(v reflect.Value, n *node, key string) bool {
	switch n.text {
	case "true", "false":
		v.SetBool(n.text == "true")
		return true
	}
	d.problem(key, "must be true or false, not "+shorten(n.text), "")
	return false
}

// A number is a value of any numeric kind: integers in i, others in f.
type number struct {
	i int64
	f float64
}

// parseNumber parses a text as a number of the field's kind.
func parseNumber(v reflect.Value, f field, text string) (n number, hint string, ok bool) {
	switch {
	case isDuration(v):
		n.i, hint, ok = notation.Duration(text)
	case f.as == "size":
		n.i, hint, ok = notation.Size(text)
	case v.Kind() == reflect.Float64:
		n.f, ok = notation.Float(text, f.as == "share")
	default:
		var err error
		n.i, err = strconv.ParseInt(strings.ReplaceAll(text, "_", ""), 10, 64)
		ok = err == nil && !strings.HasPrefix(text, "_")
	}
	return n, hint, ok
}

// outOfRange returns a message if a number is outside the bounds of its field.
func outOfRange(v reflect.Value, f field, n number) string {
	low, _, hasLow := parseNumber(v, f, f.min)
	high, _, hasHigh := parseNumber(v, f, f.max)
	below := hasLow && (n.i < low.i || n.f < low.f)
	above := hasHigh && (n.i > high.i || n.f > high.f)
	switch {
	case !below && !above:
		return ""
	case hasLow && hasHigh:
		return fmt.Sprintf("must be from %s to %s", printNumber(v, f, low), printNumber(v, f, high))
	case hasLow:
		return "must be at least " + printNumber(v, f, low)
	}
	return "must be at most " + printNumber(v, f, high)
}

// setNumber stores a number in a field.
func setNumber(v reflect.Value, n number) {
	if v.Kind() == reflect.Float64 {
		v.SetFloat(n.f)
		return
	}
	v.SetInt(n.i)
}

// printNumber formats a number in the notation of its field.
func printNumber(v reflect.Value, f field, n number) string {
	switch {
	case isDuration(v):
		return notation.PrintDuration(time.Duration(n.i))
	case f.as == "size":
		return notation.PrintSize(n.i)
	case v.Kind() == reflect.Float64:
		return strconv.FormatFloat(n.f, 'g', -1, 64)
	}
	return strconv.FormatInt(n.i, 10)
}

// Size reads a size as a crawl file has it, such as 500 MB, in bytes. The error says what is wanted.
func Size(text string) (int64, error) {
	bytes, hint, ok := notation.Size(text)
	if !ok {
		return 0, errors.New(hint)
	}
	return bytes, nil
}
