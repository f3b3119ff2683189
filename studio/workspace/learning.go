package workspace

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"orbweaver"
	"orbweaver/internal/order"
)

// Bounds of the topics that are learned.
const (
	maxLearnings = 50  // that are kept; those that ended first go
	maxPages     = 200 // pages of the Web of one order
	maxDepth     = 10  // levels of subcategories
	maxArticles  = 10_000
	usualArticle = 500 // articles, unless an order says otherwise

	learnPrefix = "learn-" // of the folder of a learning, below that of the studio
	orderFile   = "learning.json"
	madeFolder  = "topic" // below it: the topic, until it has its place
	wasFolder   = "was"   // below it: the topic that it replaces, until it has its place
)

// A TopicOrder says what a topic is learned from.
type TopicOrder struct {
	Topic      string        `json:"topic,omitempty"`      // its name
	Add        string        `json:"add,omitempty"`        // folder of a topic that the documents are added to; then there is no name, background or gazetteer
	Documents  []string      `json:"documents,omitempty"`  // files and folders of the workspace
	URLs       []string      `json:"urls,omitempty"`       // pages of the Web; when one is fetched it is a document
	Wikipedia  *WikiCategory `json:"wikipedia,omitempty"`  // nil: none
	Background []string      `json:"background,omitempty"` // files and folders with general documents
	Gazetteer  string        `json:"gazetteer,omitempty"`  // file of names, or an ontology; empty: the titles of the documents
	Contact    string        `json:"contact,omitempty"`    // URL or e-mail address, sent to a wiki with each request
}

// A WikiCategory is a category of a Wikipedia, or of another wiki, whose articles are documents.
type WikiCategory struct {
	Category string `json:"category"`
	Language string `json:"language,omitempty"` // of the Wikipedia; empty: en
	API      string `json:"api,omitempty"`      // address of another wiki's api.php
	Depth    int    `json:"depth,omitempty"`    // levels of subcategories
	Limit    int    `json:"limit,omitempty"`    // articles; 0: 500
	Persons  bool   `json:"persons,omitempty"`  // articles about persons too
}

// States of a Learning.
const (
	LearningWaits     = "waits" // for another one to end
	LearningRuns      = "runs"
	LearningDone      = "done"
	LearningFailed    = "failed"
	LearningCancelled = "cancelled"
)

// A Learning is a topic that is learned, or was.
type Learning struct {
	ID       string     `json:"id"`
	Order    TopicOrder `json:"order"`
	State    string     `json:"state"`
	Step     string     `json:"step,omitempty"` // pages, articles, names, titles or nouns
	Done     int64      `json:"done"`           // of the step: pages, articles or documents
	All      int64      `json:"all"`            // 0: not known
	Messages []string   `json:"messages"`       // the latest, oldest first
	Error    string     `json:"error,omitempty"`
	Model    string     `json:"model,omitempty"` // folder of the topic, when it is done
	At       time.Time  `json:"at"`
	End      time.Time  `json:"end,omitzero"`
}

// Over reports whether a learning has ended.
func (l Learning) Over() bool { return l.State != LearningWaits && l.State != LearningRuns }

// A learner is a learning of this process.
type learner struct {
	Learning
	said   *notices
	cancel context.CancelFunc
	ended  chan struct{} // closed when it has ended
}

// learnings are the topics that are learned, and those that were.
type learnings struct {
	mu    sync.Mutex
	all   []*learner // in the order in which they were made
	place sync.Mutex // held while a topic goes to its place
	turn  chan struct{}
}

