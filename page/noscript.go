package page

import "bytes"

// maxPleaWords and maxPleaText bound a text that only asks for JavaScript, in words and in bytes.
const maxPleaWords, maxPleaText = 40, 400

// maxNoscripts is the number of <noscript> of a page that are read; each is looked at before.
const maxNoscripts = 512

// unscripted returns the flags of a <noscript> whose content follows. Where no scripts run it represents its
// children (HTML, 4.12.2), but a request to switch them on is nothing to be read.
func (d *document) unscripted() flag {
	if d.plain++; d.ran || d.plain > maxNoscripts {
		return muted | linkless
	}
	if inside := d.noscript(); len(inside) < maxPlea && isPlea(inside) {
		return muted | scriptless
	}
	d.noscripts = append(d.noscripts, span{len(d.text), -1})
	return scriptless
}

// noscript returns the start of the content of a <noscript>, or all of it.
func (d *document) noscript() []byte {
	inside := d.source[d.at:]
	inside = inside[:min(len(inside), maxPlea+len("</noscript"))]
	return inside[:min(maxPlea, rawEnd(inside, []byte("noscript")))]
}

// endNoscript notes where the text of a <noscript> ends.
func (d *document) endNoscript() {
	if last := len(d.noscripts) - 1; last >= 0 && d.noscripts[last].end < 0 {
		d.noscripts[last].end = len(d.text)
	}
}

// outside returns the text without that of <noscript>: all that there is when scripts are to run.
func (d *document) outside() []byte {
	var out []byte
	start := 0
	for _, s := range d.noscripts {
		if s.end > s.start {
			out = append(out, d.text[start:s.start]...)
			start = s.end
		}
	}
	if start == 0 {
		return d.text
	}
	return append(out, d.text[start:]...)
}

// isPlea reports whether text, or markup, only asks for JavaScript.
func isPlea(markup []byte) bool {
	lower := bytes.ToLower(markup[:min(len(markup), maxPlea)])
	if !bytes.Contains(lower, []byte("javascript")) && !bytes.Contains(lower, []byte("java script")) {
		return false
	}
	words, size, blank, inTag := 0, 0, true, false
	for _, c := range markup {
		switch {
		case c == '<':
			inTag, blank = true, true
		case c == '>' && inTag:
			inTag = false
		case inTag:
		case isSpace(c):
			blank = true
		default:
			if blank {
				words++
			}
			blank = false
			size++
		}
	}
	return words < maxPleaWords && size < maxPleaText
}
