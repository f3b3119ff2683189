package segment

import (
	"strings"
	"unicode"
)

// Built-in knowledge of German, used without a model. Words are separated by blanks, case is significant.
const (
	// germanAbbreviations rarely end a sentence before a word that may be a noun; letters alone are those of "z. B.",
	// "i. d. R." and "v. Chr.".
	germanAbbreviations = `a b c d e f g h i j k l m n o p q r s t u v w x y z ä ö ü Ä Ö Ü
Hr Hrn Fr Frl Dipl Ing Mag Hon Priv Doz med phil jur rer nat habil theol hc Chr Zt Bsp Allg allg
usw usf bzw bspw evtl ggf ggfs gegebenenfalls inkl exkl zzgl abzgl vgl sog insb insbes etw ehem geb gest verh gez
Abb Abs Abschn Anm Art Aufl Bd Bde Bearb bearb Bl Hg Hrsg hrsg Jg Jh Jhd Jhdt Kap lfd Lit Lt lt Mio Mrd Tsd
Mill Nrn Pkt Rd Reg Red Std Stk Str str Tab Übers übers überarb Verf Verl verb Verz Ziff zit zw zus zuz Zsfg
tägl jährl monatl wöchentl mind maximal durchschn ca Ca gem Ges Gem gg ev kath röm frz engl dt lat griech ital span
Mo Di Mi Do Fr Sa So Jän Feb Mrz Apr Jun Jul Aug Okt Dez Ca Min Sek Tel Fa Gebr Nachf Bhf Hbf Pl Bez Kr Krs Kfm
südl nördl westl östl Frhr Gf Hzg Kg Ks Hl hl Sr Ew`

	// germanNever go on, whatever follows.
	germanNever = `z.B z.Bsp z.T z.Zt d.h d.i i.e m.a.W bspw bzw vgl ca Ca sog insb insbes inkl exkl zzgl gem lt evtl ggf
Hr Hrn Fr Frl Dr Prof Dipl Ing Mag Priv Doz med phil rer Nr Nrn Abb Abb Tab Kap Art Abs Bd Hg Hrsg Hl hl St Fa`

	// germanStarters are words that begin a sentence and are no nouns.
	germanStarters = `Der Die Das Den Dem Des Ein Eine Einen Einem Einer Eines Er Sie Es Wir Ich Ihr Du Man In Im An Am Auf
Aus Bei Beim Mit Nach Von Vom Vor Zu Zum Zur Für Durch Ohne Gegen Um Unter Über Hinter Neben Zwischen Seit Bis Trotz Wegen
Während Und Oder Aber Doch Denn Sondern Jedoch Wenn Als Da Dann Dass Daß Weil Obwohl Damit Dabei Dazu Danach Daher Darum
Deshalb Dadurch Davon Dafür Dagegen Darauf Darin Dies Diese Dieser Diesen Diesem Dieses Jene Jener Jedes Jede Jeder So Auch
Nur Schon Noch Nun Hier Dort Heute Gestern Morgen Später Früher Zuerst Zuletzt Schließlich Außerdem Allerdings Dennoch
Trotzdem Zwar Sein Seine Seinen Seiner Ihre Ihren Ihrer Unser Unsere Mein Meine Kein Keine Keiner Alle Alles Viele Einige
Manche Mehrere Beide Was Wer Wie Wo Warum Wann Welche Welcher Welches Nicht Nichts Etwa Sehr Immer Manchmal Oft Ob`

	// germanOrdinal are nouns that follow an ordinal, "3. Mai".
	germanOrdinal = `Januar Jänner Februar Feber März April Mai Juni Juli August September Oktober November Dezember Jan Feb
Mär Mrz Apr Jun Jul Aug Sep Sept Okt Nov Dez Jahrhundert Jahrhunderts Jahrhunderten Jh Jhd Jahrtausend Jahrtausends
Weltkrieg Weltkriegs Weltkrieges Auflage Band Kapitel Klasse Stock Etage Platz Rang Runde Spieltag Tag Woche Monat
Jahrestag Geburtstag Lebensjahr Advent Semester Quartal Halbjahr Bezirk Kreis Grades Liga Staffel Teil Akt Satz Mal`

	// germanBefore are words before an ordinal.
	germanBefore = `am der die das den dem des im zum zur vom beim ein eine einen einem einer eines dieser diesem diesen seit
bis ab auf mit und oder in ihr ihre ihrem ihren ihrer sein seine seinem seinen seiner jeder jeden jedem jedes erst Am Der
Die Das Den Dem Im Zum Zur Vom Beim Seit Bis Ab Ihr Ihre Sein Seine`
)

