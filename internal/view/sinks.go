package view

import (
	"fmt"
	"io"
	"time"

	"orbweaver/internal/console"
	"orbweaver/internal/sinks"
)

// Sink says on a line how a sink stands.
func Sink(s sinks.State) string {
	text := fmt.Sprintf("%s, %s to %s", s.Name, console.Several(int(s.Delivered), "item"), console.Visible(s.To, 100))
	switch {
	case s.Gone:
		text += fmt.Sprintf("; it takes nothing any more, %s behind", console.Several(int(s.Behind), "page"))
	case s.Waits:
		text += fmt.Sprintf("; the crawl waits for it, %s behind", console.Several(int(s.Behind), "page"))
	case s.Behind > 0:
		text += fmt.Sprintf("; %s behind", console.Several(int(s.Behind), "page"))
	}
	if s.Error != "" {
		text += ": " + console.Visible(s.Error, 200)
	}
	if !s.Next.IsZero() && !s.Gone {
		text += ", tried again at " + s.Next.Local().Format(time.TimeOnly)
	}
	if s.Held >= time.Second {
		text += fmt.Sprintf("; waited for it for %v", s.Held.Round(time.Second))
	}
	return text
}

func printSinks(w io.Writer, all []sinks.State) {
	for _, s := range all {
		console.Say(w, "  sink        %s", Sink(s))
	}
}
