package chunk

// A script is a class of characters that tokenizers cut alike.
type script uint8

const (
	blank script = iota
	line
	digit
	mark // ASCII punctuation
	latin
	accented
	greek
	cyrillic
	hebrew
	arabic
	indic
	thai
	kana
	han
	hangul
	typographic // punctuation beyond ASCII
	other
	scripts
)

// costs are thousandths of a token: for each run of characters of one script, and for each character in it. They were fitted to o200k_base by
// least squares of the relative error, over chunks of pages in 35 languages, each language with the square root of its chunks as weight, then
// rounded; docs/howto/language-models.md has the error.
var costs = [scripts]struct{ run, each int }{
	blank: {0, 0}, line: {100, 950}, digit: {1200, 330}, mark: {1300, 60}, latin: {0, 215}, accented: {1200, 0}, greek: {780, 350},
	cyrillic: {800, 150}, hebrew: {190, 355}, arabic: {470, 245}, indic: {0, 360}, thai: {1200, 370}, kana: {0, 460}, han: {1200, 690},
	hangul: {1030, 330}, typographic: {500, 0}, other: {200, 1200},
}

// most is the number of bytes of a token at most, in the mean over a text. Thai, the script with most, has 8 by the table.
const most = 16

// Tokens estimates the number of tokens of a text for language models, without a vocabulary: by runs of characters of one script. A text that is
// not empty has one at least, and one for each 16 bytes, however few runs it has: a page of one letter is not of one token.
func Tokens(s string) int {
	sum, before := 0, scripts
	for _, r := range s {
		now := scriptOf(r)
		if now != before {
			sum += costs[now].run
			before = now
		}
		sum += costs[now].each
	}
	return max((sum+999)/1000, (len(s)+most-1)/most)
}

// scriptOf returns the class of a character.
func scriptOf(r rune) script {
	switch {
	case r == '\n':
		return line
	case r <= ' ', r == 0xa0, r == 0x3000:
		return blank
	case '0' <= r && r <= '9':
		return digit
	case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z':
		return latin
	case r < 0x80:
		return mark
	}
	for _, block := range [...]struct {
		to  rune // the last of the block; from the one before
		its script
	}{
		{0xbf, other}, {0x24f, accented}, {0x36f, other}, {0x3ff, greek}, {0x52f, cyrillic}, {0x58f, other}, {0x5ff, hebrew}, {0x77f, arabic},
		{0x8ff, other}, {0xdff, indic}, {0xe7f, thai}, {0x1dff, other}, {0x1eff, accented}, {0x1fff, greek}, {0x206f, typographic}, {0x2fff, other},
		{0x303f, typographic}, {0x30ff, kana}, {0x33ff, other}, {0x9fff, han}, {0xabff, other}, {0xd7af, hangul}, {0xf8ff, other}, {0xfaff, han},
		{0xfb4f, other}, {0xfdff, arabic}, {0xfe6f, other}, {0xfeff, arabic}, {0xff6f, typographic},
	} {
		if r <= block.to {
			return block.its
		}
	}
	return other
}
