package eval

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/step"
)

func TestSuggestionsOfACrawlReport(t *testing.T) {
	evil := "http://x.example/$(reboot)';`id`\u202e"
	all := []orbweaver.Suggestion{
		{ID: "1a2b", Kind: orbweaver.SuggestWord, Text: "air show", Entity: "http://x.example/ns#Airplane", Count: 12, Error: 2, On: 0.125, Off: 0.01, Examples: []string{"http://a/", "javascript:alert(1)", hostile, "http://fourth/"}},
		{ID: "3c4d", Kind: orbweaver.SuggestPair, Text: "Airline and Airport", Entity: "http://x.example/Airline", Other: evil, Count: 7},
		{ID: "5e6f", Kind: orbweaver.SuggestWord, Text: hostile, Count: 1},
	}
	for i := range 30 {
		all = append(all, orbweaver.Suggestion{ID: fmt.Sprint("more", i), Text: "more"})
	}
	report := strings.ReplaceAll(crawlReport(t, CrawlFacts{Folder: "my crawls/a", Suggestions: all}, nil), "#ZgotmplZ", "")
	selfContained(t, strings.NewReplacer("src=x&gt;", "", "src=x%3e", "").Replace(report))
	for _, want := range []string{"pages: 12, perhaps 2 fewer; on 12.5 % of the pages about the topic and 1.0 % of the others", "most often near <bdi>http://x.example/ns#Airplane</bdi>", "are often near each other",
		"<pre>orbweaver suggestions accept &#39;my crawls/a&#39; 1a2b --as entry &#39;http://x.example/ns#Airplane&#39;</pre>", `href="http://a/"`,
		"5e6f --as entry ENTITY</pre>", "Suggestions not shown: 13."} {
		if !strings.Contains(report, want) {
			t.Errorf("the report has no %q", want)
		}
	}
	if got, want := acceptCommand(all[1], ""), "orbweaver suggestions accept DIR 3c4d --as property http://x.example/Airline 'http://x.example/$(reboot)'\\'';`id`\ufffd'"; got != want {
		t.Errorf("command %s, want %s", got, want)
	}
	if strings.Contains(report, "fourth") || strings.Contains(report, "more17") || !strings.Contains(report, "more16") {
		t.Error("more is shown than is promised, or less")
	}
}

func TestRefusedOfACrawlReport(t *testing.T) {
	facts := RefusedFacts([]step.Refused{
		{Reason: step.RefusedScope, Links: 10, Rules: []step.Tally{{Name: "exclude b", Links: 6}, {Name: "exclude c", Links: 3}}, Examples: []string{"http://b/"}, Best: 0.75, BestURL: "http://b/x"},
		{Reason: step.RefusedNoFollow, Links: 5, Examples: []string{"http://n/"}},
		{Reason: hostile, Links: 2, Rules: []step.Tally{{Name: hostile, Links: 2}}, Examples: []string{hostile}},
	})
	if got := fmt.Sprint(facts[:4]); got != "[{out-of-scope exclude b 6 [http://b/] the best predicted 0.750: http://b/x (widen scope)} {out-of-scope exclude c 3 [] } {out-of-scope  1 [] } {nofollow  5 [http://n/] }]" {
		t.Errorf("facts %s", got)
	}
	for i := range 15 {
		facts = append(facts, RefusedFact{step.RefusedRobots, fmt.Sprint("Disallow: /", i), 2, []string{"http://r/"}, ""})
	}
	report := crawlReport(t, CrawlFacts{Refused: facts}, nil)
	selfContained(t, strings.ReplaceAll(report, "src=x&gt;", ""))
	text := regexp.MustCompile(`<[^>]*>`).ReplaceAllString(report, " ")
	text = strings.Join(strings.Fields(text), " ")
	for _, want := range []string{"out-of-scope the crawl file’s scope excludes it; the best predicted 0.750: http://b/x (widen scope) examples http://b/ 10 exclude b 6 exclude c 3 nofollow the page it stands on asks so examples http://n/ 5",
		"robots robots.txt forbids it examples http://r/", "30 Disallow: /0 2", "Disallow: /9 2 5 more 10"} {
		if !strings.Contains(text, want) {
			t.Errorf("the report has no %q", want)
		}
	}
	if n := strings.Count(report, "<div><bdi>http://r/"); n != 2*shownExamples {
		t.Errorf("%d examples of one reason", n)
	}
}
