package external

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"orbweaver"
	focus "orbweaver/focus/external"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/services/wire"
)

// TestMain makes the test binary be a judge: BINARY judge MANNER.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "judge" {
		judge(os.Args[2])
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// judge reads pages and answers them, in one of several manners.
func judge(manner string) {
	in := bufio.NewReader(os.Stdin)
	switch manner {
	case "greets":
		fmt.Println("loading the model …")
	case "dies at once":
		fmt.Fprint(os.Stderr, "a long story\nno model here\n")
		os.Exit(3)
	case "never reads":
		hang()
	case "floods":
		for {
			fmt.Println("noise")
		}
	case "long line":
		fmt.Println(strings.Repeat("x", focus.MaxLine+1))
		select {}
	case "leaves a child":
		child := exec.Command("sleep", "1000") // it has the standard output of the judge
		child.Stdout = os.Stdout
		if child.Start() != nil {
			os.Exit(4)
		}
		fmt.Fprintf(os.Stderr, "child %d", child.Process.Pid)
		os.Exit(3)
	}
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		var p struct{ ID, URL string }
		if json.Unmarshal([]byte(line), &p) != nil {
			os.Exit(5)
		}
		answers(manner, p.ID, p.URL, line)
	}
}

// answers writes the answer to one page.
func answers(manner, id, url, line string) {
	poison := strings.Contains(url, "poison")
	switch {
	case manner == "echo":
		fmt.Print(line)
	case manner == "wrong id":
		fmt.Println(`{"id":"somebody","score":0.5}`)
	case manner == "NaN" && poison:
		fmt.Printf("{\"id\":%q,\"score\":NaN}\n", id)
	case manner == "dies" && poison:
		os.Exit(1)
	case manner == "hangs" && poison:
		hang()
	case manner == "error" && poison:
		fmt.Printf("{\"id\":%q,\"error\":\"I cannot read this\"}\n", id)
	case manner == "twice":
		fmt.Printf("{\"id\":%q,\"score\":0.5}\n{\"id\":%q,\"score\":0.9}\n", id, id)
	default:
		fmt.Printf("{\"id\":%q,\"score\":0.5,\"class\":%q}\n", id, url)
	}
}

// judging returns the section of a judge that is this test binary.
func judging(t *testing.T, manner string) *section {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &section{Command: []string{binary, "judge", manner}, Dir: t.TempDir(), Timeout: time.Minute}
}

// askerOf returns an asker of a program, with records in a folder.
func askerOf(t *testing.T, f *section, folder string) *asker {
	t.Helper()
	a := newAsker(16, false)
	a.via = newProgram(f)
	var err error
	if a.own, err = openStore(folder); err != nil {
		t.Fatal(err)
	}
	return a
}

// hang waits until the process is killed. An empty select would end it: nothing else runs.
func hang() {
	r, w, err := os.Pipe()
	if err == nil {
		_, err = io.Copy(io.Discard, r)
	}
	panic(fmt.Sprint(w, err))
}

func question(name string) *focus.Question {
	return focus.NewQuestion(&orbweaver.Page{URL: "http://p.test/" + name, Title: name}, true)
}

// askAll asks about pages, all at once.
func askAll(t *testing.T, a *asker, names ...string) []focus.Answer {
	t.Helper()
	all := make([]focus.Answer, len(names))
	var work sync.WaitGroup
	for i, name := range names {
		work.Go(func() {
			var err error
			if all[i], err = a.Ask(context.Background(), question(name)); err != nil {
				t.Error(name, err)
			}
		})
	}
	work.Wait()
	return all
}

// names are n pages, of which the third is poison.
func names(n int) (all []string) {
	for i := range n {
		all = append(all, fmt.Sprint("page", i))
	}
	all[2] = "poison"
	return all
}

