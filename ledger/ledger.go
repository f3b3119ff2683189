// Package ledger keeps the state of a crawl in one embedded database (Pebble) and one text file, pages.jsonl.
//
// Its unit is the batch: the changes of one outcome are written whole or not at all, together with the lengths that
// pages.jsonl and the archive have then. However the process ends, opening the ledger again finds the crawl as of the
// end of a batch, truncates pages.jsonl to the length in it and returns the length to which the archive must be
// truncated. Batches reach the operating system in order, so that a killed process loses at most the last few; Sync
// makes them safe from a power cut too. The ledger is fail-stop: after the first write that fails every call returns
// that error, and the next process that opens the folder finds what a crash would have left.
//
// A request is seen when it has a number; then it waits, or it is done. The lease of a request is known to the
// frontier alone, so that after a crash the request waits again.
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
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"

	"github.com/cespare/xxhash/v2"
	"github.com/cockroachdb/pebble/v2"
	"github.com/dchest/siphash"

	"orbweaver"
	"orbweaver/internal/database"
	"orbweaver/internal/step"
)

// The tables of the database: the first byte of a key.
const (
	tableState      = 's' // the one state record
	tableModel      = 'm' // the focus's last snapshot; with the number of a round: that round, ended since
	tableChances    = 'e' // the evidence for chances
	tableSeen       = 'k' // identity hash → request number
	tableWaiting    = 'w' // request number → the link by which it waits
	tableKeys       = 'c' // request number → its keys (Proposal.Keys), if any
	tableOpinion    = 'p' // request number → its latest opinion
	tableOpinionLog = 'q' // counter → opinions that are not in tableOpinion yet
	tableNumber     = 'd' // request number → outcome number
	tableOutcome    = 'o' // outcome number → outcome
	tableOut        = 'l' // outcome number → targets of its page's links
	tableIn         = 'i' // first byte of a target's hash, last outcome of the segment → links to such targets
	tableGone       = 'g' // outcome number whose links were superseded by a refresh
	tableGraph      = 'a' // request number → named graph of its page's quads
	tableOwned      = 'b' // named graph of some page's quads
	tableQuads      = 'Q' // the quad store
	tableRenamed    = 'R' // subject whose names changed since they were indexed
	tableNames      = 'S' // full-text index of names
	tableTexts      = 'U' // full-text index of pages
	tablePages      = 'P' // index behind Pages: see listing.go
	tableRecall     = 'j' // index behind Recalled: see recall.go
	tableRound      = 'r' // the requests of the current round
	tableHost       = 'h' // host → account
	tableDecided    = 'y' // counter → decision
	tableFile       = 'f' // the crawl file as run
	tableOutage     = 't' // time of its beginning → outage of the own network
	tableStage      = 'z' // tables of a stage that belong to the state and are not ingested yet
	tableOutbox     = 'X' // partition, number → a message to the partition's owner: see parcels.go
	tableSent       = 'Y' // partition → number of the last message to it
	tableTaken      = 'Z' // partition, worker → number of the last message taken
	tableElsewhere  = 'E' // request number → a request that another worker asked
	tableVisits     = 'v' // request number → what is kept of the visits of its page; 0: of the watch
	tableNeed       = 'n' // number of a requisite → the requisite, which waits
	tableFate       = 'u' // hash of a requisite's URL → what became of it
	tableSpent      = 'N' // request number → how many requisites its page named, and their bytes
	tableRefusal    = 'x' // reason, part → counts and sample of the links not followed
)

// JournalFile is the name of the text file within a crawl folder.
const JournalFile = "pages.jsonl"

