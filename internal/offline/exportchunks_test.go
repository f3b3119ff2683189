package offline

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver/internal/apptest"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/offline/bytepair"
	"orbweaver/internal/offline/chunk"
	"orbweaver/internal/offline/export"
)

// chunksOf exports chunks.
func chunksOf(t *testing.T, dir string, o chunk.Options) (all []export.Chunk, told string) {
	t.Helper()
	out, told, err := toy.Exported(dir, export.Options{Format: export.Chunks, Chunks: o})
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out) {
		var c export.Chunk
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	return all, told
}

// TestChunks: provenance, hints of robots.txt, and what repeats; a page that reserves is left out on demand; twice the same.
func TestChunks(t *testing.T) {
	sentence := strings.Repeat("An airliner of this kind carries passengers over long distances, and freight below them, of which this page tells. ", 6)
	page := func(title, more string) string {
		return "<html lang=en><title>" + title + "</title>" + more + "<main><h1>" + title + "</h1><p>" + title + ": " + sentence + "</p></main>"
	}
	web := toy.WebOf(t, []toy.Answer{
		{URL: "http://open.example/robots.txt", Kind: "text/plain", Body: "User-agent: CCBot\nDisallow: /b\n"},
		{URL: "http://open.example/", Body: page("First", `<link rel=license href="/cc0"><a href="/b">b</a><a href="/c">c</a>`)},
		{URL: "http://open.example/b", Body: strings.ReplaceAll(page("Second", ""), "passengers over long distances", "a crew to places that few have seen, at night")},
		{URL: "http://open.example/c", Body: strings.ReplaceAll(page("First", ""), "<p>", "<p class=x>")},
	})
	folder := t.TempDir()
	apptest.CrawlIn(t, folder, "seeds: ['http://open.example/']\nweb: {archive: "+web+"}\nfocus: {breadth_first: {}}\n")
	dir := filepath.Join(folder, "crawl")

	all, told := chunksOf(t, dir, chunk.Options{})
	if len(all) != 2 || !strings.Contains(told, "left out: 1 chunks repeat an earlier one") && !strings.Contains(told, "left out: 1 chunks nearly repeat") {
		t.Fatalf("%d chunks; %s", len(all), told)
	}
	first, second := all[0], all[1]
	if first.URL != "http://open.example/" || first.Title != "First" || first.Position != 1 || first.Of != 1 || first.Lang != "en" || first.Headings[0] != "First" ||
		!strings.HasPrefix(first.Text, "# First\n\nFirst: An airliner") || first.Tokens < 50 || first.Archive == nil || first.Archive.Length == 0 ||
		!strings.HasPrefix(first.Digest, "sha1:") || first.Fetched == "" || len(first.ID) != 32 {
		t.Errorf("%+v", first)
	}
	if len(first.Usage) != 1 || first.Usage[0].Kind != "license" || first.Usage[0].Value != "http://open.example/cc0" {
		t.Errorf("%+v", first.Usage)
	}
	if len(second.Usage) != 1 || second.Usage[0].Value != "Disallow: /b" || !second.Usage[0].Reserves {
		t.Errorf("%+v", second.Usage)
	}
	if again, _ := chunksOf(t, dir, chunk.Options{}); again[0].ID != first.ID || again[1].Text != second.Text {
		t.Error("another export differs")
	}
	if respected, told := chunksOf(t, dir, chunk.Options{Respect: true}); len(respected) != 1 || respected[0].ID != first.ID || !strings.Contains(told, "left out: 1 pages reserve") {
		t.Errorf("%+v; %s", respected, told)
	}
	if kept, _ := chunksOf(t, dir, chunk.Options{Duplicates: true}); len(kept) != 3 || kept[2].DuplicateOf != first.ID {
		t.Errorf("%+v", kept)
	}
}

// TestChunksCounted: with a vocabulary, tokens are counted by it, each line names it, and what was written is said without "about".
func TestChunksCounted(t *testing.T) {
	var ranks strings.Builder
	for b := range 256 {
		fmt.Fprintln(&ranks, base64.StdEncoding.EncodeToString([]byte{byte(b)}), b)
	}
	path := filepath.Join(t.TempDir(), "o200k_base.tiktoken")
	if err := os.WriteFile(path, []byte(ranks.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	bytes, err := bytepair.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	all, told := chunksOf(t, apptest.CrawledFor(t, ""), chunk.Options{Tokens: 1000, Counter: bytes})
	sum := 0
	for _, one := range all {
		if one.Tokens != len(one.Text) || one.Tokens > 1000 || one.Tokenizer != "o200k_base.tiktoken" { // a byte is a token
			t.Errorf("%d tokens by %s of %d bytes: %s", one.Tokens, one.Tokenizer, len(one.Text), one.ID)
		}
		sum += one.Tokens
	}
	if len(all) < 100 || !strings.Contains(told, fmt.Sprintf(" pages, %d tokens", sum)) {
		t.Errorf("%d chunks, %d tokens: %s", len(all), sum, told)
	}
}

// TestChunksOfDemo: the chunks of a crawl with its own archive are those of one without.
func TestChunksOfDemo(t *testing.T) {
	own, _ := chunksOf(t, apptest.CrawledFor(t, "archive: on\n"), chunk.Options{Tokens: 200, Overlap: 20})
	other, _ := chunksOf(t, apptest.CrawledFor(t, ""), chunk.Options{Tokens: 200, Overlap: 20})
	if len(own) != len(other) || len(own) < 100 {
		t.Fatalf("%d and %d chunks", len(own), len(other))
	}
	for i := range own {
		if own[i].ID != other[i].ID || own[i].Tokens > 210 {
			t.Errorf("chunk %d: %+v and %+v", i, own[i], other[i])
		}
	}
}
