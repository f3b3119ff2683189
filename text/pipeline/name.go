package pipeline

import (
	"strings"

	"orbweaver/text/segment"
	"orbweaver/text/tag"
)

// Clues to the type of a name: words in it and before it. These are a few hundred English words that nearly always
// decide; all other names are MISC. The types are those of CoNLL-2003, and DATE.
const (
	person       = "PER"
	organization = "ORG"
	location     = "LOC"
	date         = "DATE"
	misc         = "MISC"
)

// maxRun is the number of tokens of a name that are examined.
const maxRun = 16

// A run is the most recent name: tokens [first, end), all tagged as names.
type run struct {
	first, end int
	kind       string
}

// typeOf returns the type of the name that contains token i of a sentence. Dates are recognized by themselves.
func (r *run) typeOf(d *Document, s segment.Sentence, i int) string {
	if isDate(bare(d.Of(i))) {
		return date
	}
	if i < r.first || i >= r.end {
		r.around(d, s, i)
		r.kind = r.recognise(d, s)
	}
	return r.kind
}

// around finds the name around token i.
func (r *run) around(d *Document, s segment.Sentence, i int) {
	named := func(i int) bool {
		return d.Tokens[i].Tag.Class() == tag.Name && !isDate(bare(d.Of(i)))
	}
	for r.first = i; r.first > int(s.First) && i-r.first < maxRun && named(r.first-1); {
		r.first--
	}
	for r.end = i + 1; r.end < int(s.End) && r.end-r.first < 2*maxRun && named(r.end); {
		r.end++
	}
}

// recognise returns the type of the name.
func (r *run) recognise(d *Document, s segment.Sentence) string {
	first, last := bare(d.Of(r.first)), bare(d.Of(r.end-1))
	long := r.end-r.first > 1
	switch {
	case isCompany(last):
		return organization
	case isTitle(first) && long, r.first > int(s.First) && isTitle(bare(d.Of(r.first-1))):
		return person
	}
	for i := r.first; i < r.end; i++ {
		if isBody(bare(d.Of(i))) && (long || r.of(d, s)) {
			return organization
		}
	}
	switch {
	case long && (isPlaceEnd(last) || isPlaceStart(first)), isCountry(first) && !long,
		isCountry(d.Between(r.first, r.end-1)):
		return location
	case isGiven(first):
		return person
	}
	return misc
}

// of reports whether "of" follows: the University of …
func (r *run) of(d *Document, s segment.Sentence) bool {
	return r.end < int(s.End) && d.Of(r.end) == "of"
}

// bare is a word without the dot of an abbreviation.
func bare(word string) string { return strings.TrimSuffix(word, ".") }

func isDate(word string) bool {
	switch word {
	case "January", "February", "March", "April", "May", "June", "July", "August", "September", "October",
		"November", "December", "Jan", "Feb", "Mar", "Apr", "Jun", "Jul", "Aug", "Sep", "Sept", "Oct", "Nov", "Dec",
		"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
		"Mondays", "Tuesdays", "Wednesdays", "Thursdays", "Fridays", "Saturdays", "Sundays",
		"Christmas", "Easter", "Thanksgiving", "Halloween":
		return true
	}
	return false
}

func isTitle(word string) bool {
	switch word {
	case "Mr", "Mrs", "Ms", "Miss", "Dr", "Prof", "Professor", "Sir", "Dame", "Lord", "Lady", "Rev", "Reverend",
		"Fr", "Capt", "Captain", "Col", "Colonel", "Gen", "General", "Lt", "Sgt", "Maj", "Major", "Adm", "Admiral",
		"Sen", "Senator", "Rep", "Gov", "Governor", "President", "Chancellor", "King", "Queen", "Prince", "Princess",
		"Emperor", "Pope", "Saint", "Judge", "Justice", "Ayatollah", "Sheikh", "Imam", "Rabbi":
		return true
	}
	return false
}

func isCompany(word string) bool {
	switch word {
	case "Inc", "Incorporated", "Ltd", "Limited", "LLC", "LLP", "Corp", "Corporation", "Co", "Company", "PLC", "plc",
		"GmbH", "AG", "SE", "SA", "S.A", "NV", "N.V", "BV", "B.V", "AB", "ASA", "Oyj", "SpA", "KG", "Group",
		"Holdings", "Partners", "Industries", "Airlines", "Airways", "Motors", "Systems", "Technologies",
		"Records", "Pictures", "Studios", "Press", "Times", "Post", "Herald", "Tribune":
		return true
	}
	return false
}

// isBody reports whether a word denotes an organization: a name containing it is an organization's.
func isBody(word string) bool {
	switch word {
	case "University", "College", "Institute", "Institution", "School", "Academy", "Ministry", "Department",
		"Agency", "Administration", "Association", "Society", "Foundation", "Federation", "Organization",
		"Organisation", "Committee", "Commission", "Council", "Congress", "Parliament", "Senate", "Party", "Union",
		"League", "Club", "Bank", "Museum", "Library", "Hospital", "Church", "Laboratory", "Laboratories", "Office",
		"Bureau", "Board", "Court", "Army", "Navy", "Force", "Corps", "Police", "Orchestra":
		return true
	}
	return false
}

