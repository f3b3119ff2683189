// Package logging is the log of a crawl. It writes records to standard error as plain messages, text or JSON, and to the
// crawl folder as JSON. Text from the Web is logged on one line, truncated, without control characters and passwords. A
// failure to write the log does not stop the crawl.
package logging

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"orbweaver"
	"orbweaver/internal/console"
	"orbweaver/internal/step"
	"orbweaver/weburl"
)

// The log files in the crawl folder. A full File is renamed to Before, replacing the earlier one.
const (
	File   = "log.jsonl"
	Before = "log.1.jsonl"
)

const (
	maxFile    = 10 << 20 // bytes of a file
	maxText    = 2048     // characters of a value
	maxWaiting = 1000     // records buffered before Attach
)

// Options control the output on standard error. The zero value shows plain messages and no requests.
type Options struct {
	Quiet   bool   // show nothing
	Verbose bool   // show every request
	Format  string // "text" or "json": show records of level info and above; empty: plain messages, unless Verbose
}

// Records reports whether records are shown instead of plain messages.
func (o Options) Records() bool { return !o.Quiet && (o.Verbose || o.Format != "") }

// A Log is safe for concurrent use.
type Log struct {
	*slog.Logger
	opts  Options
	out   io.Writer
	shown slog.Handler // on standard error; nil: plain messages

	mu      sync.Mutex
	waiting []slog.Record // buffered until Attach
	kept    slog.Handler  // in the crawl folder; nil before Attach
	file    *rotating
	lines   bytes.Buffer // an incomplete line
}

// New returns a log that is shown on out and not yet attached to a folder.
func New(out io.Writer, opts Options) *Log {
	l := &Log{opts: opts, out: out}
	level := slog.LevelInfo
	if opts.Verbose {
		level = slog.LevelDebug
	}
	how := &slog.HandlerOptions{Level: level, ReplaceAttr: harmless}
	switch {
	case !opts.Records():
	case opts.Format == "json":
		l.shown = slog.NewJSONHandler(out, how)
	default:
		l.shown = slog.NewTextHandler(out, how)
	}
	l.Logger = slog.New(handler{log: l})
	return l
}

// Terminal returns the writer on which the log is shown, for a progress line.
func (l *Log) Terminal() io.Writer { return l.out }

// Attach makes the log write to a folder too, including the records logged before.
func (l *Log) Attach(folder string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	level := slog.LevelInfo
	if l.opts.Verbose {
		level = slog.LevelDebug
	}
	l.file = &rotating{folder: folder}
	l.kept = slog.NewJSONHandler(l.file, &slog.HandlerOptions{Level: level, ReplaceAttr: harmless})
	for _, r := range l.waiting {
		if l.kept.Enabled(context.Background(), r.Level) {
			_ = l.kept.Handle(context.Background(), r)
		}
	}
	l.waiting = nil
}

// Close closes the log file.
func (l *Log) Close() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		l.file.close()
	}
}

// Write logs plain messages, one record per line. A line with the prefix "warning: " has level Warn.
func (l *Log) Write(text []byte) (int, error) {
	l.mu.Lock()
	l.lines.Write(text)
	var whole []string
	for {
		line, err := l.lines.ReadString('\n')
		if err != nil {
			l.lines.Reset()
			l.lines.WriteString(line)
			break
		}
		whole = append(whole, strings.TrimSuffix(line, "\n"))
	}
	l.mu.Unlock()
	for _, line := range whole {
		level := slog.LevelInfo
		rest, warns := strings.CutPrefix(line, "warning: ")
		if warns {
			level = slog.LevelWarn
		}
		if l.shown == nil && !l.opts.Quiet {
			fmt.Fprintln(l.out, weburl.Redacted(line))
		}
		l.Log(context.Background(), level, rest)
	}
	return len(text), nil
}

