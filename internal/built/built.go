// Package built says what the program was built from.
package built

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"
)

// Line names a build: version, commit, Go and platform. name and commit are what the linker set, empty for nothing; they go before what the go
// command stamped into info, which may be nil.
func Line(name, commit string, info *debug.BuildInfo) string {
	dirty := ""
	if info != nil {
		if name == "" {
			name = info.Main.Version
		}
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision" && commit == "":
				commit = s.Value
			case s.Key == "vcs.modified" && s.Value == "true":
				dirty = ", modified"
			}
		}
	}
	if name == "" || name == "(devel)" {
		name = "unversioned"
	}
	if commit == "" {
		commit = "unknown"
	}
	return fmt.Sprintf("%s (commit %s%s) %s %s/%s", name, commit, dirty, runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// At is when the commit was made that this program was built from; the zero time where it is not known.
func At() time.Time {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return time.Time{}
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.time" {
			at, _ := time.Parse(time.RFC3339, s.Value)
			return at
		}
	}
	return time.Time{}
}