// TestManners: whatever a judge does, each page has an answer or says why it has none, and the good pages have one where
// the judge gives it.
func TestManners(t *testing.T) {
	for _, tc := range []struct {
		manner string
		silent time.Duration // 0: a minute; short where the judge never answers
		good   string        // what the other pages lack; empty: nothing
		poison string
	}{
		{"good", 0, "", ""},
		{"greets", 0, "", ""},
		{"twice", 0, "", ""},
		{"NaN", 0, "", "the judge's line is no answer: no JSON object: invalid character 'N'"},
		{"dies", 0, "", "the judge ended: exit status 1"},
		{"error", 0, "", "the judge says: I cannot read this"},
		{"hangs", 5 * time.Second, "", "the judge was silent for 5s"},
		{"echo", 0, "score: is missing", "score: is missing"},
		{"wrong id", 0, `the judge's line is no answer: id "somebody" is of no page`, `id "somebody"`},
		{"dies at once", 0, "no model here|left alone", "no model here|left alone"},
		{"never reads", 50 * time.Millisecond, "the judge was silent for 50ms|left alone", "silent|left alone"},
		{"floods", 0, "more than 100 lines that are no JSON objects|left alone", "lines|left alone"},
		{"long line", 0, "a line of more than 1048576 bytes|left alone", "bytes|left alone"},
	} {
		t.Run(tc.manner, func(t *testing.T) {
			t.Parallel()
			f := judging(t, tc.manner)
			if tc.silent > 0 {
				f.Timeout = tc.silent
			}
			a := askerOf(t, f, t.TempDir())
			pages := names(12)
			got := askAll(t, a, pages...)
			for i, answer := range got {
				want := tc.good
				if pages[i] == "poison" {
					want = tc.poison
				}
				if !lacks(answer, want) {
					t.Errorf("%s: %+v, want %q", pages[i], answer, want)
				}
				if kept, ok, err := a.Recorded(question(pages[i]).Key); err != nil || !ok || !reflect.DeepEqual(kept, answer) {
					t.Errorf("%s: recorded %+v, %v, %v", pages[i], kept, ok, err)
				}
			}
			if err := a.close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// lacks reports whether an answer lacks what it is to: one of several texts, separated by |.
func lacks(a focus.Answer, want string) bool {
	if want == "" {
		return a.Lack == "" && a.Score == 0.5
	}
	for one := range strings.SplitSeq(want, "|") {
		if strings.Contains(a.Lack, one) {
			return true
		}
	}
	return false
}

// TestTheRecordsAnswer: what was asked once is not asked again, by another judge neither; a page without an answer keeps
// that too.
func TestTheRecordsAnswer(t *testing.T) {
	folder, pages := t.TempDir(), names(5)
	a := askerOf(t, judging(t, "dies"), folder)
	first := askAll(t, a, pages...)
	if err := a.close(); err != nil {
		t.Fatal(err)
	}
	b := askerOf(t, &section{Command: []string{"/nowhere/judge"}}, folder)
	if again := askAll(t, b, pages...); !reflect.DeepEqual(first, again) {
		t.Errorf("\n%+v then\n%+v", first, again)
	}
	if fresh := askAll(t, b, "new")[0]; !strings.Contains(fresh.Lack, "the judge cannot run: fork/exec /nowhere/judge") || !fresh.Down {
		t.Errorf("%+v", fresh)
	}
	if err := b.close(); err != nil {
		t.Fatal(err)
	}

	earlier, err := readStore(folder)
	if err != nil {
		t.Fatal(err)
	}
	other := t.TempDir()
	c := askerOf(t, &section{Command: []string{"/nowhere/judge"}}, other)
	c.earlier = earlier
	if again := askAll(t, c, pages...); !reflect.DeepEqual(first, again) {
		t.Errorf("of an earlier crawl: %+v", again)
	}
	if err := c.close(); err != nil {
		t.Fatal(err)
	}
	d := askerOf(t, &section{Command: []string{"/nowhere/judge"}}, other) // it has a copy
	if again := askAll(t, d, pages...); !reflect.DeepEqual(first, again) {
		t.Errorf("the copy: %+v", again)
	}
	if err := d.close(); err != nil {
		t.Fatal(err)
	}
	if _, err := readStore(t.TempDir() + "/none"); err == nil {
		t.Error("answers where there are none")
	}
}

// TestTheEndOfASession: questions that wait when the session ends get no answer and leave no record.
func TestTheEndOfASession(t *testing.T) {
	folder := t.TempDir()
	a := askerOf(t, judging(t, "hangs"), folder)
	asked := make(chan error)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, err := a.Ask(ctx, question("poison"))
		asked <- err
	}()
	cancel()
	if err := <-asked; err != context.Canceled {
		t.Errorf("%v", err)
	}
	go func() {
		_, err := a.Ask(context.Background(), question("poison again"))
		asked <- err
	}()
	for { // until both are on their way
		a.mu.Lock()
		n := len(a.flying)
		a.mu.Unlock()
		if n == 2 {
			break
		}
	}
	if err := a.close(); err != nil {
		t.Fatal(err)
	}
	if err := <-asked; err != errClosed {
		t.Errorf("%v", err)
	}
	b := askerOf(t, judging(t, "good"), folder)
	for _, name := range []string{"poison", "poison again"} {
		if kept, ok, err := b.Recorded(question(name).Key); ok || err != nil {
			t.Errorf("%s: recorded %+v, %v", name, kept, err)
		}
	}
	if err := b.close(); err != nil {
		t.Fatal(err)
	}
}

// TestNothingIsLeft: a judge's child that keeps its standard output open is ended too.
func TestNothingIsLeft(t *testing.T) {
	if _, err := exec.LookPath("sleep"); err != nil {
		t.Skip("there is no program sleep")
	}
	f := judging(t, "leaves a child")
	p := newProgram(f)
	line, _ := question("a").Line()
	err := p.exchange(t.Context(), [][]byte{line}, func([]byte) bool { return true })
	var pid int
	if _, after, _ := strings.Cut(fmt.Sprint(err), "child "); err != nil {
		fmt.Sscan(after, &pid)
	}
	if pid == 0 {
		t.Fatalf("%v", err)
	}
	for range 1000 { // it is ended, and may wait for its new parent to notice
		state, err := os.ReadFile(filepath.Join("/proc", fmt.Sprint(pid), "stat"))
		if err != nil || strings.Contains(string(state), ") Z ") {
			return
		}
	}
	t.Errorf("process %d is left", pid)
}

// TestOverHTTP: a service gets batches as application/jsonl and answers in any order; one that fails is no harm.
func TestOverHTTP(t *testing.T) {
	var mu sync.Mutex
	batches, broken := 0, false
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		batches++
		body, err := io.ReadAll(r.Body)
		if err != nil || r.Method != http.MethodPost || r.Header.Get("Content-Type") != mediaType || !strings.HasSuffix(string(body), "}\n") {
			t.Errorf("%s %s %v: %.100s", r.Method, r.Header, err, body)
		}
		if broken || strings.Contains(string(body), "poison") {
			w.WriteHeader(http.StatusInternalServerError)
			fmt.Fprint(w, "too hot")
			return
		}
		lines := strings.Split(strings.TrimSpace(string(body)), "\n")
		for i := range lines {
			var p struct{ ID, URL string }
			if err := json.Unmarshal([]byte(lines[len(lines)-1-i]), &p); err != nil {
				t.Error(err)
			}
			if !strings.Contains(p.URL, "forgotten") {
				fmt.Fprintf(w, "{\"id\":%q,\"score\":0.5}\n\n", p.ID)
			}
		}
	}))
	defer server.Close()
	a := newAsker(16, false)
	a.via = newService(&section{URL: server.URL, Timeout: time.Minute}, wire.Wire{}, crawlfile.Private{})
	pages := append(names(12), "forgotten")
	for i, answer := range askAll(t, a, pages...) {
		want := map[string]string{"poison": `status 500: "too hot"`, "forgotten": "not this one"}[pages[i]]
		if !lacks(answer, want) {
			t.Errorf("%s: %+v, want %q", pages[i], answer, want)
		}
	}
	if err := a.close(); err != nil {
		t.Error(err)
	}

	mu.Lock()
	broken, batches = true, 0
	mu.Unlock()
	a = newAsker(16, false)
	a.via = newService(&section{URL: server.URL, Timeout: time.Minute}, wire.Wire{}, crawlfile.Private{})
	alone := 0
	for range 30 {
		answer, err := a.Ask(t.Context(), question("x"))
		if err != nil || answer.Lack == "" {
			t.Errorf("%+v, %v", answer, err)
		}
		if answer.Unasked {
			alone++
		}
	}
	if batches != 4 || alone != 26 { // 3 failures, 16 pages of rest, one more, then 10 of 32
		t.Errorf("%d batches, left alone for %d pages", batches, alone)
	}
	if err := a.close(); err != nil {
		t.Error(err)
	}
}

