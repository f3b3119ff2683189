package mediawiki

import (
	"context"
	"fmt"
	"iter"
	"net/url"
	"strings"

	"orbweaver"
)

// A Member is a page in a category.
type Member struct {
	ID       int64 // of the page; unique in its wiki
	Title    string
	Category string // in which it was found first
	Level    int    // of that category: 0 for the one that was named
}

// A Walk bounds Members.
type Walk struct {
	Depth      int // of categories within the category; 0: only its own pages
	Categories int // requested, the first included; 0: 1000
	Members    int // returned; 0: 1 000 000
}

const (
	usualCategories = 1000
	usualMembers    = 1_000_000
	nameSpaceMain   = 0
	maxTitle        = 512 // bytes; MediaWiki allows 255; longer ones are left out
)

type memberAnswer struct {
	ID    int64  `json:"pageid"`
	NS    int    `json:"ns"`
	Title string `json:"title"`
	Type  string `json:"type"` // page, subcat, file
}

// Members ranges over the articles of a category, then over those of its subcategories, and so on, level by
// level, each article once. A category may be named without "Category:". A missing category has no members.
// Redirects in a category are members. An error ends the sequence. At a limit of w it wraps ErrTooLarge, and
// the members before it are the same as without the limit.
func (c *Client) Members(ctx context.Context, category string, w Walk) iter.Seq2[Member, error] {
	if w.Categories <= 0 {
		w.Categories = usualCategories
	}
	if w.Members <= 0 {
		w.Members = usualMembers
	}
	if category = strings.TrimSpace(strings.ReplaceAll(category, "_", " ")); !strings.Contains(category, ":") {
		category = "Category:" + category
	}
	return func(yield func(Member, error) bool) {
		l := &levels{client: c, walk: w, seen: map[int64]struct{}{}, known: map[string]bool{category: true}, yield: yield}
		if err := l.run(ctx, category); err != nil && !l.enough {
			yield(Member{}, err)
		}
	}
}

// levels is one walk through categories.
type levels struct {
	client *Client
	walk   Walk
	seen   map[int64]struct{} // pages
	known  map[string]bool    // categories
	asked  int                // categories
	yield  func(Member, error) bool
	level  int
	enough bool // the consumer stopped
}

func (l *levels) run(ctx context.Context, category string) error {
	level := []string{category}
	for l.level = range max(0, l.walk.Depth) + 1 {
		var below []string
		for _, category := range level {
			if l.asked++; l.asked > l.walk.Categories {
				return fmt.Errorf("mediawiki: more than %d categories: %w", l.walk.Categories, orbweaver.ErrTooLarge)
			}
			found, err := l.category(ctx, category)
			if err != nil || l.enough {
				return err
			}
			below = append(below, found...)
		}
		level = below
	}
	return nil
}

// category yields the pages of a category and returns its new subcategories.
func (l *levels) category(ctx context.Context, category string) (below []string, err error) {
	full := false
	err = l.client.query(ctx, url.Values{
		"list": {"categorymembers"}, "cmtitle": {category}, "cmtype": {"page|subcat"},
		"cmprop": {"ids|title|type"}, "cmlimit": {"max"},
	}, func(a *answer) bool {
		for _, m := range a.Query.Members {
			switch {
			case m.Type == "subcat":
				if len(m.Title) <= maxTitle && !l.known[m.Title] && len(l.known) <= l.walk.Categories { // one more, to detect that there are too many
					l.known[m.Title] = true
					below = append(below, m.Title)
				}
			case m.NS != nameSpaceMain || m.ID <= 0 || m.Title == "" || len(m.Title) > maxTitle || !l.fresh(m.ID):
			case len(l.seen) > l.walk.Members:
				full = true
			default:
				l.enough = !l.yield(Member{m.ID, m.Title, category, l.level}, nil)
			}
			if full || l.enough {
				return false
			}
		}
		return true
	})
	if err == nil && full {
		err = fmt.Errorf("mediawiki: more than %d pages: %w", l.walk.Members, orbweaver.ErrTooLarge)
	}
	return below, err
}

// fresh reports whether a page is new.
func (l *levels) fresh(id int64) bool {
	n := len(l.seen)
	l.seen[id] = struct{}{}
	return len(l.seen) > n
}