// A usage is what a language's words say of the ends of sentences.
type usage struct {
	starters map[string]bool // begin a sentence and are rarely names or nouns
	never    map[string]bool // abbreviations, blanks left out, that never end a sentence
	ordinal  map[string]bool // words behind an ordinal, "3. Mai"
	before   map[string]bool // words before an ordinal
}

// learnGerman adds the rules of German.
func (r *rules) learnGerman() {
	r.addWords(r.abbreviations, germanAbbreviations)
	u := &usage{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
	r.addWords(u.starters, germanStarters)
	r.addWords(u.never, germanNever)
	r.addWords(u.ordinal, germanOrdinal)
	r.addWords(u.before, germanBefore)
	r.usage = u
}

// maxOrdinal is the number of digits of an ordinal; years have more.
const maxOrdinal = 3

// isOrdinal reports whether a dot behind a token may make it an ordinal.
func (w *worker) isOrdinal(t Token) bool {
	if t.End-t.Start > maxOrdinal || !only(t.Of(w.text), digit) {
		return false
	}
	return w.usage != nil || w.isDated(int(t.End)+2)
}

// isStreet reports whether a word is the short name of a street: "Bahnhofstr. 5".
func isStreet(word string) bool { return strings.HasSuffix(word, "str") && isUpper(word[0]) }

// isDated reports whether a German word behind an ordinal stands at i, that is none of English: a short text of unknown
// language is read as English.
func (w *worker) isDated(i int) bool {
	if i >= len(w.text) || w.text[i-1] != ' ' {
		return false
	}
	rest := w.text[i:min(i+len("Jahrhunderts."), len(w.text))]
	end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) })
	if end < 0 {
		end = len(rest)
	}
	switch rest[:end] {
	case "Januar", "Jänner", "Februar", "März", "Mai", "Juni", "Juli", "Oktober", "Dezember", "Jahrhundert", "Jahrhunderts", "Weltkrieg":
		return true
	}
	return false
}

// endsShort reports whether a sentence ends behind the dot of an abbreviation or ordinal, before a word.
func (u *usage) endsShort(g *gap, first string) bool {
	word := g.token(g.last - 1)
	if g.last-1 <= g.start || first == "" || g.isInitial(first) {
		return false // "1. Der Anfang", "J. A. Moon"
	}
	starts := u.starters[first]
	if isDigit(word[0]) {
		before := g.token(g.last - 2)
		switch {
		case starts || u.ordinal[first] || !startsHigh(first):
			return starts
		case u.before[before] || classOfFirst(before)&(letter|high) == 0:
			return false
		}
		return true
	}
	return starts && !u.never[g.shortForm()]
}

// isInitial reports whether the word behind a gap is one letter with a dot.
func (g *gap) isInitial(first string) bool {
	return len(first) == 1 && g.next+1 < g.end && isMarked(g.tokens[g.next+1])
}

// shortForm returns the abbreviation before a gap without its last dot and without blanks: "z.B" of "z. B.".
func (g *gap) shortForm() string {
	form := g.token(g.last - 1)
	for i := g.last - 2; i > g.start && len(form) < maxWord; i-- {
		part := g.token(i)
		if n := len(part); n < 2 || n > 3 || part[n-1] != '.' || classOfFirst(part)&(letter|high) == 0 {
			break
		}
		form = part + form
	}
	return form
}
