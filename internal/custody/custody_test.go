package custody

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/apptest/toy"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/kind/kindtest"
	"orbweaver/ledger"
)

// with is a report of faults that are to be repaired in some ways.
func with(ways ...mend) *Report {
	r := &Report{}
	for _, how := range ways {
		r.fault(how, "f", "broken")
	}
	return r
}

// repairing is a repair of a new folder, with files in it.
func repairing(t *testing.T, files map[string]string) *repair {
	t.Helper()
	r := &repair{dir: t.TempDir(), done: &Repaired{}, job: &job.Job{Kinds: kind.Registry{kindtest.Kind{}}}}
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(r.path(name)), 0o777); err != nil {
			t.Fatal(err)
		}
		toy.Put(t, r.dir, name, text)
	}
	return r
}

// files are the files below a folder with their text; folders alone are not among them.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[name] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// kinds of a report's faults, by their files.
func faults(r *Report) map[string]mend {
	all := map[string]mend{}
	for _, f := range r.Faults {
		all[f.File] = f.how
	}
	return all
}

// TestLedgerFaults: what of the ledger pages.jsonl can be made from; which lines beyond the last outcome are usual.
func TestLedgerFaults(t *testing.T) {
	mark := []byte(`{"File":"x"}`)
	for _, tc := range []struct {
		name         string
		v            ledger.Verified
		want         map[string]mend
		notes        int
		known        int64
		ended, opens bool
	}{
		{"whole", ledger.Verified{Opens: true, Outcomes: 5, Lines: 5, Archive: mark, Ended: true}, map[string]mend{}, 0, 5, true, true},
		{"lines", ledger.Verified{Faults: []ledger.Fault{{File: ledger.JournalFile}}, Lines: 4, Outcomes: 5}, map[string]mend{ledger.JournalFile: fromLedger}, 0, 5, false, false},
		{"a table", ledger.Verified{Faults: []ledger.Fault{{File: "ledger/1.sst"}}, Lines: 7, Outcomes: 5}, map[string]mend{"ledger/1.sst": again}, 0, 7, false, false},
		{"the mark", ledger.Verified{Archive: []byte("{")}, map[string]mend{databaseFolder: again}, 0, 0, false, false},
		{"one line behind", ledger.Verified{Opens: true, Behind: 1}, map[string]mend{}, 1, 0, false, true},
		{"as many lines as usual", ledger.Verified{Opens: true, Behind: usualSurplus}, map[string]mend{}, 1, 0, false, true},
		{"more", ledger.Verified{Opens: true, Behind: usualSurplus + 1}, map[string]mend{databaseFolder: onward}, 0, 0, false, true},
		{"more, of a ledger that does not open", ledger.Verified{Behind: usualSurplus + 1}, map[string]mend{}, 0, 0, false, false},
	} {
		r := &Report{}
		r.ledger(&tc.v)
		if got := faults(r); !reflect.DeepEqual(got, tc.want) || len(r.Notes) != tc.notes || r.known != tc.known || r.ended != tc.ended || r.opens != tc.opens {
			t.Errorf("%s: %v, notes %q, %d known", tc.name, got, r.Notes, r.known)
		}
	}
	v, err := guarded(func() (*ledger.Verified, error) { panic("damaged") })
	if err != nil || len(v.Faults) != 1 {
		t.Errorf("a panic: %v, %v", v, err)
	}
	if v, err := guarded(func() (*ledger.Verified, error) { return nil, io.EOF }); v != nil || err != io.EOF {
		t.Errorf("an error: %v, %v", v, err)
	}
}