// A Ledger is open in one process at a time. Commit and Offer must be called from one goroutine. Waiting and Note may
// run beside it; all other reads belong to the committing goroutine, or to a process that has the ledger to itself.
type Ledger struct {
	db          *database.DB
	journal     *journal
	seen        *seenSet
	state       state   // as of the last commit
	records     *recent // first parts of waiting requests: see waiting.go
	opinions    *recent // second parts
	keys        *recent // Proposal.Keys of waiting requests
	keyless     idSet   // requests of this session that have none
	inlinks     inlinks
	duplicates  *duplicates             // nil until Duplicate is called
	hosts       map[string]step.Account // of the group
	chances     []byte                  // of the group; nil: unchanged
	changed     map[uint64]string       // opinions of the group
	quads       statements
	texts       texts
	parcels     parcels
	needs       requisites
	keyed       atomic.Bool // a request has keys
	hasOpinions bool        // some request ever had an opinion
	unload      bool        // the group moves all opinions to their table
	order       []uint64    // scratch of writeOpinions
	group       group
	before      func() error
	applied     int64               // outcomes in the database
	unsynced    bool                // the operating system may lack something that the database has
	once        map[uint64]struct{} // scratch of links
	offered     uint64              // the first number that is in no batch yet
	traces      []*trace            // by reason
	staging     chan struct{}       // holds an element while there is a stage
	stages      atomic.Int64        // made so far
	leaving     sync.WaitGroup      // stages that are being removed
	committed   atomic.Int64        // outcomes
	rowsRead    int64               // rows of the index behind Pages read so far, for tests
}

// Sizes of the caches of waiting requests, a generation each of two: about 80 MB together when full.
const (
	recentRecords  = 16384
	recentOpinions = 1 << 18
	recentKeys     = recentRecords
)

// state is the record that every batch rewrites.
type state struct {
	Format       int             `json:"format"`
	Key          []uint64        `json:"key,omitempty"`   // of identity; none in format 3
	N            int64           `json:"n"`               // last outcome
	Next         uint64          `json:"next"`            // next request number
	Needs        uint64          `json:"needs,omitempty"` // last number of a requisite
	Journal      int64           `json:"journal"`
	JournalSum   uint64          `json:"journal_sum,omitempty"` // xxhash of those bytes; 0: not known
	Archive      json.RawMessage `json:"archive,omitempty"`
	ModelN       int64           `json:"model_n"`                // the model's snapshot includes outcomes up to this one
	ModelPacked  bool            `json:"model_packed,omitempty"` // it is compressed
	Thoughts     uint64          `json:"thoughts,omitempty"`     // entries of the log of opinions, ever
	Linked       int64           `json:"linked"`                 // outcomes up to this one are in tableIn
	Decided      uint64          `json:"decided,omitempty"`
	Renamed      bool            `json:"renamed,omitempty"` // all names must be indexed again
	Indexed      int64           `json:"indexed,omitempty"` // pages up to this outcome are in the full-text index
	Materialized int64           `json:"told,omitempty"`    // outcomes up to this one are materialized in the quad store
	Listed       int64           `json:"listed,omitempty"`  // outcomes up to this one are in tablePages and tableRecall
	Listing      int             `json:"listing,omitempty"` // the version of those rows
	Rewrite      bool            `json:"rewrite,omitempty"` // pages.jsonl must be written again: pages were removed

	Figures  *Figures                    `json:"figures,omitempty"`  // nil: to be counted
	Failures map[orbweaver.Failure]int64 `json:"failures,omitempty"` // of the outcomes up to Counted
	Statuses map[int]int64               `json:"statuses,omitempty"` // of those that are answers, likewise: see step.Failures
	Counted  int64                       `json:"counted,omitempty"`

	ListedThreshold float64 `json:"listed_threshold,omitempty"` // acceptance threshold as of Listed; 0: verdicts do not follow from scores

	Progress step.Progress `json:"progress"`
}

// Open opens the ledger of a crawl folder, or creates one. The error wraps ErrBusy if another process has it
// open, ErrInput if its format is of another, incompatible version of orbweaver, and ErrDamaged if it is not
// a ledger. Ledgers of format 3 are read, and keep that format.
func Open(dir string) (*Ledger, error) { return OpenWithin(dir, 0) }

