package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"time"
)

// version and commit are set by the linker: see the Makefile. Built otherwise, they are what the go command stamps.
var version, commit string // nothing here writes them

// versionLine names the build: version, commit, Go and platform. What the linker set goes before what was stamped.
func versionLine(name, set string, info *debug.BuildInfo) string {
	commit, dirty := set, ""
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

// committed is when the commit was made that the program was built from; the zero time where it is not known.
func committed() time.Time {
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
