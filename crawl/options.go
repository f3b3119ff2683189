package crawl

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/internal/job"
	"orbweaver/internal/kind/own"
)

// An Option says one thing of a crawl.
type Option func(*settings) error

// settings are what options say.
type settings struct {
	keys map[string]any // of a crawl file, sections as maps
	own  *own.Kind
	job  *job.Job
}

// On makes a crawl use the console and the wiring of this module's own programs. Paths in messages are as their user
// names them. It is for those programs alone: a job cannot be named outside of the module.
func On(a *job.Job) Option {
	return func(s *settings) error {
		s.job = a
		return nil
	}
}

// Set sets a key of the crawl file: a path with dots, such as "limits.requests" or "focus.keyword.terms", and a value as
// JSON has it: a string, number, bool, list or map. Durations and sizes are strings, as in a crawl file.
func Set(key string, value any) Option {
	return func(s *settings) error {
		at, parts := s.keys, strings.Split(key, ".")
		for _, part := range parts[:len(parts)-1] {
			inner, ok := at[part].(map[string]any)
			if !ok {
				if _, taken := at[part]; taken {
					return fmt.Errorf("crawl: %s: %s has a value already (%w)", key, part, orbweaver.ErrInput)
				}
				inner = map[string]any{}
				at[part] = inner
			}
			at = inner
		}
		at[parts[len(parts)-1]] = value
		return nil
	}
}

// Seeds sets where the crawl starts.
func Seeds(urls ...string) Option { return Set("seeds", urls) }

// Folder sets the crawl folder. A relative path starts in the working directory, as all paths of New.
func Folder(dir string) Option { return Set("output", dir) }

// Archive sets the web to crawl: WARC files, or folders of them, instead of the live Web.
func Archive(paths ...string) Option { return Set("web.archive", paths) }

// Requests sets after how many requests the crawl is over.
func Requests(n int64) Option { return Set("limits.requests", n) }

// Contact sets the URL or e-mail address that is sent with every request.
func Contact(address string) Option { return Set("politeness.contact", address) }

// Focus makes the crawl follow a focus of the program's own. newFocus is called for each session, and each time a crawl at
// rest is looked at with its focus: a focus that learns is an orbweaver.Learner, and gets its state back. The name
// stands in the crawl folder, which goes on only under the same name.
func Focus(name string, newFocus func() (orbweaver.Focus, error)) Option {
	return func(s *settings) error {
		s.own = &own.Kind{Make: newFocus}
		return Set("focus.own.name", name)(s)
	}
}

// settle applies options.
func settle(options []Option) (*settings, error) {
	s := &settings{keys: map[string]any{}}
	for _, option := range options {
		if err := option(s); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// text is the crawl file that says the same, and the folder that its paths start from. JSON is YAML, too.
func (s *settings) text() (text []byte, folder string, err error) {
	if folder, err = os.Getwd(); err != nil {
		return nil, "", err
	}
	if output, ok := s.keys["output"].(string); ok {
		if s.keys["output"], err = filepath.Abs(output); err != nil {
			return nil, "", err
		}
	}
	text, err = json.Marshal(s.keys)
	return text, folder, err
}
