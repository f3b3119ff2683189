// Package built says what the program was built from.
package built

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"time"
)

// A Build is what a program was built from. What is not known is empty.
type Build struct {
	Version  string     `json:"version"`            // a tag, or what `git describe` says; "unversioned"
	Commit   string     `json:"commit,omitempty"`   // of git, in hex
	Modified bool       `json:"modified,omitempty"` // files differed from the commit
	Time     *time.Time `json:"time,omitempty"`     // of the commit
	Go       string     `json:"go"`                 // such as go1.26.0
	Platform string     `json:"platform"`           // such as linux/amd64
}

// Of returns what a program was built from. version and commit are what the linker set, empty for nothing; they go before what the go
// command stamped into info, which may be nil.
func Of(version, commit string, info *debug.BuildInfo) Build {
	b := Build{Version: version, Commit: commit, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	if info == nil {
		info = new(debug.BuildInfo)
	}
	if b.Version = cmp.Or(b.Version, info.Main.Version); b.Version == "" || b.Version == "(devel)" {
		b.Version = "unversioned"
	}
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			b.Commit = cmp.Or(b.Commit, s.Value)
		case "vcs.modified":
			b.Modified = s.Value == "true"
		case "vcs.time":
			if at, err := time.Parse(time.RFC3339, s.Value); err == nil {
				b.Time = &at
			}
		}
	}
	return b
}

// This is Of for this program.
func This(version, commit string) Build {
	info, _ := debug.ReadBuildInfo()
	return Of(version, commit, info)
}

// String is a build on one line: version, commit, Go and platform.
func (b Build) String() string {
	modified := ""
	if b.Modified {
		modified = ", modified"
	}
	return fmt.Sprintf("%s (commit %s%s) %s %s", b.Version, cmp.Or(b.Commit, "unknown"), modified, b.Go, b.Platform)
}

// At is when the commit was made that this program was built from; the zero time where it is not known.
func At() time.Time {
	if at := This("", "").Time; at != nil {
		return *at
	}
	return time.Time{}
}
