package console

import "fmt"

// Shares returns a function that shows, on a terminal, how far each step of a long operation is, and one that takes that away again.
func (c *Console) Shares() (show func(step string, done, all int64), end func()) {
	shown := false
	show = func(step string, done, all int64) {
		if c.Terminal && all > 0 {
			fmt.Fprintf(c.Err, "\r\x1b[K%s %d %%", step, 100*done/all)
			shown = true
		}
	}
	return show, func() {
		if shown {
			fmt.Fprint(c.Err, "\r\x1b[K")
		}
	}
}
