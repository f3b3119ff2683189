package crawl

import (
	"context"
	"fmt"
	"io"
	"path/filepath"

	"orbweaver/internal/assembly"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlform"
	"orbweaver/internal/judge"
	"orbweaver/internal/kind/krs"
	"orbweaver/internal/knowledge"
	"orbweaver/internal/offline/corpus"
	"orbweaver/internal/starting"
)

// What is known of a crawl before it begins.
type (
	Draft    = starting.Draft  // the least that a person says of a crawl
	FileKey  = crawlfile.Key   // a key of crawl files with its documentation
	Sample   = judge.Sample    // a page on which a crawl file is tried
	Trial    = judge.Trial     // what a crawl file makes of it
	Passages = judge.Passages  // its text, and where the evidence stands in it
	Corpus   = krs.Job         // documents of a topic, and how they are read
	Category = corpus.Job      // a category of a wiki, whose articles become documents
	Scoped   = starting.Scoped // whether a URL is in scope
)

// ErrPageless says that a focus finds something else than pages, so that Judge and Try can judge none.
var ErrPageless = judge.ErrPageless

// The forms of values of keys.
const (
	SectionForm = crawlfile.SectionForm
	KindForm    = crawlfile.KindForm
	WordForm    = crawlfile.WordForm
	TextForm    = crawlfile.TextForm
	NumberForm  = crawlfile.NumberForm
	ListForm    = crawlfile.ListForm
	YAMLForm    = crawlfile.YAMLForm
)

// FileKeys returns all keys of a crawl file with their documentation, in the order of the reference.
func FileKeys() []FileKey { return new(Crawl).with(&settings{}).Documented() }

// FileValues returns the values of the keys that a crawl file sets, by path, as a form shows them: a text as it is, a list of texts as a line
// each, the kind of focus as its name, all else as YAML. The error wraps orbweaver.ErrInput if the text is no YAML.
func FileValues(text []byte) (map[string]string, error) {
	return crawlform.Values(new(Crawl).with(&settings{}), text)
}

// SetFileValues changes keys of a crawl file to values as of FileValues; an empty value removes a key. All else stays as it is written,
// comments and order included. The error wraps orbweaver.ErrInput.
func SetFileValues(text []byte, values map[string]string) ([]byte, error) {
	return crawlform.Set(new(Crawl).with(&settings{}), text, values)
}

// Read is Load for the text of a crawl file from somebody who may use the files of a folder alone: see Validate.
func Read(name, folder string, text []byte, options ...Option) (*Crawl, error) {
	s, err := settle(options)
	if err != nil {
		return nil, err
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return nil, fmt.Errorf("crawl: %w", err)
	}
	c := &Crawl{path: name}
	schema := c.with(s)
	c.load = func() (*crawlfile.Crawl, error) { return schema.Confined(name, folder, text) }
	return c, c.locate()
}

// Try is Judge for a page or a text, with the passages that support the judgement. Errors are those of Judge; beside the error of a page
// stands how far it came.
func (c *Crawl) Try(ctx context.Context, s Sample) (*Trial, error) {
	return judge.Try(ctx, c.at.Job, assembly.Source{Path: c.path, Load: c.load}, s)
}

// InScope says of each URL whether the scope of the crawl file covers it, and by which rule. It does not know robots.txt. URLs may
// lack a scheme.
func (c *Crawl) InScope(urls ...string) ([]Scoped, error) {
	file, err := c.load()
	if err != nil {
		return nil, err
	}
	return starting.ScopedBy(file.Scope, urls, judge.AddressOf)
}

// Retrieve fetches one document of the Web, as a crawl would: robots.txt first, and no private address. accept lists the media types to
// ask for; limit bounds its size in bytes. It returns the document, its media type, and the URL at the end of redirects. The error wraps
// orbweaver.ErrRobots, orbweaver.ErrPrivate, orbweaver.ErrTooLarge or what else kept it away.
func Retrieve(ctx context.Context, url, accept string, limit int64, options ...Option) (body []byte, media, at string, err error) {
	s, err := settle(options)
	if err != nil {
		return nil, "", "", err
	}
	c := &Crawl{}
	schema := c.with(s)
	load := func() (*crawlfile.Crawl, error) {
		return schema.Read("document", "/", fmt.Appendf(nil, "seeds: [http://document.example/]\nfocus: {breadth_first: {}}\nlimits: {body: %d}\n", limit))
	}
	return judge.Document(ctx, c.at.Job, assembly.Source{Path: "document", Load: load}, url, accept, limit)
}

// Learn makes a KRS, a topic learned from documents, in a folder: what focus: krs reads. The error wraps orbweaver.ErrInput if nothing
// can be learned from them.
func Learn(ctx context.Context, documents Corpus, options ...Option) error {
	s, err := settle(options)
	if err != nil {
		return err
	}
	c := &Crawl{}
	c.with(s)
	return (&krs.Jobs{Console: console.Console{Out: c.at.Job.Out, Err: c.at.Job.Err}, Wire: c.at.Job.Wire}).Build(ctx, documents)
}

// Gather writes the articles of a category of a wiki into a folder, as text files: documents of a Corpus. It asks the wiki one request at a
// time, and nothing twice that the folder has: the same job continues where it stopped. The error wraps orbweaver.ErrInput if the category
// has no article, and orbweaver.ErrForeign if the folder holds something else.
func Gather(ctx context.Context, category Category, options ...Option) error {
	s, err := settle(options)
	if err != nil {
		return err
	}
	c := &Crawl{}
	c.with(s)
	category.Wire = c.at.Job.Wire
	return corpus.Fetch(ctx, &console.Console{Out: c.at.Job.Out, Err: c.at.Job.Err}, category)
}

// Gazetteer makes a file of the names of entities, by RDF files with labels: what Corpus.Gazetteer names, to link nouns to these entities.
// The error wraps orbweaver.ErrInput if there are no names in them.
func Gazetteer(ctx context.Context, out string, files []string, options ...Option) error {
	s, err := settle(options)
	if err != nil {
		return err
	}
	c := &Crawl{}
	c.with(s)
	return (&krs.Jobs{Console: console.Console{Out: c.at.Job.Out, Err: c.at.Job.Err}}).Gazetteer(ctx, krs.GazetteerJob{Files: files, Out: out})
}

// mostOffered is the number of classes of an ontology that is made of what was learned.
const mostOffered = 200

// LearnedOntology makes an ontology to begin with, as Turtle, of what is in a folder: the labels of a label model or of a crawl that learned
// some, the nouns of a KRS, or the classes of a metadata crawl, the best 200, below a class for the topic. space is the namespace of its
// classes. The error wraps orbweaver.ErrInput if the folder has nothing of the kind.
func LearnedOntology(ctx context.Context, folder, topic, space string, options ...Option) ([]byte, error) {
	s, err := settle(options)
	if err != nil {
		return nil, err
	}
	c := &Crawl{}
	schema := c.with(s)
	src, err := knowledge.Read(ctx, &console.Console{Out: io.Discard, Err: io.Discard}, schema, folder)
	if err != nil {
		return nil, err
	}
	return knowledge.Ontology(src, topic, space, mostOffered)
}
