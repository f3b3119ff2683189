package workspace

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"orbweaver"
	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/job"
)

// Bounds of what is done for a crawl that is not there yet.
const (
	tryTime   = time.Minute       // for a page to be tried
	learnTime = 100 * time.Second // for a topic to be learned
	maxScoped = 1000              // URLs of one preview of the scope
	maxNames  = 100               // files of one name
	tryPrefix = "try-"            // of scratch folders
)

// A Beginning is what a person begins a crawl with.
type Beginning struct {
	crawl.Draft
	Copy      string   `json:"copy,omitempty"`      // id of a crawl whose crawl file is taken over; then the rest is empty
	Documents []string `json:"documents,omitempty"` // files of the workspace to learn the topic from, in place of a KRS
	Topic     string   `json:"topic,omitempty"`     // its name
}

// Draft returns the crawl file of a beginning, as text. It creates no crawl; of documents it makes a KRS in the folder topics. The error
// wraps orbweaver.ErrInput or ErrUnknown.
func (w *Workspace) Draft(ctx context.Context, b Beginning) (string, error) {
	if b.Copy != "" {
		return w.copied(b.Copy)
	}
	if len(b.Documents) > 0 && b.KRS == "" {
		folder, err := w.learn(ctx, b.Topic, b.Documents)
		if err != nil {
			return "", err
		}
		b.KRS = folder
	}
	return b.CrawlFile()
}

// copied returns the crawl file of a crawl without its folder, so that the copy gets one of its own.
func (w *Workspace) copied(id string) (string, error) {
	w.mu.Lock()
	m, err := w.find(id)
	w.mu.Unlock()
	if err == nil && m.file == "" {
		err = fmt.Errorf("crawl %s: the workspace has its folder alone, and no crawl file to copy (%w)", id, orbweaver.ErrInput)
	}
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(m.file)
	if err == nil {
		text, err = crawl.SetFileValues(text, map[string]string{"output": ""})
	}
	return string(text), err
}

// learn makes a KRS of files of the workspace, and returns its folder as crawl files name it.
func (w *Workspace) learn(ctx context.Context, topic string, files []string) (string, error) {
	topic = strings.TrimSpace(topic)
	if err := checkName(topic); err != nil {
		return "", fmt.Errorf("topic: %w", err)
	}
	paths, err := w.paths(files)
	if err != nil {
		return "", err
	}
	ctx, cancel, err := w.lease(ctx, learnTime)
	if err != nil {
		return "", err
	}
	defer cancel()
	scratch, err := os.MkdirTemp(filepath.Join(w.dir, ownFolder), tryPrefix)
	if err != nil {
		return "", fmt.Errorf("workspace: %w", err)
	}
	made, folder := filepath.Join(scratch, madeFolder), ""
	if err = crawl.Learn(ctx, crawl.Corpus{Topic: topic, Corpus: paths, Dir: made}, crawl.On(w.quietly())); err == nil {
		folder, err = w.placeNew(made, topic)
	}
	return folder, errors.Join(err, os.RemoveAll(scratch))
}

// quietly is the job of what nobody watches.
func (w *Workspace) quietly() *job.Job {
	j := *w.opts.Job
	j.Console = console.Console{Out: io.Discard, Err: io.Discard}
	return &j
}

// free returns a name that no file has: stem and end, or with a number between.
func (w *Workspace) free(stem, end string) (string, error) {
	for n := 1; n <= maxNames; n++ {
		file := stem + end
		if n > 1 {
			file = fmt.Sprintf("%s-%d%s", stem, n, end)
		}
		at, err := w.inside(file)
		if err != nil {
			return "", err
		}
		if !exists(at) {
			return file, nil
		}
	}
	return "", fmt.Errorf("%s%s: there are too many files of this name (%w)", stem, end, orbweaver.ErrInput)
}

// PutNew is Put for a file whose name may be taken: then it gets a number. A file with the same content is taken as it is.
func (w *Workspace) PutNew(file string, content []byte) (File, error) {
	file = path.Clean("/" + file)[1:]
	end := path.Ext(file)
	for n := 1; ; n++ {
		name := file
		if n > 1 {
			name = fmt.Sprintf("%s-%d%s", strings.TrimSuffix(file, end), n, end)
		}
		f, err := w.Put(name, content)
		if n == maxNames || !errors.Is(err, orbweaver.ErrForeign) {
			return f, err
		}
	}
}

// ontologies are the media types that an ontology is asked for in.
const ontologies = "text/turtle, application/rdf+xml;q=0.9, application/n-triples;q=0.8, application/ld+json;q=0.7, */*;q=0.1"

// Fetch fetches an ontology or a document of the Web into the workspace, under a folder: as polite as a crawl, with robots.txt, without
// private addresses, and not larger than MaxFile.
func (w *Workspace) Fetch(ctx context.Context, folder, url string) (File, error) {
	ctx, cancel, err := w.lease(ctx, tryTime)
	if err != nil {
		return File{}, err
	}
	defer cancel()
	accept := ""
	if folder == "ontologies" {
		accept = ontologies
	}
	content, media, at, err := crawl.Retrieve(ctx, url, accept, MaxFile, crawl.On(w.quietly()))
	switch {
	case errors.Is(err, orbweaver.ErrPrivate):
		return File{}, fmt.Errorf("%w: the studio fetches nothing from private networks: upload the file, or paste it", err)
	case err != nil:
		return File{}, err
	}
	name := nameOf(at, media, content)
	if accept != "" && kindOf(name) != "ontology" {
		return File{}, fmt.Errorf("%s is no RDF, but %s: an ontology is Turtle, RDF/XML, N-Triples or JSON-LD (%w)", at, path.Ext(name), orbweaver.ErrInput)
	}
	return w.PutNew(folder+"/"+name, content)
}

