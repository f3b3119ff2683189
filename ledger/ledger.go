// Package ledger keeps all that a crawl knows, in one embedded database (Pebble) and one text file,
// pages.jsonl.
//
// Its promise is the batch: what one outcome changes is written whole or not at all, together with
// the lengths that pages.jsonl and the archive have then. Whatever kills the process, opening the
// ledger again finds the crawl as of the end of a batch, cuts pages.jsonl back to it and says how far
// the archive is to be cut. Batches reach the operating system in order, so that a killed process
// loses the last few at most; Sync makes them safe from a power cut too. The first change to the disk
// that fails is the last: whatever the ledger is asked then, it says why, and the next to open it finds
// what a crash would have left.
//
// A request is seen when it has a number; it waits, or it is done. That it is leased is known to the
// frontier alone, so that after a crash it waits again.
//
// This package is not part of the stable API.
package ledger

import (
	"cmp"
	"crypto/rand"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/dchest/siphash"

	"orbweaver"
	"orbweaver/internal/step"
)

// The tables of the database: the first byte of a key.
const (
	tableState   = 's' // the one state record
	tableModel   = 'm' // the focus's last snapshot
	tableSeen    = 'k' // identity hash → request number
	tableWaiting = 'w' // request number → the link by which it waits
	tableKeys    = 'c' // request number → the keys that it is found by, if it has some
	tableOpinion = 'p' // request number → what is thought of it since
	tableThought = 'q' // counter → opinions that are not in tableOpinion yet
	tableNumber  = 'd' // request number → outcome number
	tableOutcome = 'o' // outcome number → outcome
	tableOut     = 'l' // outcome number → targets of its page's links
	tableIn      = 'i' // first byte of a target's hash, outcome number → links to such targets, up to there
	tableGone    = 'g' // outcome number: its links count no more
	tableGraph   = 'a' // request number → graph of what its page says
	tableOwned   = 'b' // such a graph
	tableQuads   = 'Q' // the quad store
	tableRenamed = 'R' // subject whose names are not in their index
	tableNames   = 'S' // full-text index of names
	tableTexts   = 'U' // full-text index of pages
	tableRound   = 'r' // the one list of the requests of the round under way
	tableHost    = 'h' // host → account
	tableDecided = 'y' // counter → decision
	tableRefusal = 'x' // reason, part → what is known of the links not followed
)

// JournalFile is the name of the text file within a crawl folder.
const JournalFile = "pages.jsonl"

// A Ledger is open for one process. Commit and Offer are for one goroutine. Waiting and Note may be asked
// beside it; all else that reads is for the goroutine that commits, or for who has the ledger alone.
type Ledger struct {
	db       *pebble.DB
	disk     *lazyFS
	journal  *journal
	seen     *seenSet
	state    state   // as of the last commit
	records  *recent // first parts of requests that wait
	opinions *recent // second parts
	keys     *recent // what requests are found by
	inlinks  inlinks
	twins    *twins                  // nil: nobody asked
	hosts    map[string]step.Account // of the group
	thoughts map[uint64]string       // opinions of the group
	said     statements
	texts    texts
	keyed    atomic.Bool // a request has keys
	opines   bool        // something was thought of what waits, ever
	unload   bool        // the group brings opinions to their table
	order    []uint64    // scratch of opine
	group    group
	before   func() error
	applied  int64               // outcomes in the database
	unsynced bool                // the database has something that the operating system may not have
	once     map[uint64]struct{} // scratch of links
	offered  uint64              // the first number that no batch has yet
	traces   []*trace            // by reason
}

// How many are remembered of what waits, in each of two generations: some 80 MB together when there are
// that many.
const (
	recentRecords  = 16384
	recentOpinions = 1 << 18
	recentKeys     = 1024
)

// state is the record that every batch renews.
type state struct {
	Format   int             `json:"format"`
	Key      []uint64        `json:"key,omitempty"` // of identity; none in format 3
	N        int64           `json:"n"`             // last outcome
	Next     uint64          `json:"next"`          // next request number
	Journal  int64           `json:"journal"`
	Archive  json.RawMessage `json:"archive,omitempty"`
	ModelN   int64           `json:"model_n"`            // outcome that the model is as of
	Thoughts uint64          `json:"thoughts,omitempty"` // entries of the log of opinions, ever
	Linked   int64           `json:"linked"`             // outcomes up to this one are in tableIn
	Decided  uint64          `json:"decided,omitempty"`
	Renamed  bool            `json:"renamed,omitempty"` // all names are to be indexed anew
	Indexed  int64           `json:"indexed,omitempty"` // pages of outcomes up to this one are in their index
	Told     int64           `json:"told,omitempty"`    // outcomes up to this one are described in the quad store
	Progress step.Progress   `json:"progress"`
}

