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

// QuickCrawl describes a crawl given on the command line without a crawl file.
type QuickCrawl struct {
	Seeds    []string // URLs as written; "-" means the URLs on standard input
	Terms    []string
	Requests int64 // 0: the limit of the folder's crawl file, or quickRequests
	Contact  string
	Output   string // the crawl folder; empty: crawls/HOST with the first seed's host
}

// quickRequests is the default request limit.
const quickRequests = 1000

// seedsFile is the file in the crawl folder that holds the seeds read from standard input.
const seedsFile = "seeds.txt"

// CrawlQuick starts or resumes the crawl that the command line describes. The crawl file in the folder is
// authoritative: changes there, such as to limits, apply to later sessions.
func CrawlQuick(ctx context.Context, a *job.Job, job QuickCrawl) error {
	q, err := quick(a, job)
	if err != nil {
		return err
	}
	folder := job.Output
	if folder == "" {
		folder = filepath.Join("crawls", quickName(q.Seeds[0]))
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	file := filepath.Join(folder, crawlfolder.RunFile)
	if err := beginQuick(ctx, a.Schema(), folder, q, job); err != nil {
		return err
	}
	return Crawl(ctx, a, file)
}

// quick reads terms and seeds. Its error joins the problems of all seeds.
func quick(a *job.Job, job QuickCrawl) (q starting.Quick, err error) {
	q = starting.Quick{Terms: starting.Terms(job.Terms), Requests: job.Requests, Contact: job.Contact}
	if len(q.Terms) == 0 {
		return q, fmt.Errorf("--terms names no word: what is the crawl about? (%w)", orbweaver.ErrInput)
	}
	if q.Requests == 0 {
		q.Requests = quickRequests
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
		if err := crawlfolder.ReplaceFile(filepath.Join(folder, q.File), []byte(strings.Join(q.Seeds, "\n")+"\n")); err != nil {
			return err
		}
	}
	return crawlfolder.ReplaceFile(path, []byte(q.CrawlFile()))
}

// raiseQuick writes the request limit and the contact of the command line into the folder's crawl file.
func raiseQuick(ctx context.Context, schema crawlfile.Schema, path string, job QuickCrawl) error {
	if job.Requests == 0 && job.Contact == "" {
		return nil
	}
	c, err := schema.Load(path)
	if err != nil {
		return err
	}
	if job.Requests > 0 {
		c.Limits.Requests = job.Requests
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

// Init writes a sample crawl file and a sample ontology into a folder, and prints the next steps.
func Init(a *job.Job, folder string) error {
	if err := starting.WriteTopic(folder); err != nil {
		return err
	}
	file, ontology := filepath.Join(folder, starting.TopicFile), filepath.Join(folder, starting.TopicOntology)
	console.Say(a.Out, "%s   a crawl file; each of its keys has a comment", file)
	console.Say(a.Out, "%s    an ontology of ten lines: bicycles, until you write what you look for", ontology)
	console.Say(a.Out, "\nNext:")
	console.Say(a.Out, "  1. In %s: the pages to begin with (seeds), and who asks (contact).", file)
	console.Say(a.Out, "  2. In %s: your topic and its words; in %s its name (target).", ontology, file)
	console.Say(a.Out, "  orbweaver ontology check %s                what the ontology lacks", ontology)
	console.Say(a.Out, "  orbweaver ontology show %s --target Bicycle   what counts, and how much", ontology)
	console.Say(a.Out, "  orbweaver judge %s URL                    how a page would score, and why", file)
	console.Say(a.Out, "  orbweaver crawl %s", file)
	return nil
}