// nameOf is a name for a document of the Web: the last part of its path, with an extension by what it is.
func nameOf(url, media string, content []byte) string {
	_, rest, _ := strings.Cut(url, "://")
	rest, _, _ = strings.Cut(rest, "#")
	rest, _, _ = strings.Cut(rest, "?")
	base := path.Base(strings.TrimRight(rest, "/"))
	end := path.Ext(base)
	if kindOf(base) == "" || !strings.Contains(rest, "/") {
		end = Extension(media, content)
	} else {
		base = strings.TrimSuffix(base, end)
	}
	return clean(base) + end
}

// clean is a text as a part of a file name.
func clean(text string) string {
	text = strings.Map(func(r rune) rune {
		if r != ' ' && isName("a"+string(r)) {
			return r
		}
		return '-'
	}, text)
	if text = strings.Trim(strings.ToValidUTF8(text[:min(len(text), 60)], ""), "-._"); isName(text) {
		return text
	}
	return "file"
}

// Extension is that of a file by its media type or its first bytes.
func Extension(media string, content []byte) string {
	head := strings.ToLower(strings.TrimSpace(string(content[:min(len(content), 1000)])))
	media, _, _ = strings.Cut(strings.ToLower(media), ";")
	types := map[string]string{
		"text/turtle": ".ttl", "application/rdf+xml": ".rdf", "application/n-triples": ".nt", "application/ld+json": ".jsonld",
		"application/pdf": ".pdf", "text/html": ".html", "text/markdown": ".md", "application/owl+xml": ".owl",
		"application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx", "application/vnd.oasis.opendocument.text": ".odt", "application/epub+zip": ".epub",
	}
	if end := types[strings.TrimSpace(media)]; end != "" {
		return end
	}
	switch {
	case strings.HasPrefix(head, "%pdf"):
		return ".pdf"
	case strings.HasPrefix(head, "<!doctype html"), strings.HasPrefix(head, "<html"):
		return ".html"
	case strings.HasPrefix(head, "<?xml"), strings.HasPrefix(head, "<rdf:rdf"), strings.HasPrefix(head, "<!doctype"):
		return ".rdf"
	case strings.HasPrefix(head, "{"), strings.HasPrefix(head, "["):
		return ".jsonld"
	case strings.Contains(head, "@prefix"), strings.Contains(head, "prefix "), strings.HasPrefix(head, "<"), strings.HasPrefix(head, "@base"):
		return ".ttl"
	}
	return ".txt"
}

// lease waits for one of the places of what takes long, and bounds its time.
func (w *Workspace) lease(ctx context.Context, most time.Duration) (context.Context, context.CancelFunc, error) {
	ctx, cancel := context.WithTimeout(ctx, most)
	select {
	case w.tries <- struct{}{}:
		return ctx, func() { cancel(); <-w.tries }, nil
	case <-ctx.Done():
		cancel()
		return nil, nil, fmt.Errorf("other pages are being tried: try again later (%w)", orbweaver.ErrBusy)
	}
}

// Try judges a page or a text by the text of a crawl file, as the first page of its crawl. What a focus keeps is removed after. The
// error is as of Validate, or as of crawl.Crawl.Try: then the trial says how far it came.
func (w *Workspace) Try(ctx context.Context, id string, text []byte, s crawl.Sample) (*crawl.Trial, error) {
	ctx, cancel, err := w.lease(ctx, tryTime)
	if err != nil {
		return nil, err
	}
	defer cancel()
	c, err := crawl.Read(id+".yaml", w.dir, text, crawl.On(w.quietly()))
	if err != nil {
		return nil, err
	}
	scratch, err := os.MkdirTemp(filepath.Join(w.dir, ownFolder), tryPrefix)
	if err != nil {
		return nil, fmt.Errorf("workspace: %w", err)
	}
	s.Folder = filepath.Join(scratch, "crawl")
	trial, err := c.Try(ctx, s)
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("it took more than %v: %w", tryTime, err)
	}
	return trial, errors.Join(err, os.RemoveAll(scratch))
}

// sweep removes what tries have left behind that were cut off.
func (w *Workspace) sweep() error {
	left, err := filepath.Glob(filepath.Join(w.dir, ownFolder, tryPrefix+"*"))
	for _, folder := range left {
		err = errors.Join(err, os.RemoveAll(folder))
	}
	return err
}

// Scope says of URLs whether the text of a crawl file covers them. The error is as of Validate.
func (w *Workspace) Scope(id string, text []byte, urls []string) ([]crawl.Scoped, error) {
	if len(urls) == 0 || len(urls) > maxScoped {
		return nil, fmt.Errorf("urls: from 1 to %d, not %d (%w)", maxScoped, len(urls), orbweaver.ErrInput)
	}
	c, err := crawl.Read(id+".yaml", w.dir, text, crawl.On(w.quietly()))
	if err != nil {
		return nil, err
	}
	return c.InScope(urls...)
}
