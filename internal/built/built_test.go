package built

import (
	"runtime/debug"
	"strings"
	"testing"
	"time"
)

// TestOf: what the linker set goes before what the go command stamped; what neither knows is empty.
func TestOf(t *testing.T) {
	stamped := func(version string, settings ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{Main: debug.Module{Version: version}}
		for i := 0; i < len(settings); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: settings[i], Value: settings[i+1]})
		}
		return info
	}
	const noon = "2026-01-01T12:00:00Z"
	for _, tc := range []struct {
		name, version, commit string
		info                  *debug.BuildInfo
		want                  string // up to the version of Go
		timed                 bool
	}{
		{"nothing", "", "", nil, "unversioned (commit unknown) ", false},
		{"the linker", "v1", "abc", stamped("v2", "vcs.revision", "def"), "v1 (commit abc) ", false},
		{"the go command", "", "", stamped("v2", "vcs.revision", "def", "vcs.modified", "true", "vcs.time", noon), "v2 (commit def, modified) ", true},
		{"not modified", "", "", stamped("v2", "vcs.modified", "false", "vcs.time", "noon"), "v2 (commit unknown) ", false},
		{"a checkout", "", "", stamped("(devel)"), "unversioned (commit unknown) ", false},
		{"a checkout, by the linker", "(devel)", "", nil, "unversioned (commit unknown) ", false},
	} {
		b := Of(tc.version, tc.commit, tc.info)
		if !strings.HasPrefix(b.String(), tc.want+"go") || (b.Time != nil) != tc.timed {
			t.Errorf("%s: %s, of %v", tc.name, b, b.Time)
		}
		if tc.timed && b.Time.Format(time.RFC3339) != noon {
			t.Errorf("%s: of %v", tc.name, b.Time)
		}
	}
	if b := This("v3", ""); b.Version != "v3" || b.Platform == "" {
		t.Errorf("%+v", b)
	}
}
