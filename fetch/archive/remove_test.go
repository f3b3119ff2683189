package archive

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"orbweaver"

	"orbweaver/internal/tier"
)

// TestBlankFitsAnywhere: a blank of every length that the records of a Writer can have is one valid record of that length.
func TestBlankFitsAnywhere(t *testing.T) {
	lengths := []int64{maxStored, 1<<20 + 17}
	for n := int64(0); n < 2000; n++ {
		lengths = append(lengths, n)
	}
	for _, edge := range []int64{9, 99, 999, 9999, 99999, maxStored, 2 * maxStored} {
		for d := int64(-300); d < 600; d += 7 {
			lengths = append(lengths, max(0, edge+d))
		}
	}
	dir := t.TempDir()
	for _, n := range lengths {
		at := orbweaver.Ref{File: "crawl-00000.warc.gz", Length: n}
		b, fits := blankAt(at)
		if !fits {
			if n >= 300 {
				t.Errorf("no blank of %d bytes", n)
			}
			continue
		}
		file, err := os.Create(filepath.Join(dir, at.File))
		if err != nil {
			t.Fatal(err)
		}
		if err := b.write(file); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(file.Name())
		if err := errors.Join(err, file.Close(), os.Remove(file.Name())); err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(bytes.NewReader(got))
		if err != nil || int64(len(got)) != n {
			t.Fatalf("%d bytes: %d, %v", n, len(got), err)
		}
		record, err := io.ReadAll(z)
		if err != nil {
			t.Fatalf("%d bytes: %v", n, err)
		}
		if kind := validateRecord(t, at.File, string(record), map[string]bool{}); kind != "metadata" {
			t.Errorf("%d bytes: a record of kind %q", n, kind)
		}
	}
}

// A kept answer is what a test knows of one.
type kept struct {
	ref    orbweaver.Ref
	url    string
	body   string
	header http.Header
	status int
}

// An oddCrawl is a random archive with shared payloads.
type oddCrawl struct {
	dir     string
	opts    WriterOptions
	mark    Mark
	answers []kept
	written int // answers, those removed included
	random  *rand.Rand
}

func newOddCrawl(t *testing.T, seed uint64) *oddCrawl {
	c := &oddCrawl{dir: t.TempDir(), random: rand.New(rand.NewPCG(seed, 25))}
	c.opts = WriterOptions{Prefix: "odd-00000.w", MaxFile: int64(2000 + c.random.IntN(30_000))}
	return c
}

// write appends n answers.
func (c *oddCrawl) write(t *testing.T, n int) {
	t.Helper()
	w := openWriter(t, c.dir, c.mark, c.opts)
	for range n {
		id := c.written
		c.written++
		a := kept{url: fmt.Sprintf("http://h%d.test/secret-%d-", c.random.IntN(6), id), status: 200, header: http.Header{}}
		switch c.random.IntN(8) {
		case 0:
			a.url = fmt.Sprintf("http://h%d.test/robots.txt?%d-", c.random.IntN(6), id)
		case 1:
			a.status = 404
		case 2:
			a.url += "\u00e9/" + strings.Repeat("x", c.random.IntN(300))
		}
		a.body = c.body(id)
		if c.random.IntN(2) == 0 {
			a.header.Set("Content-Type", "text/html")
			a.header.Set("X-Own", fmt.Sprint(id))
			a.header.Set("Content-Length", fmt.Sprint(len(a.body)))
		}
		resp := answerOf(a.url, a.header)
		resp.Status = a.status
		if c.random.IntN(5) == 0 {
			resp.Request.Purpose = orbweaver.ForContext
		}
		a.ref = appendTo(t, w, resp, a.body)
		c.answers = append(c.answers, a)
	}
	closeWriter(t, w)
	c.mark = w.Mark()
}

// body is a new one, or shared, or tiny, or none.
func (c *oddCrawl) body(id int) string {
	switch c.random.IntN(6) {
	case 0:
		return ""
	case 1:
		return string(rune('a' + c.random.IntN(3)))
	case 2, 3:
		return fmt.Sprintf("<p>shared-body-%d-</p>", c.random.IntN(5)) + strings.Repeat("error ", c.random.IntN(2))
	}
	random := make([]byte, c.random.IntN(9000))
	for i := range random {
		random[i] = byte(c.random.Uint32())
	}
	return fmt.Sprintf("own-body-%d-", id) + string(random)
}

