package spotlight_test

import (
	"context"
	"errors"
	"math"
	"net/http"
	"reflect"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"orbweaver"
	"orbweaver/fetch/client"
	"orbweaver/fetch/spotlight"
)

const text = "Berlin, \x01\xffBerlin.\n\n \t\n\n𝔸lef and\nSão Paulo.\n\n--\n\n東京。"

func TestAnnotate(t *testing.T) {
	f, o := loopback(t)
	o.Types, o.Policy, o.Support = []string{"DBpedia:Place", "Schema:City"}, "blacklist", 7
	all, tally, err := newClient(t, o).Annotate(t.Context(), text)
	if err != nil || tally != (spotlight.Tally{Asked: 3}) {
		t.Fatalf("%+v, %v", tally, err)
	}
	if got, want := show(text, all), "0 Berlin;10 Berlin;23 𝔸lef;35 São_Paulo;52 東京;"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	want := spotlight.Resource{
		Start: 35, End: 45, URI: "http://dbpedia.org/resource/São_Paulo", Surface: "São Paulo", Types: []string{"Schema:Place", "DBpedia:Place"},
		Support: 74040, Similarity: 0.9999203720889515, Second: 7.564391175472872e-05,
	}
	if !reflect.DeepEqual(all[3], want) {
		t.Errorf("%+v", all[3])
	}
	if want := []string{"Berlin,  \ufffdBerlin.", "𝔸lef and\nSão Paulo.", "東京。"}; !reflect.DeepEqual(f.texts, want) {
		t.Errorf("asked about %q", f.texts)
	}
	if want := "confidence=0.5&policy=blacklist&support=7&text=%E6%9D%B1%E4%BA%AC%E3%80%82&types=DBpedia%3APlace%2CSchema%3ACity"; f.forms[2] != want {
		t.Errorf("form %s", f.forms[2])
	}
}

func TestNothingFound(t *testing.T) {
	_, o := loopback(t)
	for _, text := range []string{"", " \n\n—\n", "nothing is known here"} {
		if all, _, err := newClient(t, o).Annotate(t.Context(), text); err != nil || len(all) > 0 {
			t.Errorf("%q: %v, %v", text, all, err)
		}
		if all, _, err := newClient(t, o).Candidates(t.Context(), text); err != nil || len(all) > 0 {
			t.Errorf("%q: %v, %v", text, all, err)
		}
	}
}

func TestCandidates(t *testing.T) {
	_, o := loopback(t)
	o.Namespace = "http://de.dbpedia.org/resource/"
	text := "Berlin\n\n𝔸lef, Berlin"
	all, tally, err := newClient(t, o).Candidates(t.Context(), text)
	if err != nil || tally != (spotlight.Tally{Asked: 2}) {
		t.Fatalf("%+v, %v", tally, err)
	}
	one := spotlight.Candidate{
		URI: o.Namespace + "Berlin", Label: "Berlin", Types: []string{"DBpedia:Agent", "Schema:Organization"},
		Support: 7, Similarity: 0.75, Second: 0.25, Prior: 2.9e-8, Context: 0.5,
	}
	alef := one
	alef.URI, alef.Label = o.Namespace+"𝔸lef", "𝔸lef"
	want := []spotlight.Spot{
		{Start: 0, End: 6, Surface: "Berlin", Candidates: []spotlight.Candidate{one}},
		{Start: 8, End: 15, Surface: "𝔸lef", Candidates: []spotlight.Candidate{alef}},
		{Start: 17, End: 23, Surface: "Berlin", Candidates: []spotlight.Candidate{one, {URI: o.Namespace + "Other", Label: "Other"}}},
	}
	if !reflect.DeepEqual(all, want) {
		t.Errorf("%+v", all)
	}
}

func TestCallsOfAPage(t *testing.T) {
	f, o := loopback(t)
	o.Calls = 2
	text := "Berlin\n\n--\n\nBerlin.\n\nBerlin!\n\nBerlin?"
	all, tally, err := newClient(t, o).Annotate(t.Context(), text)
	if err != nil || len(all) != 2 || f.asked() != 2 || tally != (spotlight.Tally{Asked: 2, Beyond: 2}) {
		t.Errorf("%d asked; %v %+v %v", f.asked(), all, tally, err)
	}
}

// TestReplay: with the same answers kept nobody is asked, and the result is the same.
func TestReplay(t *testing.T) {
	f, o := loopback(t)
	o.Kept = &memory{all: map[string]string{}}
	live, _, err := newClient(t, o).Annotate(t.Context(), text)
	if err != nil {
		t.Fatal(err)
	}
	asked := f.asked()
	again, tally, err := newClient(t, o).Annotate(t.Context(), text)
	if err != nil || f.asked() != asked || tally != (spotlight.Tally{Kept: 3}) || !reflect.DeepEqual(live, again) {
		t.Errorf("%d asked; %v %+v %v", f.asked()-asked, again, tally, err)
	}
	o.Poster = nil
	again, _, err = newClient(t, o).Annotate(t.Context(), text)
	if err != nil || !reflect.DeepEqual(live, again) {
		t.Errorf("%v %v", again, err)
	}
	part, tally, err := newClient(t, o).Annotate(t.Context(), "Berlin, of which nobody asked\n\n"+text)
	if len(part) != len(live) || tally != (spotlight.Tally{Kept: 3, Failed: 1}) || !errors.Is(err, spotlight.ErrNotKept) || orbweaver.FailureOf(err) != orbweaver.ErrAbsent {
		t.Errorf("%v %+v %v", part, tally, err)
	}
	for _, change := range []func(*spotlight.Options){
		func(o *spotlight.Options) { o.Base = "http://127.0.0.1/de" },
		func(o *spotlight.Options) { o.Confidence = 0.4 },
		func(o *spotlight.Options) { o.Support = 1 },
		func(o *spotlight.Options) { o.Types = []string{"DBpedia:Place"} },
		func(o *spotlight.Options) { o.Policy = "blacklist" },
	} {
		other := o
		change(&other)
		if _, tally, err := newClient(t, other).Annotate(t.Context(), text); tally.Kept > 0 || !errors.Is(err, spotlight.ErrNotKept) {
			t.Errorf("%+v: %+v, %v", other.Parameters, tally, err)
		}
	}
	if _, tally, _ := newClient(t, o).Candidates(t.Context(), text); tally.Kept > 0 {
		t.Errorf("what was asked of another service answers: %+v", tally)
	}
}

