package notation

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"orbweaver"
)

// TestSize: sizes are read exactly, printed in the largest unit that loses nothing, and a letter that could mean two things is asked about.
func TestSize(t *testing.T) {
	for text, want := range map[string]int64{"500": 500, "10MB": 10e6, "1.5 GB": 15e8, "64 KiB": 64 << 10, "3kb": 3000, "2 tib": 2 << 40, "-1": -1, " 7 B ": 7} {
		if got, _, ok := Size(text); !ok || got != want {
			t.Errorf("%q is %d (%v), want %d", text, got, ok, want)
		}
	}
	for text, want := range map[string]string{"10M": "10MB", "4k": "4kB", "9223372036854775807 TB": "too large", "heaps": ""} {
		if got, hint, ok := Size(text); ok || !strings.Contains(strings.ToLower(hint), strings.ToLower(want)) {
			t.Errorf("%q is %d, with the hint %q", text, got, hint)
		}
	}
	for bytes, want := range map[int64]string{0: "0B", 999: "999B", 1000: "1kB", 1500: "1500B", 2e6: "2MB", 1 << 10: "1024B", 3e12: "3TB"} {
		if got := PrintSize(bytes); got != want {
			t.Errorf("%d is printed as %s, want %s", bytes, got, want)
		}
		if back, _, ok := Size(PrintSize(bytes)); !ok || back != bytes {
			t.Errorf("%d is read again as %d", bytes, back)
		}
	}
}

// TestDuration: durations need units; days are hours.
func TestDuration(t *testing.T) {
	for text, want := range map[string]time.Duration{"1h30m": 90 * time.Minute, "250ms": 250 * time.Millisecond, "0": 0} {
		if got, _, ok := Duration(text); !ok || time.Duration(got) != want {
			t.Errorf("%s is %v (%v)", text, time.Duration(got), ok)
		}
	}
	for text, want := range map[string]string{"30": "30s", "2d": "48h", "soon": "", "1.5d": ""} {
		if _, hint, ok := Duration(text); ok || !strings.Contains(hint, want) {
			t.Errorf("%s: %v, with the hint %q", text, ok, hint)
		}
	}
	for d, want := range map[time.Duration]string{time.Hour: "1h", 90 * time.Minute: "1h30m", 30 * time.Second: "30s", time.Hour + time.Second: "1h0m1s", 0: "0s"} {
		if got := PrintDuration(d); got != want {
			t.Errorf("%v is printed as %s, want %s", d, got, want)
		}
	}
}

// TestNearest: a slip is understood, another word is not guessed.
func TestNearest(t *testing.T) {
	words := []string{"archive", "per_host", "politeness", "seeds"}
	for written, want := range map[string]string{"archvie": "archive", "per-host": "per_host", "Politness": "politeness", "seed": "seeds", "zebra": "", "a": "", strings.Repeat("s", 41): ""} {
		if got := Nearest(written, words); got != want {
			t.Errorf("%s: %q, want %q", written, got, want)
		}
	}
	if a, b := distance("ab", "ba"), distance("", "abc"); a != 1 || b != 3 {
		t.Errorf("a swap costs %d, three letters %d", a, b)
	}
	if got := Alternatives([]string{"a", "b", "c"}); got != "a, b or c" {
		t.Error(got)
	}
}

