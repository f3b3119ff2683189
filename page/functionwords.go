package page

import (
	"strings"
	"sync"
	"unicode"

	"github.com/abadojack/whatlanggo"
)

// functionWords are frequent words of languages, of which running text has one in three to six words.
// Dialects and near relatives have the list of the first: a text in one is not plainly another.
const functionWords = `en: the of and to is that with for was are by this from which have not be on as at or it but his they were has been you
de: der die das und ist nicht ein eine einen einem einer den dem des mit auf für von zu im sich auch es werden sind wird nach bei wenn wie aus oder hat zum zur als wir sie
fr: le la les des et est dans une un du pour que qui sur pas au par avec plus ce ne se il sont aux cette nous vous être a été
es: el la los las de que y en un una es por con para del se no su al como más pero sus este ha lo esta también fue son
pt: o a os as de que e do da em um uma é para com não por no na dos das se mais ao como foi são à ou também
it: il di che e la un una è per del in della con non si da le gli sono dei nel alla anche più come al delle ha lo
nl: de het een en van is dat niet op te zijn voor met die aan er ook om bij door naar wordt uit deze maar ik worden
sv: och att det som en på är av för med den till inte om har de ett var från men jag kan eller vi detta
da no nb nn: og at det som en på er af av for med den til ikke om har de et var fra men jeg kan eller vi dette i
fi: ja on ei se että oli hän ovat mutta kun myös joka tai niin mitä tämä ole sen kuin jos mukaan sekä voi
pl: i w na z się nie do to że jest o jak po za co od przez dla są ale oraz tym jego był może lub
cs: a se na je v že s z do to jsou pro si po ale které jako by který od také nebo byl aby podle jeho není
sk: a sa na je v že s z do to sú pre si po ale ktoré ako by ktorý od aj alebo bol aby podľa jeho nie
hu: a az és hogy nem is egy ez van de meg csak mint volt ki azt már még vagy el ha lehet kell aki
ro: și de în a la cu pe nu este o care un din că pentru mai sau al ale fi au sunt fost prin după
tr: ve bir bu da de için ile çok olarak olan gibi daha ne kadar sonra var en her ancak ise değil veya
hr bs sr sh: i u je se na da za su od s ne to kao koji ili iz što bi o te nije ali koje po sam
sl: in je v na se za da so z ki s pa ne kot tudi ali po bi od pri ni bil lahko
et: ja on ei et see oli ka mis kui või aga ta seda oma selle kes nii siis mida ning
lv: un ir ar no uz par ka kas tas arī nav bet pie lai vai tika gan kā šī
lt: ir yra kad su iš į o bet ar tai buvo kaip už nuo jo dėl taip pat bei prie
id ms: yang dan di untuk dengan dari ini itu pada tidak dalam adalah akan oleh juga ke atau dapat telah
vi: và của là có trong được cho không một các với người đã này những để về khi từ
ca: el la els les de que i en un una és per amb del no se al com més però també són va aquest
ru: и в не на что с он по это как но к его для от из так за все у или был также
uk: і в не на що з він та до як але це його для від за або був також й про є
bg mk: и на се за да не от с е в като са по че това или които но беше към`

// wordLists are the lists of functionWords.
type wordLists struct {
	names []string          // the first language of each
	of    map[string]int    // by language
	words map[string]uint32 // a bit for each list that has the word
}

var knownLists = sync.OnceValue(func() *wordLists {
	l := &wordLists{of: map[string]int{}, words: map[string]uint32{}}
	for line := range strings.Lines(functionWords) {
		names, words, _ := strings.Cut(line, ":")
		languages := strings.Fields(names)
		for _, name := range languages {
			l.of[name] = len(l.names)
		}
		for word := range strings.FieldsSeq(words) {
			l.words[word] |= 1 << len(l.names)
		}
		l.names = append(l.names, languages[0])
	}
	return l
})

// A text is plainly in another language than the declared one if it has this many of its function words, of
// this many kinds that names lack, one word in so many, and so many for each of the declared language.
const (
	plainWords  = 5
	plainKinds  = 3
	plainShare  = 6
	plainFactor = 5
)

// plainly returns the language of a text that is plainly not in the declared one; empty: it may well be.
// Names, code and lists have no function words and prove nothing, nor does a language that is not known here.
func plainly(declared, text string) string {
	lists := knownLists()
	own, listed := lists.of[declared]
	if _, known := scriptOf[declared]; !known && !listed {
		return ""
	}
	parts := []string{text[:min(len(text), sampled)]}
	if len(text) > 3*sampled { // it may begin with a notice
		parts = append(parts, text[len(text)/2:len(text)/2+sampled])
	}
	if script := mainScript(parts[0]); script != "" && script != "Latin" {
		return byScript(declared, script, parts[0])
	}
	c := counter{seen: map[string]bool{}}
	for _, part := range parts {
		c.count(lists, part)
	}
	best := c.best()
	n, ownHits := c.hits[best], 0
	if listed {
		ownHits = c.hits[own]
	}
	enough := n >= plainWords && c.kinds[best] >= plainKinds && n*plainShare >= c.words
	if listed && best == own || !enough || ownHits*plainFactor > n {
		return ""
	}
	return lists.names[best]
}