// Open opens the ledger of a crawl folder, a new one where there is none. The error wraps ErrBusy
// when another process has it open, and ErrDamaged when it is no ledger that this version can read.
func Open(dir string) (*Ledger, error) { return OpenWithin(dir, 0) }

// OpenWithin is Open with so many bytes of memory for what is known of requests, 0 being any number:
// what is beyond is looked up in the database.
func OpenWithin(dir string, memory int64) (*Ledger, error) {
	path := filepath.Join(dir, "ledger")
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	return open(dir, path, options(memory))
}

// OpenInMemory opens a new ledger whose database is gone when it is closed; only pages.jsonl is
// written to the folder, over what was there. What pages say is not kept.
func OpenInMemory(dir string) (*Ledger, error) {
	o := options(0)
	o.FS, o.pages = vfs.NewMem(), false
	return open(dir, "ledger", o)
}

func open(dir, path string, o settings) (*Ledger, error) {
	disk := newLazyFS(o.FS)
	o.temp = o.FS // a disk that is full while a load sorts is no trouble to the crawl
	disk.UseAs(o.Options, disk)
	db, err := pebble.Open(path, o.Options)
	if err != nil {
		return nil, opening(path, cmp.Or(disk.Err(), err))
	}
	l := &Ledger{
		db: db, disk: disk, state: state{Format: format, Key: o.key, Next: 1},
		records: newRecent(recentRecords), opinions: newRecent(recentOpinions), keys: newRecent(recentKeys),
		inlinks: inlinks{gone: map[int64]bool{}}, once: map[uint64]struct{}{}, hosts: map[string]step.Account{}, thoughts: map[uint64]string{},
	}
	if l.said, err = openStatements(db, o.FS.PathJoin(path, "sorting"), o); err != nil {
		return nil, errors.Join(fmt.Errorf("ledger: %w", err), db.Close())
	}
	if l.texts, err = openTexts(db); err != nil {
		return nil, errors.Join(fmt.Errorf("ledger: %w", err), db.Close())
	}
	l.group.b = db.NewBatch()
	l.seen = newSeenSet(o.memory, l.lookUp)
	if err := l.ready(filepath.Join(dir, JournalFile), o.journal); err != nil {
		return nil, errors.Join(err, l.group.b.Close(), l.journal.close(), db.Close())
	}
	l.offered, l.applied = l.state.Next, l.state.N
	return l, nil
}

// settings are those of a ledger.
type settings struct {
	*pebble.Options
	memory  int64    // bytes of the seen set; 0: any number
	key     []uint64 // of a new ledger
	pages   bool     // what pages say is kept
	many    int      // statements of a document that are too many for its batch
	temp    vfs.FS   // that loads are sorted on
	journal func(path string) (journalFile, error)
}

// options are Pebble's, quiet and small.
func options(memory int64) settings {
	return settings{Options: &pebble.Options{
		MemTableSize:       16 << 20, // opinions change often: the newer ones make the older ones void here
		CacheSize:          32 << 20,
		FormatMajorVersion: pebble.FormatNewest,
		FS:                 vfs.Default,
	}, memory: memory, key: newKey(), journal: openFile, pages: true, many: 50_000}
}

// keyParts are those of a key.
const keyParts = 2

// newKey draws a key.
func newKey() []uint64 {
	var b [8 * keyParts]byte
	_, _ = rand.Read(b[:]) // it never fails: see crypto/rand
	return []uint64{binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[8:])}
}

// opening explains why the database does not open: it is in use, the disk does not let it, or it is
// damaged.
func opening(path string, err error) error {
	var errno syscall.Errno
	switch {
	case errors.Is(err, syscall.EAGAIN), strings.HasPrefix(err.Error(), "lock "):
		return fmt.Errorf("%s: another process is using this crawl folder: %w", path, orbweaver.ErrBusy)
	case errors.As(err, &errno) && !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s: %w", path, err)
	}
	return fmt.Errorf("%s: %w: %w", path, orbweaver.ErrDamaged, err)
}

