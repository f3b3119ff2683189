package workspace

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
)

// pageGap is the time between two requests to a host for pages of an order.
const pageGap = time.Second

// checkOrder finds what is wrong with an order, and completes it.
func (w *Workspace) checkOrder(o *TopicOrder) error {
	o.Topic = strings.TrimSpace(o.Topic)
	if o.Add != "" {
		if o.Topic != "" || len(o.Background) > 0 || o.Gazetteer != "" {
			return fmt.Errorf("a topic that documents are added to keeps its name, background and gazetteer (%w)", orbweaver.ErrInput)
		}
		if _, err := w.modelFolder(o.Add, modelKRS); err != nil {
			return err
		}
		o.Add = path.Clean(o.Add)
	} else if err := checkName(o.Topic); err != nil {
		return fmt.Errorf("topic: %w", err)
	}
	o.URLs = slices.DeleteFunc(o.URLs, func(u string) bool { return strings.TrimSpace(u) == "" })
	switch {
	case len(o.Documents) == 0 && len(o.URLs) == 0 && o.Wikipedia == nil:
		return fmt.Errorf("give documents: files, addresses of pages, or a category (%w)", orbweaver.ErrInput)
	case len(o.URLs) > maxPages:
		return fmt.Errorf("%d addresses are more than %d: crawl these pages, and name the crawl's folder as documents (%w)", len(o.URLs), maxPages, orbweaver.ErrInput)
	case len(o.Documents) > maxFiles || len(o.Background) > maxFiles:
		return fmt.Errorf("more than %d files: name their folder (%w)", maxFiles, orbweaver.ErrInput)
	}
	files := slices.Concat(o.Documents, o.Background)
	if o.Gazetteer != "" {
		files = append(files, o.Gazetteer)
	}
	if _, err := w.paths(files); err != nil {
		return err
	}
	return o.Wikipedia.check(o.Contact)
}

// check finds what is wrong with a category, and completes it.
func (c *WikiCategory) check(contact string) error {
	if c == nil {
		return nil
	}
	switch c.Category = strings.TrimSpace(c.Category); {
	case strings.Trim(strings.TrimPrefix(c.Category, "Category:"), " _:") == "":
		return fmt.Errorf("name a category, as in Category:Diabetes (%w)", orbweaver.ErrInput)
	case strings.TrimSpace(contact) == "":
		return fmt.Errorf("write how to reach you: a wiki refuses requests of programs without it (%w)", orbweaver.ErrInput)
	case c.Depth < 0 || c.Depth > maxDepth:
		return fmt.Errorf("levels of subcategories: from 0 to %d, not %d (%w)", maxDepth, c.Depth, orbweaver.ErrInput)
	case c.Limit < 0 || c.Limit > maxArticles:
		return fmt.Errorf("articles: from 1 to %d, not %d (%w)", maxArticles, c.Limit, orbweaver.ErrInput)
	}
	c.Limit = cmp.Or(c.Limit, usualArticle)
	return nil
}

// folder is the folder of the workspace that the articles of a category go to: the same for the same category.
func (c *WikiCategory) folder() string {
	stem := clean(strings.ReplaceAll(strings.TrimPrefix(c.Category, "Category:"), " ", "-"))
	return "documents/" + stem + "-" + Digest(fmt.Appendf(nil, "%s\x00%s\x00%s\x00%d\x00%d\x00%t", c.API, c.Language, c.Category, c.Depth, c.Limit, c.Persons))[:8]
}

// paths are the paths of files and folders of the workspace that are there.
func (w *Workspace) paths(files []string) (all []string, err error) {
	for _, file := range files {
		path, err := w.inside(file)
		switch {
		case err != nil:
			return nil, err
		case !exists(path):
			return nil, fmt.Errorf("%.200s: the workspace has no such file (%w)", file, orbweaver.ErrInput)
		}
		all = append(all, path)
	}
	return all, nil
}

