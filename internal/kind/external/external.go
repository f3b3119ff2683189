// Package external is the kind of focus that leaves the judgement to a judge outside: a program that this process runs,
// or a service that it asks over HTTP. docs/howto/external.md has the protocol. The answers are recorded in the crawl folder.
package external

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	focus "orbweaver/focus/external"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
)

// A section names a judge.
type section struct {
	Command []string          `yaml:"command" as:"command" type:"list of words" doc:"The judge as a program with its arguments, as in [python3, judge.py]. It runs without a shell, from the first page to the end of the session; it reads pages as JSON lines on standard input and answers each with a JSON line on standard output (external.md). It has the environment of orbweaver."`
	URL     string            `yaml:"url" type:"URL" doc:"The judge as a service: batches of the same lines are posted to this URL as application/jsonl, and the response has the answers. A private address named here may be reached; one that its name resolves to needs allow_private. Exactly one of command and url."`
	Dir     string            `yaml:"dir" as:"folder" type:"path" doc:"The folder that the program runs in; relative paths in command are relative to it. Default: the folder of the crawl file."`
	Env     map[string]string `yaml:"env" type:"map of name to value" doc:"Variables of the program's environment, in addition to those of orbweaver. Passwords and keys belong there and not here: the crawl folder has a copy of these."`
	Batch   int               `yaml:"batch" default:"16" min:"1" max:"256" doc:"Maximum number of pages in a batch. Fewer are sent if fewer are ready: as many as workers are at work. With a budget, each page is sent by itself."`
	Timeout time.Duration     `yaml:"timeout" default:"1m" min:"10ms" max:"1h" doc:"How long the program may be silent while it owes answers, and how long the service may take for a batch. A program that is silent for longer is ended and started anew."`
	Accept  *float64          `yaml:"accept" min:"0" max:"1" doc:"Minimum score of an accepted page, for answers without accepted. Default: calibrated on the scores of the crawl's own pages (reasons.md)."`
	Links   string            `yaml:"links" default:"on" oneof:"on|off" doc:"Whether the judge sees the links of pages, with anchor texts and contexts, and may score each. Links without a score have half of their page's."`
	Calls   int64             `yaml:"calls" default:"0" min:"0" doc:"Budget: number of pages about which the judge is asked. 0: no limit. With a budget, pages are sent one by one, in the order of the crawl."`
	Time    time.Duration     `yaml:"time" default:"0s" min:"0s" doc:"Budget: total time of the judge's answers. 0s: no limit."`
	Cost    float64           `yaml:"cost" default:"0" min:"0" max:"1000000000" doc:"Budget: sum of the costs that the judge's answers name, in its own unit. 0: no limit."`
	Answers string            `yaml:"answers" as:"folder" type:"path" doc:"The folder of an earlier crawl, whose recorded answers are used before the judge is asked. With the same web, that crawl can be repeated without the judge."`
}

// Kind leaves judgement to a judge outside.
type Kind struct{ kind.Base }

// Traits are those of external.
func (Kind) Traits() crawlfile.Traits {
	return crawlfile.Traits{
		Key: "external",
		Doc: "Pages that a judge of your own accepts: a program or a service that reads pages as JSON lines and answers with scores.",
	}
}

// Section is a new section.
func (Kind) Section() any { return new(section) }

// Check sees that there is one judge, and completes its folder.
func (Kind) Check(s any, c *crawlfile.Check) {
	f := s.(*section)
	c.URL(&f.URL, "url")
	switch {
	case len(f.Command) == 0 && f.URL == "" && !c.Troubled("url"):
		c.Problem("", "names no judge", "command: [python3, judge.py], or url: http://localhost:8000/judge")
	case len(f.Command) > 0 && c.Given("url"):
		c.Problem("url", "there is a command already", "leave out one of the two: a crawl has one judge")
	case len(f.Command) > 0 && f.Command[0] == "":
		c.Problem("command", "begins with an empty word", "the first word is the program, as in [python3, judge.py]")
	}
	for _, key := range [...]string{"dir", "env"} {
		if len(f.Command) == 0 && c.Given(key) {
			c.Problem(key, "is for a command", "leave it out: a service has its own")
		}
	}
	for name := range f.Env {
		if name == "" || strings.ContainsAny(name, "=\x00") {
			c.Problem("env", console.Visible(name, 40)+" is no name of a variable", "")
		}
	}
	if len(f.Command) > 0 && f.Dir == "" {
		f.Dir = c.Folder()
	}
}

// Abilities are those of a focus that scores pages and links. A judge with a budget spends it in one place.
func (Kind) Abilities(s any) kind.Abilities {
	return kind.Abilities{Blended: true, Explored: true, Shared: s.(*section).budget() == focus.Budget{}, Learned: true}
}

// budget returns the bounds on what the judge is asked for.
func (f *section) budget() focus.Budget {
	return focus.Budget{Calls: f.Calls, Time: f.Time, Cost: f.Cost}
}

// Line names the judge.
func (Kind) Line(s any) string {
	f := s.(*section)
	return "external: " + cmp.Or(f.URL, strings.Join(f.Command, " "))
}

// New makes the focus. A judge whose program cannot be found is an error where nothing is recorded: neither in the
// crawl folder nor in the folder of answers.
func (Kind) New(_ context.Context, s any, env *kind.Env) (kind.Instance, error) {
	f := s.(*section)
	if f.URL == "" && f.Answers == "" && !begun(env.Folder) {
		if err := f.find(); err != nil {
			return nil, kind.Input(err)
		}
	}
	in := &instance{section: f, asker: newAsker(f.Batch, f.budget() != focus.Budget{})}
	if f.URL == "" {
		in.asker.via = newProgram(f)
	}
	var err error
	in.focus, err = focus.New(focus.Options{
		Source: in.asker, Accept: f.Accept, Links: f.Links == "on", Budget: f.budget(),
	})
	if err != nil {
		return nil, kind.Input(err)
	}
	in.Plain = kind.Plain{F: in.focus}
	return in, nil
}

// begun reports whether a folder has answers already; an empty one is none.
func begun(folder string) bool {
	_, err := os.Stat(filepath.Join(folder, answersFolder))
	return folder != "" && err == nil
}

// find looks for the program.
func (f *section) find() error {
	if len(f.Command) == 0 {
		return fmt.Errorf("focus.external: names no judge")
	}
	path := f.Command[0]
	if strings.ContainsRune(path, filepath.Separator) && !filepath.IsAbs(path) {
		path = filepath.Join(f.Dir, path)
	}
	if _, err := exec.LookPath(path); err != nil {
		return fmt.Errorf("focus.external.command: the judge cannot run: %w; name a program on PATH, or the path of an executable file from %s",
			err, console.Relative(f.Dir))
	}
	return nil
}
