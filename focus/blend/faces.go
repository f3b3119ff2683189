package blend

import (
	"context"
	"io"

	"orbweaver"
)

// faces are the optional interfaces of a part. They are asserted in facesOf alone.
type faces struct {
	preparer  orbweaver.Preparer
	reader    orbweaver.DataReader
	seeder    orbweaver.Seeder
	recoverer orbweaver.Recoverer
	rephraser orbweaver.Rephraser
	learner   orbweaver.Learner
	rounder   orbweaver.Rounder
	replayer  replayer
	reranker  orbweaver.Reranker
	merger    orbweaver.Merger
	evidencer orbweaver.Evidencer
	suggester orbweaver.Suggester
	decider   orbweaver.Decider
	relearner orbweaver.Relearner
	sharer    sharer
	gatherer  gatherer
	asker     Asker
	abstainer Abstainer
}

// A replayer can end its rounds again: see engine.RoundReplayer.
type replayer interface {
	RoundNote() []byte
	ReplayRound(n int, note []byte) error
}

// A sharer learns together with the same focus of other workers: see engine.Sharer.
type sharer interface {
	Share(io.Writer) error
	Take(ctx context.Context, shared map[string][]byte) (orbweaver.Lesson, error)
}

// A gatherer takes what the same focus of all workers has learned: see engine.Gatherer.
type gatherer interface {
	Gather(ctx context.Context, snapshots map[string][]byte) error
}

func facesOf(f orbweaver.Focus) (all faces) {
	all.preparer, _ = f.(orbweaver.Preparer)
	all.reader, _ = f.(orbweaver.DataReader)
	all.seeder, _ = f.(orbweaver.Seeder)
	all.recoverer, _ = f.(orbweaver.Recoverer)
	all.rephraser, _ = f.(orbweaver.Rephraser)
	all.learner, _ = f.(orbweaver.Learner)
	all.rounder, _ = f.(orbweaver.Rounder)
	all.replayer, _ = f.(replayer)
	all.reranker, _ = f.(orbweaver.Reranker)
	all.merger, _ = f.(orbweaver.Merger)
	all.evidencer, _ = f.(orbweaver.Evidencer)
	all.suggester, _ = f.(orbweaver.Suggester)
	all.decider, _ = f.(orbweaver.Decider)
	all.relearner, _ = f.(orbweaver.Relearner)
	all.sharer, _ = f.(sharer)
	all.gatherer, _ = f.(gatherer)
	all.asker, _ = f.(Asker)
	all.abstainer, _ = f.(Abstainer)
	return all
}
