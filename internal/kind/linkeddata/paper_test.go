package linkeddata

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"orbweaver/focus/linkeddata"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
)

// load reads a crawl file with a section.
func load(t *testing.T, section, rest string) (*crawlfile.Crawl, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "f.yaml")
	text := "seeds: http://a.test/\nfocus: {linked_data: {" + section + "}}\n" + rest
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return crawlfile.Schema{Kind{}}.Load(path)
}

// TestPaperMode: mode: paper sets every key and sitemaps; printed and read again it is the same.
func TestPaperMode(t *testing.T) {
	c, err := load(t, "mode: paper", "")
	if err != nil {
		t.Fatal(err)
	}
	s := c.Focus.Section().(*section)
	for _, one := range append(s.settings(), s.readings()...) {
		if one.now() != one.value {
			t.Errorf("%s is %s", one.key, one.now())
		}
	}
	b, _ := s.beyond()
	if c.Sitemaps != "off" || b != (linkeddata.Beyond{}) {
		t.Errorf("sitemaps %s, %+v", c.Sitemaps, b)
	}
	instance, err := Kind{}.New(t.Context(), s, &kind.Env{})
	if err != nil {
		t.Fatal(err)
	}
	instance.Close()
	printed, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "crawl.yaml")
	if err := os.WriteFile(path, printed, 0o666); err != nil {
		t.Fatal(err)
	}
	again, err := crawlfile.Schema{Kind{}}.Load(path)
	if err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	if !reflect.DeepEqual(again.Focus.Section(), c.Focus.Section()) {
		t.Errorf("read again\n%s", printed)
	}
}

// TestPaperContradicted: a key that contradicts mode: paper is an error that names both; a reading is not.
func TestPaperContradicted(t *testing.T) {
	for _, tc := range []struct{ section, rest, want string }{
		{"mode: paper, hr: paper, rerank: false, learned: arrived", "sitemaps: off\n", ""},
		{"mode: paper, vocabularies: off, rdf_links: triples, match: letters", "", ""},
		{"mode: paper, method: non_focused", "", ""},
		{"mode: paper, method: non_focused, keep_n: true", "", ""},
		{"mode: default, well_known: false", "sitemaps: all\n", ""},
		{"mode: paper, hr: embedded", "", "focus.linked_data.hr: embedded contradicts mode: paper, which has hr: paper"},
		{"mode: paper, rerank: true", "", "focus.linked_data.rerank: true contradicts mode: paper, which has rerank: false"},
		{"mode: paper, classifier: online", "", "focus.linked_data.classifier: online contradicts"},
		{"mode: paper, method: pld", "", "focus.linked_data.method: pld contradicts"},
		{"mode: paper, method: non_focused, keep_n: false", "", "focus.linked_data.keep_n: false contradicts"},
		{"mode: paper, keep_n: true", "", "focus.linked_data.keep_n: true contradicts"},
		{"mode: paper", "sitemaps: all\n", "focus.linked_data.mode: paper reads no sitemaps, and the file has sitemaps: all"},
		{"mode: theirs", "", "focus.linked_data.mode: "},
	} {
		_, err := load(t, tc.section, tc.rest)
		switch {
		case tc.want == "" && err != nil:
			t.Errorf("%s: %v", tc.section, err)
		case tc.want != "" && (err == nil || !strings.Contains(err.Error(), tc.want) || strings.Contains(err.Error(), "\n")):
			t.Errorf("%s: %v, want %s", tc.section, err, tc.want)
		}
	}
}
