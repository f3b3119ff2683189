package eval

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"orbweaver"
)

// TestBecause: every rule of pages that docs/reference/reasons.md lists is said in words, which name its evidence.
func TestBecause(t *testing.T) {
	text, err := os.ReadFile("../docs/reference/reasons.md")
	if err != nil {
		t.Fatal(err)
	}
	_, pages, _ := strings.Cut(string(text), "## Of pages\n")
	pages, _, _ = strings.Cut(pages, "\n## ")
	rules := 0
	for row := range strings.Lines(pages) {
		cells := strings.Split(row, "|")
		if len(cells) < 3 {
			continue
		}
		for _, name := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(cells[1], -1) {
			rules++
			got := Because(orbweaver.Reason{Rule: name[1], Evidence: "EVIDENCE", Weight: 0.25})
			if strings.HasPrefix(got, name[1]+":") || name[1] != "raw" && !strings.Contains(got, "EVIDENCE") || strings.HasSuffix(got, ".") {
				t.Errorf("%s is told as %q", name[1], got)
			}
		}
	}
	if rules < 25 {
		t.Errorf("docs/reference/reasons.md lists %d rules of pages", rules)
	}
	for _, tc := range []struct {
		r    orbweaver.Reason
		want string
	}{
		{orbweaver.Reason{Rule: "entity", Evidence: "engine: engine ×2, turbofan ×2", Weight: 1}, "it names “engine”: engine ×2, turbofan ×2"},
		{orbweaver.Reason{Rule: "data", Evidence: "Airplane: [] a <u:Airplane>", Weight: 1}, "its data names “Airplane”: [] a <u:Airplane>"},
		{orbweaver.Reason{Rule: "raw", Weight: 0.0625}, "what it says of the target is worth 6.2 % of its words"},
		{orbweaver.Reason{Rule: "cosine", Evidence: "with the terms", Weight: 0.25}, "its words are like those looked for: cosine 0.25 with the terms"},
		{orbweaver.Reason{Rule: "unheard-of", Evidence: "x", Weight: 1}, "unheard-of: x"},
		{orbweaver.Reason{Rule: "unheard-of", Weight: 0.5}, "unheard-of: 0.5"},
	} {
		if got := Because(tc.r); got != tc.want {
			t.Errorf("%q, want %q", got, tc.want)
		}
	}
}