// take removes answers, and follows those that move.
func (c *oddCrawl) take(t *testing.T, gone func(url string) bool) (removed []kept) {
	t.Helper()
	got, err := Remove(context.Background(), c.dir, c.mark, gone, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c.follow(t, got, gone)
}

func (c *oddCrawl) follow(t *testing.T, got Removed, gone func(url string) bool) (removed []kept) {
	t.Helper()
	moved := map[orbweaver.Ref]orbweaver.Ref{}
	for _, m := range got.Moved {
		moved[m.From] = m.To
	}
	stays := c.answers[:0:0]
	for _, a := range c.answers {
		if gone(a.url) {
			removed = append(removed, a)
			continue
		}
		if to, ok := moved[a.ref]; ok {
			a.ref = to
		}
		stays = append(stays, a)
	}
	if got.Answers != len(removed) {
		t.Errorf("%d answers were removed, want %d", got.Answers, len(removed))
	}
	c.answers, c.mark = stays, got.Mark
	return removed
}

// check reads the archive by every reader.
func (c *oddCrawl) check(t *testing.T) {
	t.Helper()
	v, err := Verify(context.Background(), c.dir, c.mark)
	if err != nil || len(v.Faults) > 0 || v.Unsorted != "" || v.Answers() != len(c.answers) {
		t.Fatalf("verified %d answers of %d, faults %v, %q, %v", v.Answers(), len(c.answers), v.Faults, v.Unsorted, err)
	}
	validate(t, c.dir)
	for _, a := range c.answers {
		if held, ok := v.Answer(a.ref); !ok || held.URL != a.url {
			t.Errorf("%s is not at %v, but %v", a.url, a.ref, held)
		}
	}
	c.checkReadAt(t)
	c.checkStock(t)
	if len(c.answers) > 0 {
		web := openWeb(t, c.dir)
		if len(web.Warnings()) > 0 {
			t.Errorf("warnings: %q", web.Warnings())
		}
		for _, a := range c.answers {
			resp, err := web.Fetch(context.Background(), orbweaver.Request{URL: a.url})
			if err != nil {
				t.Fatal(err)
			}
			if body := readBody(t, resp); string(body) != a.body || resp.Status != a.status || resp.Record != a.ref || !reflect.DeepEqual(resp.Header, a.header) {
				t.Errorf("%s: the web has status %d, %v, %d bytes at %v, want %d, %v, %d at %v", a.url, resp.Status, resp.Header, len(body), resp.Record, a.status, a.header, len(a.body), a.ref)
			}
		}
	}
}

func (c *oddCrawl) checkReadAt(t *testing.T) {
	t.Helper()
	for _, a := range c.answers {
		resp, err := ReadAt(c.dir, a.ref)
		if errors.Is(err, ErrRevisit) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if body := readBody(t, resp); string(body) != a.body || resp.Status != a.status || resp.Request.URL != a.url {
			t.Errorf("%s at %v: %s, %d, %d bytes", a.url, a.ref, resp.Request.URL, resp.Status, len(body))
		}
	}
}

// checkStock copies the archive: each answer with its request.
func (c *oddCrawl) checkStock(t *testing.T) {
	t.Helper()
	s, err := OpenStock(c.dir, WebOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	dir := t.TempDir()
	out, err := os.Create(filepath.Join(dir, "copy.warc.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	copier := NewCopier(s, out, "copy.warc.gz", "test", 0)
	n := 0
	for l, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		if _, err := copier.Copy(l.Holding); err != nil {
			t.Fatal(err)
		}
		n++
	}
	if err := copier.Close(); err != nil {
		t.Fatal(err)
	}
	if kinds := validate(t, dir); n != len(c.answers) || len(kinds) != 1+2*n {
		t.Errorf("copied %d answers of %d, %d records", n, len(c.answers), len(kinds))
	}
}

// lacks checks that nothing of removed answers is in any file, as it is or decompressed.
func (c *oddCrawl) lacks(t *testing.T, removed []kept) {
	t.Helper()
	all := contents(t, c.dir)
	for name, content := range maps.Clone(all) {
		if strings.HasSuffix(name, ".gz") {
			z, err := gzip.NewReader(strings.NewReader(content))
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			all[name+" decompressed"] = string(text)
		}
	}
	stays := func(body string) bool {
		return slices.ContainsFunc(c.answers, func(a kept) bool { return strings.Contains(a.body, body) })
	}
	for name, content := range all {
		for _, a := range removed {
			if at := strings.Index(content, a.url); at >= 0 {
				t.Errorf("%s: %s is there: %q", name, a.url, content[max(0, at-300):at+20])
			}
			if strings.Contains(a.body, "body-") && strings.Contains(content, a.body) && !stays(a.body) {
				t.Errorf("%s: the body of %s is there", name, a.url)
			}
		}
	}
}

// TestRemove: whatever is removed from whatever archive is gone, all else is there, and the crawl goes on.
func TestRemove(t *testing.T) {
	for seed := range uint64(tier.Of(3, 12)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			c := newOddCrawl(t, seed)
			var removed []kept
			for range 3 {
				c.write(t, c.random.IntN(40)+1)
				for range 2 {
					host, part := fmt.Sprintf("//h%d.", c.random.IntN(6)), c.random.IntN(4)
					salt := c.random.Uint64()
					removed = append(removed, c.take(t, func(url string) bool {
						picked := (uint64(len(url))*31+uint64(url[len(url)-2]))^salt>>7&3 == 0 && (salt>>uint(len(url)%60))&1 == 0
						return part == 0 && strings.Contains(url, host) || part == 1 && picked || part == 2 && strings.Contains(url, "robots")
					})...)
					c.check(t)
					c.lacks(t, removed)
				}
			}
			removed = append(removed, c.take(t, func(string) bool { return true })...)
			c.check(t)
			c.lacks(t, removed)
			c.write(t, 20)
			c.check(t)
			c.lacks(t, removed)
		})
	}
}

// TestRemoveNothing leaves every byte, and cuts what was not committed.
func TestRemoveNothing(t *testing.T) {
	c := newOddCrawl(t, 1)
	none := func(string) bool { return false }
	if got, err := Remove(context.Background(), c.dir, Mark{}, none, nil); err != nil || !reflect.DeepEqual(got, Removed{}) {
		t.Errorf("of no archive: %+v, %v", got, err)
	}
	c.write(t, 20)
	want := contents(t, c.dir)
	committed := c.mark
	c.write(t, 20)
	got, err := Remove(context.Background(), c.dir, committed, none, nil)
	if err != nil || !reflect.DeepEqual(got, Removed{Mark: committed}) || !reflect.DeepEqual(contents(t, c.dir), want) {
		t.Errorf("%+v, %v", got, err)
	}
}

// TestRemoveFailsAnywhere: wherever the disk fails, the archive before is whole and can still be opened, or the removal is finished by
// the next call, with the same result and the same bytes.
func TestRemoveFailsAnywhere(t *testing.T) {
	build := func(t *testing.T) *oddCrawl {
		c := newOddCrawl(t, 7)
		c.opts.MaxFile = 9000
		c.write(t, 60)
		return c
	}
	gone := func(url string) bool { return strings.Contains(url, "//h1.") || strings.Contains(url, "//h2.") }
	run := func(c *oddCrawl, on files) (Removed, error) {
		r := &removal{ctx: context.Background(), disk: on, dir: c.dir, maxFile: c.opts.MaxFile, removed: gone}
		return r.run(c.mark)
	}
	quiet := build(t)
	want, err := run(quiet, disk{})
	if err != nil || len(want.Moved) < 3 || want.Mark.Seq == quiet.mark.Seq {
		t.Fatalf("%+v, %v", want, err)
	}
	files := contents(t, quiet.dir)
	again, err := run(quiet, disk{})
	if want.Resumed = true; err != nil || !reflect.DeepEqual(again, want) || !reflect.DeepEqual(contents(t, quiet.dir), files) {
		t.Fatalf("again: %+v, %v", again, err)
	}
	before := build(t)
	for kind, name := range []string{refused: "refused", short: "short", powerCut: "power cut"} {
		t.Run(name, func(t *testing.T) {
			for n := 0; ; n += 1 + n/10*tier.Of(4, 1) + tier.Of(6, 0) {
				c := *before
				c.dir = t.TempDir()
				if err := os.CopyFS(c.dir, os.DirFS(before.dir)); err != nil {
					t.Fatal(err)
				}
				bad := &badDisk{fault: fault(kind), n: n, files: map[string]*badFile{}}
				got, err := run(&c, bad)
				if bad.n >= 0 {
					if err != nil || n < 30 {
						t.Errorf("%d operations: %+v, %v", n, got, err)
					}
					return
				}
				if !errors.Is(err, errDisk) {
					t.Fatalf("operation %d failed, and Remove said %v", n, err)
				}
				if bad.fault == powerCut {
					bad.cut(t)
				}
				c.finishes(t, n, run, want, files)
			}
		})
	}
}

// finishes checks an archive after a fault, and finishes its removal.
func (c *oddCrawl) finishes(t *testing.T, n int, run func(*oddCrawl, files) (Removed, error), want Removed, files map[string]string) {
	t.Helper()
	_, err := os.Stat(filepath.Join(c.dir, planName))
	planned := err == nil
	if planned {
		if _, err := OpenWriter(c.dir, c.mark, c.opts); !errors.Is(err, ErrUnfinished) {
			t.Fatalf("operation %d: it opens in the middle: %v", n, err)
		}
	} else {
		closeWriter(t, openWriter(t, c.dir, c.mark, c.opts)) // cuts what was appended
		c.check(t)
	}
	got, err := run(c, disk{})
	want.Resumed = planned
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("operation %d: finished with %+v, %v", n, got, err)
	}
	if have := contents(t, c.dir); !reflect.DeepEqual(have, files) {
		t.Fatalf("operation %d: the archive differs in the end: %v, want %v", n, slices.Sorted(maps.Keys(have)), slices.Sorted(maps.Keys(files)))
	}
}