// TestNotKept: what cannot be read is not kept; what cannot be kept is an error, and its resources are there.
func TestNotKept(t *testing.T) {
	f, o := loopback(t)
	m := &memory{all: map[string]string{}}
	o.Kept = m
	f.say(says(200, "application/json", `{"@text":"Berl`))
	if _, _, err := newClient(t, o).Annotate(t.Context(), "Berlin"); err == nil || len(m.all) > 0 {
		t.Errorf("kept %v, %v", m.all, err)
	}
	f.say(nil)
	m.err = errors.New("full")
	if all, tally, err := newClient(t, o).Annotate(t.Context(), "Berlin"); len(all) != 1 || tally.Failed != 1 || !errors.Is(err, m.err) {
		t.Errorf("%v %+v %v", all, tally, err)
	}
}

// TestOneAtATime: a server is asked one thing at a time, and the same thing once.
func TestOneAtATime(t *testing.T) {
	f, o := loopback(t)
	o.Kept = &memory{all: map[string]string{}}
	var busy, both atomic.Int32
	f.say(func(w http.ResponseWriter, r *http.Request) {
		if busy.Add(1) > 1 {
			both.Add(1)
		}
		defer busy.Add(-1)
		w.Write([]byte(annotated(r.PostFormValue("text"))))
	})
	c := newClient(t, o)
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			if all, _, err := c.Annotate(t.Context(), text); err != nil || len(all) != 5 {
				t.Errorf("%v, %v", all, err)
			}
		})
	}
	wait.Wait()
	if f.asked() != 3 || both.Load() > 0 {
		t.Errorf("%d calls, %d beside another", f.asked(), both.Load())
	}
}

func TestOptions(t *testing.T) {
	for _, base := range []string{"https://a.test/en", "https://a.test/en/", "https://a.test/en/annotate", "https://A.test:443/en/annotate/"} {
		_, _, err := newClient(t, spotlight.Options{Base: base}).Annotate(t.Context(), "a")
		if err == nil || err.Error() != "spotlight https://a.test/en: not-kept" {
			t.Errorf("%s: %v", base, err)
		}
	}
	wrong := spotlight.Options{
		Base: "https://me:secret@a.test/en?x=y", Calls: -1,
		Parameters: spotlight.Parameters{Confidence: math.NaN(), Support: -1, Types: []string{"a,b"}, Policy: "grey"},
	}
	_, err := spotlight.New(wrong)
	if !errors.Is(err, orbweaver.ErrInput) || strings.Contains(err.Error(), "secret") {
		t.Errorf("%v", err)
	}
	for _, problem := range []string{"password", "confidence NaN", "support -1", "a,b", "grey", "calls"} {
		if !strings.Contains(err.Error(), problem) {
			t.Errorf("nothing of %s in %v", problem, err)
		}
	}
	for _, base := range []string{"", "a.test", "ftp://a.test/"} {
		if _, err := spotlight.New(spotlight.Options{Base: base}); !errors.Is(err, orbweaver.ErrInput) {
			t.Errorf("%s: %v", base, err)
		}
	}
}

func TestGuard(t *testing.T) {
	f, o := loopback(t)
	strict := client.New(client.Options{Timeout: time.Second})
	defer strict.Close()
	o.Poster = strict
	_, _, err := newClient(t, o).Annotate(t.Context(), "Berlin")
	if !errors.Is(err, spotlight.ErrUnreached) || orbweaver.FailureOf(err) != orbweaver.ErrPrivate || f.asked() > 0 {
		t.Errorf("%d asked, %v", f.asked(), err)
	}
}

// TestCancelledInLine: who waits for others to be answered waits no longer than its context.
func TestCancelledInLine(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, o := inMemory(t)
		f.say(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
		c := newClient(t, o)
		go c.Annotate(t.Context(), "Berlin")
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begin := time.Now()
		if _, _, err := c.Annotate(ctx, "Berlin"); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Second || f.asked() != 1 {
			t.Errorf("%v after %v", err, time.Since(begin))
		}
		<-time.After(time.Minute)
	})
}

func TestCancelled(t *testing.T) {
	f, o := loopback(t)
	ctx, cancel := context.WithCancel(t.Context())
	f.say(func(w http.ResponseWriter, r *http.Request) {
		cancel()
		<-r.Context().Done()
	})
	o.Failures = 1
	c := newClient(t, o)
	if _, tally, err := c.Annotate(ctx, text); !errors.Is(err, context.Canceled) || tally.Asked != 1 {
		t.Errorf("%+v %v", tally, err)
	}
	f.say(nil)
	if all, _, err := c.Annotate(t.Context(), "Berlin"); err != nil || len(all) != 1 {
		t.Errorf("a call that we broke off counts against the server: %v", err)
	}
}
