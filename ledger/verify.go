package ledger

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"orbweaver"
	"orbweaver/internal/database"
	"orbweaver/internal/database/kv"
	"orbweaver/internal/step"
)

// A Fault is something in a ledger or its pages.jsonl that is not as it was written.
type Fault struct {
	File string // path within the crawl folder
	What string // what is wrong, and what is lost
}

// Verified is the result of Verify.
type Verified struct {
	Faults   []Fault
	Opens    bool   // the database could be read whole
	Outcomes int64  // in the ledger
	Lines    int64  // complete lines of pages.jsonl that can be read
	Waiting  int64  // requests
	Archive  []byte // the archive's mark of the last batch, in the archive's own encoding; nil: none
	Ended    bool   // the crawl is over
	File     []byte // the crawl file that the ledger keeps; nil: none
	Behind   int64  // lines of pages.jsonl that follow the last outcome, as a kill or a power cut leaves them
}

func (v *Verified) fault(file, format string, args ...any) {
	v.Faults = append(v.Faults, Fault{file, fmt.Sprintf(format, args...)})
}

// databaseFolder is the folder of the database within a crawl folder.
const databaseFolder = "ledger"

// Verify reads the ledger of a crawl folder whole, and changes nothing: every table of the database with the checksums of its
// blocks, every record of the crawl, each line of pages.jsonl against the outcome that it was written from. see is called with
// each outcome that can be read, in order. The error wraps ErrBusy while another process has the folder open, or is that of the
// context or of see.
func Verify(ctx context.Context, dir string, see func(orbweaver.Outcome) error) (v *Verified, err error) {
	v = &Verified{}
	path := filepath.Join(dir, databaseFolder)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		v.fault(databaseFolder, "the folder is missing: all that the crawl knows is lost")
		return v, v.journal(ctx, dir, nil)
	}
	o := options(0)
	o.ReadOnly, o.LazyLog = true, false
	db, err := database.Open(path, o.Options)
	if errors.Is(err, orbweaver.ErrDamaged) {
		v.damaged(dir, err)
		return v, v.journal(ctx, dir, nil)
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, database.Damage(path, db.Close())) }()
	l := &Ledger{
		db: db, state: state{Format: format, Next: 1}, records: newRecent(1), opinions: newRecent(recentOpinions), keys: newRecent(1),
		inlinks: inlinks{gone: map[int64]bool{}}, hosts: map[string]step.Account{}, changed: map[uint64]string{},
	}
	l.seen = newSeenSet(0, l.lookUp)
	return v, v.ledger(ctx, dir, l, see)
}

// damaged notes an error of the database.
func (v *Verified) damaged(dir string, err error) {
	var d interface{ Damaged() (file, why string) }
	file, why := databaseFolder, "it is damaged"
	if errors.As(database.Damage(filepath.Join(dir, databaseFolder), err), &d) {
		at, reason := d.Damaged()
		if within, err := filepath.Rel(dir, at); err == nil {
			file = within
		}
		why = reason
	}
	v.fault(file, "%s: what the crawl learned, knows and waits for is lost in part", why)
}

// ledger reads an open ledger.
func (v *Verified) ledger(ctx context.Context, dir string, l *Ledger, see func(orbweaver.Outcome) error) error {
	if err := l.load(filepath.Join(dir, databaseFolder)); err != nil {
		if errors.Is(err, orbweaver.ErrInput) {
			return err
		}
		v.damaged(dir, err)
		return v.journal(ctx, dir, nil)
	}
	v.Outcomes, v.Archive, v.Ended = l.state.N, l.state.Archive, l.state.Progress.Ended != ""
	v.File, _ = l.get([]byte{tableFile})
	if err := v.tables(ctx, l); err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		v.damaged(dir, err)
	}
	if err := v.journal(ctx, dir, l); err != nil {
		return err
	}
	for n := int64(1); n <= l.state.N; n++ {
		o, err := l.outcomeAt(n)
		if err == nil {
			err = see(o)
		} else if err = ctx.Err(); err == nil {
			v.fault(databaseFolder, "outcome %d of %d cannot be read: the page is lost to the ledger", n, l.state.N)
			break
		}
		if err != nil {
			return err
		}
	}
	v.Opens = len(v.Faults) == 0 || v.only(JournalFile)
	return nil
}

func (v *Verified) only(file string) bool {
	for _, f := range v.Faults {
		if f.File != file {
			return false
		}
	}
	return true
}

