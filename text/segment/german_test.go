package segment

import (
	"strings"
	"testing"
)

// sentencesOf returns the sentences of a text as they stand, separated by " / ".
func sentencesOf(s *Segmenter, text string) string {
	tokens, sentences := s.Append(text, nil, nil)
	var all []string
	for _, x := range sentences {
		all = append(all, text[tokens[x.First].Start:tokens[x.End-1].End])
	}
	return strings.Join(all, " / ")
}

// In each row " / " is where sentences end; without it the text is given to the segmenter.
func testEnds(t *testing.T, language string, rows []string) {
	t.Helper()
	s := For(language)
	for _, want := range rows {
		if got := sentencesOf(s, strings.ReplaceAll(want, " / ", " ")); got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestGermanSentences(t *testing.T) {
	testEnds(t, "de", []string{
		"Die Fähre sank am 3. Mai vor Rügen. / Niemand starb.",
		"Sie dauerte vom 1. bis zum 12. Oktober 1923. / Dann kam Regen.",
		"Der 2. Weltkrieg endete 1945. / Der Hafen lag in Trümmern.",
		"Im 19. Jahrhundert wuchs die Stadt. / Im 20. verlor sie ihren Hafen.",
		"Er belegte den 5. Platz. / Peter wurde Dritter.",
		"Am 24. 12. 2020 schloss das Museum. / Es blieb zu.",
		"Manche Fische, z. B. Aale, wandern. / Andere bleiben.",
		"Das Schiff ist schnell, d. h. Segler holen es nicht ein. / So ist es.",
		"Er wohnt in Frankfurt a. M. und arbeitet in Neustadt a. d. Weinstraße. / Sie nicht.",
		"Der Zug kommt aus Frankfurt a. M. / Der Anschluss ist weg.",
		"U. a. Kapitän Moll war an Bord. / Er kannte i. d. R. jeden.",
		"Es gab Brot, Käse, Wein usw. / Der Wirt war zufrieden.",
		"Brot, Käse usw. Waren standen bereit.",
		"Die Kosten betrugen ca. 3 Mio. Euro. / Das war viel.",
		"Die Brücke kostete 5 Mio. / Die Stadt zahlte.",
		"Prof. Dr. h. c. Anna Moll sprach. / Alle hörten zu.",
		"Caesar starb 44 v. Chr. in Rom. / Augustus folgte ihm.",
		"Siehe S. 5, Abb. 3 und Bd. 2 der Ausgabe. / Dort steht es.",
		"Das war ggf. Absicht, vgl. Moll u. a. 1998. / Wer weiß.",
		"J. S. Bach lebte in Leipzig. / Er schrieb Kantaten.",
		"Lukas Cranach d. Ä. malte ihn. / Sein Sohn auch.",
		"Wir nutzen .NET und .htaccess auf dem Server. / Das genügt.",
		"Die Domain endet auf .de. / Das ist üblich.",
		"Er wurde 42. / Peter wurde 43.",
		"Heute ist der 5. / Wir feiern.",
		"Es geschah 1990. / Deutschland war geteilt.",
		"1. Der Anfang ist schwer.",
		"Der 1. FC Nordstrand gewann mit Nr. 10. / Alle jubelten.",
		"Das Amt öffnet um 10.30 Uhr und schließt ca. 16 Uhr. / Über Mittag ist zu.",
		"Sie kam i. Allg. spät, o. ä. Gründe gab es viele. / Ärger gab es nie.",
		"Die Arbeit (3. Auflage, Bd. 1) ist vergriffen. / Schade!",
		"„Es fiel.“ / Sie weinte. / »Warum?« / Er ging. / ‚So.‘ / Schluss.",
		"Sie rief: „Komm!“ / Er kam. / »Wann?« fragte sie. / »Jetzt.«",
		"Vitamin C. / Der Bedarf ist klein.",
		"Sie wohnt in der Bahnhofstr. 5 in Köln. / Die Friedrich-Ebert-Str. 12 ist gesperrt.",
		"Der Laden liegt in der Goethestr. / Der Bus hält dort, an der Ecke Lindenstr. und Moorallee.",
		"Er verließ die Wendenstr. / Sie blieb in der Str. 7.",
	})
}

func TestEnglishSentences(t *testing.T) {
	testEnds(t, "en", []string{
		"Es war am 3. Mai 2020 in Frankfurt a. M., d. h. z. B. im 19. Jahrhundert.",
		"We know C++ and .NET in Node.js v1.2.3. / It works.",
		"Put a .htaccess file there. / Then restart.",
		"The .com boom ended in 2000. / It hurt.",
		"It runs on .NET. / The rest runs on Linux.",
		"Files end in .tar.gz or .txt. / Both work.",
		"He plays No. 5 in C minor. / She plays No. 6.",
		"They sailed to St. John in May. / It rained.",
		"She met St. Peter and Mt. Rainier guides. / They were kind.",
		"Some fish, e. g. eels, migrate. / Others stay.",
		"Some ships, e. g. The Dawn, are old. / Others are new.",
		"It is a tern, i. e. a bird. / Birds fly.",
		"It begins at 5 p. m. and ends at 7 p. m. / The doors open at four.",
		"J. S. Bach and C. P. E. Bach are buried apart. / They were kin.",
		"George W. Moon spoke. / Nobody listened.",
		"J. R. A. Moon wrote it. / A sequel followed.",
		"He lives in Washington D. C. / The river is near.",
		"In the U.S. the tide is high. / In the U.K. it is higher.",
		"He works for the U.S. / The pay is good.",
		"Dr. Sea and Mr. Moon left at 3.30 p.m. on Friday. / She stayed.",
		"Bread, cheese, etc. / The rest was gone.",
		"See fig. 3, vol. 2, pp. 10 ff. for more. / It is clear.",
		"Moon et al. found it in Jan. 2001. / Others doubted it.",
		"Sea Ltd. and Moon Inc. merged. / They grew.",
		"The boat is approx. 5 m long. / It leaks.",
		"It costs $3.50. / That is cheap.",
		"Prof. Moon vs. Gen. Sea was a draw. / Neither won.",
		"Version 1.2.3 is out. / Get it at tides.org. / It is free.",
		"“It fell.” / She wept. / (So did I.) / He left.",
	})
}
