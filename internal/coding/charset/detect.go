package charset

import (
	"bytes"
	"math"
	"unicode/utf8"

	"golang.org/x/text/encoding/unicode"
)

// A candidate is an encoding with the cost, in bits, of a document that has it and doesn't say so.
type candidate struct {
	name  string
	prior int
}

// candidates returns the encodings that a document may have undeclared, the likelier first.
func candidates() []candidate {
	return []candidate{
		{"windows-1252", 0}, {"windows-1251", 12}, {"windows-1250", 3}, {"shift_jis", 12}, {"gb18030", 12}, {"euc-kr", 12},
		{"big5", 12}, {"euc-jp", 13}, {"iso-8859-2", 4}, {"windows-1254", 4}, {"windows-1253", 14}, {"windows-1256", 14},
		{"windows-1255", 14}, {"windows-1257", 7}, {"koi8-r", 14}, {"koi8-u", 15}, {"windows-874", 14}, {"windows-1258", 9},
		{"iso-8859-7", 15}, {"iso-8859-15", 7}, {"iso-8859-5", 16}, {"iso-8859-8", 17}, {"iso-8859-6", 18}, {"ibm866", 24},
		{"iso-8859-13", 8}, {"iso-8859-4", 9}, {"iso-8859-16", 9}, {"iso-8859-3", 10}, {"iso-8859-10", 10},
		{"iso-8859-14", 10}, {"macintosh", 18}, {"x-mac-cyrillic", 24},
	}
}

// wide returns the candidates for a text without blanks: others have one NUL for each (see withControls).
func wide() []candidate { return []candidate{{"utf-16le", 14}, {"utf-16be", 14}} }

// A reading is a sample as it reads in one encoding.
type reading struct {
	name   string
	script script
	cost   int
}

// judged returns the encoding of a body that is not UTF-8: what it is said to have unless another makes far
// more sense of its bytes.
func judged(body []byte, said Encoding) Encoding {
	sample := sampleOf(body)
	start := bytes.HasPrefix(body, sample)
	if said.Name == "" || said.Name == "utf-8" {
		return Encoding{detect(sample, start, math.MaxInt32).name, Detected}
	}
	text := decodedSample(said.Name, sample)
	claimed := known().read(text, math.MaxInt32)
	if claimed.cost < plausible*len(sample) && !hasGaps(claimed, text) {
		return said
	}
	best := detect(sample, start, claimed.cost-leastDoubt)
	if best.name != "" && best.name != said.Name && claimed.cost-best.cost > doubt(claimed, best, text) {
		return Encoding{best.name, Detected}
	}
	return said
}

// leastDoubt is the least of what doubt returns, and plausible the bits that a byte of ordinary text costs at
// most: 4 to 6; one in a wrong encoding costs 13.
const leastDoubt, plausible = 20, 6

// doubt is how many bits another encoding must save before a declared one is not believed. Another of the
// same alphabet may only fit because the model lacks the text's language.
func doubt(said, other reading, text []byte) int {
	beyond := 0
	for _, r := range string(text) {
		if r >= utf8.RuneSelf {
			beyond++
		}
	}
	switch {
	case hasGaps(said, text):
		return leastDoubt
	case said.script != other.script:
		return 40 + 4*beyond
	case said.script == latin:
		return 40 + 12*beyond
	}
	return 40 + 2*beyond
}

// hasGaps reports whether a text of an alphabet has bytes that mean nothing in its encoding, or controls:
// where windows-125x has letters and quotation marks. One byte of a longer character may be lost.
func hasGaps(said reading, text []byte) bool {
	return said.script != han && bytes.ContainsFunc(text, func(r rune) bool {
		return r >= 0x80 && r < 0xa0 && r != 0x85 || r == utf8.RuneError
	})
}

