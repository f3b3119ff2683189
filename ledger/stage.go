package ledger

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"orbweaver"
	"orbweaver/internal/database"
	"orbweaver/internal/step"
	"orbweaver/ledger/describe"
	"orbweaver/rdf"
	"orbweaver/rdf/quads"
)

// stageFolder holds the tables of stages, within the folder of the database.
const stageFolder = "staged"

// stageMemory is how much memory the sorting of a stage may use, in bytes.
const stageMemory = 64 << 20

// errMany reports a document of more statements than a batch takes.
var errMany = errors.New("the document has many statements")

// A stage is the data of a page, taken in ahead of its batch: a few quads, or tables that the batch's commit adds to
// the database.
type stage struct {
	ledger *Ledger
	whole  bool       // quads are all
	quads  []rdf.Quad // without their graph
	graph  string
	made   *quads.Stage // of more
}

// landing is the record that the tables of a stage belong to the state: a process that finds it ingests them.
type landing struct {
	Tables []string `json:"tables"` // names of files in stageFolder
}

// Release removes the tables, by another goroutine, and lets another document be staged.
func (s *stage) Release() {
	made := s.made
	if made == nil {
		return
	}
	s.made = nil
	s.ledger.leaving.Go(func() {
		_ = made.Close() // what stays is removed when the ledger is opened
		<-s.ledger.staging
	})
}

// Stage takes in the data of a page, which may be nil, for the batch of a request that is being made. It may be called
// from any goroutine, and does what is long about a document: it reads and sorts it in bounded memory, and ends with ctx.
// One document of many statements is staged at a time, until it is released: further ones wait. If long is false, such a
// document is left to a later call. Without data, or on an error, the result is nil; a batch without it is committed just
// the same, but takes longer.
func (l *Ledger) Stage(ctx context.Context, id uint64, r orbweaver.Request, p *orbweaver.Page, long bool) (step.Staged, error) {
	if !l.quads.pages {
		return nil, nil
	}
	graph, err := l.graphOf(id)
	if err != nil {
		return nil, err
	}
	before := int64(0)
	if graph != "" {
		if before, err = l.triples(rdf.NewIRI(graph)); err != nil {
			return nil, err
		}
	}
	if p != nil && p.Quads != nil {
		few, err := l.few(ctx, p)
		switch {
		case err == nil && before <= int64(l.quads.many):
			return &stage{ledger: l, whole: true, quads: few}, nil
		case err != nil && !errors.Is(err, errMany):
			return nil, err
		}
	} else if before <= int64(l.quads.many) {
		return nil, nil
	}
	if !long {
		return nil, nil
	}
	if graph == "" {
		if graph, err = l.freeName(r); err != nil {
			return nil, err
		}
	}
	s, err := l.stage(ctx, graph, p)
	if err != nil {
		return nil, err
	}
	return s, nil
}

// few returns the statements of a page that has few; errMany if it has more.
func (l *Ledger) few(ctx context.Context, p *orbweaver.Page) ([]rdf.Quad, error) {
	all := []rdf.Quad{}
	for q := range readable(p.Quads) {
		if all = append(all, q); len(all) > l.quads.many {
			return nil, errMany
		}
	}
	return all, context.Cause(ctx)
}

// freeName is the name of the graph for a page's quads, unless commits in between take it.
func (l *Ledger) freeName(r orbweaver.Request) (string, error) {
	name := describe.Node(r).Value
	taken, err := l.has(append([]byte{tableOwned}, name...))
	if err == nil && taken {
		name = numbered(name, l.committed.Load()+1)
	}
	return name, err
}