// OpenWithin is Open with a memory budget, in bytes, for the set of known requests; 0 means no limit. Entries beyond
// the budget are looked up in the database.
func OpenWithin(dir string, memory int64) (*Ledger, error) { return openIn(dir, options(memory)) }

func openIn(dir string, o settings) (*Ledger, error) {
	path := filepath.Join(dir, "ledger")
	if err := os.MkdirAll(path, 0o777); err != nil {
		return nil, fmt.Errorf("ledger: %w", err)
	}
	l, err := open(dir, path, o)
	if errors.Is(err, orbweaver.ErrDamaged) {
		err = fmt.Errorf("%w; %s", err, Advice(dir))
	}
	return l, err
}

// OpenForLooks is Open for a few looks at a large crawl: it reads no known request ahead, each is looked up in the database. The time it
// takes does not depend on the size of the crawl.
func OpenForLooks(dir string) (*Ledger, error) {
	o := options(0)
	o.looks, o.Calm = true, true
	return openIn(dir, o)
}

// Advice says what to run when the files of a crawl folder are damaged.
func Advice(dir string) string {
	return fmt.Sprintf("`orbweaver check %s` says what is lost, `orbweaver repair %s` mends what it can", dir, dir)
}

// OpenInMemory opens a new ledger whose database is discarded on Close. Only pages.jsonl is written to the
// folder, replacing an older one. The quads of pages are not kept.
func OpenInMemory(dir string) (*Ledger, error) {
	o := options(0)
	o.Memory, o.pages = true, false
	return open(dir, "ledger", o)
}

func open(dir, path string, o settings) (*Ledger, error) {
	db, err := database.Open(path, o.Options)
	if err != nil {
		return nil, err
	}
	l := &Ledger{
		db: db, state: state{Format: format, Key: o.key, Next: 1},
		records: newRecent(recentRecords), opinions: newRecent(recentOpinions), keys: newRecent(recentKeys),
		inlinks: inlinks{gone: map[int64]bool{}}, once: map[uint64]struct{}{}, hosts: map[string]step.Account{}, changed: map[uint64]string{},
		staging: make(chan struct{}, 1),
		needs:   requisites{fates: map[uint64]step.Fate{}, spent: map[uint64]spent{}},
	}
	if l.quads, err = openStatements(db, o); err != nil {
		return nil, errors.Join(unreadable(path, "quad store", err), db.Close())
	}
	if err = l.landed(); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if l.texts, err = openTexts(db.DB); err != nil {
		return nil, errors.Join(unreadable(path, "full-text index", err), db.Close())
	}
	l.group.b, l.group.outcomes = db.NewBatch(), map[uint64]int64{}
	l.seen = newSeenSet(o.memory, l.lookUp)
	l.seen.unread = o.looks
	if err := l.ready(path, filepath.Join(dir, JournalFile), o.journal); err != nil {
		return nil, errors.Join(err, l.group.b.Close(), l.journal.close(), db.Close())
	}
	l.offered, l.applied = l.state.Next, l.state.N
	l.committed.Store(l.state.N)
	return l, nil
}

// settings configure a ledger.
type settings struct {
	database.Options
	memory  int64    // budget of the seen set in bytes; 0: none
	looks   bool     // the seen set stays in the database
	key     []uint64 // of a new ledger; see identity
	pages   bool     // keep the quads of pages
	many    int      // statements beyond which a document is staged
	sorting int64    // bytes of memory to sort a stage
	journal func(path string) (journalFile, error)
}

// options returns the usual settings.
func options(memory int64) settings {
	return settings{
		Options: database.Options{Size: database.Medium, What: "this crawl folder", LazyLog: true},
		memory:  memory, key: newKey(), journal: openFile, pages: true, many: manyStatements, sorting: stageMemory,
	}
}

// keyParts is the number of words of a key.
const keyParts = 2