func isPlaceEnd(word string) bool {
	switch word {
	case "City", "Town", "Village", "County", "District", "Province", "State", "States", "Republic", "Kingdom",
		"Street", "St", "Avenue", "Ave", "Road", "Rd", "Boulevard", "Blvd", "Lane", "Drive", "Highway", "Square",
		"Park", "Bridge", "Airport", "Station", "Harbor", "Harbour", "River", "Creek", "Lake", "Sea", "Ocean", "Bay",
		"Gulf", "Strait", "Canal", "Falls", "Island", "Islands", "Peninsula", "Cape", "Beach", "Coast", "Mountain",
		"Mountains", "Hill", "Hills", "Valley", "Desert", "Forest", "Canyon", "Glacier", "Plateau":
		return true
	}
	return false
}

func isPlaceStart(word string) bool {
	switch word {
	case "Mount", "Mt", "Lake", "Cape", "Fort", "Ft", "Port", "Gulf", "River", "Isle", "San", "Santa", "Los", "Las",
		"North", "South", "East", "West", "Northern", "Southern", "Eastern", "Western", "New", "Saudi":
		return true
	}
	return false
}

func isCountry(name string) bool {
	switch name {
	case "Africa", "America", "Antarctica", "Asia", "Europe", "Oceania", "Afghanistan", "Algeria", "Angola",
		"Argentina", "Armenia", "Australia", "Austria", "Bangladesh", "Belarus", "Belgium", "Bolivia", "Bosnia", "Brazil",
		"Britain", "Bulgaria", "Cambodia", "Canada", "Chile", "China", "Colombia", "Croatia", "Cuba", "Cyprus", "Denmark",
		"Ecuador", "Egypt", "England", "Estonia", "Ethiopia", "Finland", "France", "Germany", "Ghana", "Greece",
		"Greenland", "Hungary", "Iceland", "India", "Indonesia", "Iran", "Iraq", "Ireland", "Israel", "Italy", "Jamaica",
		"Japan", "Kenya", "Korea", "Kuwait", "Latvia", "Lebanon", "Libya", "Lithuania", "Luxembourg", "Malaysia", "Mali",
		"Malta", "Mexico", "Moldova", "Mongolia", "Morocco", "Mozambique", "Myanmar", "Namibia", "Nepal", "Netherlands",
		"Nigeria", "Norway", "Pakistan", "Panama", "Paraguay", "Peru", "Philippines", "Poland", "Portugal", "Qatar",
		"Romania", "Russia", "Scotland", "Senegal", "Serbia", "Singapore", "Slovakia", "Slovenia", "Somalia", "Spain",
		"Sudan", "Sweden", "Switzerland", "Syria", "Taiwan", "Tanzania", "Thailand", "Tunisia", "Turkey", "UAE", "UK",
		"Uganda", "Ukraine", "Uruguay", "US", "U.S", "USA", "U.S.A", "U.K", "Venezuela", "Vietnam", "Wales", "Yemen",
		"Zambia", "Zimbabwe", "London", "Paris", "Berlin", "Madrid", "Rome", "Moscow", "Beijing", "Tokyo", "Chicago",
		"Boston", "Baghdad", "California", "Texas", "Florida":
		return true
	}
	return false
}

func isGiven(word string) bool {
	switch word {
	case "Adam", "Alan", "Albert", "Alex", "Alexander", "Alice", "Amy", "Andrea", "Andrew", "Angela", "Anna", "Anne",
		"Anthony", "Arthur", "Barbara", "Ben", "Benjamin", "Bill", "Bob", "Brian", "Carl", "Carlos", "Caroline",
		"Catherine", "Charles", "Chris", "Christine", "Christopher", "Claire", "Daniel", "David", "Deborah", "Dennis",
		"Diana", "Donald", "Dorothy", "Douglas", "Edward", "Elena", "Elizabeth", "Emily", "Emma", "Eric", "Eva",
		"Frank", "Fred", "Gary", "George", "Greg", "Hans", "Harold", "Harry", "Helen", "Henry", "Isaac",
		"Jack", "James", "Jane", "Janet", "Jason", "Jean", "Jeff", "Jennifer", "Jeremy", "Jessica", "Jim", "Joan", "Joe",
		"Johann", "John", "Jonathan", "Joseph", "Juan", "Julia", "Julie", "Karen", "Karl", "Kate",
		"Keith", "Ken", "Kenneth", "Kevin", "Laura", "Lauren", "Leonardo", "Linda", "Lisa", "Louis", "Lucy", "Luis",
		"Margaret", "Maria", "Marie", "Martin", "Mary", "Matthew", "Michael", "Michelle", "Mike",
		"Mohammed", "Muhammad", "Nancy", "Nicholas", "Nick", "Oliver", "Orville", "Oscar", "Pamela", "Patricia", "Patrick", "Paul",
		"Pedro", "Peter", "Philip", "Pierre", "Rachel", "Ralph", "Rebecca", "Richard", "Robert", "Roger",
		"Ronald", "Ruth", "Ryan", "Samuel", "Sandra", "Sara", "Sarah", "Scott", "Sharon", "Simon", "Sophie", "Stephen",
		"Steve", "Steven", "Susan", "Thomas", "Tim", "Timothy", "Tom", "Tony", "Ursula", "Victoria",
		"Vladimir", "Walter", "Wilbur", "William", "Wolfgang":
		return true
	}
	return false
}
