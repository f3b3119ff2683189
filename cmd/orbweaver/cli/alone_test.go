package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLoginsRunAlone: a crawl with a section of http is refused by several processes, with the key, before anything is requested or written.
func TestLoginsRunAlone(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "password.txt", "secret-of-the-form\n")
	write(t, "f.yaml", "seeds: [http://127.0.0.1:1/]\nfocus: {keyword: {terms: [airplane]}}\nallow_private: true\n"+
		"http: [{hosts: ['http://127.0.0.1:1'], login: {url: 'http://127.0.0.1:1/login', post: {password: {file: password.txt}}, when: a.out}}]\n")
	for _, args := range [][]string{{"--processes", "2"}} {
		status, stdout, stderr := execute(t, append([]string{"crawl", "f.yaml"}, args...)...)
		if status != exitInput || !strings.Contains(stderr, args[0]) || !strings.Contains(stderr, "http: a crawl that logs in") || strings.Contains(stdout+stderr, "secret-of-the-form") {
			t.Errorf("%v: %d\n%s%s", args, status, stdout, stderr)
		}
		if made, _ := filepath.Glob("crawls/*/*"); len(made) > 0 {
			t.Errorf("%v: there are %v", args, made)
		}
	}
	if _, err := os.Stat("f.yaml"); err != nil {
		t.Error(err)
	}
}