// learning runs a learning to its end.
func (w *Workspace) learning(ctx context.Context, l *learner) {
	defer close(l.ended)
	defer l.cancel()
	model, err := "", error(nil)
	select {
	case w.learned.turn <- struct{}{}:
		model, err = w.learnTopic(ctx, l)
		<-w.learned.turn
	case <-ctx.Done():
		err = ctx.Err()
	}
	err = errors.Join(err, w.clear(l.ID))
	w.learned.mu.Lock()
	defer w.learned.mu.Unlock()
	l.Model, l.End, l.State = model, time.Now().UTC(), LearningDone
	switch {
	case err != nil && w.ctx.Err() != nil:
		l.State, l.Error = LearningFailed, "the studio ended before the topic was learned: try again"
	case err != nil && ctx.Err() != nil:
		l.State = LearningCancelled
	case err != nil:
		l.State, l.Error = LearningFailed, err.Error()
	}
	if err := w.keepLearning(l); err != nil {
		_, _ = fmt.Fprintf(l.said, "warning: %v\n", err) // never fails
	}
}

// step notes how far a learning is.
func (w *Workspace) step(l *learner, step string, done, all int64) {
	w.learned.mu.Lock()
	defer w.learned.mu.Unlock()
	l.State, l.Step, l.Done, l.All = LearningRuns, step, done, all
}

// learnTopic fetches what an order names, learns the topic in a folder of its own, and moves it to its place.
func (w *Workspace) learnTopic(ctx context.Context, l *learner) (model string, err error) {
	if why := w.Full(); why != "" {
		return "", fmt.Errorf("%s (%w)", why, orbweaver.ErrBusy)
	}
	j := *w.opts.Job
	j.Console = console.Console{Out: io.Discard, Err: l.said} // what was learned is seen in the topic
	o, err := w.gathered(ctx, l, &j)
	if err != nil {
		return "", err
	}
	if len(o.Documents) == 0 {
		return "", fmt.Errorf("none of the pages could be fetched: the messages say why (%w)", orbweaver.ErrInput)
	}
	corpus := crawl.Corpus{
		Topic: o.Topic, Dir: filepath.Join(w.learnFolder(l.ID), madeFolder),
		Progress: func(step string, done, all int64) { w.step(l, step, done, all) },
	}
	if corpus.Corpus, err = w.paths(o.Documents); err != nil {
		return "", err
	}
	if corpus.Background, err = w.paths(o.Background); err != nil {
		return "", err
	}
	if o.Add != "" {
		if corpus.Add, corpus.Into = true, corpus.Dir; err == nil {
			corpus.Dir, err = w.modelFolder(o.Add, modelKRS)
		}
	}
	if o.Gazetteer != "" {
		corpus.Gazetteer, err = w.names(ctx, l, &j, o.Gazetteer)
	}
	if err == nil {
		err = crawl.Learn(ctx, corpus, crawl.On(&j))
	}
	if err == nil {
		err = ctx.Err()
	}
	if err != nil {
		return "", err
	}
	return w.placeTopic(l.ID, o)
}

// names returns the gazetteer that a file is, or one made of it.
func (w *Workspace) names(ctx context.Context, l *learner, j *job.Job, file string) (string, error) {
	path, err := w.inside(file)
	if err != nil || kindOf(path) != "ontology" {
		return path, err
	}
	w.step(l, "names", 0, 0)
	out := filepath.Join(w.learnFolder(l.ID), "names")
	return out, crawl.Gazetteer(ctx, out, []string{path}, crawl.On(j))
}

