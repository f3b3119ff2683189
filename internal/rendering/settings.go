package rendering

import (
	"fmt"

	"orbweaver/weburl"
)

// Settings are the section render of a crawl file: which pages a browser renders, and what it does on them.
type Settings struct {
	When    string   `yaml:"when" default:"never" oneof:"never|empty|auto|always" doc:"never: render no page. empty: HTML pages that have scripts and hardly any text without them. auto: those, and pages of which the crawl learns that scripts change what they say: by host, by their scripts and by the form of their URLs. always: every HTML page."`
	Browser string   `yaml:"browser" as:"file" type:"path" doc:"The browser's executable. Default: the first Chromium or Chrome on PATH."`
	Pages   int      `yaml:"pages" default:"0" min:"0" max:"1000000000" doc:"With auto: pages that are rendered, at most. 0: no limit."`
	Actions []Action `yaml:"actions" type:"list of sections" doc:"What is done on a page once it is loaded, in this order. Each has one of scroll and click. An element that is not there, or not visible, is no failure."`
}

// An Action is something that a person would do on a page to see all of it.
type Action struct {
	On     string `yaml:"on" type:"pattern" doc:"The URLs of the pages, in the patterns of scope. Default: every rendered page."`
	Scroll int    `yaml:"scroll" default:"0" min:"0" max:"1000" doc:"Times that the page is scrolled to its end, as long as it grows."`
	Click  string `yaml:"click" type:"CSS selector" doc:"An element to click on, such as the button of a consent banner, or load more."`
	Times  int    `yaml:"times" default:"1" min:"1" max:"1000" doc:"Clicks at most, as long as the element is there."`
}

// Renders reports whether any page may be rendered.
func (s *Settings) Renders() bool { return s.When != "never" }

// Check reports what is wrong: the key, relative to render and counted from 1, and the problem.
func (s *Settings) Check(problem func(key, message, hint string)) {
	for i, a := range s.Actions {
		key := fmt.Sprintf("actions[%d]", i+1)
		if (a.Scroll > 0) == (a.Click != "") {
			problem(key, "needs one of scroll and click", "write {scroll: 10} or {click: button.more, times: 5}")
		}
		if a.On == "" {
			continue
		}
		if _, err := weburl.CompileScope([]string{a.On}, nil, nil); err != nil {
			problem(key+".on", err.Error(), "")
		}
	}
	if s.When != "auto" && s.Pages > 0 {
		problem("pages", "is a budget of when: auto", "")
	}
	if s.When == "never" && len(s.Actions) > 0 {
		problem("actions", "are done on rendered pages, and render.when is never", "write when: auto")
	}
}
