package delivery

import (
	"context"
	"errors"
	"fmt"

	"orbweaver"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/sinks"
	"orbweaver/sink"
	"orbweaver/sink/folder"
)

// Open returns the sinks of a crawl file; only: the one of a name. It reads secrets, and reaches nothing. The error wraps ErrInput.
func Open(path string, file *crawlfile.Crawl, w wire.Wire, only string) ([]Target, error) {
	var all []Target
	var errs []error
	for i, name := range sinks.Names(file.Sinks) {
		s := &file.Sinks[i]
		if only != "" && only != name {
			continue
		}
		to, err := open(file, s, w)
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: sinks[%d]: %w", path, i+1, err))
			continue
		}
		all = append(all, Target{Name: name, Sink: to, To: s.To(), Behind: s.Behind})
	}
	if len(all)+len(errs) == 0 && only != "" {
		errs = append(errs, fmt.Errorf("%s has no sink %q: it has %v (%w)", path, only, sinks.Names(file.Sinks), orbweaver.ErrInput))
	}
	if err := errors.Join(errs...); err != nil {
		return nil, errors.Join(err, Close(all))
	}
	return all, nil
}

func open(file *crawlfile.Crawl, s *sinks.Sink, w wire.Wire) (sink.Sink, error) {
	switch {
	case s.Folder != nil && s.Folder.Format == "jsonl":
		return folder.NewLines(s.Folder.Path), nil
	case s.Folder != nil:
		return folder.NewMarkdown(s.Folder.Path), nil
	}
	return nil, fmt.Errorf("kind %s: %w", s.Kind(), orbweaver.ErrInput)
}

// Check tries each sink. The error names all that cannot be delivered to.
func Check(ctx context.Context, targets []Target) error {
	var errs []error
	for _, t := range targets {
		if err := t.Sink.Check(ctx); err != nil {
			errs = append(errs, fmt.Errorf("sink %s: %w", t.Name, err))
		}
	}
	return errors.Join(errs...)
}

// Close closes sinks.
func Close(targets []Target) error {
	var errs []error
	for _, t := range targets {
		errs = append(errs, t.Sink.Close())
	}
	return errors.Join(errs...)
}