// Outcome logs a request: a failure at level Info, everything else at level Debug.
func (l *Log) Outcome(o orbweaver.Outcome) {
	level, msg := slog.LevelDebug, "fetched"
	attrs := []slog.Attr{slog.Int64("n", o.N), slog.String("url", o.Request.URL)}
	if o.Status != 0 {
		attrs = append(attrs, slog.Int("status", o.Status))
	}
	switch {
	case orbweaver.FailureOf(o.Err) == step.ErrSource:
		msg = "source"
	case o.Err != nil:
		level, msg = slog.LevelInfo, "failed"
		attrs = append(attrs, slog.String("error", string(orbweaver.FailureOf(o.Err))), slog.String("why", o.Err.Error()))
	case o.Redirect != "":
		msg = "redirected"
		attrs = append(attrs, slog.String("to", o.Redirect))
	default:
		attrs = append(attrs, slog.Float64("score", o.Actual.Score), slog.Bool("accepted", o.Actual.Accepted))
	}
	l.LogAttrs(context.Background(), level, msg, attrs...)
}

// A handler passes records to standard error and to the log file.
type handler struct {
	log   *Log
	attrs []slog.Attr
}

// Enabled reports whether records of a level are logged.
func (h handler) Enabled(_ context.Context, level slog.Level) bool {
	return level >= slog.LevelInfo || h.log.opts.Verbose
}

// Handle logs a record.
func (h handler) Handle(ctx context.Context, r slog.Record) error {
	r = r.Clone()
	r.AddAttrs(h.attrs...)
	l := h.log
	l.mu.Lock()
	defer l.mu.Unlock()
	var err error
	if l.shown != nil && l.shown.Enabled(ctx, r.Level) {
		err = l.shown.Handle(ctx, r)
	}
	switch {
	case l.kept != nil:
		err = errors.Join(err, l.kept.Handle(ctx, r))
	case len(l.waiting) < maxWaiting:
		l.waiting = append(l.waiting, r)
	}
	return err
}

// WithAttrs is slog.Handler's.
func (h handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return handler{h.log, append(h.attrs[:len(h.attrs):len(h.attrs)], attrs...)}
}

// WithGroup is slog.Handler's. Records of a crawl have no groups.
func (h handler) WithGroup(string) slog.Handler { return h }

// harmless takes from a value what a terminal would obey, and passwords.
func harmless(_ []string, a slog.Attr) slog.Attr {
	if a.Value.Kind() == slog.KindString {
		a.Value = slog.StringValue(console.Visible(weburl.Redacted(a.Value.String()), maxText))
	}
	return a
}

// rotating is the log file of a folder, opened on the first write. After the first error it discards all records.
type rotating struct {
	folder string
	file   *os.File
	size   int64
	broken bool
}

// Write appends a record. It rotates a full file first.
func (r *rotating) Write(record []byte) (int, error) {
	if r.broken {
		return len(record), nil
	}
	if r.file != nil && r.size+int64(len(record)) > maxFile {
		r.close()
		if err := os.Rename(filepath.Join(r.folder, File), filepath.Join(r.folder, Before)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			r.broken = true
			return 0, err
		}
	}
	if r.file == nil {
		if err := r.open(); err != nil {
			r.broken = true
			return 0, err
		}
	}
	n, err := r.file.Write(record)
	r.size += int64(n)
	r.broken = err != nil
	return n, err
}

// open opens the file for appending. It ends the last line if a killed crawl left it incomplete.
func (r *rotating) open() error {
	file, err := os.OpenFile(filepath.Join(r.folder, File), os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return errors.Join(err, file.Close())
	}
	r.file, r.size = file, info.Size()
	last := make([]byte, 1)
	if r.size > 0 {
		if _, err := file.ReadAt(last, r.size-1); err == nil && last[0] != '\n' {
			_, _ = file.WriteString("\n")
			r.size++
		}
	}
	return nil
}

func (r *rotating) close() {
	if r.file != nil {
		_ = r.file.Close()
		r.file = nil
	}
}
