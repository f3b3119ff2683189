// Package gather makes one crawl folder of what the workers of a crawl have: their outcomes with links, statements and archives, and what waits. Such a folder
// answers as that of a crawl by one process does. Gathering goes on where it ended; what is gathered twice counts once.
package gather

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"orbweaver"
	"orbweaver/engine"
	"orbweaver/fetch/archive"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/order"
	"orbweaver/internal/step"
	"orbweaver/ledger"
	"orbweaver/server"
)

// A Source is a worker of a crawl, of which is gathered.
type Source interface {
	Name() string // unique among the workers
	// Since returns what its ledger has since a position, in parts: see ledger.Ledger.Since.
	Since(ctx context.Context, p ledger.Position) (*ledger.Excerpt, error)
	// File copies the content of a file of its archive into another, which may have a beginning of it, up to a length. The file of a worker on this machine may be
	// made a second name of its own.
	File(ctx context.Context, name, into string, length int64) error
	// Index returns the lines of its archive's index from one place to another.
	Index(ctx context.Context, from, to int64) ([]byte, error)
	// Model returns what its focus had learned when its session ended; empty: nothing. If whole, it returns nothing too if there are later outcomes, as of a worker that
	// was killed.
	Model(ctx context.Context, whole bool) ([]byte, error)
}

// indexFile is the index of an archive in the order of writing.
const indexFile = "index.cdxj.part"

// linesFolder has the workers' indexes, in the folder.
const linesFolder = "gathered"

// A state is how far a folder was gathered.
type state struct {
	Of      int                `json:"of"`             // workers
	Runs    bool               `json:"runs,omitempty"` // the crawl does, of which it was gathered
	Workers map[string]*gotten `json:"workers"`
}

// A gotten is how far a worker was gathered.
type gotten struct {
	ledger.Position
	Index    int64         `json:"index"` // bytes of its archive's index
	Progress step.Progress `json:"progress"`
}

// Begin makes a crawl folder one that is gathered of a number of workers, unless it is one. make writes its crawl file.
func Begin(folder string, workers int, make func() error) error {
	if err := make(); err != nil || crawlfolder.Workers(folder) > 0 {
		return err
	}
	g := &gathering{folder: folder, state: state{Of: workers, Workers: map[string]*gotten{}}}
	return g.keep()
}

// open reads how far a folder was gathered.
func open(folder string, book *ledger.Ledger) (*gathering, error) {
	g := &gathering{folder: folder, book: book}
	path := filepath.Join(folder, crawlfolder.GatheredFile)
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &g.state)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if g.state.Workers == nil {
		g.state.Workers = map[string]*gotten{}
	}
	return g, nil
}

// A gathering is one run of Into.
type gathering struct {
	folder string
	book   *ledger.Ledger
	state  state
	grown  bool // an archive has
}

// Into gathers what sources have into a folder that Begin has made, and whose ledger is open, and flushes it. Requests that others sent count as waiting if their owner has taken them. Errors are those of the
// sources and of the folder's disk; what was gathered before one stays.
func Into(ctx context.Context, folder string, book *ledger.Ledger, sources ...Source) error {
	g, err := open(folder, book)
	if err != nil {
		return err
	}
	for _, s := range sources {
		if err := g.worker(ctx, s); err != nil {
			return fmt.Errorf("gather of %s: %w", s.Name(), err)
		}
	}
	return g.join()
}

// worker gathers of one worker, part by part.
func (g *gathering) worker(ctx context.Context, s Source) error {
	at := g.state.Workers[s.Name()]
	if at == nil {
		at = &gotten{}
		g.state.Workers[s.Name()] = at
	}
	for more := true; more; {
		if err := ctx.Err(); err != nil {
			return err
		}
		x, err := s.Since(ctx, at.Position)
		if err != nil {
			return err
		}
		if len(x.Entries) == 0 && x.Progress == at.Progress {
			return nil
		}
		if err := errors.Join(g.archive(ctx, s, at, x.Archive), ctx.Err()); err != nil {
			return err
		}
		at.Progress = x.Progress
		if err := g.entries(x.Entries); err != nil {
			return err
		}
		at.Position, more = x.To, x.More
		if err := g.book.Flush(); err != nil {
			return err
		}
		if err := g.keep(); err != nil {
			return err
		}
	}
	return nil
}

// keep writes the state. What is in the ledger and not in the state is gathered again, and counts once.
func (g *gathering) keep() error {
	text, err := json.Marshal(g.state)
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(g.folder, crawlfolder.GatheredFile), text, 0o666)
}

// progress is that of the crawl: the sum of the workers'.
func (g *gathering) progress() (p step.Progress) {
	for _, w := range g.state.Workers {
		p.Active, p.Rounds, p.Threshold = max(p.Active, w.Progress.Active), max(p.Rounds, w.Progress.Rounds), max(p.Threshold, w.Progress.Threshold)
	}
	have := g.book.Progress()
	p.Requests, p.Pages, p.Accepted, p.Bytes = have.Requests, have.Pages, have.Accepted, have.Bytes
	return p
}

