package mediawiki

import (
	"context"
	"fmt"
	"net/url"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/weburl"
)

// A Page is an article. It has Text or HTML, depending on the wiki; Text may be empty.
type Page struct {
	ID        int64
	Title     string
	URL       string   // for readers; as the wiki gives it
	Lang      string   // BCP 47; may be empty
	Text      string   // plain; blocks, headings included, separated by blank lines; without empty sections
	HTML      string   // of the article alone, if the wiki makes no plain text (it lacks the extension TextExtracts)
	Redirects []string // titles that redirect to the page, 2000 at most
}

const (
	maxRedirects = 2000
	maxLang      = 35 // bytes: RFC 5646, section 4.4.1
)

// Page requests an article by its ID. The error wraps ErrAbsent if it does not exist.
func (c *Client) Page(ctx context.Context, id int64) (Page, error) {
	number := strconv.FormatInt(id, 10)
	params := url.Values{
		"pageids": {number}, "prop": {"info|redirects"}, "inprop": {"url"}, "rdprop": {"title"}, "rdnamespace": {"0"}, "rdlimit": {"max"},
	}
	if c.extracts(true) {
		params.Set("prop", "extracts|info|redirects")
		params.Set("explaintext", "1")
		params.Set("exsectionformat", "wiki")
		params.Set("exlimit", "1")
	}
	p, there, extracted := Page{ID: id}, false, false
	err := c.query(ctx, params, func(a *answer) bool {
		if strings.Contains(a.Warnings["query"].Warnings, "extracts") { // the module itself, not its parameters
			c.extracts(false)
		}
		for _, found := range a.Query.Pages {
			if found.ID != id || found.Missing {
				continue
			}
			there = true
			p.add(found)
			if found.Extract != nil {
				p.Text, extracted = blocks(*found.Extract), true
			}
		}
		return len(p.Redirects) < maxRedirects
	})
	if err == nil && !there {
		err = fmt.Errorf("mediawiki %s: page %d: %w", c.address(), id, orbweaver.ErrAbsent)
	}
	if err == nil && !extracted {
		p.HTML, err = c.parse(ctx, number)
	}
	return p, err
}

// add merges one part of an answer.
func (p *Page) add(a pageAnswer) {
	take := func(to *string, value string, limit int) {
		if value != "" && len(value) <= limit {
			*to = value
		}
	}
	take(&p.Title, a.Title, maxTitle)
	take(&p.URL, a.URL, weburl.MaxLength)
	take(&p.Lang, a.Lang, maxLang)
	for _, r := range a.Redirects {
		if len(p.Redirects) < maxRedirects && len(r.Title) <= maxTitle {
			p.Redirects = append(p.Redirects, r.Title)
		}
	}
}

// extracts records and reports whether the wiki supports extracts.
func (c *Client) extracts(does bool) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.extract = c.extract && does
	return c.extract
}

// parse requests a page as HTML.
func (c *Client) parse(ctx context.Context, id string) (string, error) {
	a, err := c.ask(ctx, url.Values{
		"action": {"parse"}, "pageid": {id}, "prop": {"text"},
		"disablelimitreport": {"1"}, "disableeditsection": {"1"}, "disabletoc": {"1"},
	})
	if err != nil {
		return "", err
	}
	if a.Parse.Text == nil {
		return "", fmt.Errorf("mediawiki %s: page %s: %w: an answer without text", c.address(), id, orbweaver.ErrUnreadable)
	}
	return *a.Parse.Text, nil
}

// blocks makes blocks of an extract, in which each line is one, and removes the marks of its headings ("==
// History =="). It drops a heading without text before the next one of its own level or above.
func blocks(extract string) string {
	type heading struct {
		level int
		text  string
	}
	var out []string
	var open []heading // without text so far
	for line := range strings.Lines(extract) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		level, text := headingOf(line)
		if level == 0 {
			for _, h := range open {
				out = append(out, h.text)
			}
			open, out = open[:0], append(out, line)
			continue
		}
		for len(open) > 0 && open[len(open)-1].level >= level {
			open = open[:len(open)-1]
		}
		open = append(open, heading{level, text})
	}
	return strings.Join(out, "\n\n")
}

// headingOf is the level and text of a heading; 0: the line is none.
func headingOf(line string) (level int, text string) {
	text = strings.Trim(line, "=")
	left := len(line) - len(strings.TrimLeft(line, "="))
	right := len(line) - len(strings.TrimRight(line, "="))
	if text = strings.TrimSpace(text); text == "" || left < 2 || left > 6 || left != right {
		return 0, ""
	}
	return left, text
}
