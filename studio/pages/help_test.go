package pages

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestHelp: the pages of help are shown, found without a script, and led to from the pages that they are about.
func TestHelp(t *testing.T) {
	h := New(Options{})
	for path, want := range map[string]string{
		"/help": "Learn it", "/help/tutorial/first-crawl": "Take it with you", "/help/howto/cluster": `<a href="#three-machines">`, "/help/howto/simulate": "/help/howto/picture/simulate.svg",
		"/help?q=repair+a+folder": `<a href="/help/howto/repair"`, "/help?q=xyzzyplugh": "No page has all of these words.", "/help?q=%3Cscript%3E": "&lt;script&gt;", "/help/howto/picture/simulate.svg": "<svg",
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != http.StatusOK || !strings.Contains(w.Body.String(), want) {
			t.Errorf("%s: %d, without %q", path, w.Code, want)
		}
	}
	for _, path := range []string{"/help/howto/nothing", "/help/howto/picture/nothing.svg"} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		if w.Code != http.StatusNotFound {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	s, err := shelf()
	if err != nil {
		t.Fatal(err)
	}
	for name, page := range helpOf {
		f := Frame{Here: "/crawls/x/" + name, Crawl: "x"}
		if _, err := s.Page(f.Help()); err != nil {
			t.Errorf("%s leads to %s, which is no page (%s)", name, f.Help(), page)
		}
	}
}
