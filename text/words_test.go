package text

import (
	"fmt"
	"strings"
	"testing"
)

// pairs are labels, texts of pages, and the evidence: the words on the page, their counts, and the label; ""
// if it does not match. Other labels of the same list follow a label after "|". A text may have a title
// before "§", and words of a URL after a second "§".
var pairs = []struct{ name, lang, label, text, want string }{
	// English
	{"an abbreviation is no other word's plural", "en", "AIDS", "Foreign aid and hearing aids help people.", ""},
	{"an abbreviation as written", "en", "AIDS", "People with AIDS live longer now.", "AIDS ×1"},
	{"nor is a word the plural of one", "en", "aid", "People with AIDS live longer now.", ""},
	{"HTTPS is not HTTP", "en", "HTTPS", "The server speaks HTTP only.", ""},
	{"HTTPS", "en", "HTTPS", "The server speaks HTTPS only.", "HTTPS ×1"},
	{"GPS is not GP", "en", "GPS", "See your GP or two GPs.", ""},
	{"a plural of what ends in s", "en", "GPS", "Old GPSs and a new GPS, that GPS's clock.", "GPS ×3"},
	{"a plain plural", "en", "URL", "Short URLs, long URLs and a URL.", "URLs ×3 (URL)"},
	{"a plural is a label of one", "en", "CDs", "Put in the CD.", "CD ×1 (CDs)"},
	{"in small letters it is another word", "en", "URL", "the url of it", ""},
	{"IT is not it", "en", "IT", "It is what it is.", ""},
	{"IT", "en", "IT", "She works in IT, where it pays.", "IT ×1"},
	{"US is not us", "en", "US", "Tell us more, contact us.", ""},
	{"the possessive", "en", "US", "The US's army told us.", "US ×1"},
	{"in a line of capitals US may be us", "en", "US", "US AND THEM\n\nThey gave us records.", ""},
	{"unless the page says", "en", "US", "US AND THEM\n\nHow the US won.", "US ×2"},
	{"a title in capitals", "en", "AIDS", "AIDS IN AFRICA§Many people live there.", "AIDS ×1"},
	{"a title as titles are", "en", "AIDS", "The Spread of Aids in Africa§A virus spreads.", "Aids ×1 (AIDS)"},
	{"where the page says otherwise", "en", "AIDS", "Hearing Aids§All hearing aids, and the aids of old.", ""},
	{"where the page says so", "en", "AIDS", "Hearing Aids§AIDS, not aids: the AIDS virus.", "AIDS ×3"},
	{"a title in small letters", "en", "AIDS", "aids in africa§A virus spreads.", "aids ×1 (AIDS)"},
	{"words of a URL", "en", "AIDS", "§A virus.§wiki/aids", "aids ×1 (AIDS)"},
	{"a URL where the page says otherwise", "en", "AIDS", "§Many hearing aids.§wiki/aids", ""},
	{"it is no word of a URL", "en", "IT", "§A text.§it/about", ""},
	{"inner capitals", "en", "MySQL", "MySQL or Mysql or mysql", "MySQL ×1"},
	{"inner capitals within capitals", "en", "MySQL", "LEARN MYSQL TODAY", "MYSQL ×1 (MySQL)"},
	{"a small letter first", "en", "iPhone", "An iPhone, no iphone; many iPhones.", "iPhone ×2"},
	{"DNA", "en", "DNA", "DNA replication copies dna", "DNA ×1"},
	{"digits", "en", "B52", "A B52, the B52s, a b52.", "B52 ×2"},
	{"digits and small letters", "en", "mp3", "MP3 files and mp3 files", "MP3 ×2 (mp3)"},
	{"digits are no number of years", "en", "1990s", "In 1990 it was.", ""},
	{"one word of several", "en", "IT security", "it security matters, IT securities do", "IT securities ×1 (IT security)"},
	{"U.S.", "en", "U.S.", "a u.s. post and the U.S. Post", "U.S ×1 (U.S.)"},
	{"a name among small letters", "en", "Polish|language|grammar|verb", "Polish the shoes; polish them well, polish.", ""},
	{"a name", "en", "Polish|language|grammar|verb", "The Polish army and Polish towns polish.", "Polish ×2"},
	{"a name is no form of a verb", "en", "Polish|language|grammar|verb", "The Polished floor.", ""},
	{"a name with nothing else said", "en", "Polish|language|grammar|verb", "Polish is spoken here.", "Polish ×1"},
	{"capitals for all", "en", "Airplane|Engine|Wing", "The airplane lands.", "airplane ×1 (Airplane)"},
	{"one label alone", "en", "Airplane", "two airplanes", "airplanes ×1 (Airplane)"},
	{"a name within a label", "en", "history of Turkey", "a history of turkey, the history of Turkey", "history of Turkey ×1"},
	{"a list in capitals", "en", "AIRCRAFT|HELICOPTERS|AIRPORTS", "an aircraft", "aircraft ×1 (AIRCRAFT)"},
	{"plain words are stemmed", "en", "plane", "Planes and planes and a plane", "Planes ×3 (plane)"},
	{"the most frequent form", "en", "plane", "A plane, planes, more planes", "planes ×3 (plane)"},
	// German
	{"a noun", "de", "Essen", "Das Essen ist gut, wir essen.", "Essen ×1"},
	{"a verb", "de", "Essen", "Wir essen gern.", ""},
	{"a verb at the start", "de", "Essen", "Essen wir? Ja, wir essen, sie essen.", ""},
	{"a compound is another word", "de", "Flugzeug", "Ein Segelflugzeug, ein Flugzeugbauer.", ""},
	{"a noun's forms", "de", "Flugzeug", "Zwei Flugzeuge, des Flugzeugs.", "Flugzeuge ×2 (Flugzeug)"},
	{"a plural with an umlaut", "de", "Arzt", "Viele Ärzte.", "Ärzte ×1 (Arzt)"},
	{"an umlaut makes another word", "de", "Bär", "In der Bar.", ""},
	{"an umlaut", "de", "Bär", "Die Bären.", "Bären ×1 (Bär)"},
	{"no umlauts at hand", "de", "Ärztin", "Unsere Aerztin ist da.", "Aerztin ×1 (Ärztin)"},
	{"capitals in German", "de", "EDV", "Die EDV hier.", "EDV ×1"},
	// French
	{"sida is no name", "fr", "SIDA", "le SIDA et le sida", "SIDA ×1"},
	{"elision", "fr", "avion", "l'avion, des avions", "avion ×2"},
	{"ONU", "fr", "ONU", "L'ONU décide.", "ONU ×1"},
	// Arabic
	{"the article", "ar", "طائرة", "هبطت الطائرة", "الطائرة ×1 (طائرة)"},
	{"what is attached", "ar", "طائرة", "سافر بالطائرة والطائرة وطائرة", "بالطائرة ×3 (طائرة)"},
	{"a label with the article", "ar", "الطائرة", "طائرة كبيرة", "طائرة ×1 (الطائرة)"},
	{"a plural", "ar", "طائرة", "ثلاث طائرات", "طائرات ×1 (طائرة)"},
	{"a first letter that is no conjunction", "ar", "وردة", "هذه وردة والوردة", "وردة ×2"},
	{"an ending makes another word", "ar", "مكتب", "في المكتبة", ""},
	{"a preposition before a name", "ar", "لبنان", "سافر إلى بيروت بلبنان ولبنان", "بلبنان ×2 (لبنان)"},
	{"vowel signs", "ar", "كتاب", "كِتَابٌ", "كِتَابٌ ×1 (كتاب)"},
	// Chinese
	{"no spaces", "zh", "飞机", "我坐飞机去北京。", "飞机 ×1"},
	{"another order", "zh", "飞机", "机飞", ""},
	{"a sign between", "zh", "飞机", "飞，机", ""},
	{"a character within a word", "zh", "水", "水果很好", ""},
	{"a character by itself", "zh", "水", "水。", "水 ×1"},
	{"capitals amid", "zh", "DNA", "DNA的结构", "DNA ×1"},
	// Japanese
	{"two names and a district", "ja", "京都", "東京都の人口", ""},
	{"a name", "ja", "京都", "京都の寺", "京都 ×1"},
	{"a part of Katakana", "ja", "コンピュータ", "スーパーコンピュータ", ""},
	{"Katakana", "ja", "コンピュータ", "新しいコンピュータを買う", "コンピュータ ×1"},
	{"a character and an ending", "ja", "食", "食べる", ""},
	{"a character and a particle", "ja", "水", "水を飲む、水素", "水 ×1"},
	{"Hiragana amid", "ja", "すし", "行くですし、ますし", ""},
	{"Hiragana", "ja", "すし", "昨日のすしを食べた", "すし ×1"},
	// Korean
	{"particles", "ko", "비행기", "비행기가 있다. 비행기를 탔다. 비행기를 보았다.", "비행기를 ×3 (비행기)"},
	{"a compound", "ko", "비행", "비행기가 있다", ""},
	{"a particle that cannot follow", "ko", "나", "나이", ""},
}

