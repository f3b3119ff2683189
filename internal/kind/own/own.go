// Package own is the kind of focus that is defined by a program which uses Orbweaver as a library.
package own

import (
	"context"
	"fmt"

	"orbweaver"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/kind"
)

// A section names the focus.
type section struct {
	Name string `yaml:"name" need:"yes" doc:"Name of the focus in its program. Only a focus of the same name resumes a crawl."`
}

// Kind is the focus of a program. The zero Kind can read folders of such crawls, but has no focus.
type Kind struct {
	kind.Base
	Make func() (orbweaver.Focus, error) // a new focus each time; nil: the focus is another program's
}

// Traits are those of own.
func (Kind) Traits() crawlfile.Traits {
	return crawlfile.Traits{
		Key: "own",
		Doc: "A focus defined by a Go program that uses Orbweaver as a library (package crawl). Commands can read the folder of such a crawl; only the program can resume it.",
	}
}

// Section is a new section.
func (Kind) Section() any { return new(section) }

// Abilities are those of a focus that scores pages and links.
func (Kind) Abilities(any) kind.Abilities {
	return kind.Abilities{Blended: true, Uncompared: "own: the focus is a program's own: it can be crawled, and not compared or simulated"}
}

// Line tells its name.
func (Kind) Line(s any) string { return "own: " + s.(*section).Name }

// New makes the focus.
func (k Kind) New(_ context.Context, s any, _ *kind.Env) (kind.Instance, error) {
	if k.Make == nil {
		return nil, fmt.Errorf("focus.own: %s is the focus of another program: crawl with that (%w)", s.(*section).Name, orbweaver.ErrInput)
	}
	focus, err := k.Make()
	return kind.Built(focus, err)
}