// TestFiles: what is wrong with single files of a crawl folder.
func TestFiles(t *testing.T) {
	const crawl = "seeds: [http://a.test/]\nfocus: {sightings: {things: {heron: 'urn:x'}}}\noutput: x\n"
	var sealed bytes.Buffer
	w, seal := crawlfolder.Sealed(&sealed)
	io.WriteString(w, "<html>")
	if err := seal(); err != nil {
		t.Fatal(err)
	}
	good := map[string]string{"crawl.yaml": crawl, "report.html": sealed.String(), "a.json": "{}", "log.jsonl": "{}\n{}\n", "x.jsonl": "{}"}
	for _, tc := range []struct {
		name, file, text string // empty: the file is missing
		how              mend
		whole            bool
	}{
		{"nothing", "y.txt", "{", 0, true},
		{"pages, which the ledger knows", "pages.jsonl", "{", 0, true},
		{"another crawl file", "crawl.yaml", crawl + "\n", fromCopy, false},
		{"no crawl file", "crawl.yaml", "", fromCopy, false},
		{"report", "report.html", "<html>" + sealed.String(), byReport, false},
		{"no report", "report.html", "", byReport, false},
		{"no JSON", "a.json", "{", lostForGood, false},
		{"lines", "x.jsonl", "{}\n{\n", lostForGood, false},
		{"lines of the log", "log.jsonl", "{\n", byLines, false},
		{"an older log", "log.2.jsonl", "x", byLines, false},
		{"aside", Aside + "/x", "x", again, false},
	} {
		in := map[string]string{}
		for name, text := range good {
			in[name] = text
		}
		if in[tc.file] = tc.text; tc.text == "" {
			delete(in, tc.file)
		}
		to := repairing(t, in)
		r := &Report{ended: true, text: []byte(crawl)}
		r.crawlFile(to.job, to.dir)
		r.report(to.dir)
		if err := r.others(to.dir); err != nil {
			t.Fatal(err)
		}
		file, _, _ := strings.Cut(tc.file, "/")
		want := map[string]mend{file: tc.how}
		if tc.whole {
			want = map[string]mend{}
		}
		if got := faults(r); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v, want %v", tc.name, r.Faults, want)
		}
	}
	to := repairing(t, map[string]string{"crawl.yaml": "seeds: 1\n"})
	r := &Report{}
	r.crawlFile(to.job, to.dir)
	r.report(to.dir) // of a crawl that is not over: there need be none
	if got := faults(r); !reflect.DeepEqual(got, map[string]mend{"crawl.yaml": lostForGood}) {
		t.Errorf("without a copy: %v", r.Faults)
	}
	r = &Report{}
	if r.crawlFile(to.job, t.TempDir()); !reflect.DeepEqual(faults(r), map[string]mend{"crawl.yaml": lostForGood}) {
		t.Errorf("without a copy and a file: %v", r.Faults)
	}
}

