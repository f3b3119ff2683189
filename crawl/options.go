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

// An Option sets one property of a crawl.
type Option func(*settings) error

// settings collect options.
type settings struct {
	keys map[string]any // keys of a crawl file, sections as maps
	own  *own.Kind
	job  *job.Job
}

// On sets the console and the services of this module's own programs. Messages show paths as given. Programs outside the
// module cannot use it, as they cannot name a job.
func On(a *job.Job) Option {
	return func(s *settings) error {
		s.job = a
		return nil
	}
}

// Set sets a key of the crawl file. key is a path with dots, such as "limits.requests" or "focus.keyword.terms"; value is
// a JSON value: a string, number, bool, list or map. Durations and sizes are strings, as in a crawl file.
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

// Seeds sets the seed URLs.
func Seeds(urls ...string) Option { return Set("seeds", urls) }

// Folder sets the crawl folder. A relative path is relative to the working directory, as in all options.
func Folder(dir string) Option { return Set("output", dir) }

// Archive crawls WARC, ARC and WACZ files, or folders of them, instead of the live Web.
func Archive(paths ...string) Option { return Set("web.archive", paths) }

// Requests sets the maximum number of requests.
func Requests(n int64) Option { return Set("limits.requests", n) }

// Contact sets the contact URL or e-mail address, sent with every request.
func Contact(address string) Option { return Set("politeness.contact", address) }

// Focus sets a focus of the program's own. The crawl calls newFocus for each session, and for each inspection of a crawl at
// rest that needs the focus. A focus that learns implements orbweaver.Learner, which restores its state. The crawl
// folder records name; a crawl resumes only under the same name.
func Focus(name string, newFocus func() (orbweaver.Focus, error)) Option {
	return func(s *settings) error {
		s.own = &own.Kind{Make: newFocus}
		return Set("focus.own.name", name)(s)
	}
}

// settle applies all options.
func settle(options []Option) (*settings, error) {
	s := &settings{keys: map[string]any{}}
	for _, option := range options {
		if err := option(s); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// text returns the equivalent crawl file, as JSON, which is YAML too, and the folder that its paths are relative to.
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
