package brotli

// contextOf returns the context of a literal behind two bytes, the last first (RFC 7932, section 7.1).
func contextOf(mode uint8, last, before byte) uint8 {
	switch mode {
	case 0:
		return last & 63
	case 1:
		return last >> 2
	case 2:
		return afterText(last) | beforeText(before)
	}
	return magnitude(last)<<3 | magnitude(before)
}

// textClasses has a letter for the class of each ASCII byte: a controls, b white space, c the space, d other signs, e quotation marks,
// f the per cent sign, g and h brackets, i commas, j the dot, k the sign of equality, l digits, m and n vowels and consonants in
// capitals, o and p small ones.
const textClasses = "aaaaaaaaabbaabaaaaaaaaaaaaaaaaaacdeddfdeghddidjdlllllllllliigkhd" +
	"dmnnnmnnnmnnnnnmnnnnnmnnnnngdhdddopppopppopppppopppppopppppgdhda"

func afterText(last byte) uint8 {
	switch {
	case last < 128:
		return (textClasses[last] - 'a') << 2
	case last < 192:
		return last & 1
	}
	return 2 | last&1
}

func beforeText(before byte) uint8 {
	if before >= 224 {
		return 2
	} else if before >= 127 {
		return 0
	}
	switch class := textClasses[before]; {
	case class <= 'c':
		return 0
	case class <= 'k':
		return 1
	case class <= 'n':
		return 2
	}
	return 3
}

// magnitude is how large a byte is as a signed number, in steps.
func magnitude(c byte) uint8 {
	switch {
	case c == 0:
		return 0
	case c < 16:
		return 1
	case c < 64:
		return 2
	case c < 128:
		return 3
	case c < 192:
		return 4
	case c < 240:
		return 5
	case c < 255:
		return 6
	}
	return 7
}