// stage makes the data of a page, nil for none, the content of a graph.
func (l *Ledger) stage(ctx context.Context, graph string, p *orbweaver.Page) (*stage, error) {
	select {
	case l.staging <- struct{}{}:
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	g := rdf.NewIRI(graph)
	all := func(yield func(rdf.Quad, error) bool) {
		if p == nil || p.Quads == nil {
			return
		}
		for q := range readable(p.Quads) {
			if q.S.IsZero() || q.P.IsZero() || q.O.IsZero() {
				continue
			}
			if !yield(rdf.Quad{S: q.S, P: q.P, O: q.O, G: g}, nil) {
				return
			}
		}
	}
	folder := l.stagePath(fmt.Sprint(l.stages.Add(1)))
	err := database.MakeFolder(l.db.FS(), folder)
	var made *quads.Stage
	if err == nil {
		made, err = l.quads.writer.Stage(ctx, quads.Staging{Graph: g, Scope: graph, Memory: l.quads.memory, Folder: folder}, all)
	}
	if err != nil {
		<-l.staging
		return nil, fmt.Errorf("%s: %w", l.stagePath(""), err)
	}
	return &stage{ledger: l, graph: graph, made: made}, nil
}

// stagePath is the path of a part of stageFolder.
func (l *Ledger) stagePath(name string) string {
	return l.db.FS().PathJoin(l.db.Path(), stageFolder, name)
}

// restaged returns a stage of a page's quads in a graph: the one made ahead, if it fits.
func (l *Ledger) restaged(ahead *stage, graph string, p *orbweaver.Page) (*stage, error) {
	if ahead != nil && ahead.made != nil {
		if ahead.graph == graph {
			err := ahead.made.Fits()
			if err == nil || !errors.Is(err, quads.ErrTaken) {
				return ahead, err
			}
		}
		ahead.Release()
	}
	if err := l.apply(false); err != nil { // what the group names is in the database then
		return nil, err
	}
	return l.stage(context.Background(), graph, p)
}

// putStage puts a stage into its batch.
func (l *Ledger) putStage(w *writer, s *stage) error {
	note := landing{Tables: make([]string, len(s.made.Tables))}
	from := len(l.stagePath("x")) - 1
	for i, path := range s.made.Tables {
		note.Tables[i] = path[from:]
	}
	value, err := json.Marshal(note)
	if err != nil {
		return err
	}
	w.set([]byte{tableStage}, value)
	l.quads.into(w.b).Take(s.made)
	return nil
}

// land makes a committed stage visible. Batch and tables survive a power cut together.
func (l *Ledger) land(s *stage) error {
	err := l.Sync()
	if err == nil {
		err = l.quads.writer.Land(context.Background(), s.made.Tables)
	}
	if err == nil {
		err = l.db.Err()
	}
	if err != nil {
		s.made = nil // the batch may be on the disk: its tables stay
		l.group.err = fmt.Errorf("ledger: %w", err)
		return l.group.err
	}
	s.Release()
	l.group.begun = true
	l.group.delete([]byte{tableStage})
	return nil
}

// landed completes a commit that a crash interrupted, and removes what is left of stages.
func (l *Ledger) landed() error {
	value, found, err := l.db.Value([]byte{tableStage})
	if err != nil {
		return err
	}
	if found {
		var note landing
		if err := json.Unmarshal(value, &note); err != nil {
			return fmt.Errorf("ledger: %w: %w", orbweaver.ErrDamaged, err)
		}
		if err := l.landAgain(note); err != nil {
			return err
		}
		if err := l.db.Put([]byte{tableStage}, nil); err != nil {
			return err
		}
	}
	return l.db.FS().RemoveAll(l.stagePath(""))
}

// landAgain ingests the tables of a stage, unless that was done: then some were removed.
func (l *Ledger) landAgain(note landing) error {
	paths := make([]string, len(note.Tables))
	for i, name := range note.Tables {
		paths[i] = l.stagePath(name)
		switch _, err := l.db.FS().Stat(paths[i]); {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			return err
		}
	}
	if err := l.quads.writer.Land(context.Background(), paths); err != nil {
		return err
	}
	return l.db.Err()
}
