package run

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/internal/assembly"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/inspect"
	"orbweaver/internal/job"
	"orbweaver/internal/kind"
	"orbweaver/internal/starting"
	"orbweaver/internal/store"
	"orbweaver/ledger"
	"orbweaver/weburl"
)

// A QuickCrawl is a crawl for words that needs no crawl file.
type QuickCrawl struct {
	Seeds    []string // URLs as written; "-": the lines of standard input
	Terms    []string // words and phrases, each perhaps a list with commas
	Requests int64    // maximum; 0: that of the crawl file in the folder, or starting.QuickRequests unless Pages is set
	Pages    int64    // maximum; 0: that of the crawl file in the folder, or all
	Private  bool     // permit addresses of private networks and of this machine
	Contact  string   // URL or e-mail address, sent with every request
	Output   string   // the crawl folder; empty: crawls/HOST, HOST from the first seed
}

// seedsFile keeps the seeds of standard input, in the crawl folder.
const seedsFile = "seeds.txt"

// Quick writes the crawl file of a quick crawl into its folder, and returns its path. A folder that has the same crawl keeps
// its file, edits included; only a limit or a contact of job replaces the one there. The error wraps ErrForeign if
// the folder holds another crawl.
func Quick(ctx context.Context, a *job.Job, job QuickCrawl) (file string, err error) {
	q, err := quick(a, job)
	if err != nil {
		return "", err
	}
	folder := job.Output
	if folder == "" {
		folder = filepath.Join("crawls", quickName(q.Seeds[0]))
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return "", err
	}
	return filepath.Join(folder, crawlfolder.RunFile), beginQuick(ctx, a.Schema(), folder, q, job)
}

// quick reads terms and seeds. Its error joins the problems of all seeds.
func quick(a *job.Job, job QuickCrawl) (q starting.Quick, err error) {
	q = starting.Quick{Terms: starting.Terms(job.Terms), Requests: job.Requests, Pages: job.Pages, Private: job.Private, Contact: job.Contact}
	if len(q.Terms) == 0 {
		return q, fmt.Errorf("--terms names no word: what is the crawl about? (%w)", orbweaver.ErrInput)
	}
	if q.Requests == 0 && q.Pages == 0 {
		q.Requests = starting.QuickRequests
	}
	var named []string
	var problems []error
	for _, seed := range job.Seeds {
		if seed != "-" {
			named = append(named, seed)
			continue
		}
		q.File = seedsFile
		var in io.Reader = strings.NewReader("")
		if a.In != nil {
			in = a.In
		}
		urls, err := crawlfile.ReadSeeds("standard input", in)
		q.Seeds, problems = append(q.Seeds, urls...), append(problems, err)
	}
	if len(named) > 0 {
		urls, err := crawlfile.ReadSeeds("seeds", strings.NewReader(strings.Join(named, "\n")))
		q.Seeds, problems = append(urls, q.Seeds...), append(problems, err)
	}
	return q, errors.Join(problems...)
}

// quickName returns the default name of a crawl folder: the seed's host and port.
func quickName(seed string) string {
	_, host, _ := strings.Cut(weburl.Host(seed), "://")
	return strings.NewReplacer(":", "-", "[", "", "]", "").Replace(host)
}

// beginQuick writes the crawl file into a new folder, or into the folder of a different crawl that fetched nothing. If
// the folder holds the same crawl, beginQuick only updates the keys that the command line names.
func beginQuick(ctx context.Context, schema crawlfile.Schema, folder string, q starting.Quick, job QuickCrawl) error {
	wanted, err := q.Load(schema, folder)
	if err != nil {
		return err
	}
	if err := crawlfolder.Check(wanted); err != nil && (crawlfolder.IsFresh(folder) || !errors.Is(err, orbweaver.ErrForeign)) {
		return err
	}
	path := filepath.Join(folder, crawlfolder.RunFile)
	if !crawlfolder.IsFresh(folder) {
		ran, err := wanted.Schema.LoadRun(path)
		if err != nil {
			return err
		}
		if ran.Seeds.Digest == wanted.Seeds.Digest && reflect.DeepEqual(ran.Focus, wanted.Focus) {
			return raiseQuick(ctx, schema, path, job)
		}
		if !crawlfolder.HasNothing(folder) {
			return fmt.Errorf("%s holds another crawl: %s, seeds %s. Name another folder by -o, or remove this one (%w)",
				console.Relative(folder), kind.Line(ran.Focus), shownSeedsOf(ran), orbweaver.ErrForeign)
		}
		if err := giveWay(ctx, folder); err != nil {
			return err
		}
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	if q.File != "" {
		if err := atomicfile.WriteFile(filepath.Join(folder, q.File), []byte(strings.Join(q.Seeds, "\n")+"\n"), 0o666); err != nil {
			return err
		}
	}
	return atomicfile.WriteFile(path, []byte(q.CrawlFile()), 0o666)
}

// raiseQuick writes what the command line says of limits, private networks and the contact into the folder's crawl file.
func raiseQuick(ctx context.Context, schema crawlfile.Schema, path string, job QuickCrawl) error {
	if job.Requests == 0 && job.Pages == 0 && !job.Private && job.Contact == "" {
		return nil
	}
	c, err := schema.Load(path)
	if err != nil {
		return err
	}
	if job.Requests > 0 {
		c.Limits.Requests = job.Requests
	}
	if job.Pages > 0 {
		c.Limits.Pages = job.Pages
	}
	if job.Private {
		c.AllowPrivate = crawlfile.Private{All: true}
	}
	if job.Contact != "" {
		c.Politeness.Contact = job.Contact
	}
	l, err := ledger.Open(c.Output) // locks the folder
	if err != nil {
		return inspect.Owned(ctx, c.Output, err)
	}
	return errors.Join(crawlfolder.Make(c), l.Close())
}

// giveWay empties the folder of a crawl that fetched nothing. It fails if that crawl is running or the folder holds
// loaded statements.
func giveWay(ctx context.Context, folder string) error {
	l, err := ledger.Open(folder)
	if err != nil {
		return inspect.Owned(ctx, folder, err)
	}
	loaded, err := store.StatementsIn(l.Committed())
	if err = errors.Join(err, l.Close()); err != nil {
		return err
	}
	if loaded > 0 {
		return fmt.Errorf("%s holds statements that were loaded into it: name another folder by -o (%w)", console.Relative(folder), orbweaver.ErrForeign)
	}
	return crawlfolder.Empty(folder)
}

// shownSeedsOf formats the first seeds of a crawl for a message.
func shownSeedsOf(c *crawlfile.Crawl) string {
	if c.Seeds.File != "" {
		return "of " + console.Relative(c.Seeds.File)
	}
	seeds := slices.Clone(c.Seeds.URLs[:min(len(c.Seeds.URLs), assembly.ShownTallies)])
	if len(c.Seeds.URLs) > assembly.ShownTallies {
		seeds = append(seeds, "…")
	}
	return strings.Join(seeds, ", ")
}
