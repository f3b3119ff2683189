package ongoing_test

import (
	"iter"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"

	"orbweaver"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/ongoing"
	"orbweaver/internal/saturation"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// outcomes are pages of which fewer and fewer are accepted.
func outcomes(n int) (all []orbweaver.Outcome) {
	r := rand.New(rand.NewPCG(1, 2))
	for i := range n {
		o := orbweaver.Outcome{N: int64(i + 1), Page: &orbweaver.Page{}}
		o.Actual.Accepted = r.Float64() < 40/float64(40+i)
		all = append(all, o)
	}
	return all
}

func linesOf(all []orbweaver.Outcome) iter.Seq2[ledger.Line, error] {
	return func(yield func(ledger.Line, error) bool) {
		for _, o := range all {
			if !yield(ledger.LineOf(o), nil) {
				return
			}
		}
	}
}

// TestMeter: the estimate is the same whether the outcomes are of one session or of two, of which the earlier is read when it is first asked; it is
// made anew when a fortieth more requests were made; repeated requests do not count; a meter that is closed unasked reads nothing.
func TestMeter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		all := outcomes(900)
		whole := &saturation.Curve{}
		for line := range linesOf(all) {
			whole.Add(&line)
		}
		want, ok := whole.Estimate(0, 300)
		if !ok {
			t.Fatal("nothing is estimated")
		}
		for _, before := range []int{0, 1, 33, 500, 900} {
			read := 0
			m := ongoing.NewMeter(int64(before), func() iter.Seq2[ledger.Line, error] { read++; return linesOf(all) })
			for _, o := range all[before:] {
				m.Add(o)
				o.Change = orbweaver.Changed
				m.Add(o)
			}
			got := m.Estimate(t.Context(), 300)
			if got == nil || !reflect.DeepEqual(*got, want) {
				t.Errorf("after %d: %v, want %v", before, got, want)
			}
			for _, o := range outcomes(20) {
				m.Add(o)
			}
			if again := m.Estimate(t.Context(), 1); again != got {
				t.Errorf("after %d: estimated again for 20 requests", before)
			}
			for _, o := range outcomes(20) {
				m.Add(o)
			}
			if again := m.Estimate(t.Context(), 1); again == got || again.Requests != 940 {
				t.Errorf("after %d: not estimated again for 40 requests: %v", before, again)
			}
			if m.Close(); (read == 1) != (before > 0) {
				t.Errorf("after %d: the lines were read %d times", before, read)
			}
		}
		m := ongoing.NewMeter(5, func() iter.Seq2[ledger.Line, error] { t.Error("read"); return nil })
		m.Close()
		if m.Estimate(t.Context(), 1) != nil || (*ongoing.Meter)(nil).Estimate(t.Context(), 1) != nil {
			t.Error("a closed meter estimates")
		}
	})
}

// TestStoppingOf: what the rule compares, and the history up to now.
func TestStoppingOf(t *testing.T) {
	curve := &saturation.Curve{}
	if s := ongoing.StoppingOf(.05, nil, 0, 1); s.State != ongoing.Reading {
		t.Error(s.State)
	}
	for line := range linesOf(outcomes(40)) {
		curve.Add(&line)
	}
	if s := ongoing.StoppingOf(.05, curve, 0, 100); s.State != ongoing.TooFew || s.Now != nil || s.Test != nil {
		t.Errorf("%+v", s)
	}
	curve = &saturation.Curve{}
	for line := range linesOf(outcomes(900)) {
		curve.Add(&line)
	}
	s := ongoing.StoppingOf(1e6, curve, 0, 300)
	if s.State != ongoing.Estimated || !s.Met || s.Test.Ahead != saturation.Ahead || s.Test.Fewer != 1e6 || s.Test.Expected != s.Now.Next.Mean {
		t.Errorf("%+v", s)
	}
	if s = ongoing.StoppingOf(.01, curve, 0, 300); s.Met || s.Test.Expected != s.Now.Again.Mean || s.Test.Fewer != .01*float64(s.Now.Accepted) {
		t.Errorf("%+v", s)
	}
	if last := s.History[len(s.History)-1]; last.Requests != 900 || last.Left != s.Now.Left {
		t.Errorf("the history ends with %+v, now is %+v", last, s.Now)
	}
	if s = ongoing.StoppingOf(0, curve, 0, 300); s.Test != nil || s.Met {
		t.Errorf("%+v", s)
	}
}

// TestLogins: logins of the crawl file in its order, as the session has them, without what they post.
func TestLogins(t *testing.T) {
	file := &crawlfile.Crawl{HTTP: []crawlfile.HTTP{
		{Hosts: []string{"a.example"}},
		{Hosts: []string{"b.example"}, Login: &crawlfile.Login{URL: "https://b.example/in", Post: crawlfile.Values{{Name: "password"}}, When: crawlfile.When{Selector: "a.out"}}},
		{Hosts: []string{"c.example"}, Login: &crawlfile.Login{Check: "https://c.example/me", When: crawlfile.When{Text: "Bye"}}},
	}}
	stuck := step.LoginState{State: step.LoginStuck, Login: step.Login{Number: 1, Hosts: []string{"https://c.example"}, Why: "no cookies"}}
	all := ongoing.Logins(file, []step.LoginState{stuck})
	if len(all) != 2 || all[0].Way != ongoing.WayForm || all[0].State != step.LoginUnused || all[1].Way != ongoing.WayCookies || all[1].Why != "no cookies" || all[1].Name != "https://c.example/me" {
		t.Errorf("%+v", all)
	}
	if !strings.Contains(strings.Join(all[0].For, " "), "b.example") {
		t.Errorf("%+v", all[0])
	}
}