// newKey draws a random key.
func newKey() []uint64 {
	var b [8 * keyParts]byte
	_, _ = rand.Read(b[:]) // never fails: see crypto/rand
	return []uint64{binary.LittleEndian.Uint64(b[:]), binary.LittleEndian.Uint64(b[8:])}
}

// unreadable explains why a part of the database does not open.
func unreadable(path, part string, err error) error {
	return fmt.Errorf("%s: the %s is damaged, or another version of orbweaver wrote it: %w; %s", path, part, err, database.UseOther)
}

// load reads the state and the seen set. path names the ledger in errors.
func (l *Ledger) load(path string) error {
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
		return fmt.Errorf("%s: the ledger has format %d, and this version reads formats %d and %d: %s (%w)", path, s.Format, unkeyed, format, database.UseOther, orbweaver.ErrInput)
	case s.Format == format && len(s.Key) != keyParts:
		return fmt.Errorf("ledger: %w: it has no key", orbweaver.ErrDamaged)
	}
	if err := errors.Join(l.loadRefusals(), l.loadInlinks(), l.loadOpinions(), l.loadKeys()); err != nil {
		return err
	}
	if l.state.Listing != listing {
		l.state.Listed, l.state.ListedThreshold = 0, 0
	}
	l.seen.committed(l.state.Next - 1)
	if l.seen.unread {
		l.seen.leave(int(l.state.Next - 1))
		return nil
	}
	return l.scan([]byte{tableSeen}, func(key, value []byte) error {
		if len(key) != 9 || len(value) != 8 {
			return orbweaver.ErrDamaged
		}
		l.seen.put(binary.BigEndian.Uint64(key[1:]), binary.BigEndian.Uint64(value))
		return l.seen.err()
	})
}

// ready loads the database and opens pages.jsonl at the length of the last batch. If the file is shorter, ready
// rebuilds it from the outcomes.
func (l *Ledger) ready(path, journal string, open func(path string) (journalFile, error)) (err error) {
	if err = cmp.Or(l.db.Err(), l.load(path)); err != nil {
		return err
	}
	l.journal, err = openJournal(open, journal, l.state.Journal)
	if err == nil && l.state.Rewrite {
		err = cmp.Or(l.journal.close(), errLost)
	}
	if errors.Is(err, errLost) {
		l.journal, err = l.rebuild(open, journal)
	}
	return err
}

// Progress returns the progress of the crawl.
func (l *Ledger) Progress() step.Progress { return l.state.Progress }

// Archive returns the archive's mark of the last batch, in the archive's own encoding; nil at the start.
func (l *Ledger) Archive() []byte { return l.state.Archive }

// Fresh reports whether nothing was ever committed.
func (l *Ledger) Fresh() bool { return l.state.Next == 1 }

// identity hashes the identity of a request (URL, Accept, Query, State) by SipHash under the ledger's secret key, so
// that no site can choose two URLs that collide. The database compares all 64 bits, the seen set 62. Ledgers of format
// 3 have no key and use xxhash.
func (l *Ledger) identity(r orbweaver.Request) uint64 {
	var buffer [512]byte
	b := buffer[:0]
	for _, s := range [...]string{r.URL, r.Accept, r.Query, r.State} {
		b = append(append(b, s...), 0)
	}
	if key := l.state.Key; len(key) == keyParts {
		return siphash.Hash(key[0], key[1], b)
	}
	return xxhash.Sum64(b)
}

// Seen returns the number of a request and whether it is known: it waits, or was requested.
func (l *Ledger) Seen(r orbweaver.Request) (id uint64, known bool) { return l.seen.get(l.identity(r)) }

// Offer returns the number of a request and whether it is new. A new request counts as known from now on; the next
// batch must hold it among its waiting requests.
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

// lookUp returns the number of a request in the database, by its identity.
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

// Known returns the number of known requests.
func (l *Ledger) Known() int { return l.seen.len() }
