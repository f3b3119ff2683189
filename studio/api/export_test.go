package api

import (
	"slices"
	"strings"
)

// Routes are the methods and paths of the API, sorted.
func Routes() (all []string) {
	for _, r := range routes() {
		all = append(all, r.method+" "+strings.ReplaceAll(r.path, "...}", "}"))
	}
	slices.Sort(all)
	return all
}