// Learn begins to learn a topic, or to add documents to one. It goes on when the caller has gone; Learning says how far it is. The error wraps
// orbweaver.ErrInput if the order makes no sense, and ErrUnknown if it names what is not there.
func (w *Workspace) Learn(o TopicOrder) (Learning, error) {
	if err := w.checkOrder(&o); err != nil {
		return Learning{}, err
	}
	l := &learner{Learning: Learning{ID: strings.ToLower(rand.Text()[:12]), Order: o, At: time.Now().UTC()}}
	if err := os.Mkdir(w.learnFolder(l.ID), 0o700); err != nil {
		return Learning{}, fmt.Errorf("workspace: %w", err)
	}
	w.learned.mu.Lock()
	w.learned.all = append(w.learned.all, l)
	w.learned.mu.Unlock()
	w.dropOld()
	return w.launchLearning(l)
}

// launchLearning runs a learning beside all else.
func (w *Workspace) launchLearning(l *learner) (Learning, error) {
	w.learned.mu.Lock()
	ctx, cancel := context.WithCancel(w.ctx)
	l.State, l.Step, l.Done, l.All, l.Error, l.End = LearningWaits, "", 0, 0, "", time.Time{}
	l.said, l.cancel, l.ended = &notices{}, cancel, make(chan struct{})
	err := w.keepLearning(l)
	view := l.view(w.dir)
	w.learned.mu.Unlock()
	if err != nil {
		cancel()
		return view, err
	}
	w.Beside(func(context.Context) { w.learning(ctx, l) })
	return view, nil
}

// view is a copy that changes no more. It must be called with the mu of the learnings held. Messages and errors name paths as the workspace has
// them.
func (l *learner) view(dir string) Learning {
	v := l.Learning
	v.Order.Documents, v.Order.URLs = slices.Clone(v.Order.Documents), slices.Clone(v.Order.URLs)
	if l.said != nil {
		v.Messages = l.said.last()
	}
	v.Messages = append([]string{}, v.Messages...)
	within := strings.NewReplacer(filepath.Join(dir, ownFolder, learnPrefix+l.ID)+string(filepath.Separator), "", dir+string(filepath.Separator), "")
	for i, m := range v.Messages {
		v.Messages[i] = within.Replace(m)
	}
	v.Error = within.Replace(v.Error)
	return v
}

// learnFolder is the folder of a learning.
func (w *Workspace) learnFolder(id string) string {
	return filepath.Join(w.dir, ownFolder, learnPrefix+id)
}

// keepLearning writes what is known of a learning. It must be called with the mu of the learnings held.
func (w *Workspace) keepLearning(l *learner) error {
	text, err := json.Marshal(l.view(w.dir))
	if err != nil {
		return fmt.Errorf("workspace: %w", err)
	}
	return replace(filepath.Join(w.learnFolder(l.ID), orderFile), text)
}

// recallLearnings reads the learnings of earlier processes. What one of them did not end has failed, and can be tried again.
func (w *Workspace) recallLearnings() error {
	w.learned.turn = make(chan struct{}, 1)
	folders, err := filepath.Glob(filepath.Join(w.dir, ownFolder, learnPrefix+"*"))
	for _, folder := range folders {
		l := &learner{}
		text, failed := os.ReadFile(filepath.Join(folder, orderFile))
		if failed != nil || json.Unmarshal(text, &l.Learning) != nil || learnPrefix+l.ID != filepath.Base(folder) {
			err = errors.Join(err, os.RemoveAll(folder)) // it was not begun
			continue
		}
		if was := filepath.Join(folder, wasFolder); exists(was) { // it was killed between two steps
			if place, failed := w.inside(l.Order.Add); failed == nil && !exists(place) {
				err = errors.Join(err, os.Rename(was, place))
			}
		}
		if err = errors.Join(err, w.clear(l.ID)); !l.Over() {
			l.State, l.Error, l.End = LearningFailed, "the studio ended before the topic was learned: try again", time.Now().UTC()
			err = errors.Join(err, w.keepLearning(l))
		}
		w.learned.all = append(w.learned.all, l)
	}
	order.By(w.learned.all, func(a, b *learner) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	return err
}

// clear removes what a learning made on the way, but for its order.
func (w *Workspace) clear(id string) error {
	entries, err := os.ReadDir(w.learnFolder(id))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if e.Name() != orderFile {
			err = errors.Join(err, os.RemoveAll(filepath.Join(w.learnFolder(id), e.Name())))
		}
	}
	return err
}