func TestWordsThatAreTheWord(t *testing.T) {
	for _, tc := range pairs {
		var phrases []Phrase
		for i, label := range strings.Split(tc.label, "|") {
			phrases = append(phrases, Phrase{Text: label, Lang: tc.lang, ID: int32(i)})
		}
		m := NewLexicon(phrases).Matcher(tc.lang)
		for again := range 2 { // state of one page must not affect another
			if got := evidenceOf(m, tc.text); got != tc.want {
				t.Errorf("%s (%d): %q in %q: got %q, want %q", tc.name, again, tc.label, tc.text, got, tc.want)
			}
			m.Forget()
		}
		m.Release()
	}
	langs := map[string]int{}
	for _, tc := range pairs {
		langs[tc.lang]++
	}
	if len(pairs) < 60 || len(langs) < 6 {
		t.Errorf("%d pairs in %d languages", len(pairs), len(langs))
	}
}

// evidenceOf reads a page like a focus, and returns the words of label 0.
func evidenceOf(m *Matcher, page string) string {
	parts := strings.SplitN(page, "§", 3)
	for len(parts) < 3 {
		if len(parts) == 1 {
			parts = append([]string{""}, parts...)
		}
		if len(parts) == 2 {
			parts = append(parts, "")
		}
	}
	var w Wordings
	n, label := 0, ""
	count := func(s string, matches []Match) {
		for _, match := range matches {
			if ids := m.IDs(match.Form); len(ids) > 0 && ids[0] == 0 {
				w.Add(0, s[match.Start:match.End])
				n, label = n+1, m.Label(match.Form, 0)
			}
		}
	}
	count(parts[1], m.Match(parts[1]))
	count(parts[0], m.MatchHeading(parts[0]))
	count(parts[2], m.MatchAddress(parts[2]))
	if w.Settle(); n == 0 {
		return ""
	}
	return string(AppendWording(nil, w.Most(0), n, label))
}

