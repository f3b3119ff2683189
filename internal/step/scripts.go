package step

import "strings"

// Scripts is what became of a page's scripts.
type Scripts string

// What becomes of scripts.
const (
	ScriptsChanged Scripts = "changed"      // the page was rendered, and says something else
	ScriptsSame    Scripts = "same"         // the page was rendered, and says the same
	ScriptsLeft    Scripts = "not rendered" // the page is what was received
	ScriptsFailed  Scripts = "failed"       // the page could not be rendered, and is what was received
)

// A Rendering is what was done about a page's scripts, and why: orbweaver.Page.Rendering.
type Rendering struct {
	Scripts Scripts `json:"scripts"`
	Why     string  `json:"why,omitempty"`
	Kind    uint64  `json:"kind,omitempty"`  // which scripts the page has, a hash
	Empty   bool    `json:"empty,omitempty"` // it had hardly any text
	Given   bool    `json:"-"`               // an archive told what to do
}

// String says what was done, and why.
func (r *Rendering) String() string {
	said := map[Scripts]string{
		ScriptsChanged: "rendered, and the page says something else", ScriptsSame: "rendered, and the page says the same",
		ScriptsLeft: "not rendered", ScriptsFailed: "not rendered",
	}[r.Scripts]
	if said == "" {
		said = string(r.Scripts)
	}
	if why := strings.TrimSuffix(r.Why, "."); why != "" {
		said += ": " + why
	}
	return said
}
