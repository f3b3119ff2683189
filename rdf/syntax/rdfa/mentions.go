package rdfa

import "bytes"

// Mentions reports whether a page can contain RDFa: whether there is a property, typeof or vocab attribute,
// or a rel or rev whose value is not only HTML's own (one with a colon, or describedby, license or role).
// Pages without any of these give no triples, except for role attributes and the further terms of XHTML 1. It
// checks the names before equals signs, in scripts and comments too: true may be wrong, false is certain. The
// page's encoding must be a superset of ASCII, as UTF-8 is.
func Mentions(page []byte) bool {
	for at := 0; ; at++ {
		i := bytes.IndexByte(page[at:], '=')
		if i < 0 {
			return false
		}
		at += i
		switch name := before(page, at); {
		case bytes.EqualFold(name, []byte("property")),
			bytes.EqualFold(name, []byte("typeof")),
			bytes.EqualFold(name, []byte("vocab")):
			return true
		case bytes.EqualFold(name, []byte("rel")), bytes.EqualFold(name, []byte("rev")):
			if v, whole := value(page[at+1:]); !whole || relates(v) {
				return true
			}
		}
	}
}

// before returns the attribute name before the equals sign at an offset, empty if it is longer than any name
// of RDFa.
func before(page []byte, equals int) []byte {
	end := equals
	for end > 0 && isSpace(page[end-1]) {
		end--
	}
	start := end
	for start > 0 && end-start <= len("property") && inName(page[start-1]) {
		start--
	}
	return page[start:end]
}

// value returns a possible attribute value. A very long one is cut (whole is false).
func value(after []byte) (v []byte, whole bool) {
	const long = 4096
	after = bytes.TrimLeft(after, " \t\n\f\r")
	end, rest := "> \t\n\f\r", len(after)
	after = after[:min(rest, long)]
	if len(after) > 0 && (after[0] == '"' || after[0] == '\'') {
		end, after = string(after[0]), after[1:]
	}
	if i := bytes.IndexAny(after, end); i >= 0 {
		return after[:i], true
	}
	return after, rest <= long
}

// relates reports whether a rel value may give a triple. A value with a character reference may.
func relates(value []byte) bool {
	if bytes.IndexByte(value, ':') >= 0 || bytes.IndexByte(value, '&') >= 0 {
		return true
	}
	for word := range bytes.FieldsSeq(value) {
		for _, term := range []string{"describedby", "license", "role"} {
			if bytes.EqualFold(word, []byte(term)) {
				return true
			}
		}
	}
	return false
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r' }

// inName reports whether a byte can occur in the relevant attribute names.
func inName(c byte) bool {
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == ':' || c == '.'
}