// detect returns the encoding in which a sample costs least, if that is less than most. Only the start of a
// text may be UTF-16.
func detect(sample []byte, start bool, most int) (first reading) {
	first.cost = most
	seen, all := map[string]bool{}, candidates()
	if start && !bytes.ContainsAny(sample, " <\"") {
		all = append(all, wide()...)
	}
	for _, c := range all {
		if text := decodedSample(c.name, sample); !seen[string(text)] {
			seen[string(text)] = true
			r := known().read(text, first.cost-c.prior)
			if r.cost += c.prior; r.cost < first.cost {
				first = reading{c.name, r.script, r.cost}
			}
		}
	}
	return first
}

// decodedSample decodes a sample, whose last character may be cut.
func decodedSample(name string, sample []byte) []byte {
	e := lookup(name)
	switch name {
	case "utf-16le":
		e = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case "utf-16be":
		e = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	text, err := e.NewDecoder().Bytes(sample)
	if err != nil {
		return nil
	}
	return bytes.TrimSuffix(text, []byte("\ufffd"))
}

// read reads a text in the language in which it costs least, of those written in the script of most of its
// letters beyond ASCII; a cost of more than most is as good as infinite.
func (l *library) read(text []byte, most int) reading {
	all := l.symbols(text)
	var count [other + 1]int
	for _, s := range all {
		if s.r >= utf8.RuneSelf {
			count[s.script]++
		}
	}
	r := reading{script: latin, cost: math.MaxInt32 / 2}
	for s := latin; s < other; s++ {
		if count[s] > count[r.script] {
			r.script = s
		}
	}
	for _, m := range l.models {
		if m.script == r.script {
			r.cost = min(r.cost, m.cost(all, l.models[0], min(r.cost, most)))
		}
	}
	if r.script != latin && count[r.script]*20 < len(all) { // a few signs, more likely
		r.cost += costFew
	}
	return r
}

// maxSample is the number of bytes of a document that are read.
const maxSample = 768

// sampleOf returns the bytes that are telling: of markup text between tags, of the rest lines. Of neither,
// all counts.
func sampleOf(body []byte) []byte {
	start := bytes.TrimLeft(body, " \t\r\n\f")
	markup := len(start) > 0 && start[0] == '<'
	if !markup && isDense(body[:min(len(body), maxSample)]) {
		return whole(body, maxSample)
	}
	sample := make([]byte, 0, maxSample)
	for rest := body; len(rest) > 0 && len(sample) < maxSample; {
		var segment []byte
		if markup {
			segment, rest = betweenTags(rest)
		} else {
			segment, rest, _ = bytes.Cut(rest, []byte("\n"))
		}
		if isDense(segment) || isTelling(segment) {
			sample = append(append(sample, whole(segment, maxSample-len(sample))...), '\n')
		}
	}
	if len(sample) == 0 && markup { // in attributes or scripts alone
		if i := bytes.IndexFunc(body, notASCII); i >= 0 {
			return whole(body[max(0, i-32):], maxSample)
		}
	}
	return sample
}

// betweenTags returns text up to the next tag, and what follows the tag. Scripts and styles are skipped.
func betweenTags(b []byte) (text, rest []byte) {
	text, tag, found := bytes.Cut(b, []byte("<"))
	if !found {
		return b, nil
	}
	_, rest, _ = bytes.Cut(tag, []byte(">"))
	for _, name := range []string{"script", "style"} {
		if len(tag) > len(name) && bytes.EqualFold(tag[:len(name)], []byte(name)) {
			_, rest, _ = bytes.Cut(rest, []byte("</"))
		}
	}
	return text, rest
}

// isTelling reports whether a segment has bytes beyond ASCII.
func isTelling(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// isDense reports whether one byte in sixteen is beyond ASCII.
func isDense(b []byte) bool {
	n := 0
	for _, c := range b {
		if c >= utf8.RuneSelf {
			n++
		}
	}
	return n*16 > len(b)
}

// whole returns at most n bytes, up to a blank if there is one near the end: a character may have several
// bytes.
func whole(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	for i := n; i > max(n-64, 0); i-- {
		if b[i] == ' ' || b[i] == '\n' {
			return b[:i]
		}
	}
	return b[:n]
}