// entries takes entries in.
func (g *gathering) entries(encoded []byte) error {
	all, err := ledger.Entries(encoded)
	if err != nil {
		return err
	}
	for _, e := range all {
		if err := g.entry(e); err != nil {
			return err
		}
	}
	return nil
}

func (g *gathering) entry(e ledger.Entry) error {
	p := g.progress()
	switch {
	case e.Outcome != nil:
		counted := p
		count(&counted, *e.Outcome)
		_, err := g.book.TakeIn(*e.Outcome, e.Links, counted)
		return err
	case e.Waiting != nil:
		w := *e.Waiting
		id, fresh := g.book.Offer(w.Request)
		if !fresh {
			return nil
		}
		w.ID = id
		return g.book.Commit(step.Batch{Waiting: []step.Waiting{w}, Progress: p})
	case e.Account != nil:
		return g.book.Commit(step.Batch{Accounts: []step.Account{*e.Account}, Progress: p})
	}
	return nil
}

// count adds an outcome to a progress.
func count(p *step.Progress, o orbweaver.Outcome) {
	p.Requests++
	if o.Page == nil {
		return
	}
	p.Pages++
	p.Bytes += o.Page.Size
	if o.Actual.Accepted {
		p.Accepted++
	}
}

// End notes how the crawl of all workers ended, and returns the progress; a crawl of which a worker has not ended has not. runs says whether it goes on.
func End(folder string, book *ledger.Ledger, ended string, runs bool) (step.Progress, error) {
	g, err := open(folder, book)
	if err != nil {
		return step.Progress{}, err
	}
	p := g.progress()
	p.Bytes = 0
	for _, w := range g.state.Workers {
		p.Bytes += w.Progress.Bytes
	}
	p.Ended = ended
	g.state.Runs = runs
	if err := g.keep(); err != nil {
		return p, err
	}
	if err := sortedIndex(crawlfolder.Archive(folder)); err != nil {
		return p, err
	}
	last := step.Batch{Progress: p}
	if engine.Exhausted(ended) { // what was gathered as waiting before, and is not any more, was refused
		for w, err := range book.AllWaiting() {
			if err != nil {
				return p, err
			}
			last.Refused = append(last.Refused, w.ID)
		}
	}
	if err := book.Commit(last); err != nil {
		return p, err
	}
	return p, book.Flush()
}