func TestFoldedLexicon(t *testing.T) {
	m := NewFoldedLexicon([]Phrase{{Text: "AIDS", ID: 1}, {Text: "Polish", ID: 2}}).Matcher("en")
	defer m.Release()
	if got := found(m, "aid and polished AIDS"); got != "aid=[1]; polished=[2]; AIDS=[1]" {
		t.Errorf("got %q", got)
	}
}

func TestCarefulMatchesDoNotAllocate(t *testing.T) {
	m := NewLexicon([]Phrase{{Text: "AIDS"}, {Text: "US"}, {Text: "plane"}, {Text: "wing"}, {Text: "jet"}, {Text: "Polish"}}).Matcher("en")
	defer m.Release()
	s := strings.Repeat("They told us of aids, the US and AIDS. Polish polish is US MADE. PLANES and wings.\n\nAids of Us\n\n", 50)
	m.Match(s)
	if n := testing.AllocsPerRun(20, func() { m.Match(s) }); n != 0 {
		t.Errorf("%v allocations a text", n)
	}
}

func TestWordings(t *testing.T) {
	var w Wordings
	for range 2 {
		for i, word := range []string{"planes", "plane", "Plane", "plane", "jet", "Jet"} {
			w.Add(int32(i/4), word)
		}
		w.Settle()
		if got := fmt.Sprintf("%s %s %q", w.Most(0), w.Most(1), w.Most(2)); got != `plane jet ""` {
			t.Errorf("got %q", got)
		}
		w.Reset()
	}
	for _, tc := range []struct {
		word  string
		times int
		label string
		want  string
	}{
		{"plane", 2, "plane", "plane ×2"},
		{"planes", 0, "plane", "planes (plane)"},
		{"jet\n  engines", 1, "jet engine", "jet engines ×1 (jet engine)"},
		{strings.Repeat("é", 90), 1, "e", strings.Repeat("é", 50) + "… ×1 (e)"},
	} {
		if got := string(AppendWording(nil, tc.word, tc.times, tc.label)); got != tc.want {
			t.Errorf("%q: got %q, want %q", tc.word, got, tc.want)
		}
	}
}

func TestAsWritten(t *testing.T) {
	for _, tc := range []struct{ s, word, want string }{
		{"a DNA test", "DNA", "DNA"}, {"THE DNA TEST", "DNA", ""}, {"a MySQL test", "MySQL", "MySQL"}, {"GPS's", "GPS's", "GPS"},
		{"the Plane lands", "Plane", ""}, {"plane", "plane", ""}, {"the B52s", "B52s", "B52"}, {"in 1990 it", "1990", ""},
		{"long URLs", "URLs", "URL"}, {"the mp3s", "mp3s", ""},
	} {
		at := strings.Index(tc.s, tc.word)
		if got, ok := AsWritten(tc.s, at, at+len(tc.word)); got != tc.want || ok != (tc.want != "") {
			t.Errorf("%q in %q: got %q, want %q", tc.word, tc.s, got, tc.want)
		}
	}
}