// A counter counts function words.
type counter struct {
	words       int
	hits, kinds [32]int // by list
	seen        map[string]bool
}

// inNames reports whether a function word is one that names have too.
func inNames(word string) bool {
	switch word {
	case "de", "la", "las", "los", "del", "el", "le", "les", "des", "du", "di", "da", "do", "dos", "das", "van", "der",
		"von", "den", "zu", "und", "et", "y", "e", "i", "a", "al", "of", "the", "and", "och", "og", "na", "w":
		return true
	}
	return false
}

// best returns the list with most hits.
func (c *counter) best() int {
	best := 0
	for i, n := range c.hits {
		if n > c.hits[best] {
			best = i
		}
	}
	return best
}

// maxFunctionWord is the length of the longest function word in bytes.
const maxFunctionWord = 14

// count adds the words of a text.
func (c *counter) count(lists *wordLists, text string) {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		c.words++
		if len(word) > maxFunctionWord {
			continue
		}
		word = strings.ToLower(word)
		of := lists.words[word]
		if of == 0 {
			continue
		}
		for i := 0; of != 0; i, of = i+1, of>>1 {
			if of&1 != 0 {
				c.hits[i]++
				if !c.seen[word] && !inNames(word) {
					c.kinds[i]++
				}
			}
		}
		c.seen[word] = true
	}
}

// scriptOf are the scripts of languages that have others than Latin.
var scriptOf = map[string]string{
	"ru": "Cyrillic", "uk": "Cyrillic", "bg": "Cyrillic", "be": "Cyrillic", "mk": "Cyrillic", "el": "Greek", "he": "Hebrew",
	"ar": "Arabic", "fa": "Arabic", "ur": "Arabic", "zh": "Han", "ja": "Han", "ko": "Hangul", "th": "Thai",
}

// languageOf are the languages of scripts that have one, or nearly.
var languageOf = map[string]string{"Greek": "el", "Hebrew": "he", "Hangul": "ko", "Thai": "th"}

// mainScript returns the script of four letters in five; empty: there is none, or few letters. Kana is Han.
func mainScript(text string) string {
	var counts [len(scriptNames)]int
	letters := 0
	for _, r := range text {
		if r < 0x80 && (r|0x20 < 'a' || r|0x20 > 'z') || r >= 0x250 && !unicode.IsLetter(r) {
			continue
		}
		counts[scriptOfLetter(r)]++
		letters++
	}
	for i, n := range counts {
		if letters >= plainLetters && n*5 >= letters*4 {
			return scriptNames[i]
		}
	}
	return ""
}

// plainLetters is the number of letters that show a script.
const plainLetters = 40

// scriptNames are by what scriptOfLetter returns.
var scriptNames = [...]string{"Latin", "Greek", "Cyrillic", "Hebrew", "Arabic", "Thai", "Han", "Hangul", "other"}

func scriptOfLetter(r rune) int {
	switch {
	case r < 0x250, r >= 0x1e00 && r < 0x1f00:
		return 0
	case r >= 0x370 && r < 0x400:
		return 1
	case r >= 0x400 && r < 0x530:
		return 2
	case r >= 0x590 && r < 0x600:
		return 3
	case r >= 0x600 && r < 0x780:
		return 4
	case r >= 0xe00 && r < 0xe80:
		return 5
	case r >= 0x3040 && r < 0x3100, r >= 0x3400 && r < 0xa000:
		return 6
	case r >= 0xac00 && r < 0xd7a4:
		return 7
	}
	return 8
}

// byScript returns the language of a text in a script that the declared language does not have; empty: it
// has.
func byScript(declared, script, text string) string {
	switch {
	case script == "Han":
		return chineseOrJapanese(declared, text)
	case script == scriptOf[declared] || declared == "sr" || script == "other":
		return ""
	case languageOf[script] != "":
		return languageOf[script]
	}
	lists, c := knownLists(), counter{seen: map[string]bool{}}
	c.count(lists, text)
	if i := c.best(); c.kinds[i] >= plainKinds && scriptOf[lists.names[i]] == script {
		return lists.names[i]
	}
	if guess := whatlanggo.Detect(text); guess.Confidence > 0.3 {
		return guess.Lang.Iso6391()
	}
	return ""
}

// chineseOrJapanese tells by its kana which a text is, of which Japanese has one letter in two; Chinese has の
// in names. Empty: it is as declared.
func chineseOrJapanese(declared, text string) string {
	kana, all := 0, 0
	for _, r := range text {
		switch {
		case r >= 0x3041 && r < 0x3100 && r != '・':
			kana++
			all++
		case r >= 0x3400 && r < 0xa000:
			all++
		}
	}
	switch {
	case kana*5 > all:
		return "ja"
	case kana > 0 && declared == "ja":
		return ""
	}
	return "zh"
}
