package engine

import (
	"context"
	"io"

	"orbweaver"
)

// A RoundReplayer is a Learner and Rounder whose rounds can be replayed like outcomes, so that no snapshot has to follow each.
type RoundReplayer interface {
	// RoundNote returns what the last EndRound took from Round.Known, in the focus's own encoding.
	RoundNote() []byte
	// ReplayRound changes the state as EndRound did for round n, whose RoundNote is note. An error wraps
	// orbweaver.ErrDamaged and leaves the state unchanged.
	ReplayRound(n int, note []byte) error
}

// A Sharer is a Learner of which several workers of one crawl learn together what is sums over outcomes: each publishes what its own outcomes
// taught, and takes in what all others have published. Without either, it learns as if it were alone.
type Sharer interface {
	// Share writes what the outcomes learned here taught so far, and nothing that was taken. Equal states give equal bytes.
	Share(io.Writer) error
	// Take replaces all that was taken before by what others share now, by worker. Equal ones change a state equally. What was taken is part of the snapshot. An error wraps
	// orbweaver.ErrDamaged, and leaves the state as it was.
	Take(ctx context.Context, shared map[string][]byte) (orbweaver.Lesson, error)
}

// A Gatherer is a Sharer whose state of the whole crawl can be made of those of its workers, when all of them are done: no page is read again.
type Gatherer interface {
	Sharer
	// Gather replaces all that was learned by what the workers, by name, have learned of their own outcomes; what they took of each other counts once. snapshots are theirs,
	// as Snapshot wrote them. Equal ones give equal bytes of Snapshot, and that of one worker which took nothing its own. An error wraps
	// orbweaver.ErrDamaged, or errors.ErrUnsupported where a part of the focus is no Gatherer, and leaves the state as it was.
	Gather(ctx context.Context, snapshots map[string][]byte) error
}

// A RoundSharer is a Learner and Rounder whose rounds several workers of a crawl go through together. Within such a round it does not change: LessonOf takes the
// place of Learn. When all requests of the round were made, every worker folds the lessons of all pages, also those of others, in one order, and then ends the round, so
// that all have the same state, and the same bytes of Snapshot. EndRound finds in Known only what this worker knows.
type RoundSharer interface {
	orbweaver.Learner
	orbweaver.Rounder
	// LessonOf returns what an outcome teaches, in the focus's own encoding; empty: nothing. It changes nothing.
	LessonOf(context.Context, orbweaver.Outcome) ([]byte, error)
	// Fold learns what LessonOf returned for the page of a URL, here or at another worker of the same state. The error wraps orbweaver.ErrDamaged.
	Fold(ctx context.Context, url string, lesson []byte) error
}

// SharesRounds reports whether workers of a crawl with a focus go through its rounds together.
func SharesRounds(f orbweaver.Focus) bool {
	_, ok := f.(RoundSharer)
	return ok
}

// capabilities are a focus and its optional interfaces. The engine asserts them in capabilitiesOf alone; a
// Preparer is the business of package pipeline.
type capabilities struct {
	orbweaver.Focus
	seeder    orbweaver.Seeder
	recoverer orbweaver.Recoverer
	rephraser orbweaver.Rephraser
	learner   orbweaver.Learner
	rounder   orbweaver.Rounder
	replayer  RoundReplayer
	reranker  orbweaver.Reranker
	merger    orbweaver.Merger
	decider   orbweaver.Decider
	relearner orbweaver.Relearner
	sharer    Sharer
	gatherer  Gatherer
}

func capabilitiesOf(f orbweaver.Focus) capabilities {
	all := capabilities{Focus: f}
	all.seeder, _ = f.(orbweaver.Seeder)
	all.recoverer, _ = f.(orbweaver.Recoverer)
	all.rephraser, _ = f.(orbweaver.Rephraser)
	all.learner, _ = f.(orbweaver.Learner)
	all.rounder, _ = f.(orbweaver.Rounder)
	all.replayer, _ = f.(RoundReplayer)
	all.reranker, _ = f.(orbweaver.Reranker)
	all.merger, _ = f.(orbweaver.Merger)
	all.decider, _ = f.(orbweaver.Decider)
	all.relearner, _ = f.(orbweaver.Relearner)
	all.sharer, _ = f.(Sharer)
	all.gatherer, _ = f.(Gatherer)
	return all
}
