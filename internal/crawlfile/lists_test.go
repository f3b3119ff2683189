package crawlfile_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"orbweaver/internal/job"
)

// TestLists: lists are read where a crawl file names them; what is written is read again, and a list that has changed is
// refused, with the key and the file.
func TestLists(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	write := func(name, content string) {
		t.Helper()
		if err := os.WriteFile(in(name), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("urls.txt", "http://a.test/x\nhttp://a.test/y\n")
	write("sitemap.xml", "<urlset><url><loc>http://a.test/z</loc></url></urlset>")
	write("demo.warc.gz", "")
	const rest = "focus: {breadth_first: }\n"
	write("c.yaml", "seeds: {urls: [http://a.test/], list: urls.txt}\nweb: {archive: demo.warc.gz, sitemap: sitemap.xml}\n"+rest)
	schema := (&job.Job{}).Schema()
	c, err := schema.Load(in("c.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.Listed().Paths(), []string{in("urls.txt"), in("sitemap.xml")}) || !slices.Equal(c.Seeds.URLs, []string{"http://a.test/"}) {
		t.Errorf("%q, seeds %q", c.Listed().Paths(), c.Seeds.URLs)
	}
	lists, err := c.Listed().Open()
	if err != nil || len(lists.Documents()) != 2 || lists.All[0].URLs != 2 {
		t.Errorf("%v, %q", err, lists.Documents())
	}
	text, err := c.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(c.Output, 0o777); err != nil {
		t.Fatal(err)
	}
	again := filepath.Join(c.Output, "crawl.yaml")
	if err := os.WriteFile(again, text, 0o666); err != nil {
		t.Fatal(err)
	}
	ran, err := schema.LoadRun(again)
	if err != nil || len(ran.Differences(c)) > 0 || !slices.Equal(ran.Listed().Paths(), c.Listed().Paths()) {
		t.Fatalf("%v, differences %q\n%s", err, ran.Differences(c), text)
	}
	write("urls.txt", "http://a.test/x\n")
	if other, err := schema.Load(in("c.yaml")); err != nil || !slices.Equal(ran.Differences(other), []string{"seeds.digest"}) {
		t.Errorf("%v, another list differs in %q", err, ran.Differences(other))
	}
	if _, err = schema.Load(again); err == nil || !strings.Contains(err.Error(), "urls.txt has changed since this crawl began") {
		t.Error(err)
	}
	write("urls.txt", "http://a.test/x\nfoo bar\n")
	if _, err = schema.Load(in("c.yaml")); err == nil || !strings.Contains(err.Error(), "urls.txt:2: bad URL") {
		t.Error(err)
	}
	write("urls.txt", "http://a.test/x\n")
	write("c.yaml", "seeds: {list: urls.txt}\nlimits: {body: 1MB}\n"+rest)
	if _, err = schema.Load(in("c.yaml")); err == nil || !strings.Contains(err.Error(), "limits.body: is too small for a list of URLs") {
		t.Error(err)
	}
}
