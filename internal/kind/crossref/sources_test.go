package crossref

import (
	"slices"
	"testing"
)

// TestGrouped: sources are ranked, and pages that say the same stand together.
func TestGrouped(t *testing.T) {
	found := map[string]*Source{"http://a/": {URL: "http://a/", Score: .5}, "http://b/": {URL: "http://b/", Score: .7}, "http://c/": {URL: "http://c/", Score: .5}, "http://d/": {URL: "http://d/", Score: .5}}
	found["http://e/"], found["http://f/"] = &Source{URL: "http://e/", Score: .5}, &Source{URL: "http://f/", Score: .5}
	all := grouped(found, map[string]string{"http://c/": "http://a/", "http://d/": "http://gone/", "http://e/": "http://c/", "http://f/": "http://f/"})
	if len(all) != 4 || all[0].URL != "http://b/" || all[1].URL != "http://a/" || !slices.Equal(all[1].Same, []string{"http://c/", "http://e/"}) || all[3].URL != "http://f/" || all[2].URL != "http://d/" {
		t.Errorf("%+v", all)
	}
}
