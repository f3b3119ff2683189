package eval

import (
	"bufio"
	"compress/gzip"
	"errors"
	"io"
	"net/textproto"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"orbweaver/internal/realdata"

	"orbweaver/internal/tier"
	"orbweaver/ledger"
)

// document is a page of the archive, read as plainly as its template allows.
type document struct {
	url   string
	links []string
}

func readArchive(t *testing.T, path string) []document {
	t.Helper()
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unzipped, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	href := regexp.MustCompile(`<a href="([^"]+)"`)
	in := textproto.NewReader(bufio.NewReaderSize(unzipped, 1<<16))
	var all []document
	for {
		line, err := in.ReadLine()
		if errors.Is(err, io.EOF) {
			return all
		}
		if err != nil {
			t.Fatal(err)
		}
		if line != "WARC/1.1" {
			continue
		}
		header, err := in.ReadMIMEHeader()
		if err != nil {
			t.Fatal(err)
		}
		length, err := strconv.Atoi(header.Get("Content-Length"))
		if err != nil {
			t.Fatal(err)
		}
		block := make([]byte, length)
		if _, err := io.ReadFull(in.R, block); err != nil {
			t.Fatal(err)
		}
		if header.Get("Warc-Type") != "response" {
			continue
		}
		base, err := url.Parse(header.Get("Warc-Target-Uri"))
		if err != nil {
			t.Fatal(err)
		}
		d := document{url: base.String()}
		for _, m := range href.FindAllSubmatch(block, -1) {
			if to, err := base.Parse(strings.ReplaceAll(string(m[1]), "&amp;", "&")); err == nil {
				to.Fragment = ""
				d.links = append(d.links, to.String())
			}
		}
		all = append(all, d)
	}
}

// TestWikispeedia compares the floor and the ceiling on a real web with their published figures.
func TestWikispeedia(t *testing.T) {
	tier.Long(t, "reads the whole of wikispeedia")
	pages := readArchive(t, realdata.File(t, "wikispeedia.warc.gz"))
	web, links := NewWeb(), map[string][]string{}
	for _, p := range pages {
		web.Add(p.url, 200, "", p.links)
		links[p.url] = p.links
	}
	web.Freeze()
	var seeds []string
	for _, name := range []string{"Culture", "Science", "History", "Geography", "Technology"} {
		seeds = append(seeds, "http://wikispeedia.test/wiki/"+name+".html")
	}
	reachable := web.Reachable(seeds)
	if web.Documents() != 4598 || reachable.Len() != 4055 {
		t.Errorf("%d documents, %d reachable, want 4598 and 4055", web.Documents(), reachable.Len())
	}
	asIs := func(url string) (string, error) { return url, nil }
	for _, tc := range []struct {
		topics           []string
		reachable        int
		breadthFirst     []int // after 230, 460 and 920 requests
		oracleIsDoneWith int
	}{
		{[]string{"subject.IT", "subject.People.Computing"}, 82, []int{4, 6, 9}, 100},
		{[]string{"subject.Citizenship.Politics_and_government", "subject.People.Political", "subject.People.USA_Pres"}, 184, []int{10, 28, 44}, 230},
	} {
		truth, err := LoadTopics(realdata.File(t, "wikispeedia-topics.tsv"), tc.topics, asIs)
		if err != nil {
			t.Fatal(err)
		}
		if n := reachable.Relevant(truth); n != tc.reachable {
			t.Errorf("%s: %d relevant can be reached, want %d", tc.topics, n, tc.reachable)
		}
		floor := crawlBy(seeds, links, nil, truth, tc.reachable).Points([]int{230, 460, 920})
		for i, want := range tc.breadthFirst {
			if floor[i].Relevant != want {
				t.Errorf("%s: breadth-first finds %d in %d, want %d", tc.topics, floor[i].Relevant, floor[i].Requests, want)
			}
		}
		ceiling := crawlBy(seeds, links, web.Distances(truth), truth, tc.reachable).Points([]int{tc.oracleIsDoneWith})[0]
		if ceiling.Recall() != 1 {
			t.Errorf("%s: an oracle's recall in %d requests is %v", tc.topics, ceiling.Requests, ceiling.Recall())
		}
	}
}

// crawlBy makes 1000 requests: what is nearest to something relevant first (without distances all is
// equally near), and of equals what was found first.
func crawlBy(seeds []string, links map[string][]string, away *Distances, truth Truth, reachable int) *Curve {
	var waiting []string
	seen := map[string]bool{}
	propose := func(urls []string) {
		for _, url := range urls {
			if !seen[url] {
				seen[url] = true
				waiting = append(waiting, url)
			}
		}
	}
	distance := func(url string) int {
		if away == nil {
			return 0
		}
		if d, ok := away.Distance(url); ok {
			return d
		}
		return 99
	}
	propose(seeds)
	curve := NewCurve(truth, reachable)
	for len(waiting) > 0 && curve.Requests() < 1000 {
		next, nearest := 0, 100
		for i, url := range waiting {
			if d := distance(url); d < nearest {
				next, nearest = i, d
			}
			if nearest == 0 {
				break
			}
		}
		url := waiting[next]
		waiting = append(waiting[:next], waiting[next+1:]...)
		line := ledger.Line{URL: url, Status: 200}
		to, ok := links[url]
		if !ok {
			line.Status = 404
		}
		curve.Add(line)
		if away != nil {
			away.Found(url)
		}
		propose(to)
	}
	return curve
}
