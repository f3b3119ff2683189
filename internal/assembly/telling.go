package assembly

import (
	"context"
	"fmt"
	"sync"
	"time"

	"orbweaver/eval"
	"orbweaver/internal/changes"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
	"orbweaver/internal/services"
	"orbweaver/internal/services/wire"
	"orbweaver/server"
)

// feedEvery is how often changes.atom is written at most.
const feedEvery = 10 * time.Second

// Tell sends the changes that a watch finds to its webhook, and writes its feed, until stop is called. Without a watch it does nothing.
func (c *Crawl) Tell(ctx context.Context, j *job.Job) (stop func(), err error) {
	w := c.watch
	if w == nil {
		return func() {}, nil
	}
	s := w.standing(time.Now())
	console.Say(j.Err, "watching %s of %s; the next visit is due %s", console.Several(s.Pages, "page"), console.Relative(c.File.Output), s.Next.Local().Format(time.DateTime))
	hook, err := c.hook(j)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	var running sync.WaitGroup
	feed, lengths := make(chan int64, 1), make(chan int64, 1)
	w.told = func(length int64) {
		for _, to := range []chan int64{feed, lengths} {
			select { // the latest length stands
			case <-to:
			default:
			}
			to <- length
		}
	}
	running.Go(func() { c.writeFeeds(ctx, feed) })
	if hook != nil {
		length := w.log.Length()
		running.Go(func() {
			if err := hook.Run(ctx, length, lengths); err != nil {
				c.Log.Warn("webhook", "error", err.Error())
				console.Say(j.Err, "warning: webhook: %v", err)
			}
		})
	}
	return func() {
		cancel()
		running.Wait()
	}, nil
}

// writeFeeds writes the feed after changes.
func (c *Crawl) writeFeeds(ctx context.Context, lengths <-chan int64) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-lengths:
		}
		if err := changes.WriteFeed(c.File.Output, c.File.Name()); err != nil {
			c.Log.Warn("feed of changes", "error", err.Error())
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(feedEvery):
		}
	}
}

// hook returns the webhook of the crawl file; nil: there is none.
func (c *Crawl) hook(j *job.Job) (*changes.Hook, error) {
	s := c.File.Schedule
	if s.Webhook == "" {
		return nil, nil
	}
	secret, err := services.ReadSecret(s.Secret, "schedule.secret")
	if err != nil {
		return nil, err
	}
	client := c.Wire.Poster(c.File.AllowPrivate, wire.NamedPorts(s.Webhook)...)
	return &changes.Hook{
		Folder: c.File.Output, Crawl: c.File.Name(), URL: s.Webhook, Secret: secret, Do: client.Do,
		Tell: func(err error) {
			if err == nil {
				c.Log.Info("webhook answers again")
				return
			}
			c.Log.Warn("webhook", "error", err.Error())
			console.Say(j.Err, "warning: webhook: %v; changes are kept and sent later", err)
		},
	}, nil
}

// figuresFor is how long figures of a watch are shown before they are computed anew.
const figuresFor = 10 * time.Second

// frozen returns a copy that has the figures of now alone.
func (w *watch) frozen() *watch {
	if w == nil {
		return nil
	}
	return &watch{shown: w.standing(time.Now()), still: true}
}

// standing is what a watch says of itself, computed at most every ten seconds.
func (w *watch) standing(now time.Time) *server.Watch {
	if w == nil {
		return nil
	}
	if w.still {
		return w.shown
	}
	if w.shown == nil || now.Sub(w.shownAt) > figuresFor || now.Before(w.shownAt) {
		w.shown, w.shownAt = &server.Watch{Figures: w.schedule.Figures(now)}, now
	}
	s := *w.shown
	s.Requests = w.c.File.Schedule.Requests
	s.Next = w.schedule.Next(now)
	return &s
}

// Upcoming returns the next visits of a watch; nil: the crawl is not watched now. It runs between two steps.
func (t *Control) Upcoming(ctx context.Context, most int) (list []server.Upcoming, err error) {
	if t.C.watch == nil {
		return nil, nil
	}
	err = t.Look(ctx, func() { list = t.C.watch.upcoming(time.Now(), most) })
	return list, err
}

func (w *watch) upcoming(now time.Time, most int) (list []server.Upcoming) {
	for _, u := range w.schedule.Upcoming(now, most) {
		p := w.pages[u.ID]
		list = append(list, server.Upcoming{URL: p.url, At: u.At, Last: u.Last, Every: u.Every, Rate: u.Rate, Visits: u.Visits, Worth: p.worth()})
	}
	return list
}

// facts are what a report says of a watch.
func (w *watch) facts() []eval.Fact {
	s := w.standing(time.Now())
	if s == nil {
		return nil
	}
	return []eval.Fact{
		{Name: "watched pages", Value: fmt.Sprint(s.Pages)},
		{Name: "up to date, as estimated", Value: fmt.Sprintf("%.1f %% of pages, %.1f %% by worth; mean age %.2f days", 100*s.Fresh, 100*s.Weighted, s.Age)},
	}
}
