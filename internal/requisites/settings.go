package requisites

// Settings are the section requisites of a crawl file: whether what accepted pages need to be shown is archived with them, and how much of
// it.
type Settings struct {
	Of    string `yaml:"of" default:"off" oneof:"off|accepted" doc:"accepted: of pages that are accepted when they are judged. off: of none."`
	Page  int64  `yaml:"page" as:"size" default:"8MB" min:"1" doc:"Bytes that the requisites of one page may have, as received. What several pages need counts for the first. A page has at most 500 requisites."`
	Total int64  `yaml:"total" as:"size" default:"2GB" min:"0" doc:"Bytes that all requisites of the crawl may have. 0: no limit."`
	One   int64  `yaml:"one" as:"size" default:"4MB" min:"1" doc:"Bytes that one requisite may have; a larger one is left out."`
}

// Wanted reports whether there are requisites at all.
func (s Settings) Wanted() bool { return s.Of == "accepted" }

// Most is the number of requisites that a page may have.
const Most = 500

// MaxLevel bounds how far style sheets are read: those that a page names are of level 1, those that these import of level 2.
const MaxLevel = 3

// Misplaced says why the section makes no sense beside what else a crawl file says: keep is its archive.keep. Of an archived web there is nothing
// to fetch, so that the section has no effect and is no mistake.
func (s Settings) Misplaced(live bool, keep string) (why, hint string) {
	if s.Wanted() && live && keep == "off" {
		return "are kept in the crawl's archive, and archive is off", "leave archive out, or requisites"
	}
	return "", ""
}