// gathered fetches what an order names of the Web, and returns the order with files in place of it.
func (w *Workspace) gathered(ctx context.Context, l *learner, j *job.Job) (TopicOrder, error) {
	if err := w.fetchPages(ctx, l); err != nil {
		return TopicOrder{}, err
	}
	w.learned.mu.Lock()
	o := l.view(w.dir).Order
	w.learned.mu.Unlock()
	c := o.Wikipedia
	if c == nil {
		return o, nil
	}
	folder := c.folder()
	dir, err := w.below(strings.Split(folder, "/")...)
	if err != nil {
		return o, err
	}
	w.step(l, "articles", 0, int64(c.Limit))
	err = crawl.Gather(ctx, crawl.Category{
		Category: c.Category, Lang: c.Language, API: c.API, Depth: c.Depth, Limit: c.Limit, Persons: c.Persons, Contact: o.Contact, Out: dir,
		Progress: func(kept, limit int64) { w.step(l, "articles", kept, limit) },
	}, crawl.On(j))
	o.Documents = append(o.Documents, folder)
	return o, err
}

// fetchPages fetches the pages of an order, one after another, and makes them documents of it. A page that cannot be had is left out.
func (w *Workspace) fetchPages(ctx context.Context, l *learner) error {
	w.learned.mu.Lock()
	urls := slices.Clone(l.Order.URLs)
	w.learned.mu.Unlock()
	last, failed := map[string]time.Time{}, []string(nil)
	for i, address := range urls {
		w.step(l, "pages", int64(i), int64(len(urls)))
		host := hostName(address)
		if err := pause(ctx, pageGap-time.Since(last[host])); err != nil {
			return err
		}
		f, err := w.Fetch(ctx, "documents", address)
		last[host] = time.Now()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			failed = append(failed, address)
			_, _ = fmt.Fprintf(l.said, "warning: skipped: %s\n", strings.ReplaceAll(err.Error(), "; --force requests it anyway", "")) // never fails
			continue
		}
		w.learned.mu.Lock()
		if !slices.Contains(l.Order.Documents, f.Name) {
			l.Order.Documents = append(l.Order.Documents, f.Name)
		}
		l.Order.URLs = slices.Concat(failed, urls[i+1:])
		err = w.keepLearning(l)
		w.learned.mu.Unlock()
		if err != nil {
			return err
		}
	}
	return nil
}

// hostName is the host of an address as a person writes it.
func hostName(address string) string {
	if !strings.Contains(address, "://") {
		address = "http://" + address
	}
	u, err := url.Parse(strings.TrimSpace(address))
	if err != nil {
		return ""
	}
	return strings.ToLower(u.Hostname())
}

// pause waits.
func pause(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// placeTopic moves a topic that was learned to its place, and returns the place. A topic that it replaces is moved aside first: if the program is
// killed in between, the next one moves it back.
func (w *Workspace) placeTopic(id string, o TopicOrder) (string, error) {
	made, was := filepath.Join(w.learnFolder(id), madeFolder), filepath.Join(w.learnFolder(id), wasFolder)
	if o.Add == "" {
		return w.placeNew(made, o.Topic)
	}
	w.learned.place.Lock()
	defer w.learned.place.Unlock()
	place, err := w.modelFolder(o.Add, modelKRS)
	if err != nil {
		return "", err
	}
	if err := os.Rename(place, was); err != nil {
		return "", fmt.Errorf("workspace: %w", err)
	}
	if err := os.Rename(made, place); err != nil {
		return "", errors.Join(fmt.Errorf("workspace: %w", err), os.Rename(was, place))
	}
	return o.Add, nil
}

// placeNew moves the folder of a topic to where topics are, and returns its name there.
func (w *Workspace) placeNew(made, topic string) (string, error) {
	w.learned.place.Lock()
	defer w.learned.place.Unlock()
	if err := os.MkdirAll(filepath.Join(w.dir, "topics"), 0o777); err != nil {
		return "", fmt.Errorf("workspace: %w", err)
	}
	model, err := w.free("topics/"+topic, ".krs")
	if err != nil {
		return "", err
	}
	if err := os.Rename(made, filepath.Join(w.dir, model)); err != nil {
		return "", fmt.Errorf("workspace: %w", err)
	}
	return model, nil
}
