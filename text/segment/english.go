package segment

// Built-in knowledge of English, used without a model. Words are separated by blanks. Case is significant:
// "no." is rarely an abbreviation, "No." often.
const (
	// sharedAbbreviations are common to many languages.
	sharedAbbreviations = `Dr Prof Mr Mme St vs etc Inc Ltd Co Corp No no. Nr nr vol Vol pp op cit ca cf al ed eds
Jan Feb Apr Aug Sept Sep Oct Nov Dec tel Tel Fig fig approx max min`

	englishAbbreviations = `p c v Mrs Ms Messrs Jr Sr Esq Rev Hon Pres Gov Sen Rep Reps Sens Gen Lt Col Maj Capt Cmdr Cpl Sgt
Pvt Adm Supt Det Insp Atty Ave Blvd Rd Ln Pkwy Hwy Ft Mt Mts Pt Dept Univ Assn Bros Bldg Apt Ste Mon Tue Tues Wed Thu
Thur Thurs Fri Sat Mar Jun Jul eg ie viz esp incl Incl misc Misc ext Ext est Est govt Govt dept intl Intl natl Natl
Ala Ariz Ark Calif Colo Conn Del Fla Ga Ill Ind Kan Ky La Mass Mich Minn Miss Mo Mont Neb Nev Okla Ore Pa Penn Tenn
Tex Va Vt Wash Wis Wyo Que Ont lb lbs oz sq cu hr hrs min mins sec secs yr yrs mo mos wk wks ft gal qt pt tsp tbsp
Sec sect Sect Art para Para ch Ch Chap chap App Attn attn Cf Ed Eds trans Trans rev ibid Ibid dist Dist
Phila Ph resp orig Orig Assoc assoc Mfg Conf Symp Proc Trans Vols Nos nos Figs figs Eq eq Eqs eqs Ref refs Refs`

	// englishPrefixes stay with their hyphen and the word after it.
	englishPrefixes = `e non mid pre anti re post co over under multi ex sub semi neo counter intra inter micro macro
un pro pseudo quasi ultra super hyper bi tri uni trans extra mini mega vice cross arch de dis mis ante electro socio
psycho bio geo thermo hydro proto meta tele cyber x t`

	// englishContractions are split into tokens. Those that are words too ("well", "its", "cant") are not
	// included.
	englishContractions = `can|not gon|na got|ta wan|na lem|me gim|me du|n|no out|ta need|na 't|is 't|was d'|ye
do|nt did|nt does|nt is|nt was|nt were|nt are|nt would|nt could|nt should|nt have|nt has|nt had|nt ai|nt
you|re they|re i|m i|ve you|ve they|ve that|s there|s what|s let|s he|s she|s y'|all`

	units = `mm cm km m kg mg g lb lbs oz ft mi mph kph km/h hz khz mhz ghz kb mb gb tb kw mw gw kwh mwh v w
am pm k b bn mn tn x hh sec min mins hr hrs yr yrs mil mpg psi rpm cc ml dpi fps bps kbps mbps gbps`
)