// TestBadLine: the first line that is no JSON, from 1.
func TestBadLine(t *testing.T) {
	for text, want := range map[string]int{"": 0, "{}\n": 0, "{}\n{}": 0, "{\n{}": 1, "{}\n{}\n{": 3, "\n": 1} {
		if n, err := badLine(toy.Put(t, t.TempDir(), "x", text)); n != want || err != nil {
			t.Errorf("%q: %d, %v", text, n, err)
		}
	}
	if _, err := badLine(filepath.Join(t.TempDir(), "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

// TestRemovals: a removal of pages that has not ended, and a list of them that cannot be read.
func TestRemovals(t *testing.T) {
	done, open := `{"patterns":["a.test"],"done":"2026-01-01T00:00:00Z"}`+"\n", `{"patterns":["a.test"]}`+"\n"
	for text, want := range map[string]map[string]mend{
		"": {}, done: {}, done + done: {}, open + done: {}, done + open: {"takedowns.jsonl": byRemoval}, "{\n": {"takedowns.jsonl": lostForGood},
	} {
		to, r := repairing(t, map[string]string{"takedowns.jsonl": text}), &Report{}
		if err := r.removals(to.dir); err != nil || !reflect.DeepEqual(faults(r), want) {
			t.Errorf("%q: %v, %v", text, err, r.Faults)
		}
		if lines := strings.Count(text, "a.test"); r.Removals != lines {
			t.Errorf("%q: %d removals", text, r.Removals)
		}
	}
}

// TestIsCrawl: any of the files that a crawl leaves makes a folder one of a crawl.
func TestIsCrawl(t *testing.T) {
	for name, want := range map[string]bool{"crawl.yaml": true, "ledger/x": true, "pages.jsonl": true, "x": false} {
		to := repairing(t, map[string]string{name: ""})
		if err := isCrawl(to.dir); (err == nil) != want || err != nil && !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s: %v", name, err)
		}
		if err := isCrawl(to.path(name)); err == nil && name != "ledger/x" {
			t.Errorf("%s: a file is a crawl folder", name)
		}
	}
}

// TestHas: a fault of a file, or of one below a folder.
func TestHas(t *testing.T) {
	r := &Report{Faults: []Fault{{File: "archive/x"}}}
	for path, want := range map[string]bool{"archive": true, "archive/x": true, "arch": false, "archive/x/y": false, "archive/": false} {
		if r.has(path) != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
}

// TestAside: what a crawl makes again is moved away once, and can be moved back whole.
func TestAside(t *testing.T) {
	old := map[string]string{"ledger/1.sst": "old", "archive/1": "old", "pages.jsonl": "old", "crawl.yaml": "kept"}
	r := repairing(t, old)
	if err := r.setAside(); err != nil {
		t.Fatal(err)
	}
	moved := map[string]string{"damaged/ledger/1.sst": "old", "damaged/archive/1": "old", "damaged/pages.jsonl": "old", "damaged/moved": "", "crawl.yaml": "kept"}
	if got := files(t, r.dir); !reflect.DeepEqual(got, moved) {
		t.Errorf("moved: %v", got)
	}
	for _, name := range []string{"pages.jsonl", "ledger"} { // a crawl that was begun again, and interrupted
		toy.Put(t, r.dir, name, "new")
	}
	if err := r.setAside(); err != nil {
		t.Fatal(err)
	}
	if got := files(t, r.dir); got["damaged/pages.jsonl"] != "old" || got["pages.jsonl"] != "new" {
		t.Errorf("moved again: %v", got)
	}
	if err := r.putBack(false); err != nil || files(t, r.dir)["pages.jsonl"] != "new" {
		t.Errorf("put back what was not moved: %v", err)
	}
	if err := r.putBack(true); err != nil {
		t.Fatal(err)
	}
	if got := files(t, r.dir); !reflect.DeepEqual(got, old) {
		t.Errorf("put back: %v", got)
	}
	part := repairing(t, map[string]string{"damaged/pages.jsonl": "old", "ledger/1.sst": "old"}) // killed while it moved
	if err := part.setAside(); err != nil || files(t, part.dir)["damaged/ledger/1.sst"] != "old" || files(t, part.dir)["damaged/pages.jsonl"] != "old" {
		t.Errorf("moved on: %v, %v", err, files(t, part.dir))
	}
	if err := repairing(t, map[string]string{Aside: "a file"}).setAside(); err == nil {
		t.Error("moved into a file")
	}
}

// TestSameLines: lines of the old pages.jsonl that can be read are those of the new one, but for a few that are damaged.
func TestSameLines(t *testing.T) {
	lines := func(n, damaged int) string {
		var b strings.Builder
		for i := range n {
			text := "a"
			if i < damaged {
				text = "b"
			}
			fmt.Fprintf(&b, `{"n":%d,"url":"%s"}`+"\n", i+1, text)
		}
		return b.String()
	}
	for _, tc := range []struct {
		name, old, now string
		same           bool
		read           int64
	}{
		{"same", lines(20, 0), lines(20, 0), true, 20},
		{"more", lines(20, 0), lines(30, 0), true, 20},
		{"a few others", lines(20, damagedLines), lines(20, 0), true, 20},
		{"too many others", lines(20, damagedLines+1), lines(20, 0), false, 20},
		{"too few", lines(20, 0), lines(20-damagedLines-1, 0), false, 20},
		{"none that can be read", "x\n{}\n{\"n\":0}\n{\"n\":1}", lines(20, 0), true, 0},
		{"all that can be read are others", "x\n" + lines(20, 20), lines(20, 0), false, 20},
		{"no old file", "", lines(20, 0), true, 0},
	} {
		r := repairing(t, map[string]string{"pages.jsonl": tc.now, "damaged/pages.jsonl": tc.old})
		if n := r.oldLines(); r.sameLines() != tc.same || n != tc.read {
			t.Errorf("%s: same %v, %d lines", tc.name, !tc.same, n)
		}
	}
	r := repairing(t, map[string]string{"damaged/pages.jsonl": lines(5, 0)})
	n := 0
	for range linesOf(r.path("damaged/pages.jsonl")) {
		if n++; n == 2 {
			break
		}
	}
	if n != 2 {
		t.Errorf("%d lines", n)
	}
}

// TestEndedAt: whether a log says that a crawl was over after so many requests, other than for time or by the user.
func TestEndedAt(t *testing.T) {
	entry := func(msg, why, key string, n int) string {
		b, _ := json.Marshal(map[string]any{"msg": msg, "why": why, "key": key, "requests": n})
		return string(b) + "\n"
	}
	for _, tc := range []struct {
		name, log string
		want      bool
	}{
		{"nothing waits", entry("ends", "nothing to do", "", 9), true},
		{"a limit", entry("ends", "limit", "limits.requests", 9), true},
		{"time", entry("ends", "limit", "limits.time", 9), false},
		{"the user", entry("ends", string(console.ErrInterrupted), "", 9), false},
		{"earlier", entry("ends", "nothing to do", "", 8), false},
		{"another entry", entry("begins", "nothing to do", "", 9), false},
		{"again", entry("ends", "nothing to do", "", 9) + "x\n" + entry("ends", string(console.ErrInterrupted), "", 9), true},
		{"empty", "", false},
	} {
		if got := endedAt(toy.Put(t, t.TempDir(), "log.jsonl", tc.log), 9); got != tc.want {
			t.Errorf("%s: %v", tc.name, got)
		}
	}
	if endedAt(filepath.Join(t.TempDir(), "none"), 9) {
		t.Error("no log")
	}
}

// TestSteps: a step repairs what is its own, and nothing that depends on the ledger while that is damaged.
func TestSteps(t *testing.T) {
	for _, tc := range []struct {
		name  string
		ways  []mend
		wants []string // steps that do something
	}{
		{"nothing", []mend{lostForGood}, nil},
		{"lines", []mend{fromLedger, again}, nil},
		{"index", []mend{fromRecords, again}, nil},
		{"report", []mend{byReport, again}, nil},
		{"crawl file", []mend{fromCopy, again}, []string{"crawl file"}},
		{"removal", []mend{byRemoval}, []string{"removal"}},
	} {
		r, c := repairing(t, nil), with(tc.ways...)
		c.text = []byte("seeds: [http://a.test/]\n")
		var did []string
		for _, step := range []struct {
			name string
			do   func() error
		}{
			{"removal", func() error { return r.removal(t.Context(), c) }}, {"crawl file", func() error { return r.crawlFile(t.Context(), c) }},
			{"lines", func() error { return r.lines(t.Context(), c) }}, {"index", func() error { return r.index(t.Context(), c) }},
			{"report", func() error { return r.report(t.Context(), c) }},
		} {
			before := len(r.done.Done) + len(r.done.Refused)
			if err := step.do(); err != nil {
				t.Errorf("%s: %s: %v", tc.name, step.name, err)
			}
			if len(r.done.Done)+len(r.done.Refused) > before {
				did = append(did, step.name)
			}
		}
		if !slices.Equal(did, tc.wants) {
			t.Errorf("%s: did %v: %+v", tc.name, did, r.done)
		}
		if text, ok := files(t, r.dir)["crawl.yaml"]; ok && text != string(c.text) {
			t.Errorf("%s: the crawl file is %q", tc.name, text)
		}
	}
	r := repairing(t, map[string]string{"log.jsonl": "{}\nx\n{\"a\":1}\n{", "x.jsonl": "x"})
	c := &Report{Faults: []Fault{{"log.jsonl", "", byLines}, {"x.jsonl", "", lostForGood}}}
	if err := r.log(t.Context(), c); err != nil || files(t, r.dir)["log.jsonl"] != "{}\n{\"a\":1}\n" || files(t, r.dir)["x.jsonl"] != "x" {
		t.Errorf("%v: %q", err, files(t, r.dir))
	}
	if want := []string{"log.jsonl without 2 lines that cannot be read"}; !slices.Equal(r.done.Done, want) {
		t.Errorf("%q", r.done.Done)
	}
	if err := r.log(t.Context(), &Report{Faults: []Fault{{"none.jsonl", "", byLines}}}); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a log that is not there: %v", err)
	}
}

// TestAgain: what cannot be crawled again says why, and moves nothing.
func TestAgain(t *testing.T) {
	const live = "seeds: [http://a.test/]\nfocus: {sightings: {things: {heron: 'urn:x'}}}\noutput: x\n"
	for _, tc := range []struct {
		name, file string
		c          *Report
		want       string // of the reason; empty: nothing is to be done
	}{
		{"another fault", live, with(fromLedger), ""},
		{"removed pages", live, &Report{Removals: 1, Faults: with(again).Faults}, "pages were removed"},
		{"removed pages, to go on", live, &Report{Removals: 1, Answers: 1, opens: true, Faults: with(onward).Faults}, "goes on from the last outcome"},
		{"no crawl file", "seeds: 1", with(again), "the crawl file cannot be read"},
		{"no archive", live, with(again), "Crawl again into another folder"},
		{"answers", live, &Report{Answers: 7, Faults: with(again, onward).Faults}, "The archive holds 7 answers"},
		{"answers and a ledger", live, &Report{Answers: 7, opens: true, Faults: with(again).Faults}, "can go on without them"},
	} {
		r := repairing(t, map[string]string{"crawl.yaml": tc.file, "pages.jsonl": "old"})
		if err := r.again(t.Context(), tc.c); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		said := strings.Join(r.done.Refused, "\n")
		if (said == "") != (tc.want == "") || !strings.Contains(said, tc.want) || len(r.done.Done) > 0 {
			t.Errorf("%s: %q", tc.name, said)
		}
		if files(t, r.dir)["pages.jsonl"] != "old" {
			t.Errorf("%s: moved: %v", tc.name, files(t, r.dir))
		}
	}
}

// TestPrint: what is whole is said to be, what is not is said with the next command, and what a repair did and did not do.
func TestPrint(t *testing.T) {
	said := func(p interface{ Print(io.Writer) }) string {
		var b bytes.Buffer
		p.Print(&b)
		return b.String()
	}
	whole, broken := &Report{Folder: "c", Requests: 2, Notes: []string{"n"}}, &Report{Folder: "c", Faults: with(again).Faults}
	for name, tc := range map[string]struct {
		said  string
		has   []string
		lacks string
	}{
		"whole":           {said(whole), []string{"c: 2 requests", "note: n", "whole: all"}, "Next"},
		"broken":          {said(broken), []string{"f: broken", "orbweaver repair c "}, "whole"},
		"nothing to do":   {said(&Repaired{Before: whole, After: whole}), []string{"c: whole, nothing to repair"}, "again"},
		"repaired":        {said(&Repaired{Before: broken, After: whole, Done: []string{"d"}}), []string{"c: 1 fault\n", "f: broken", "repaired: d", "whole again"}, "not"},
		"partly repaired": {said(&Repaired{Before: broken, After: broken, Refused: []string{"r"}}), []string{"not repaired: r"}, "whole"},
	} {
		for _, want := range tc.has {
			if !strings.Contains(tc.said, want) {
				t.Errorf("%s lacks %q:\n%s", name, want, tc.said)
			}
		}
		if strings.Contains(tc.said, tc.lacks) {
			t.Errorf("%s says %q:\n%s", name, tc.lacks, tc.said)
		}
	}
}
