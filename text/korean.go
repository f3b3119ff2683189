package text

import "unicode/utf8"

// koreanParticles returns the particles that Korean attaches to a noun, chosen by whether its last syllable ends in a
// consonant; nil if the word does not end in Hangul.
func koreanParticles(noun string) []string {
	last, _ := utf8.DecodeLastRuneInString(noun)
	if last < '가' || last > '힣' {
		return nil
	}
	const l = 8 // the final consonant ㄹ, which takes 로 as vowels do
	always := []string{"의", "도", "만", "에", "에는", "에도", "에서", "에서는", "에게", "부터", "까지", "보다", "처럼", "마다",
		"들", "들은", "들이", "들을", "들의", "들과", "들에게", "하고"}
	switch (last - '가') % 28 {
	case 0:
		return append(always, "는", "가", "를", "와", "로", "라는", "나", "라고")
	case l:
		return append(always, "은", "이", "을", "과", "로", "이라는", "이나", "이라고")
	}
	return append(always, "은", "이", "을", "과", "으로", "이라는", "이나", "이라고")
}