// outcomeAt returns outcome n of a ledger that is only read.
func (l *Ledger) outcomeAt(n int64) (orbweaver.Outcome, error) {
	value, err := l.get(number(tableOutcome, uint64(n)))
	if err != nil {
		return orbweaver.Outcome{}, err
	}
	d := decoding(value)
	o, err := done(&d, "outcome", d.outcome())
	if err == nil && o.N != n {
		err = fmt.Errorf("ledger: outcome %d: %w", n, orbweaver.ErrDamaged)
	}
	return o, err
}

// tables reads all records of the database.
func (v *Verified) tables(ctx context.Context, l *Ledger) error {
	it, err := l.db.NewIter(nil)
	if err != nil {
		return err
	}
	for it.First(); it.Valid() && err == nil; it.Next() {
		if err = ctx.Err(); err == nil {
			err = v.row(l, it)
		}
	}
	return errors.Join(err, it.Error(), it.Close())
}

// row checks one record.
func (v *Verified) row(l *Ledger, it kv.Iterator) error {
	value, err := it.ValueAndErr()
	if err != nil {
		return err
	}
	key, wrong := it.Key(), false
	switch key[0] {
	case tableWaiting:
		v.Waiting++
		d := decoding(value)
		_, err := done(&d, "waiting request", d.waiting(0))
		wrong = err != nil || len(key) != 9
	case tableNumber:
		wrong = len(key) != 9 || len(value) != 8 || binary.BigEndian.Uint64(value) > uint64(l.state.N)
	case tableHost:
		wrong = json.Unmarshal(value, new(step.Account)) != nil
	case tableSeen:
		wrong = len(key) != 9 || len(value) != 8 || binary.BigEndian.Uint64(value) >= l.state.Next
	case tableOpinion:
		wrong = len(key) != 9 || len(value) < 8
	}
	if wrong {
		return fmt.Errorf("ledger: a record of table %q: %w", key[0], orbweaver.ErrDamaged)
	}
	return nil
}

// journal compares pages.jsonl with the outcomes of a ledger, or reads its lines alone if l is nil.
func (v *Verified) journal(ctx context.Context, dir string, l *Ledger) error {
	file, err := os.Open(filepath.Join(dir, JournalFile))
	if errors.Is(err, fs.ErrNotExist) {
		if l == nil || l.state.N > 0 {
			v.fault(JournalFile, "the file is missing")
		}
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	in, at, faulty := bufio.NewReader(file), int64(0), false
	for n := int64(1); ctx.Err() == nil; n++ {
		text, err := in.ReadBytes('\n')
		if err == io.EOF {
			if l != nil && at < l.state.Journal && !faulty {
				v.fault(JournalFile, "the file has %d bytes of the %d that were written", at+int64(len(text)), l.state.Journal)
			}
			return nil
		}
		if err != nil {
			return err
		}
		var line Line
		readable := json.Unmarshal(text, &line) == nil && line.N == n
		if readable {
			v.Lines++
		}
		switch {
		case l == nil:
		case n > l.state.N:
			v.Behind++
		case !faulty && (!readable || !l.wrote(line)):
			faulty = true
			v.fault(JournalFile, "line %d is not the one that was written", n)
		}
		at += int64(len(text))
	}
	return ctx.Err()
}

// wrote reports whether a line is that of its outcome. Fields that it lacks, as lines of earlier versions do, count as equal; an
// outcome that cannot be read is no fault of the line.
func (l *Ledger) wrote(line Line) bool {
	o, err := l.outcomeAt(line.N)
	if err != nil {
		return true
	}
	encoded, err := json.Marshal(LineOf(o))
	if err != nil {
		return false
	}
	var want Line
	if err := json.Unmarshal(encoded, &want); err != nil {
		return false
	}
	if line.Title == "" {
		want.Title = ""
	}
	if line.Snippet == "" {
		want.Snippet = ""
	}
	if line.Chance == 0 {
		want.Chance = 0
	}
	if line.Predicted != nil && want.Predicted != nil && line.Predicted.Chance == 0 {
		want.Predicted.Chance = 0
	}
	if line.Predicted != nil && want.Predicted != nil && len(line.Predicted.Rules) == 0 {
		want.Predicted.Rules = line.Predicted.Rules
	}
	return reflect.DeepEqual(line, want)
}

// Restore writes pages.jsonl again, from the outcomes of the ledger of a crawl folder.
func Restore(dir string) error {
	l, err := Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(l.rewrite(), l.Close())
}

// KeepFile keeps a copy of the crawl file as run, from which a damaged crawl.yaml is restored.
func (l *Ledger) KeepFile(text []byte) error {
	if held, err := l.get([]byte{tableFile}); err == nil && string(held) == string(text) {
		return nil
	}
	if err := l.db.Put([]byte{tableFile}, text); err != nil {
		return fmt.Errorf("ledger: %w", err)
	}
	return nil
}