// sortedIndex makes the archive's sorted index, if there is an archive.
func sortedIndex(folder string) error {
	err := archive.SortLines(filepath.Join(folder, indexFile), filepath.Join(folder, "index.cdxj"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// archive copies a worker's archive up to a mark.
func (g *gathering) archive(ctx context.Context, s Source, at *gotten, mark []byte) error {
	if mark == nil {
		return nil
	}
	var m archive.Mark
	if err := json.Unmarshal(mark, &m); err != nil {
		return fmt.Errorf("archive: %w: %w", orbweaver.ErrDamaged, err)
	}
	if m.File == "" || m.Index <= at.Index {
		return nil
	}
	folder := crawlfolder.Archive(g.folder)
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return err
	}
	lines, err := s.Index(ctx, at.Index, m.Index)
	if err != nil {
		return err
	}
	for _, name := range filesIn(lines) {
		length := int64(-1) // all of it
		if name == m.File {
			length = m.Length
		}
		if filepath.Base(name) != name {
			return fmt.Errorf("archive: %w: a file %q", orbweaver.ErrDamaged, name)
		}
		if err := s.File(ctx, name, filepath.Join(folder, name), length); err != nil {
			return err
		}
	}
	g.grown = true
	if err := put(g.linesOf(s.Name()), at.Index, lines); err != nil {
		return err
	}
	at.Index = m.Index
	return nil
}

// linesOf is the file with the index of a worker's archive.
func (g *gathering) linesOf(worker string) string {
	return filepath.Join(g.folder, linesFolder, worker+".cdxj")
}

// put writes bytes at a place of a file, which ends with them.
func put(path string, at int64, b []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	if err = f.Truncate(at); err == nil {
		_, err = f.WriteAt(b, at)
	}
	return errors.Join(err, f.Close())
}

// join makes the archive's index of those of the workers: its lines are in the order of the files' names.
func (g *gathering) join() error {
	if !g.grown {
		return nil
	}
	return atomicfile.Write(filepath.Join(crawlfolder.Archive(g.folder), indexFile), 0o666, func(to io.Writer) error {
		for _, name := range slices.Sorted(maps.Keys(g.state.Workers)) {
			from, err := os.Open(g.linesOf(name))
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			if err != nil {
				return err
			}
			_, err = io.CopyN(to, from, g.state.Workers[name].Index)
			if err = errors.Join(err, from.Close()); err != nil {
				return err
			}
		}
		return nil
	})
}

// filesIn returns the files that lines of an index name, each once.
func filesIn(lines []byte) (all []string) {
	key := []byte(`"filename":"`)
	for line := range bytes.Lines(lines) {
		at := bytes.LastIndex(line, key)
		if at < 0 {
			continue
		}
		name := line[at+len(key):]
		if end := bytes.IndexByte(name, '"'); end >= 0 && (len(all) == 0 || all[len(all)-1] != string(name[:end])) {
			all = append(all, string(name[:end]))
		}
	}
	return all
}

// A Folder is a Source on this machine: the folder of a worker that a process runs, or none.
type Folder string

// Name implements Source.
func (f Folder) Name() string { return filepath.Base(string(f)) }

// partSize is the size of the parts in which entries come, in bytes.
const partSize = 8 << 20

// Since implements Source.
func (f Folder) Since(ctx context.Context, p ledger.Position) (*ledger.Excerpt, error) {
	x, err := since(ctx, string(f), p)
	if !errors.Is(err, server.ErrNoCrawl) {
		return x, err
	}
	l, err := openAtRest(ctx, string(f))
	if err != nil {
		return nil, err
	}
	x, err = l.Since(p, partSize)
	return x, errors.Join(err, l.Close())
}

// restTime is how long a worker is waited for that just begins or ends.
const restTime = 15 * time.Second

// openAtRest opens the ledger of a worker that no process runs.
func openAtRest(ctx context.Context, folder string) (*ledger.Ledger, error) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for left := restTime; ; left -= 100 * time.Millisecond {
		l, err := ledger.OpenForLooks(folder)
		if !errors.Is(err, orbweaver.ErrBusy) || left <= 0 {
			return l, err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return nil, err
		}
	}
}

// File implements Source: the file gets a second name, or is copied where it can't.
func (f Folder) File(_ context.Context, name, into string, length int64) error {
	return linked(filepath.Join(crawlfolder.Archive(string(f)), name), into, length)
}

// linked makes a file another name of one, or a copy of it.
func linked(path, into string, length int64) error {
	if same(path, into) {
		return nil
	}
	if _, err := os.Stat(into); errors.Is(err, fs.ErrNotExist) && os.Link(path, into) == nil {
		return nil
	}
	from, err := os.Open(path)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(into, os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	had, err := to.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = from.Seek(had, io.SeekStart)
	}
	if err == nil && length >= 0 {
		_, err = io.CopyN(to, from, max(length-had, 0))
	} else if err == nil {
		_, err = io.Copy(to, from)
	}
	return errors.Join(err, to.Close())
}

func same(a, b string) bool {
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// Index implements Source.
func (f Folder) Index(_ context.Context, from, to int64) ([]byte, error) {
	return Section(filepath.Join(crawlfolder.Archive(string(f)), indexFile), from, to)
}

// Model implements Source.
func (f Folder) Model(ctx context.Context, whole bool) ([]byte, error) {
	l, err := openAtRest(ctx, string(f))
	if err != nil {
		return nil, err
	}
	model, n, err := l.Model()
	if err == nil && whole {
		for _, err = range l.Outcomes(n) {
			model = nil
			break
		}
	}
	return model, errors.Join(err, l.Close())
}

// Model returns what the worker of sources knows that has come furthest, of a crawl whose workers go through rounds together: all know the same after the same round.
func Model(ctx context.Context, folder string, book *ledger.Ledger, sources ...Source) (model []byte, err error) {
	g, err := open(folder, book)
	if err != nil {
		return nil, err
	}
	rounds := func(s Source) int {
		if at := g.state.Workers[s.Name()]; at != nil {
			return at.Progress.Rounds
		}
		return 0
	}
	sources = slices.Clone(sources)
	order.Stably(sources, func(a, b Source) int { return cmp.Compare(rounds(b), rounds(a)) })
	for _, s := range sources {
		if model, err = s.Model(ctx, false); err != nil {
			return nil, fmt.Errorf("what %s has learned: %w", s.Name(), err)
		}
		if len(model) > 0 {
			break
		}
	}
	return model, nil
}

// Models returns what each worker has learned of which something was gathered, by name; false: of one of them not all is known.
func Models(ctx context.Context, folder string, sources ...Source) (models map[string][]byte, whole bool) {
	g, err := open(folder, nil)
	if err != nil {
		return nil, false
	}
	models = map[string][]byte{}
	for _, s := range sources {
		if at := g.state.Workers[s.Name()]; at == nil || at.Outcomes == 0 {
			continue
		}
		model, err := s.Model(ctx, true)
		if err != nil || len(model) == 0 {
			return nil, false
		}
		models[s.Name()] = model
	}
	for name, at := range g.state.Workers {
		if models[name] == nil && at.Outcomes > 0 {
			return nil, false
		}
	}
	return models, len(models) > 0
}

// Section returns a part of a file, less of it where the file ends.
func Section(path string, from, to int64) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	b := make([]byte, to-from)
	n, err := file.ReadAt(b, from)
	if errors.Is(err, io.EOF) {
		err = nil
	}
	return b[:n], err
}
