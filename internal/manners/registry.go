package manners

import (
	"errors"
	"sync"
)

// errBusy says that another process reads or writes a page at this moment.
var errBusy = errors.New("busy")

// A store keeps the records of places.
type store interface {
	// update changes the record of a place. errBusy: it did not, and may the next moment.
	update(k key, change func(*record)) error
	// alive reports whether a process that shares the store runs.
	alive(process int64) bool
	close()
}

// A Registry is where crawls join to share what they know of places. It is safe for concurrent use.
type Registry struct {
	folder func() (string, error) // nil: one process shares it

	mu      sync.Mutex
	store   store
	process int64 // 0: no folder is open
	joined  int64 // members so far
	members int
	failure error // why the folder is not shared; nil: it is, or there is none
}

// New returns a registry for the crawls of this process.
func New() *Registry { return &Registry{store: memory{}} }

// Open returns a registry for the crawls of all processes that share a folder. It is opened, or made, when the first crawl claims a
// place, and left when the last one has closed. If folder fails, or what it names is not private to the user, the crawls
// of this process share what they know among themselves.
func Open(folder func() (string, error)) *Registry {
	return &Registry{folder: folder, store: memory{}}
}

// Join makes a crawl a member of the registry until Close. tell is called once if it shares nothing with other
// processes, with the reason, during a call of Claim; not if the registry was never meant to.
func (r *Registry) Join(tell func(error)) *Member {
	return &Member{registry: r, tell: tell, turns: map[string]int{}, given: map[string]waiter{}, unsaid: map[string]note{}}
}

// enter numbers a member.
func (r *Registry) enter() (id int64) {
	if r.members == 0 && r.folder != nil {
		r.open()
	}
	r.members++
	r.joined++
	return r.process | r.joined
}

// open opens the folder.
func (r *Registry) open() {
	path, err := r.folder()
	var f store
	if err == nil {
		f, r.process, err = openFolder(path)
	}
	if r.failure = err; err == nil {
		r.store = f
	}
}

// update is that of the store. A folder that fails is left for good.
func (r *Registry) update(k key, change func(*record)) error {
	err := r.store.update(k, change)
	if err == nil || errors.Is(err, errBusy) {
		return err
	}
	r.failure = err
	r.leave()
	return r.store.update(k, change)
}

// leave leaves the folder.
func (r *Registry) leave() {
	r.store.close()
	r.store, r.process = memory{}, 0
}

// quit ends a membership.
func (r *Registry) quit() {
	if r.members--; r.members == 0 && r.process != 0 {
		r.leave()
	}
}
