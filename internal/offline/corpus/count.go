package corpus

import (
	"context"
	"errors"

	"orbweaver"
	"orbweaver/fetch/mediawiki"
	"orbweaver/internal/console"
	"orbweaver/internal/services/wire"
)

// A Level is what a category has down to a level of its subcategories, as in Table 12 of Hernandez et al.
// 2020.
type Level struct {
	Level   int `json:"level"`   // 0: the category's own pages
	Pages   int `json:"pages"`   // that Fetch would take, down to this level
	New     int `json:"new"`     // of these, those of this level
	Persons int `json:"persons"` // pages about persons, down to this level; not in Pages
	Others  int `json:"others"`  // redirects to counted pages, disambiguations and absent pages, down to this level
}

// Count asks a wiki for the pages of a category by level, down to the job's depth, and requests no text. It
// prints a row for each level. A limit of categories ends the last level early, with a warning. Errors wrap
// ErrInput if the job is invalid or the category has no page.
func Count(ctx context.Context, con *console.Console, job Job, asJSON bool) error {
	api, err := job.check()
	if err != nil {
		return err
	}
	job.warn(con)
	g := wire.NewGetter(job.Wire, job.AllowPrivate, job.Contact)
	wiki, err := mediawiki.New(api, g, job.Delay)
	if err == nil {
		c := &counting{job: job, wiki: wiki, seen: map[int64]bool{}, levels: make([]Level, job.Depth+1)}
		if err = c.run(ctx, con); err == nil {
			err = c.print(con, asJSON)
		}
	}
	if ctx.Err() != nil {
		err = console.ErrInterrupted
	}
	return errors.Join(err, g.Close())
}

// counting is one run of Count.
type counting struct {
	job    Job
	wiki   *mediawiki.Client
	seen   map[int64]bool // pages that were counted
	levels []Level
	met    int
}

func (c *counting) run(ctx context.Context, con *console.Console) error {
	var batch []mediawiki.Member
	for m, err := range c.wiki.Members(ctx, c.job.Category, mediawiki.Walk{Depth: c.job.Depth}) {
		switch {
		case errors.Is(err, orbweaver.ErrTooLarge):
			console.Say(con.Err, "warning: %v; the rest is left out", err)
			continue // the last batch
		case err != nil:
			return err
		}
		c.met++
		if batch = append(batch, m); len(batch) == mediawiki.Batch {
			if err := c.take(ctx, batch); err != nil {
				return err
			}
			batch = batch[:0]
		}
	}
	return c.take(ctx, batch)
}

// take counts a batch of pages at their levels.
func (c *counting) take(ctx context.Context, batch []mediawiki.Member) error {
	subjects, err := c.wiki.Subjects(ctx, batch)
	if err != nil {
		return err
	}
	for i, s := range subjects {
		at := &c.levels[batch[i].Level]
		switch {
		case s.ID == 0, s.Disambiguation, c.seen[s.ID]:
			at.Others++
		case s.Person != "" && !c.job.Persons:
			at.Persons++
		default:
			c.seen[s.ID] = true
			at.New++
		}
	}
	return nil
}

// print adds the levels up and prints them.
func (c *counting) print(con *console.Console, asJSON bool) error {
	if c.met == 0 {
		return noMember(c.job.Category)
	}
	var sum Level
	for i := range c.levels {
		at := &c.levels[i]
		sum.Pages, sum.Persons, sum.Others = sum.Pages+at.New, sum.Persons+at.Persons, sum.Others+at.Others
		at.Level, at.Pages, at.Persons, at.Others = i, sum.Pages, sum.Persons, sum.Others
	}
	if asJSON {
		return console.WriteJSON(con.Out, c.levels)
	}
	console.Say(con.Out, "%s: pages down to each level of subcategories", c.job.Category)
	console.Say(con.Out, "%5s %9s %9s %9s %9s", "level", "pages", "new", "persons", "others")
	for _, l := range c.levels {
		console.Say(con.Out, "%5d %9d %9d %9d %9d", l.Level, l.Pages, l.New, l.Persons, l.Others)
	}
	console.Say(con.Out, "Persons are not in pages; others are redirects to them, disambiguations and absent pages.")
	return nil
}
