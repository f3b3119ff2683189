package crawlfile_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestHomeInPaths: ~ is the home folder in every path of a crawl file, whatever the key.
func TestHomeInPaths(t *testing.T) {
	dir, home := folder(t), t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	write(t, home, "seeds.txt", "http://a.test/\n")
	write(t, home, "old.jsonl", "")
	path := write(t, dir, "f.yaml", "seeds: {file: ~/seeds.txt}\nfocus: {breadth_first: {}}\ndecisions: ~/old.jsonl\nsinks: [{folder: ~/pages}]\n"+
		"cluster: {storage: ~/kept}\noutput: ~/crawls\n")
	c, err := schema().Load(path)
	if err != nil {
		t.Fatal(err)
	}
	for got, want := range map[string]string{
		c.Seeds.File: "seeds.txt", c.Decisions: "old.jsonl", c.Sinks[0].Folder.Path: "pages", c.Cluster.Storage: "kept", c.Output: "crawls",
	} {
		if got != filepath.Join(home, want) {
			t.Errorf("%s, want %s", got, filepath.Join(home, want))
		}
	}
	if _, err := schema().Confined("f.yaml", dir, []byte("seeds: {file: ~/seeds.txt}\nfocus: {breadth_first: {}}\n")); err == nil || !strings.Contains(err.Error(), "f.yaml:1: seeds.file: leads out of ") {
		t.Errorf("in a workspace: %v", err)
	}
}

// TestPathsOfTheEnvironment: a path that names a variable, or another user's home, is refused with its line and key, and its value is
// not told.
func TestPathsOfTheEnvironment(t *testing.T) {
	dir := folder(t)
	t.Setenv("SECRET", "hidden")
	for path, want := range map[string]string{
		"${SECRET}/x":      `holds a variable of the environment: "${SECRET}/x"`,
		"s/${UNSET_HERE}":  `holds a variable of the environment: "s/${UNSET_HERE}"`,
		"$SECRET/x":        `holds a variable of the environment: "$SECRET/x"`,
		"~somebody/x":      `begins with "~somebody/x", the home of another user`,
		"./~x":             "",
		"price-$5":         "",
		"crawls/a$b":       "",
		"crawls/back~/new": "",
	} {
		text := "seeds: [http://a.test/]\nfocus: {breadth_first: {}}\noutput: '" + path + "'\n"
		_, confined := schema().Confined("f.yaml", dir, []byte(text))
		got := problemsOf(t, dir, text, false)
		if want == "" && (got != "" || confined != nil) || !strings.HasPrefix(got, "f.yaml:3: output: "+want) && want != "" {
			t.Errorf("%s: %q, want %q; %v", path, got, want, confined)
		}
		if want != "" && (confined == nil || !strings.HasPrefix(confined.Error(), "f.yaml:3: output: "+want) || strings.Contains(confined.Error(), "hidden")) {
			t.Errorf("%s in a workspace: %v", path, confined)
		}
	}
	for key, text := range map[string]string{
		"cluster.storage":          "cluster: {storage: '${HOME}/x'}\n",
		"sinks[1].folder.path":     "sinks: [{folder: '${HOME}/x'}]\n",
		"http[1].auth.bearer.file": "http: [{hosts: [a.test], auth: {bearer: {file: '${HOME}/x'}}}]\n",
		"decisions":                "decisions: ${HOME}/x\n",
		"web.archive":              "web: {archive: '${HOME}/x'}\n",
	} {
		if got := problemsOf(t, dir, "seeds: [http://a.test/]\nfocus: {breadth_first: {}}\n"+text, false); !strings.Contains(got, key) || !strings.Contains(got, "holds a variable") {
			t.Errorf("%s: %q", key, got)
		}
	}
}