// TestPath: the home folder is expanded, the environment is refused, and a link does not lead out of a folder.
func TestPath(t *testing.T) {
	home, folder := t.TempDir(), t.TempDir()
	t.Setenv("HOME", home)
	if got, problem, _ := Path("~/webs/a"); problem != "" || got != filepath.Join(home, "webs", "a") {
		t.Errorf("%s, %s", got, problem)
	}
	for _, path := range []string{"${HOME}/x", "$HOME/x", "~other/x"} {
		if got, problem, hint := Path(path); problem == "" || hint == "" {
			t.Errorf("%s is %s", path, got)
		}
	}
	if got, problem, _ := Path("price$/a~b"); problem != "" || got != "price$/a~b" {
		t.Errorf("%s, %s", got, problem)
	}
	folder, err := filepath.EvalSymlinks(folder)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(home, filepath.Join(folder, "out")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	for path, want := range map[string]bool{"new/deep": true, "../x": false, "out/x": false, ".": true} {
		if got := Within(filepath.Join(folder, path), folder); got != want {
			t.Errorf("%s within: %v", path, got)
		}
	}
}

// TestReadable: what is missing or of the wrong kind is said, by what it is read as.
func TestReadable(t *testing.T) {
	folder := t.TempDir()
	file := filepath.Join(folder, "a.ttl")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		path, as string
		wrong    bool
	}{
		{file, "", false}, {folder, "", true}, {file + "x", "", true}, {folder, "archives", false}, {file, "archives", false},
		{folder, "written", true}, {file + "x", "written", false}, {file, "folder", true}, {folder, "folder", false}, {file + "x", "folder", false},
	} {
		if problem, _ := Readable(tc.path, tc.as, "f.yaml"); problem != "" != tc.wrong {
			t.Errorf("%s as %q: %q", tc.path, tc.as, problem)
		}
	}
}

// TestFloat: shares may be percentages, nothing else is.
func TestFloat(t *testing.T) {
	if n, ok := Float("2.5 %", true); !ok || math.Abs(n-0.025) > 1e-15 {
		t.Error(n, ok)
	}
	for _, text := range []string{"NaN", "+Inf", "1e999", "", "x"} {
		if n, ok := Float(text, true); ok {
			t.Errorf("%q is %v", text, n)
		}
	}
	if n, ok := Float("2%", false); ok {
		t.Error(n)
	}
}

// TestProblems: problems of the main file come first, each file's by line, the rest is counted; passwords are hidden.
func TestProblems(t *testing.T) {
	all := Problems{{File: "b.yaml", Line: 1, Msg: "b"}, {File: "m.yaml", Line: 9, Msg: "late"}, {File: "m.yaml", Line: 2, Key: "seeds[1]", Msg: "http://u:secret@h.test/ is none", Hint: "mend it"}}
	got := all.InOrder("m.yaml")
	if got[0].Line != 2 || got[1].Line != 9 || got[2].File != "b.yaml" {
		t.Errorf("%+v", got)
	}
	if line := got[0].String(); !strings.HasPrefix(line, "m.yaml:2: seeds[1]: http://") || !strings.HasSuffix(line, " is none (mend it)") || strings.Contains(line, "secret") {
		t.Error(line)
	}
	if !errors.Is(got, orbweaver.ErrInput) {
		t.Error("no bad input")
	}
	many := Problems(nil)
	for i := range MaxProblems + 7 {
		many = append(many, Problem{File: "m.yaml", Line: i + 1, Msg: "x"})
	}
	if last := many.InOrder("m.yaml"); len(last) != MaxProblems+1 || !strings.Contains(last[MaxProblems].Msg, "7 more") {
		t.Errorf("%d problems, the last %+v", len(last), last[len(last)-1])
	}
}

// TestQuoted: what YAML could read otherwise is in quotes.
func TestQuoted(t *testing.T) {
	for text, want := range map[string]string{"Boeing_747": "Boeing_747", "http://h.test/a": "http://h.test/a", "../a/b.ttl": "../a/b.ttl", "no": `"no"`, "": `""`, "12": `"12"`, "a: b": `"a: b"`, "x:": `"x:"`, ".nan": `".nan"`, "é": `"é"`} {
		if got := Quoted(text); got != want {
			t.Errorf("%q is written as %s, want %s", text, got, want)
		}
	}
	if got := WithoutUser("http://u:p@proxy.test:8080/?k=v#f"); got != "http://proxy.test:8080/" {
		t.Error(got)
	}
	if a, b := Bracketed("urn:x:y"), Bracketed("http://h.test/"); a != "<urn:x:y>" || b != "http://h.test/" {
		t.Error(a, b)
	}
	if !Secretive("X-API-Key") || Secretive("Accept-Language") {
		t.Error("secretive names")
	}
}
