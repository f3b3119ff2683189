package inspect

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"orbweaver/internal/judge"
	"orbweaver/internal/reread"
	"orbweaver/ledger"
)

// searched bounds the bytes of pages.jsonl that are read while the crawl runs: some 50 000 pages, without a noticeable
// delay.
const searched = 48 << 20

// offered bounds the waiting URLs that are searched for the nearest ones while the crawl runs.
const offered = 15_000

const maxHistory = 100 // outcomes of one URL

// remember finds earlier outcomes of the URL, pages with the same bytes, redirects to it and, if no page links to it, the nearest known
// URLs: in the ledger where it has an index of all outcomes, else in pages.jsonl.
func (k *Knowledge) remember(ctx context.Context, x *Explanation) error {
	if x.Kind != KindUnlinked {
		found, err := false, error(nil)
		if ended := k.between(ctx, func() { found, err = k.recall(x) }); ended != nil || err != nil || found {
			return errors.Join(ended, err)
		}
	}
	return k.search(ctx, x)
}

// recall finds in the ledger what search finds in pages.jsonl but for the nearest URLs, in the same order. It reports false if the ledger
// has no index of all outcomes.
func (k *Knowledge) recall(x *Explanation) (bool, error) {
	if left := k.ledger.Unlisted(); left > recalledAtOnce {
		return false, nil
	} else if err := k.ledger.List(left); err != nil {
		return false, err
	}
	for line, err := range k.ledger.Recalled(ledger.TraitURL, x.URL) {
		if err != nil {
			return false, err
		}
		if len(x.History) < maxHistory {
			x.History = append(x.History, earlierIn(line))
		}
	}
	if len(x.History) == 1 {
		x.History = nil
	}
	if o := x.Outcome; o != nil && o.Digest != "" && o.Bytes > 0 {
		for line, err := range k.ledger.Recalled(ledger.TraitDigest, o.Digest) {
			if err != nil {
				return false, err
			}
			if line.URL != x.URL {
				same := earlierIn(line)
				x.SameBytes = &same
				break
			}
		}
	}
	if x.Outcome != nil {
		return true, nil
	}
	for line, err := range k.ledger.Recalled(ledger.TraitRedirect, x.URL) {
		if err != nil {
			return false, err
		}
		if line.URL != x.URL && len(x.Redirected) < examples {
			x.Redirected = append(x.Redirected, earlierIn(line))
		}
	}
	return true, nil
}

// recalledAtOnce is the number of outcomes that are added to the index for one explanation: more are prepared in the background, or not.
const recalledAtOnce = 500

// search searches pages.jsonl.
func (k *Knowledge) search(ctx context.Context, x *Explanation) error {
	file, err := os.Open(filepath.Join(k.file.Output, ledger.JournalFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	var in io.Reader = file
	if info, err := file.Stat(); err == nil && k.run != nil && info.Size() > searched {
		in, x.Searched = io.LimitReader(file, searched), searched
	}
	s, err := searchFor(x)
	if err != nil {
		return err
	}
	for line, err := range reread.Lines(in) {
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		s.line(line)
	}
	if len(x.History) == 1 {
		x.History = nil
	}
	if s.near != nil {
		err = k.between(ctx, func() {
			n := 0
			for url := range k.ledger.WaitingURLs() {
				if n++; k.run != nil && n > offered {
					break
				}
				s.near.Offer(url)
			}
		})
		x.Nearest = s.near.Best(judge.MaxNear)
	}
	return err
}

// A pastSearch scans lines of pages.jsonl and decodes only the matching ones.
type pastSearch struct {
	x                     *Explanation
	url, redirect, digest []byte // as JSON members in a line; digest may be nil
	near                  *judge.Nearest
}

func searchFor(x *Explanation) (*pastSearch, error) {
	name, err := json.Marshal(x.URL)
	if err != nil {
		return nil, err
	}
	name = reread.PlainJSON(name)
	s := &pastSearch{x: x, url: append([]byte(`"url":`), name...), redirect: append([]byte(`"redirect":`), name...)}
	if x.Outcome != nil && x.Outcome.Digest != "" && x.Outcome.Bytes > 0 {
		s.digest = []byte(`"digest":"` + x.Outcome.Digest + `"`)
	}
	if x.Kind == KindUnlinked {
		s.near = judge.NewNearest(x.URL)
	}
	return s, nil
}

// line scans a line. The search patterns cannot match inside a JSON string, because quotes are escaped there.
func (s *pastSearch) line(line []byte) {
	at := bytes.Index(line[:min(len(line), 40)], []byte(`"url":"`))
	if at < 0 {
		return
	}
	rest := line[at:]
	own := bytes.HasPrefix(rest, s.url)
	if s.near != nil && !own {
		if url := rest[len(`"url":"`):]; bytes.IndexByte(url, '"') > 0 {
			s.near.Offer(string(url[:bytes.IndexByte(url, '"')]))
		}
	}
	switch head := rest[:min(len(rest), maxHead)]; {
	case own && len(s.x.History) < maxHistory:
		if e, _, ok := earlierOf(line); ok {
			s.x.History = append(s.x.History, e)
		}
	case own:
	case s.digest != nil && s.x.SameBytes == nil && bytes.Contains(head, s.digest):
		if e, _, ok := earlierOf(line); ok {
			s.x.SameBytes = &e
		}
	case s.x.Outcome == nil && len(s.x.Redirected) < examples && bytes.Contains(head, s.redirect):
		if e, to, ok := earlierOf(line); ok && to == s.x.URL {
			s.x.Redirected = append(s.x.Redirected, e)
		}
	}
}

// maxHead bounds the part of a line that contains url, status, redirect and digest.
const maxHead = 16 << 10

// earlierOf decodes a line.
func earlierOf(line []byte) (e earlier, redirect string, ok bool) {
	var l ledger.Line
	if json.Unmarshal(line, &l) != nil {
		return e, "", false
	}
	return earlierIn(l), l.Redirect, true
}

// earlierIn is an outcome as an explanation names it.
func earlierIn(l ledger.Line) earlier {
	return earlier{N: l.N, URL: l.URL, Status: l.Status, Error: l.Error, Digest: l.Digest, Score: l.Score, Accepted: l.Accepted}
}