// TestRemoveIsCancelled: a cancelled removal can be finished, and one of another mark is refused until then.
func TestRemoveIsCancelled(t *testing.T) {
	c := newOddCrawl(t, 3)
	c.write(t, 40)
	gone := func(url string) bool { return strings.Contains(url, "//h3.") }
	ctx, cancel := context.WithCancel(context.Background())
	seen := int64(0)
	_, err := Remove(ctx, c.dir, c.mark, gone, func(done, total int64) {
		if seen = done; done == total {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || seen == 0 {
		t.Fatalf("%v at %d", err, seen)
	}
	if _, err := Remove(context.Background(), c.dir, Mark{Seq: 0, File: c.mark.File, Length: 1, Index: 1}, gone, nil); !errors.Is(err, ErrUnfinished) {
		t.Errorf("with another mark: %v", err)
	}
	got, err := Remove(context.Background(), c.dir, c.mark, gone, nil)
	if err != nil {
		t.Fatal(err)
	}
	removed := c.follow(t, got, gone)
	c.check(t)
	c.lacks(t, removed)
}

// TestRemoveIsDamaged: an index or a moving record that cannot be read stops a removal before anything is overwritten.
func TestRemoveIsDamaged(t *testing.T) {
	build := func() (*oddCrawl, orbweaver.Ref) {
		c := &oddCrawl{dir: t.TempDir()}
		w := openWriter(t, c.dir, Mark{}, WriterOptions{})
		first := appendTo(t, w, answerOf("http://a.test/gone", nil), strings.Repeat("the same ", 100))
		appendTo(t, w, answerOf("http://b.test/stays", nil), strings.Repeat("the same ", 100))
		closeWriter(t, w)
		c.mark = w.Mark()
		return c, first
	}
	gone := func(url string) bool { return strings.Contains(url, "gone") }
	for name, damage := range map[string]func(c *oddCrawl, first orbweaver.Ref) (file string, at int64){
		"the payload": func(_ *oddCrawl, first orbweaver.Ref) (string, int64) {
			return first.File, first.Offset + first.Length/2
		},
		"the revisit": func(c *oddCrawl, first orbweaver.Ref) (string, int64) { return first.File, c.mark.Length - 30 },
		"the index":   func(c *oddCrawl, _ orbweaver.Ref) (string, int64) { return partName, c.mark.Index - 2 },
		"the info":    func(_ *oddCrawl, first orbweaver.Ref) (string, int64) { return first.File, 60 },
	} {
		t.Run(name, func(t *testing.T) {
			c, first := build()
			file, at := damage(c, first)
			text, err := os.ReadFile(filepath.Join(c.dir, file))
			if err != nil {
				t.Fatal(err)
			}
			text[at] ^= 0x55
			if err := os.WriteFile(filepath.Join(c.dir, file), text, 0o666); err != nil {
				t.Fatal(err)
			}
			if _, err := Remove(context.Background(), c.dir, c.mark, gone, nil); !errors.Is(err, orbweaver.ErrDamaged) {
				t.Fatalf("%v", err)
			}
			after, err := os.ReadFile(filepath.Join(c.dir, file))
			if err != nil || !bytes.Equal(after[:min(len(after), len(text))], text[:min(len(after), len(text))]) {
				t.Errorf("%s was changed, %v", file, err)
			}
		})
	}
}
