package lemma

import (
	"strings"

	"orbweaver/text/tag"
)

// irregularVerbs are base forms, their past tenses and their participles where those differ.
const irregularVerbs = `
arise arose arisen|awake awoke awoken|bear bore borne|beat beat beaten|become became|begin began begun
bend bent|bet bet|bid bid bidden|bind bound|bite bit bitten|bleed bled|blow blew blown|break broke broken
breed bred|bring brought|build built|burn burnt|burst burst|buy bought|cast cast|catch caught
choose chose chosen|cling clung|come came|cost cost|creep crept|cut cut|deal dealt|dig dug|do did done
draw drew drawn|dream dreamt|drink drank drunk|drive drove driven|eat ate eaten|fall fell fallen|feed fed
feel felt|fight fought|find found|flee fled|fling flung|fly flew flown|forbid forbade forbidden
forecast forecast|forget forgot forgotten|forgive forgave forgiven|freeze froze frozen|get got gotten
give gave given|go went gone|grind ground|grow grew grown|hang hung|have had|hear heard|hide hid hidden
hit hit|hold held|hurt hurt|keep kept|kneel knelt|know knew known|lay laid|lead led|lean leant|leap leapt
learn learnt|leave left|lend lent|let let|lie lay lain|light lit|lose lost|make made|mean meant|meet met
mistake mistook mistaken|overcome overcame|overtake overtook overtaken|pay paid|prove proved proven|put put
quit quit|read read|ride rode ridden|ring rang rung|rise rose risen|run ran|say said|see saw seen|seek sought
sell sold|send sent|set set|sew sewed sewn|shake shook shaken|shed shed|shine shone|shoot shot
show showed shown|shrink shrank shrunk|shut shut|sing sang sung|sink sank sunk|sit sat|sleep slept|slide slid
smell smelt|sow sowed sown|speak spoke spoken|speed sped|spell spelt|spend spent|spin spun|spit spat|split split
spoil spoilt|spread spread|spring sprang sprung|stand stood|steal stole stolen|stick stuck|sting stung
stink stank stunk|strike struck stricken|string strung|strive strove striven|swear swore sworn|sweep swept
swell swelled swollen|swim swam swum|swing swung|take took taken|teach taught|tear tore torn|tell told
think thought|throw threw thrown|thrust thrust|undergo underwent undergone|understand understood
undertake undertook undertaken|undo undid undone|upset upset|wake woke woken|wear wore worn|weave wove woven
weep wept|win won|wind wound|withdraw withdrew withdrawn|withhold withheld|withstand withstood
write wrote written`

// irregularForms are tags of one kind, and forms with their lemmas.
const irregularForms = `
VBP,VBZ,VBD,VBN,VBG,VB: am=be are=be is=be was=be were=be been=be being=be 'm=be 're=be has=have does=do
VBG: dying=die lying=lie tying=tie
VBZ: 's=be
VBP,VB,VBD: 've=have
VBD,VBN: 'd=have
MD: 'll=will 'd=would ca=can wo=will sha=shall
RB: n't=not n=not
PRP: me=i him=he her=she us=we them=they 's=we mine=my yours=your ours=our theirs=their hers=her
DT: an=a these=this those=that
IN,CC: &=and
NNS,NNPS: men=man women=woman children=child people=people feet=foot teeth=tooth geese=goose mice=mouse
lice=louse oxen=ox lives=life wives=wife knives=knife leaves=leaf halves=half shelves=shelf thieves=thief
wolves=wolf calves=calf loaves=loaf selves=self criteria=criterion phenomena=phenomenon analyses=analysis
crises=crisis theses=thesis hypotheses=hypothesis bases=basis indices=index matrices=matrix vertices=vertex
alumni=alumnus stimuli=stimulus nuclei=nucleus bacteria=bacterium curricula=curriculum taxa=taxon
series=series species=species news=news
JJR: better=good worse=bad further=far farther=far elder=old
JJS: best=good worst=bad furthest=far farthest=far eldest=old
RBR: better=well worse=badly further=far farther=far
RBS: best=well worst=badly furthest=far farthest=far`

// bits returns tags as a bit set.
func bits(tags ...tag.Tag) (set uint64) {
	for _, t := range tags {
		set |= 1 << t
	}
	return set
}

// inflections returns the tags that an irregular form of a class can have.
func inflections(class tag.Classes) (set uint64) {
	if class&tag.Noun != 0 {
		set |= bits(tag.NNS, tag.NNPS)
	}
	if class&tag.Verb != 0 {
		set |= bits(tag.VBD, tag.VBG, tag.VBN, tag.VBZ)
	}
	if class&tag.Adjective != 0 {
		set |= bits(tag.JJR, tag.JJS)
	}
	if class&tag.Adverb != 0 {
		set |= bits(tag.RBR, tag.RBS)
	}
	return set
}

// addCommon adds the common irregular forms.
func (l *Lemmatizer) addCommon() {
	verbs := strings.FieldsFunc(irregularVerbs, func(r rune) bool { return r == '|' || r == '\n' })
	for _, line := range verbs {
		forms := strings.Fields(line)
		l.word(forms[0]).classes |= tag.Verb
		for _, form := range forms[1:] {
			l.word(form).add(bits(tag.VBD, tag.VBN), forms[0])
		}
	}
	var set uint64
	for _, field := range strings.Fields(irregularForms) {
		form, base, ok := strings.Cut(field, "=")
		if ok {
			l.word(form).add(set, base)
			continue
		}
		set = 0
		for name := range strings.SplitSeq(strings.TrimSuffix(field, ":"), ",") {
			t, _ := tag.Parse(name)
			set |= 1 << t
		}
	}
}

// addDictionary adds the words and irregular forms of a dictionary.
func (l *Lemmatizer) addDictionary(d *tag.Dictionary) {
	for form, classes := range d.Words {
		if len(form) <= maxWord {
			l.word(form).classes |= classes
		}
	}
	for _, odd := range d.Irregular {
		if len(odd.Form) <= maxWord && len(odd.Base) <= maxWord {
			l.word(odd.Form).add(inflections(odd.Class), odd.Base)
		}
	}
}

// word returns the entry of a form, a new one for a new form.
func (l *Lemmatizer) word(form string) *word {
	w := l.words[form]
	if w == nil {
		w = &word{form: form}
		l.words[form] = w
	}
	return w
}

// add appends a reading.
func (w *word) add(tags uint64, lemma string) {
	for i := range w.cases {
		tags &^= w.cases[i].tags
	}
	for i := range w.cases {
		if w.cases[i].lemma == lemma {
			w.cases[i].tags |= tags
			return
		}
	}
	if tags != 0 {
		w.cases = append(w.cases, reading{tags, lemma})
	}
}

// set sets the lemma of a form for a tag, replacing others.
func (w *word) set(t tag.Tag, lemma string) {
	for i := range w.cases {
		w.cases[i].tags &^= 1 << t
	}
	w.cases = append(w.cases, reading{1 << t, lemma})
}