// Learnings lists the topics that are learned, and those that were, the latest first.
func (w *Workspace) Learnings() []Learning {
	w.learned.mu.Lock()
	defer w.learned.mu.Unlock()
	all := []Learning{}
	for _, l := range slices.Backward(w.learned.all) {
		all = append(all, l.view(w.dir))
	}
	return all
}

// findLearning returns a learning. It must be called with the mu of the learnings held.
func (w *Workspace) findLearning(id string) (*learner, error) {
	i := slices.IndexFunc(w.learned.all, func(l *learner) bool { return l.ID == id })
	if i < 0 {
		return nil, fmt.Errorf("learning %.40q: the workspace has none of this name: %w", id, ErrUnknown)
	}
	return w.learned.all[i], nil
}

// Learning says how far a learning is. The error wraps ErrUnknown if there is none.
func (w *Workspace) Learning(id string) (Learning, error) {
	w.learned.mu.Lock()
	defer w.learned.mu.Unlock()
	l, err := w.findLearning(id)
	if err != nil {
		return Learning{}, err
	}
	return l.view(w.dir), nil
}

// CancelLearning ends a learning that is not over, and waits for its end. What was fetched stays.
func (w *Workspace) CancelLearning(ctx context.Context, id string) (Learning, error) {
	w.learned.mu.Lock()
	l, err := w.findLearning(id)
	if err != nil {
		w.learned.mu.Unlock()
		return Learning{}, err
	}
	ended := l.ended
	if !l.Over() {
		l.cancel()
	} else {
		ended = nil
	}
	w.learned.mu.Unlock()
	if ended != nil {
		select {
		case <-ended:
		case <-ctx.Done():
			return Learning{}, ctx.Err()
		}
	}
	return w.Learning(id)
}

// LearnAgain learns again what failed or was cancelled, by the same order: what was fetched is not fetched again. The error wraps
// orbweaver.ErrBusy if it is under way, and orbweaver.ErrInput if the topic was learned.
func (w *Workspace) LearnAgain(id string) (Learning, error) {
	w.learned.mu.Lock()
	l, err := w.findLearning(id)
	switch {
	case err != nil:
	case !l.Over():
		err = fmt.Errorf("learning %s: it is under way (%w)", id, orbweaver.ErrBusy)
	case l.State == LearningDone:
		err = fmt.Errorf("learning %s: the topic was learned: order it anew (%w)", id, orbweaver.ErrInput)
	}
	w.learned.mu.Unlock()
	if err != nil {
		return Learning{}, err
	}
	return w.launchLearning(l)
}

// ForgetLearning removes what is known of a learning that has ended. The topic and the documents stay.
func (w *Workspace) ForgetLearning(id string) error {
	w.learned.mu.Lock()
	defer w.learned.mu.Unlock()
	l, err := w.findLearning(id)
	if err == nil && !l.Over() {
		err = fmt.Errorf("learning %s: it is under way: cancel it first (%w)", id, orbweaver.ErrBusy)
	}
	if err != nil {
		return err
	}
	w.learned.all = slices.DeleteFunc(w.learned.all, func(o *learner) bool { return o == l })
	return os.RemoveAll(w.learnFolder(id))
}

// dropOld forgets the learnings that ended first, if there are many.
func (w *Workspace) dropOld() {
	w.learned.mu.Lock()
	defer w.learned.mu.Unlock()
	for i := 0; len(w.learned.all) > maxLearnings && i < len(w.learned.all); {
		if l := w.learned.all[i]; l.Over() && os.RemoveAll(w.learnFolder(l.ID)) == nil {
			w.learned.all = slices.Delete(w.learned.all, i, i+1)
			continue
		}
		i++
	}
}
