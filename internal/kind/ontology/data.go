package ontology

import (
	focus "orbweaver/focus/ontology"
	"orbweaver/internal/crawlfile"
)

// checkData reports keys that have no effect without data.
func (f *section) checkData(c *crawlfile.Check) {
	if f.Data != "off" {
		return
	}
	for key, set := range map[string]bool{"data_weight": f.DataWeight != focus.DefaultDataWeight, "data_labels": f.DataLabels == "on"} {
		if set && c.Given(key) && !c.Troubled(key) {
			c.Problem(key, "has no effect with data: off, which looks at no data", "leave out "+key+", or data: off and mode: paper")
		}
	}
}

// data returns the focus's part of the section. An empty value is off.
func (f *section) data() focus.Data {
	use, _ := focus.ParseDataUse(f.Data) // the crawl file was checked
	return focus.Data{Use: use, Weight: f.DataWeight, Schema: f.DataLabels == "on"}
}
