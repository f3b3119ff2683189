package stream

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"orbweaver/kb/labels"
)

// A Drift is the log of a model's changes, in the model's folder. It is not safe for concurrent use.
type Drift struct {
	file *os.File
	out  *bufio.Writer
	log  *labels.Log
	last int64 // item of the latest changes
}

// maxLine bounds a line of the log, in bytes.
const maxLine = 1 << 20

// OpenDrift opens the log of a folder, creating it if necessary, at the state after items items. Changes of
// later items are truncated, and so is an incomplete last line.
func OpenDrift(dir string, items int64) (*Drift, error) {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, DriftFile), os.O_CREATE|os.O_RDWR, 0o666)
	if err != nil {
		return nil, err
	}
	d := &Drift{file: f, out: bufio.NewWriterSize(f, 1<<16)}
	d.log = labels.NewLog(d.out, 0)
	if err := d.cut(items); err != nil {
		return nil, errors.Join(fmt.Errorf("%s: %w", f.Name(), err), f.Close())
	}
	return d, nil
}

// cut truncates the log after the changes of items items.
func (d *Drift) cut(items int64) error {
	if _, err := d.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	d.last = 0
	in, size := bufio.NewReaderSize(d.file, maxLine), int64(0)
	for {
		line, err := in.ReadSlice('\n')
		var c struct {
			Item int64 `json:"item"`
		}
		if err != nil && err != io.EOF {
			return err
		}
		broken := json.Unmarshal(line, &c) != nil // not written by this package: it is kept
		if err == io.EOF || c.Item > items {
			break
		}
		size += int64(len(line))
		if !broken {
			d.last = c.Item
		}
	}
	if err := d.file.Truncate(size); err != nil {
		return err
	}
	_, err := d.file.Seek(size, io.SeekStart)
	return err
}

// Add appends the changes of an item. Logged changes of this or later items are truncated first: they stem
// from a run that ended in a crash.
func (d *Drift) Add(changes []labels.Change) error {
	if len(changes) == 0 {
		return nil
	}
	if item := changes[0].Item; item <= d.last {
		err := d.Flush()
		if err == nil {
			err = d.cut(item - 1)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", d.file.Name(), err)
		}
	}
	d.last = changes[0].Item
	return d.log.Add(changes)
}

// Last returns the number of the item of the latest changes, 0 if there are none.
func (d *Drift) Last() int64 { return d.last }

// Flush passes all changes to the operating system, where they survive this process.
func (d *Drift) Flush() error { return d.out.Flush() }

// Sync writes all changes to disk.
func (d *Drift) Sync() error {
	if err := d.Flush(); err != nil {
		return err
	}
	return d.file.Sync()
}

// Close closes the log.
func (d *Drift) Close() error { return errors.Join(d.Flush(), d.file.Close()) }

// CopyDrift copies the log of another folder's model, up to items items, into a folder without one. A missing
// source log is not an error.
func CopyDrift(from, dir string, items int64) error {
	in, err := os.Open(filepath.Join(from, DriftFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer in.Close()
	d, err := OpenDrift(dir, 0)
	if err != nil {
		return err
	}
	if _, err = io.Copy(d.out, in); err == nil {
		err = d.Flush()
	}
	if err == nil {
		err = d.cut(items)
	}
	return errors.Join(err, d.Close())
}
