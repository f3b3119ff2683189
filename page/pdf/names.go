package pdf

import (
	"strconv"
	"strings"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/unicode/norm"
)

// The upper halves of Adobe's encodings: one character each, from the code in the comment; blanks are undefined
// codes.
const (
	standardHigh = "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ –†‡· ¶•‚„”»…‰ ¿ `´ˆ˜¯˘˙¨ ˚¸ ˝˛ˇ—                Æ ª    ŁØŒº     æ   ı  łøœß" // from 0xA1
	docLow       = "˘ˇˆ˙˝˛˚˜"                                                                                    // from 0x18
	docHigh      = "•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž €"                                                           // from 0x80
)

// nth returns a character of a table; 0: there is none.
func nth(table string, n int) rune {
	for _, c := range table {
		if n == 0 {
			return c
		}
		n--
	}
	return 0
}

// docEncoding decodes PDFDocEncoding, which differs from Latin-1 in some codes.
func docEncoding(c byte) rune {
	switch {
	case c >= 0x18 && c < 0x20:
		return nth(docLow, int(c-0x18))
	case c >= 0x80 && c <= 0xa0:
		return nth(docHigh, int(c-0x80))
	}
	return rune(c)
}

// encodingTable returns the text of each code in a named encoding; without a name it is Adobe's standard
// encoding.
func encodingTable(base name) (table [256]string) {
	for i := ' '; i < 0x7f; i++ {
		table[i] = string(i)
	}
	var chars *charmap.Charmap
	switch base {
	case "WinAnsiEncoding":
		chars = charmap.Windows1252
	case "MacRomanEncoding":
		chars = charmap.Macintosh
	default:
		table['\''], table['`'] = "’", "‘"
		code := 0xa1
		for _, c := range standardHigh {
			if c != ' ' {
				table[code] = ligature(string(c))
			}
			code++
		}
		return table
	}
	for i := 0x80; i < 0x100; i++ {
		if c := chars.DecodeByte(byte(i)); c != 0xfffd && c >= 0xa0 {
			table[i] = ligature(string(c))
		}
	}
	return table
}

// ligature returns the letters of a ligature.
func ligature(s string) string {
	switch s {
	case "ﬁ":
		return "fi"
	case "ﬂ":
		return "fl"
	}
	return s
}

// glyphText returns the text of a glyph name (the part of the Adobe Glyph List that is used for text); empty
// for font-specific names.
func glyphText(glyph string) string {
	glyph, _, _ = strings.Cut(glyph, ".")
	if len(glyph) <= 1 {
		return glyph
	}
	if len(glyph) > 64 {
		return ""
	}
	if first, rest, joined := strings.Cut(glyph, "_"); joined {
		return glyphText(first) + glyphText(rest)
	}
	if s := namedGlyph(glyph); s != "" {
		return s
	}
	if s := letterGlyph(glyph); s != "" {
		return s
	}
	digits, ok := strings.CutPrefix(glyph, "uni")
	if !ok {
		digits, ok = strings.CutPrefix(glyph, "u")
	}
	if n, err := strconv.ParseUint(digits[:min(len(digits), 6)], 16, 21); ok && len(digits) >= 4 && err == nil {
		return string(rune(n))
	}
	return ""
}

// letterGlyph returns the text of a letter with an accent, "eacute", and of Greek letters, "alpha".
func letterGlyph(glyph string) string {
	if mark := accent(glyph[1:]); mark != 0 {
		return norm.NFC.String(glyph[:1] + string(mark))
	}
	const greek = " alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho sigma1 sigma " +
		"tau upsilon phi chi psi omega "
	first := 'α'
	if glyph[0] >= 'A' && glyph[0] <= 'Z' {
		first, glyph = 'Α', string(glyph[0]|0x20)+glyph[1:]
	}
	before, _, found := strings.Cut(greek, " "+glyph+" ")
	if !found || strings.IndexByte(glyph, ' ') >= 0 {
		return ""
	}
	return string(first + rune(strings.Count(before, " ")))
}

// accent returns the combining character of an accent's name; 0: there is none.
func accent(mark string) rune {
	switch mark {
	case "grave":
		return 0x300
	case "acute":
		return 0x301
	case "circumflex":
		return 0x302
	case "tilde":
		return 0x303
	case "macron":
		return 0x304
	case "breve":
		return 0x306
	case "dotaccent":
		return 0x307
	case "dieresis":
		return 0x308
	case "ring":
		return 0x30a
	case "hungarumlaut":
		return 0x30b
	case "caron":
		return 0x30c
	case "cedilla", "commaaccent":
		return 0x327
	case "ogonek":
		return 0x328
	}
	return 0
}

// namedGlyph returns the text of other glyph names.
func namedGlyph(glyph string) string {
	const names = " space=\u0020 nbspace=\u0020 exclam=! quotedbl=\" numbersign=# dollar=$ percent=% ampersand=& quotesingle=' quoteright=’ " +
		"parenleft=( parenright=) asterisk=* plus=+ comma=, hyphen=- minus=− period=. slash=/ zero=0 one=1 two=2 three=3 " +
		"four=4 five=5 six=6 seven=7 eight=8 nine=9 colon=: semicolon=; less=< equal== greater=> question=? at=@ " +
		"bracketleft=[ backslash=\\ bracketright=] asciicircum=^ underscore=_ quoteleft=‘ grave=` braceleft={ bar=| " +
		"braceright=} asciitilde=~ exclamdown=¡ cent=¢ sterling=£ currency=¤ yen=¥ brokenbar=¦ section=§ dieresis=¨ " +
		"copyright=© ordfeminine=ª guillemotleft=« logicalnot=¬ registered=® macron=¯ degree=° plusminus=± twosuperior=² " +
		"threesuperior=³ acute=´ paragraph=¶ periodcentered=· cedilla=¸ onesuperior=¹ ordmasculine=º guillemotright=» " +
		"onequarter=¼ onehalf=½ threequarters=¾ questiondown=¿ AE=Æ ae=æ Eth=Ð eth=ð multiply=× divide=÷ Oslash=Ø " +
		"oslash=ø Thorn=Þ thorn=þ germandbls=ß Dcroat=Đ dcroat=đ Lslash=Ł lslash=ł OE=Œ oe=œ dotlessi=ı florin=ƒ " +
		"circumflex=ˆ tilde=˜ endash=– emdash=— quotesinglbase=‚ quotedblleft=“ quotedblright=” quotedblbase=„ dagger=† " +
		"daggerdbl=‡ bullet=• ellipsis=… perthousand=‰ guilsinglleft=‹ guilsinglright=› fraction=⁄ Euro=€ trademark=™ " +
		"ff=ff fi=fi fl=fl ffi=ffi ffl=ffl infinity=∞ lessequal=≤ greaterequal=≥ notequal=≠ summation=∑ radical=√ " +
		"approxequal=≈ arrowright=→ arrowleft=← element=∈ partialdiff=∂ integral=∫ sfthyphen=- hyphenminus=- "
	if strings.IndexByte(glyph, ' ') >= 0 || strings.IndexByte(glyph, '=') >= 0 {
		return ""
	}
	_, after, found := strings.Cut(names, " "+glyph+"=")
	if !found {
		return ""
	}
	if after[0] == ' ' {
		return " "
	}
	text, _, _ := strings.Cut(after, " ")
	return text
}
