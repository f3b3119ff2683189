package app

import (
	"orbweaver"
	"orbweaver/focus/swget"
	"orbweaver/internal/app/crawlfile"
)

// newSwget makes a focus that walks by an expression.
func newSwget(f crawlfile.Swget) (orbweaver.Focus, error) {
	focus, err := swget.New(swget.Options{
		Expression: f.Expression, From: f.From, Domains: f.Domains, MaxNodes: f.MaxNodes, MaxLevels: f.Depth,
		Prefixes: f.Prefixes, Save: f.Save,
	})
	if err != nil {
		return nil, below("focus.swget.", err)
	}
	return focus, nil
}
