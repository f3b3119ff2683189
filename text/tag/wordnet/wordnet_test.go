package wordnet_test

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"orbweaver/text/tag"
	"orbweaver/text/tag/wordnet"
)

// folder writes a WordNet of a few words, some files replaced.
func folder(t *testing.T, replace map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	files := map[string]string{
		"data.noun":  "  1 licence\n00000001 03 n 02 Paris 0 city_of_Light 0 001 @ 2 n 0000 | a city\n00000002 03 n 01 crawl 0 000 | x\n",
		"index.verb": "crawl v 1 0 1 0 00000003\nrun_away v 1 0 1 0 00000004\n",
		"index.adj":  "fast a 1 0 1 0 00000005\n",
		"index.adv":  "fast r 1 0 1 0 00000006\n",
		"noun.exc":   "geese goose\n", "verb.exc": "ran run\nran_away run_away\n", "adj.exc": "", "adv.exc": "best well\n",
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

func TestRead(t *testing.T) {
	got, err := wordnet.Read(folder(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	want := &tag.Dictionary{
		Words: map[string]tag.Classes{
			"paris": tag.Name, "light": tag.NamePart, "crawl": tag.Noun | tag.Verb, "fast": tag.Adjective | tag.Adverb,
		},
		Irregular: []tag.Irregular{
			{Form: "geese", Base: "goose", Class: tag.Noun}, {Form: "ran", Base: "run", Class: tag.Verb},
			{Form: "best", Base: "well", Class: tag.Adverb},
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, not %+v", got, want)
	}
}

func TestProblems(t *testing.T) {
	for _, tc := range []struct{ file, content, want string }{
		{"data.noun", "00000001 03 n\n", "data.noun:1: not a synset"},
		{"data.noun", " x\n00000001 03 n 02 a 0\n", "data.noun:2: a synset without its words"},
		{"index.verb", "crawl\n", "index.verb:1: not a line of an index"},
		{"adv.exc", "best\n", "adv.exc:1: an exception without its base"},
		{"adj.exc", strings.Repeat("x", 1<<18+1), "adj.exc:1: bufio.Scanner: token too long"},
	} {
		_, err := wordnet.Read(folder(t, map[string]string{tc.file: tc.content}))
		if err == nil || !strings.HasSuffix(err.Error(), tc.want) {
			t.Errorf("%v, not %s", err, tc.want)
		}
	}
	if _, err := wordnet.Read(t.TempDir()); !os.IsNotExist(err) {
		t.Errorf("an empty folder: %v", err)
	}
}
