package mediawiki

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"orbweaver"
)

// Batch is the number of pages per request of Subjects.
const Batch = 50

// A Subject is what a corpus needs to know of a page.
type Subject struct {
	ID    int64  // of a redirect's target, if the requested page is one; 0: the page does not exist
	Title string // likewise

	// Person is the evidence that the page is about a person: a category, or a short description. Empty: none.
	Person         string
	Disambiguation bool // it lists the meanings of a title
}

type pageAnswer struct {
	ID         int64 `json:"pageid"`
	Title      string
	Missing    bool
	Invalid    bool
	Categories []struct{ Title string }
	Props      struct {
		Disambiguation *string
		Description    string `json:"wikibase-shortdesc"`
	} `json:"pageprops"`

	URL       string `json:"canonicalurl"`
	Lang      string `json:"pagelanguage"`
	Extract   *string
	Redirects []struct{ Title string }
}

// Subjects returns the subjects of at most Batch pages, in their order.
func (c *Client) Subjects(ctx context.Context, members []Member) ([]Subject, error) {
	if len(members) > Batch {
		return nil, fmt.Errorf("mediawiki: %d pages at once, more than %d: %w", len(members), Batch, orbweaver.ErrInput)
	}
	if len(members) == 0 {
		return nil, nil
	}
	ids := make([]string, len(members))
	for i, m := range members {
		ids[i] = strconv.FormatInt(m.ID, 10)
	}
	found := subjects{byTitle: map[string]*Subject{}, target: map[string]string{}}
	err := c.query(ctx, url.Values{
		"pageids": {strings.Join(ids, "|")}, "redirects": {"1"}, "prop": {"categories|pageprops"},
		"cllimit": {"max"}, "ppprop": {"disambiguation|wikibase-shortdesc"},
	}, found.take)
	if err != nil {
		return nil, err
	}
	all := make([]Subject, len(members))
	for i, m := range members {
		all[i] = found.of(m)
	}
	return all, nil
}

// subjects holds the answers so far.
type subjects struct {
	byTitle map[string]*Subject
	target  map[string]string // of redirects, by title
}

func (s *subjects) take(a *answer) bool {
	for _, r := range a.Query.Redirects {
		s.target[r.From] = r.To
	}
	for _, p := range a.Query.Pages {
		if p.Missing || p.Invalid || p.ID <= 0 {
			continue
		}
		subject := s.byTitle[p.Title]
		if subject == nil {
			subject = &Subject{ID: p.ID, Title: p.Title}
			s.byTitle[p.Title] = subject
		}
		subject.Disambiguation = subject.Disambiguation || p.Props.Disambiguation != nil
		if subject.Person == "" {
			subject.Person = person(p)
		}
	}
	return true
}

// of is the subject of a member, or of the page that it redirects to.
func (s *subjects) of(m Member) Subject {
	title := m.Title
	for range maxHops {
		to, redirected := s.target[title]
		if !redirected {
			break
		}
		title = to
	}
	if subject := s.byTitle[title]; subject != nil {
		return *subject
	}
	return Subject{Title: m.Title}
}

// person returns the evidence that a page is about a person:
//
//   - a category of births or deaths in a year, a decade or a century: in English one that begins with a
//     digit and ends with " births" or " deaths" ("1922 births", "1st-century BC deaths"), unlike
//     "Multiple births" and "Accidental deaths"; in other languages one that begins with a word of
//     bornOrDied and has a digit ("Geboren 1922", "Naissance en mai 1922");
//   - a category of isLiving, such as "Living people", or one that starts with "Year of birth" or "Year
//     of death";
//   - a short description with a year of birth: "(born 1950)".
//
// Wikidata has more evidence, but is another host and is not queried.
func person(p pageAnswer) string {
	for _, c := range p.Categories {
		_, name, found := strings.Cut(c.Title, ":")
		if !found {
			name = c.Title
		}
		if isOfPersons(name) {
			return name
		}
	}
	if _, born, found := strings.Cut(p.Props.Description, "(born "); found && strings.ContainsAny(born, "0123456789") {
		return saying([]byte(p.Props.Description))
	}
	return ""
}

// isOfPersons reports whether a category, named without its namespace, contains only persons.
func isOfPersons(name string) bool {
	digit := strings.IndexAny(name, "0123456789")
	switch {
	case digit == 0 && (strings.HasSuffix(name, " births") || strings.HasSuffix(name, " deaths")):
		return true
	case strings.HasPrefix(name, "Year of birth ") || strings.HasPrefix(name, "Year of death "):
		return true
	case digit > 0:
		for _, word := range bornOrDied() {
			if strings.HasPrefix(name, word) {
				return true
			}
		}
	}
	return isLiving(name)
}

// bornOrDied are the first words of categories of births and deaths.
func bornOrDied() [18]string {
	return [...]string{
		"Geboren ", "Gestorben ", // German
		"Naissance en ", "Naissance au ", "Décès en ", "Décès au ", // French
		"Nacidos en ", "Fallecidos en ", // Spanish
		"Nati nel ", "Morti nel ", // Italian
		"Nascidos em ", "Mortos em ", // Portuguese
		"Födda ", "Avlidna ", // Swedish
		"Urodzeni w ", "Zmarli w ", // Polish
		"Родившиеся в ", "Умершие в ", // Russian
	}
}

// isLiving reports whether a category is that of living people.
func isLiving(name string) bool {
	switch name {
	case "Living people", "Possibly living people", "Personas vivas", "Persone viventi", "Pessoas vivas", "Levande personer":
		return true
	}
	return false
}