// TestBusyServices: a service that is overloaded is asked again, a few times; what it says then is the answer.
func TestBusyServices(t *testing.T) {
	for _, tc := range []struct{ status, times, want int }{
		{503, 2, 3}, {429, 3, 4}, {429, 9, 4}, {500, 9, 1},
	} {
		asked := 0
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if asked++; asked <= tc.times {
				w.Header().Set("Retry-After", "0")
				w.WriteHeader(tc.status)
				return
			}
			var p struct{ ID string }
			if err := json.NewDecoder(r.Body).Decode(&p); err != nil {
				t.Error(err)
			}
			fmt.Fprintf(w, "{\"id\":%q,\"score\":0.5}\n", p.ID)
		}))
		s := newService(&section{URL: server.URL, Timeout: time.Minute}, wire.Wire{}, crawlfile.Private{})
		line, err := question("a").Line()
		if err != nil {
			t.Fatal(err)
		}
		answered := false
		err = s.exchange(t.Context(), [][]byte{line}, func([]byte) bool { answered = true; return true })
		if asked != tc.want || answered != (tc.want > tc.times) || answered == (err != nil) {
			t.Errorf("%d for %d times: asked %d times, answered %v, %v", tc.status, tc.times, asked, answered, err)
		}
		s.close()
		server.Close()
	}
}

// TestPrivateServices: a private address that the crawl file does not name is not reached.
func TestPrivateServices(t *testing.T) {
	f := &section{URL: "http://127.0.0.1:1/", Timeout: time.Minute}
	s := newService(f, wire.Wire{}, crawlfile.Private{})
	defer s.close()
	f.URL, s.url = "http://127.0.0.2:1/", "http://127.0.0.2:1/"
	if err := s.exchange(t.Context(), nil, nil); err == nil || !strings.Contains(err.Error(), string(orbweaver.ErrPrivate)) {
		t.Errorf("%v", err)
	}
}
