package urllist

import (
	"fmt"
	"strings"
	"testing"
)

// TestFlaws: a flaw in the middle of a list that a program wrote loses no URL before or after it, and is counted. What a
// person wrote is refused with the line, before anything is fetched: see TestErrors.
func TestFlaws(t *testing.T) {
	jsonFlaws := []string{"{", "x", `{"url": 7}`, `{"url": "http://a.test/m"`, `["http://a.test/m"]`, `"http://a.test/m"`, "null", "{}", `{"url": null}`,
		`{"url": ""}`, `{"url": "http://[m"}`, `{"url": "mailto:m@a.test"}`, `{"url": "http://a.test/m", "status": "none"}`, `{'url': 'http://a.test/m'}`,
		`{"url": "http://a.test/\U0001F600"}`, "{\"url\": \"http://a.test/\t\"}", `{"url": "http://a.test/m",}`, "\x00\x00", "\xff\xfe", "<html>"}
	lineFlaws := []string{"x", "a", "a b", "a 2020", "a 2020 x", "-", "#", "a 2020 http://[m - 200 x x", "a 2020 - - - - -", "a 2020 http://a.test/m - none x x",
		"\x00\x00", "\xff\xfe", "<html>", " CDX N b a m s", "a 2020 mailto:m@a.test - 200 x x", "a 2020 dns:a.test - - x x", "!", "{}", "a  2020", "a\t2020"}
	for form, list := range map[string]struct {
		start, line string
		flaws       []string
	}{
		formPages: {`{"format": "json-pages-1.0"}` + "\n", `{"url": "http://a.test/%s"}`, jsonFlaws},
		formCDXJ:  {"", `test,a)/ 20200101000000 {"url": "http://a.test/%s", "status": "200"}`, append(lineFlaws[:8:8], jsonFlaws...)},
		formCDX:   {" CDX N b a m s k r\n", "test,a)/ 20200101000000 http://a.test/%s text/html 200 x x", lineFlaws},
	} {
		for _, flaw := range list.flaws {
			line := func(name string) string { return fmt.Sprintf(list.line, name) + "\n" }
			l, err := Open(write(t, "list", list.start+line("before")+line("second")+flaw+"\n"+line("after")+line("last")))
			if err != nil {
				t.Errorf("%s, %q: %v", form, flaw, err)
				continue
			}
			body, err := l.Part(0)
			got := strings.Join(body, " ")
			for _, want := range []string{"a.test/before", "a.test/second", "a.test/after", "a.test/last"} {
				if err != nil || l.Form != form || !strings.Contains(got, want) {
					t.Errorf("%s, %q: %s %s, %v", form, flaw, l.Form, got, err)
					break
				}
			}
			if told := strings.Trim(flaw, "#! ") == "" || strings.HasPrefix(flaw, " CDX"); l.LeftOut != 1 && l.URLs != 5 && !told {
				t.Errorf("%s, %q: %d left out", form, flaw, l.LeftOut)
			}
			l.Close()
		}
	}
}
