package render

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// leftovers returns the command lines of processes that name a folder.
func leftovers(t *testing.T, folder string) (lines []string) {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("processes are found in /proc")
	}
	all, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range all {
		line, err := os.ReadFile(path) // an error: it just ended
		if err == nil && bytes.Contains(line, []byte(folder)) {
			lines = append(lines, path+": "+strings.ReplaceAll(string(line), "\x00", " "))
		}
	}
	return lines
}

// found returns a path that is there, or "".
func found(path string) string {
	if _, err := os.Lstat(path); err != nil {
		return ""
	}
	return path
}

func TestEnvironment(t *testing.T) {
	t.Setenv("http_proxy", "http://proxy.example:3128")
	t.Setenv("SECRET_TOKEN", "s3cret")
	t.Setenv("HOME", "/home/somebody")
	env := environment("/folder")
	for _, forbidden := range []string{"proxy", "s3cret", "somebody"} {
		if slices.ContainsFunc(env, func(v string) bool { return strings.Contains(v, forbidden) }) {
			t.Errorf("%q in %q", forbidden, env)
		}
	}
	if !slices.Contains(env, "HOME=/folder") || !slices.Contains(env, "PATH="+os.Getenv("PATH")) {
		t.Errorf("%q", env)
	}
}

func TestOutput(t *testing.T) {
	o := &output{ended: make(chan struct{})}
	if o.String() != "" {
		t.Errorf("%q", o.String())
	}
	for range 3 {
		if n, err := o.Write(bytes.Repeat([]byte("x"), maxOutput/2)); n != maxOutput/2 || err != nil {
			t.Error(n, err)
		}
	}
	if got := o.String(); got != "\n"+strings.Repeat("x", maxOutput) {
		t.Errorf("%d bytes", len(got))
	}
}
