package labelmodel

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/realdata"
	"orbweaver/internal/tier"
	"orbweaver/kb/stream"
)

// sentence returns a pseudo-random document about one of three subjects.
func sentence(seed uint64) string {
	subjects := [][]string{
		strings.Fields("kites bridle spar tail wind line sail reel knot keel beach gust ribbon frame paper glue"),
		strings.Fields("soups onion carrot broth stove ladle pot salt pepper bowl spoon leek barley parsley bean cream"),
		strings.Fields("boats anchor rudder harbour oar deck mast hull tide buoy pier rope crew hatch cabin winch"),
	}
	r := rand.New(rand.NewPCG(seed, 11))
	words := subjects[r.IntN(3)]
	chosen := []string{words[0]}
	for range 4 {
		chosen = append(chosen, words[1+r.IntN(len(words)-1)])
	}
	return fmt.Sprintf("The %s and the letter number %d.", strings.Join(chosen, " and the "), seed)
}

// put writes a file.
func put(t testing.TB, folder, name, content string) string {
	t.Helper()
	path := filepath.Join(folder, name)
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// lineStream writes a file of documents with the seeds of a range.
func lineStream(t testing.TB, folder, name string, from, to uint64) string {
	t.Helper()
	var b strings.Builder
	for seed := from; seed < to; seed++ {
		fmt.Fprintf(&b, "{\"id\":\"d%d\",\"text\":%q,\"date\":\"2020-01-%02d\"}\n", seed, sentence(seed), 1+seed%28)
	}
	return put(t, folder, name, b.String())
}

// trained runs a training.
func trained(ctx context.Context, job Training) (out, messages string, err error) {
	var o, e bytes.Buffer
	err = Train(ctx, &console.Console{Out: &o, Err: &e}, job)
	return o.String(), e.String(), err
}

// must runs a training that must succeed.
func must(t *testing.T, job Training) (out, messages string) {
	t.Helper()
	out, messages, err := trained(t.Context(), job)
	if err != nil {
		t.Fatalf("%v\n%s", err, messages)
	}
	return out, messages
}

// digestOf returns the digest of the model in a folder.
func digestOf(t *testing.T, dir string) string {
	t.Helper()
	m, _, err := Open(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	return m.Digest()
}

// TestSameModel: the model and its log depend neither on the number of readers nor on interruptions.
func TestSameModel(t *testing.T) {
	folder := t.TempDir()
	one, two := lineStream(t, folder, "a.jsonl", 0, 90), lineStream(t, folder, "b.jsonl", 80, 150) // ten are repeated
	whole := filepath.Join(folder, "whole")
	out, messages := must(t, Training{Stream: []string{one, two}, Out: whole, Workers: 1})
	want := digestOf(t, whole)
	if !strings.Contains(out, want) || !strings.Contains(out, "items       150") || !strings.Contains(messages, "150 documents, 10 repeated") {
		t.Errorf("%s%s", out, messages)
	}
	many := filepath.Join(folder, "many")
	must(t, Training{Stream: []string{one, two}, Out: many, Workers: 7})
	halves := filepath.Join(folder, "halves")
	must(t, Training{Stream: []string{one}, Out: halves, Workers: 3, Resume: true})
	put(t, halves, stream.DriftFile, string(content(t, filepath.Join(halves, stream.DriftFile)))+"{\"item\": 99") // torn
	if _, messages := must(t, Training{Stream: []string{one, two}, Out: halves, Workers: 2, Resume: true}); !strings.Contains(messages, "150 documents, 10 repeated") {
		t.Error(messages)
	}
	for _, dir := range []string{many, halves} {
		if digestOf(t, dir) != want {
			t.Errorf("%s is another model", dir)
		}
		if !bytes.Equal(content(t, filepath.Join(dir, stream.DriftFile)), content(t, filepath.Join(whole, stream.DriftFile))) {
			t.Errorf("%s: other changes", dir)
		}
	}
	if out, _ := must(t, Training{Stream: []string{one, two}, Out: whole, Resume: true}); !strings.Contains(out, want) {
		t.Errorf("nothing new: %s", out)
	}
}

func content(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// stopper ends a context when the n-th document is read.
type stopper struct {
	n    int
	stop func()
}

func (s *stopper) Write(b []byte) (int, error) {
	if s.n--; s.n == 0 {
		s.stop()
	}
	return len(b), nil
}

// TestInterrupted: an interruption at any moment leaves a complete model, and resuming gives the model of
// an uninterrupted run.
func TestInterrupted(t *testing.T) {
	folder := t.TempDir()
	var paths []string
	for i := range 40 { // each malformed line is reported, which triggers the stop
		paths = append(paths, put(t, folder, fmt.Sprintf("%02d.jsonl", i), fmt.Sprintf("{\"text\":%q}\nbad\n{\"text\":%q}\n", sentence(uint64(2*i)), sentence(uint64(2*i+1)))))
	}
	whole := filepath.Join(folder, "whole")
	must(t, Training{Stream: paths, Out: whole})
	for _, n := range []int{1, 7, 20} {
		dir := filepath.Join(folder, fmt.Sprint("stopped", n))
		ctx, stop := context.WithCancel(t.Context())
		err := Train(ctx, &console.Console{Out: io.Discard, Err: &stopper{n, stop}}, Training{Stream: paths, Out: dir, Workers: 2})
		stop()
		if !errors.Is(err, console.ErrInterrupted) {
			t.Errorf("stopped at %d: %v", n, err)
		}
		if stream.Has(dir) {
			if m, _, err := Open(dir, ""); err != nil || m.Labels.Items() == 0 || m.Labels.Items() == 80 {
				t.Errorf("stopped at %d: %v", n, err)
			}
		}
		must(t, Training{Stream: paths, Out: dir, Resume: true})
		if digestOf(t, dir) != digestOf(t, whole) {
			t.Errorf("stopped at %d: another model", n)
		}
	}
}

// TestOddDocuments: empty, overlong, repeated, foreign-language and wordless documents are counted.
func TestOddDocuments(t *testing.T) {
	folder := t.TempDir()
	german := "Der Drachen steigt an der langen Leine in den Wind, und die Kinder schauen ihm auf der Wiese mit grossen Augen nach."
	long := sentence(1) + strings.Repeat(" The wind blows over the sea and the sand is in all our shoes.", maxText/60)
	english := "The kite rises on its line into the wind, and the children look after it on the meadow with their great eyes."
	path := put(t, folder, "odd.jsonl", fmt.Sprintf(`{"id":"1","text":%q}
{"id":"2","text":"  "}

{"id":"3","text":%q}
{"id":"4","text":%q}
{"id":"5","text":%q}
{"id":"6","text":"12 34 5"}
{"id":7}
not JSON
`, english, german, long, english))
	dir := filepath.Join(folder, "m")
	_, messages := must(t, Training{Stream: []string{path}, Out: dir})
	for _, want := range []string{
		"3 documents", "1 of them in another language than most (en)", "1 of them too long and cut", "1 without text", "1 repeated",
		"1 without a usable term", "2 not readable", "odd.jsonl:8: ", "odd.jsonl:9: ",
	} {
		if !strings.Contains(messages, want) {
			t.Errorf("%q is missing in %s", want, messages)
		}
	}
	if _, messages := must(t, Training{Stream: []string{path}, Out: filepath.Join(folder, "fr"), Lang: "fr"}); strings.Contains(messages, "another language") {
		t.Error(messages)
	}
}

// TestBadTraining: no documents, invalid options, foreign folders, a different stream.
func TestBadTraining(t *testing.T) {
	folder := t.TempDir()
	good := lineStream(t, folder, "good.jsonl", 0, 30)
	model := filepath.Join(folder, "model")
	must(t, Training{Stream: []string{good}, Out: model})
	old := filepath.Join(folder, "old")
	put(t, old, stream.HeadFile, strings.Replace(string(content(t, filepath.Join(model, stream.HeadFile))), `"version": 1`, `"version": 7`, 1))
	diary := filepath.Join(folder, "diary")
	put(t, diary, "x.txt", "mine")
	empty := put(t, folder, "empty.jsonl", "\n{\"text\":\"\"}\n")
	fresh := filepath.Join(folder, "fresh")
	for _, tc := range []struct {
		name string
		job  Training
		want error
		says string
	}{
		{"an empty stream", Training{Stream: []string{empty}, Out: fresh}, orbweaver.ErrInput, "no document to learn from: 0 documents, 1 without text"},
		{"an empty folder", Training{Stream: []string{t.TempDir()}, Out: fresh}, orbweaver.ErrInput, "no document"},
		{"nothing is there", Training{Stream: []string{"/nowhere/a", "/nowhere/b"}, Out: fresh}, orbweaver.ErrInput, "nowhere/b"},
		{"no stream", Training{Out: fresh}, orbweaver.ErrInput, "no file or folder"},
		{"one term", Training{Stream: []string{good}, Out: fresh, Terms: 1}, orbweaver.ErrInput, "terms 1"},
		{"no WordNet", Training{Stream: []string{good}, Out: fresh, WordNet: "/nowhere"}, orbweaver.ErrInput, "/nowhere"},
		{"a model is there", Training{Stream: []string{good}, Out: model}, orbweaver.ErrForeign, "--resume"},
		{"a model of another version", Training{Stream: []string{good}, Out: old, Resume: true}, orbweaver.ErrInput, "version 7"},
		{"a folder of something else", Training{Stream: []string{good}, Out: diary}, orbweaver.ErrForeign, "x.txt"},
		{"another stream", Training{Stream: []string{lineStream(t, folder, "c.jsonl", 50, 90)}, Out: model, Resume: true}, orbweaver.ErrInput, "another stream"},
		{"less of the stream", Training{Stream: []string{lineStream(t, folder, "d.jsonl", 0, 20)}, Out: model, Resume: true}, orbweaver.ErrInput, "20 compared"},
		{"other options", Training{Stream: []string{good}, Out: model, Resume: true, Terms: 7, HalfLife: 9, WordNet: ""}, orbweaver.ErrInput, "--half-life 0"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			before := digestOf(t, model)
			_, _, err := trained(t.Context(), tc.job)
			if !errors.Is(err, tc.want) || !strings.Contains(fmt.Sprint(err), tc.says) {
				t.Errorf("%v, want %q", err, tc.says)
			}
			if _, err := os.Stat(fresh); err == nil || digestOf(t, model) != before {
				t.Error("something was written")
			}
		})
	}
}

// TestFolderInUse: a second process cannot learn into the folder meanwhile.
func TestFolderInUse(t *testing.T) {
	folder := t.TempDir()
	job := Training{Stream: []string{lineStream(t, folder, "s.jsonl", 0, 30)}, Out: filepath.Join(folder, "m"), Resume: true}
	for range 2 { // without and with an existing model
		one := &training{job: job}
		if err := one.own(); err != nil {
			t.Fatal(err)
		}
		if _, _, err := trained(t.Context(), job); !errors.Is(err, orbweaver.ErrBusy) {
			t.Errorf("two at once: %v", err)
		}
		if err := one.unlock(); err != nil {
			t.Error(err)
		}
		must(t, job)
	}
}

// TestReutersStream: the real stream is learned in order of dates, within bounds of time and memory, and
// its labels fit the news.
func TestReutersStream(t *testing.T) {
	tier.Long(t, "learns 19 000 stories")
	path := realdata.File(t, "reuters-21578.tar.gz")
	s, err := newSource(&console.Console{Err: io.Discard}, []string{path})
	if err != nil {
		t.Fatal(err)
	}
	n, bodies, days := 0, 0, map[string]bool{}
	var last document
	folder := t.TempDir()
	var b strings.Builder
	for d, err := range s.documents(t.Context()) {
		if err != nil || d.At.Before(last.At) || d.At.Year() != 1987 {
			t.Fatalf("%v: %s of %v after %s of %v", err, d.ID, d.At, last.ID, last.At)
		}
		if last, n = d, n+1; d.Text == "" {
			continue
		}
		if bodies++; bodies <= 3000 {
			days[d.At.Format("2006-01-02")] = true
			fmt.Fprintf(&b, "{\"id\":%q,\"title\":%q,\"text\":%q,\"date\":%q,\"lang\":\"en\"}\n", d.ID, d.Title, d.Text, d.At.Format("2006-01-02"))
		}
	}
	if n != 21578 || bodies != 19043 || len(days) < 5 {
		t.Errorf("%d stories, %d with a body, the first 3000 of %d days", n, bodies, len(days))
	}
	dir := filepath.Join(folder, "m")
	must(t, Training{Stream: []string{put(t, folder, "part.jsonl", b.String())}, Out: dir})
	m, _, err := Open(dir, "")
	if err != nil {
		t.Fatal(err)
	}
	for _, label := range []string{"oil", "interest rates", "OPEC", "coffee"} {
		if _, _, ok := m.Find(label); !ok {
			t.Errorf("%s is not a label", label)
		}
	}
}