// load reads the state and the seen set.
func (l *Ledger) load() error {
	value, err := l.get([]byte{tableState})
	switch {
	case errors.Is(err, pebble.ErrNotFound):
		return nil
	case err != nil:
		return err
	}
	l.state.Key = nil
	if err := json.Unmarshal(value, &l.state); err != nil {
		return fmt.Errorf("ledger: %w: %w", orbweaver.ErrDamaged, err)
	}
	switch s := &l.state; {
	case s.Format != format && s.Format != unkeyed:
		return fmt.Errorf("ledger: %w: its format is %d, this version reads %d and %d", orbweaver.ErrDamaged, s.Format, unkeyed, format)
	case s.Format == format && len(s.Key) != keyParts:
		return fmt.Errorf("ledger: %w: it has no key", orbweaver.ErrDamaged)
	}
	if err := errors.Join(l.loadRefusals(), l.loadInlinks(), l.loadOpinions(), l.loadKeys()); err != nil {
		return err
	}
	l.seen.committed(l.state.Next - 1)
	return l.scan([]byte{tableSeen}, func(key, value []byte) error {
		if len(key) != 9 || len(value) != 8 {
			return orbweaver.ErrDamaged
		}
		l.seen.put(binary.BigEndian.Uint64(key[1:]), binary.BigEndian.Uint64(value))
		return l.seen.err()
	})
}

// ready reads what the database has and opens pages.jsonl as of the last batch; where that lost lines,
// it is written again from the outcomes.
func (l *Ledger) ready(path string, open func(path string) (journalFile, error)) (err error) {
	if err = cmp.Or(l.disk.Err(), l.load()); err != nil {
		return err
	}
	l.journal, err = openJournal(open, path, l.state.Journal)
	if errors.Is(err, errLost) {
		l.journal, err = l.rebuild(open, path)
	}
	return err
}

// Progress is how far the crawl has come.
func (l *Ledger) Progress() step.Progress { return l.state.Progress }

// Archive is how far the archive was written, in its own words; nil at the start.
func (l *Ledger) Archive() []byte { return l.state.Archive }

// Fresh reports whether nothing was ever committed.
func (l *Ledger) Fresh() bool { return l.state.Next == 1 }

// identity hashes what makes two requests the same, by SipHash under the key of the ledger, which nobody
// outside knows: whoever names URLs cannot choose two with one hash. Of its 64 bits the database
// compares all, the seen set 62. Ledgers of format 3 have no key, and xxhash.
func (l *Ledger) identity(r orbweaver.Request) uint64 {
	var room [512]byte
	b := room[:0]
	for _, s := range [...]string{r.URL, r.Accept, r.Query, r.State} {
		b = append(append(b, s...), 0)
	}
	if key := l.state.Key; len(key) == keyParts {
		return siphash.Hash(key[0], key[1], b)
	}
	return xxhash.Sum64(b)
}

// Seen returns the number of a request, and whether it is known: it waits, or was asked for.
func (l *Ledger) Seen(r orbweaver.Request) (id uint64, known bool) { return l.seen.get(l.identity(r)) }

// Offer returns the number of a request, and whether it is new. A new one counts as known from now
// on, and lastly when a batch says that it waits; the next batch has to.
func (l *Ledger) Offer(r orbweaver.Request) (id uint64, fresh bool) {
	h := l.identity(r)
	if id, ok := l.seen.get(h); ok {
		return id, false
	}
	id = l.state.Next
	l.state.Next++
	l.seen.put(h, id)
	return id, true
}

// lookUp returns the number of a request that the database knows, by its identity.
func (l *Ledger) lookUp(hash uint64) (id uint64, ok bool, err error) {
	value, err := l.get(number(tableSeen, hash))
	switch {
	case errors.Is(err, pebble.ErrNotFound):
		return 0, false, nil
	case err == nil && len(value) != 8:
		err = orbweaver.ErrDamaged
	}
	if err != nil {
		return 0, false, fmt.Errorf("ledger: %w", err)
	}
	return binary.BigEndian.Uint64(value), true, nil
}

// Known is how many requests are known.
func (l *Ledger) Known() int { return l.seen.len() }
