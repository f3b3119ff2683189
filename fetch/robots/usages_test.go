package robots

import (
	"fmt"
	"strings"
	"testing"
)

// TestUsages: groups, paths and the longest pattern; what stands in no group is for all.
func TestUsages(t *testing.T) {
	u := ParseUsages([]byte("Content-Signal: search=yes # all\nUser-agent: GPTBot\nUser-Agent: CCBot/2.0\nDisallow: /\nContent-Usage: train-ai=n\n\n" +
		"User-agent: *\nContent-Usage: train-ai=y\ncontent-usage : /press/ train-ai=n\nContent-Usage: /press/ search=n\nAllow: /\nContent-Signal: ai-train=no, search=yes\nContent-Usage: /x\n"))
	if got := fmt.Sprint(u.Named()); got != "[* ccbot gptbot]" {
		t.Errorf("named %s", got)
	}
	for path, want := range map[string]string{
		"/":        "content-signal * search=yes; content-usage ccbot gptbot train-ai=n; content-usage * train-ai=y; content-signal * ai-train=no, search=yes",
		"/press/1": "content-signal * search=yes; content-usage ccbot gptbot train-ai=n; content-usage * train-ai=n; content-usage * search=n; content-signal * ai-train=no, search=yes",
	} {
		var got []string
		for _, l := range u.For(path) {
			got = append(got, l.Field+" "+strings.Join(l.Agents, " ")+" "+l.Value)
		}
		if all := strings.Join(got, "; "); all != want {
			t.Errorf("%s: %s", path, all)
		}
	}
	var none *Usages
	if none.For("/") != nil || none.Named() != nil || !Match("/a/*.jpg", "/a/b.jpg") || Match("/a/$", "/a/b") {
		t.Error("nothing, and patterns")
	}
}

// FuzzUsages: no input panics, and numbers are bounded.
func FuzzUsages(f *testing.F) {
	f.Add("User-agent: *\nContent-Usage: /a train-ai=n\nContent-Signal: ai-train=no", "/a")
	f.Add("content-usage: /*$ x=y\r\nuser-agent:\xff\ncontent-signal", "/%zz?*")
	f.Fuzz(func(t *testing.T, body, path string) {
		u := ParseUsages([]byte(body))
		for _, l := range u.For(path) {
			if l.Value == "" || len(l.Agents) == 0 || len(l.Agents) > maxNamed {
				t.Errorf("%+v", l)
			}
		}
	})
}
