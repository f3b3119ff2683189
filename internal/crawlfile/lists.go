package crawlfile

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"

	"orbweaver/internal/urllist"
)

// openLists opens lists of URLs. Problems name their lines.
func (d *decoding) openLists(paths []string) (lists []*urllist.List) {
	for _, path := range paths {
		l, err := urllist.Open(path)
		var problem *urllist.Error
		if errors.As(err, &problem) {
			d.problems = append(d.problems, Problem{File: problem.File, Line: problem.Line, Msg: problem.Msg, Hint: problem.Hint})
			continue
		}
		lists = append(lists, l)
	}
	return lists
}

// digestOf returns the digest of seeds and lists: that of the seeds, if there are no lists.
func digestOf(seeds *urlSet, lists []*urllist.List) string {
	if len(lists) == 0 {
		return seeds.digest()
	}
	hash := sha256.New()
	io.WriteString(hash, seeds.digest()+"\n")
	for _, l := range lists {
		io.WriteString(hash, l.Digest+"\n")
	}
	return "sha256:" + hex.EncodeToString(hash.Sum(nil))
}

// checkSitemap opens the list that a sitemap names.
func (d *decoding) checkSitemap(s *Sitemap) {
	if s.File == "" || !d.look || d.troubled("web.sitemap") {
		return
	}
	s.Opened = d.openLists([]string{s.File})
	switch {
	case len(s.Opened) == 0:
	case s.Digest == "":
		s.Digest = s.Opened[0].Digest
	case s.Digest != s.Opened[0].Digest:
		d.problem("web.sitemap.digest", s.File+" has changed since this crawl began", "restore it, or start a crawl in another folder")
	}
}

// checkListed reports limits that a part of a list exceeds.
func (d *decoding) checkListed(c Lists, l Limits) {
	if len(c.Paths()) > 0 && l.Body < urllist.PartBytes && !d.troubled("limits.body") {
		d.problem("limits.body", "is too small for a list of URLs", "write at least 5MB")
	}
}

// Lists are the lists of URLs of a crawl or a comparison.
type Lists struct {
	Seeds Seeds
	Web   *Web
}

// Paths returns the paths of the lists.
func (l Lists) Paths() []string {
	if l.Web == nil || l.Web.Sitemap.File == "" {
		return l.Seeds.Lists
	}
	return append(l.Seeds.Lists[:len(l.Seeds.Lists):len(l.Seeds.Lists)], l.Web.Sitemap.File)
}

// Open returns the lists. The error is an *urllist.Error.
func (l Lists) Open() (*urllist.Lists, error) {
	opened := l.Seeds.Opened
	if l.Web != nil {
		opened = append(opened[:len(opened):len(opened)], l.Web.Sitemap.Opened...)
	}
	var err error
	if paths := l.Paths(); len(opened) < len(paths) {
		opened, err = urllist.OpenAll(paths)
	}
	return urllist.Of(opened), err
}
