package delivery

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/offline/export"
	"orbweaver/internal/recording"
	"orbweaver/internal/services"
	"orbweaver/internal/services/wire"
	"orbweaver/internal/sinks"
	"orbweaver/sink"
	"orbweaver/sink/bucket"
	"orbweaver/sink/folder"
	"orbweaver/sink/postgres"
	"orbweaver/sink/sqlite"
	"orbweaver/sink/webhook"
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
		to, err := open(file, s, name, w)
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

func open(file *crawlfile.Crawl, s *sinks.Sink, name string, w wire.Wire) (sink.Sink, error) {
	switch {
	case s.Folder != nil && s.Folder.Format == "jsonl":
		return folder.NewLines(s.Folder.Path), nil
	case s.Folder != nil:
		return folder.NewMarkdown(s.Folder.Path), nil
	case s.SQLite != nil:
		return sqlite.New(sqlite.Options{File: s.SQLite.File, Table: s.SQLite.Table}), nil
	case s.Postgres != nil:
		return openDatabase(s.Postgres)
	case s.S3 != nil:
		return openBucket(file, s.S3, name)
	}
	return openHook(file, s.Webhook, w)
}

func openDatabase(s *sinks.Postgres) (sink.Sink, error) {
	settings, problem, hint := s.Settings()
	if problem != "" {
		return nil, fmt.Errorf("postgres.url: %s: %s (%w)", problem, hint, orbweaver.ErrInput)
	}
	password, err := services.ReadSecret(s.Password, "postgres.password")
	return postgres.New(postgres.Options{
		Settings: settings, Password: string(password), Authorities: s.Authorities, Certificate: s.Certificate, Key: s.Key, Table: s.Table,
	}), err
}

func openBucket(file *crawlfile.Crawl, s *sinks.S3, name string) (sink.Sink, error) {
	o := bucket.Options{To: s.To, Put: filepath.Join(file.Output, sinks.Kept, name+".files.json")}
	switch {
	case s.Format == "wacz":
		o.Name, o.Temp = file.Name()+".wacz", filepath.Dir(file.Output)
		o.Pack = func(ctx context.Context, path string) error {
			silent := &console.Console{Out: io.Discard, Err: io.Discard}
			return export.Write(ctx, silent, file.Output, export.Options{Format: export.WACZ, Accepted: true, Out: path})
		}
	case !recording.Kept(file):
		return nil, fmt.Errorf("the crawl keeps no archive to put into a bucket: write archive: on, or format: wacz (%w)", orbweaver.ErrInput)
	default:
		o.Archive = crawlfolder.Archive(file.Output)
		if s.Remove {
			o.Away = func(name, at string, size int64, sha256 string) error {
				return archive.MoveAway(o.Archive, name, archive.Away{At: at, Size: size, SHA256: sha256})
			}
		}
	}
	return bucket.New(o), nil
}

func openHook(file *crawlfile.Crawl, s *sinks.Webhook, w wire.Wire) (sink.Sink, error) {
	secret, err := services.ReadSecret(s.Secret, "webhook.secret")
	if err != nil {
		return nil, err
	}
	o := webhook.Options{URL: s.URL, Crawl: file.Name(), Secret: secret, Most: s.Most}
	for _, on := range s.On {
		o.On = append(o.On, sink.Kind(on))
	}
	// The URL is the user's own, who may mean an address of this machine.
	o.Do = w.Poster(crawlfile.Private{All: true}, wire.NamedPorts(s.URL)...).Do
	return webhook.New(o), nil
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
