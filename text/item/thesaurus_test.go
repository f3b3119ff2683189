package item

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// wordNet writes a small WordNet, with some files replaced.
func wordNet(t *testing.T, replace map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"index.noun": "  1 licence\n" +
			"car n 2 1 @ 2 1 00000001 00000002\n" + "railcar n 1 1 @ 1 0 00000002\n" +
			"automobile n 1 0 1 1 00000001\n" + "motorcar n 1 0 1 0 00000001\n" +
			"firm n 1 0 1 1 00000003\n" + "house n 2 0 2 2 00000003 00000004\n" +
			"universe n 1 0 1 0 00000005\n" + "cosmos n 1 0 1 0 00000005\n" + "university n 1 0 1 0 00000006\n" +
			"km n 1 0 1 0 00000007\n" + "kilometer n 1 0 1 1 00000007\n" + "motor_car n 1 0 1 0 00000001\n" +
			"dwelling n 1 0 1 0 00000004\n",
		"index.verb": "drive v 1 0 1 0 00000009\n",
		"index.adj":  "firm a 1 0 1 1 00000010\n" + "fast a 1 0 1 1 00000011\n" + "rapid a 1 0 1 0 00000011\n",
		"index.adv":  "fast r 1 0 1 0 00000012\n",
		"cntlist.rev": "car%1:06:00:: 1 71\ncar%1:06:01:: 2 2\nautomobile%1:06:00:: 1 15\nfirm%1:14:00:: 1 9\nfirm%3:00:00:: 1 5\n" +
			"house%1:06:00:: 1 8\nhouse%1:14:00:: 2 2\nfast%5:00:00:x:00 1 30\n",
	}
	for name, content := range files {
		if other, ok := replace[name]; ok {
			content = other
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestThesaurus(t *testing.T) {
	th, err := ReadThesaurus(wordNet(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct{ name, from, want string }{
		{"two that mean one thing", "automobil", "car"},
		{"a third", "motorcar", "car"},
		{"the one used most stands for all", "car", "car"},
		{"a rare sense of another", "railcar", "railcar"},
		{"two parts of speech", "firm", "firm"},
		{"two senses in use", "hous", "hous"},
		{"nobody shares its sense", "dwell", "dwell"},
		{"a stem of two meanings", "univers", "univers"},
		{"what would lead to such a stem", "cosmo", "cosmo"},
		{"abbreviations", "km", "km"},
		{"an adjective beside a rare adverb", "rapid", "fast"},
		{"a word that is not there", "unheard", "unheard"},
	} {
		if got := th.fold(tc.from); got != tc.want {
			t.Errorf("%s: %s, not %s", tc.name, got, tc.want)
		}
	}
	s := NewState(Options{Thesaurus: th})
	a, b := s.Take(read("the automobile; the car")), s.Take(read("a motorcar"))
	if len(a.Terms) != 1 || len(b.Terms) != 1 || a.Terms[0].ID != b.Terms[0].ID {
		t.Errorf("%v, %v", a.Terms, b.Terms)
	}
	var r Reader
	if other := s.Take(r.Read("motorcar", "", "de")); other.Terms[0].ID == a.Terms[0].ID {
		t.Error("only English has synonyms")
	}
}

func TestNoThesaurus(t *testing.T) {
	for _, folder := range []string{"", filepath.Join(t.TempDir(), "none")} {
		if th, err := ReadThesaurus(folder); th != nil || err != nil || th.fold("word") != "word" {
			t.Errorf("%q: %v, %v", folder, th, err)
		}
	}
	if _, err := ReadThesaurus(t.TempDir()); !os.IsNotExist(err) {
		t.Errorf("a folder without a WordNet: %v", err)
	}
}

func TestThesaurusProblems(t *testing.T) {
	for _, tc := range []struct{ file, content, want string }{
		{"cntlist.rev", "car%1:06:00:: 1\n", "cntlist.rev:1: no sense with its uses"},
		{"cntlist.rev", "car%9:06:00:: 1 2\n", "cntlist.rev:1: no sense with its uses"},
		{"cntlist.rev", "car 1 2\n", "cntlist.rev:1: no sense with its uses"},
		{"index.noun", " x\ncar n\n", "index.noun:2: not a line of an index"},
		{"index.noun", "car n 99 1 @ 2 1 00000001\n", "index.noun:1: a word without its senses"},
		{"index.adv", "car r 1 0 1 1 x\n", "index.adv:1: a sense that is nowhere"},
		{"index.verb", strings.Repeat("x", maxLine+1), "index.verb:1: bufio.Scanner: token too long"},
	} {
		_, err := ReadThesaurus(wordNet(t, map[string]string{tc.file: tc.content}))
		if err == nil || !strings.HasSuffix(err.Error(), tc.want) {
			t.Errorf("%v, not %s", err, tc.want)
		}
	}
}
