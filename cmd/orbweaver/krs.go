package main

import (
	"slices"
	"strings"
	"time"

	"orbweaver/internal/kind/krs"

	"github.com/spf13/cobra"

	"orbweaver/internal/job"
	"orbweaver/internal/offline/corpus"
	"orbweaver/internal/offline/rdffile"
)

func newKRS(a *job.Job) *cobra.Command {
	c := &cobra.Command{
		Use:   "krs",
		Short: "Learn a topic from documents, as a knowledge representation schema",
		Long: `A knowledge representation schema (KRS) is a topic learned from a corpus of documents: their nouns,
linked to entities, with how rare each is among them. A crawl with focus: krs finds more like them.`,
		Args: verb,
		RunE: verbless,
		Example: `  orbweaver krs build --help
  orbweaver krs show --help
  orbweaver krs gazetteer --help
  orbweaver krs corpus --help`,
	}
	c.AddCommand(newKRSBuild(a), newKRSShow(a), newKRSExport(a), newKRSGazetteer(a), newKRSCorpus(a))
	return c
}

func newKRSBuild(a *job.Job) *cobra.Command {
	job := krs.Job{}
	c := &cobra.Command{
		Use:   "build CORPUS... -o DIR --topic NAME",
		Short: "Learn a topic from documents",
		Long: `Reads the documents of a corpus, finds their nouns, links those to entities, and writes what was
learned into a folder. A corpus is files and folders of HTML, text and PDF, WARC archives, and
folders of crawls, of which the accepted pages count.

What links nouns is a gazetteer: the one that --gazetteer names (orbweaver krs gazetteer makes one
from any RDF with labels), or else the titles of the documents themselves. Gazetteer and tagger are
kept in the folder, so that pages are read as the corpus was.

With --spotlight a server of DBpedia Spotlight is asked about each document, and its answers are kept in
the folder. It links what the gazetteer does not; with --linking spotlight it links alone. Documents that
are added, and crawls, ask it too.

A background, documents of all sorts that a crawl may meet, tells which nouns are the topic's and which
are everybody's: without one pages are accepted by the corpus alone. --sample draws some of it.

With --add documents are added to a KRS that is there; one that it has already, by its name, is
replaced.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver krs build crawls/aircraft --topic aircraft --background examples/demo.warc.gz -o aircraft.krs
  orbweaver krs show aircraft.krs

  cat > kites.txt <<END
  Kites

  A kite is an aircraft that is heavier than air and held by a line.
  END
  orbweaver krs build --add kites.txt -o aircraft.krs

  nice orbweaver krs build crawls/aircraft --topic aircraft --spotlight http://localhost:2222/rest -o linked.krs`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case job.Dir == "":
				return misused(c, "name the folder of the KRS with -o")
			case job.Topic == "" && !job.Add:
				return misused(c, "name the topic with --topic")
			case job.Add && (job.Gazetteer != "" || job.Tagger != "" || len(job.Background) > 0 || job.Confidence > 0):
				return misused(c, "with --add documents are read as the others were: without --gazetteer, --tagger, --confidence and --background")
			case job.Add && (job.Spotlight != "" || job.Linking != "" || job.SpotlightConfidence > 0):
				return misused(c, "with --add documents are linked as the others were: without --spotlight, --spotlight-confidence and --linking")
			case job.Confidence < 0 || job.Confidence > 1 || job.Sample < 0:
				return misused(c, "--confidence is 0 to 1, --sample not negative")
			case job.SpotlightConfidence < 0 || job.SpotlightConfidence > 1:
				return misused(c, "--spotlight-confidence is 0 to 1")
			case job.Spotlight == "" && (job.SpotlightConfidence > 0 || job.Linking != "" && job.Linking != "gazetteer"):
				return misused(c, "name the server with --spotlight")
			case job.Linking == "spotlight" && job.Gazetteer != "":
				return misused(c, "with --linking spotlight no gazetteer is used")
			}
			job.Corpus = args
			return krsJobs(a).Build(c.Context(), job)
		},
	}
	f := c.Flags()
	f.StringVarP(&job.Dir, "output", "o", "", "`folder` of the KRS")
	f.StringVar(&job.Topic, "topic", "", "`name` of the topic")
	f.StringArrayVar(&job.Background, "background", nil, "file or `folder` of documents of all sorts; may be repeated")
	f.IntVar(&job.Sample, "sample", 0, "draw so many documents of the background; 0: all")
	f.Uint64Var(&job.Seed, "seed", 1, "by which they are drawn")
	f.StringVar(&job.Gazetteer, "gazetteer", "", "`file` of orbweaver krs gazetteer; left out: the documents' titles")
	f.StringVar(&job.Tagger, "tagger", "", "`file` of orbweaver train tagger; left out: a built-in one for English")
	f.StringVar(&job.Language, "lang", "", "`language` of the corpus; left out: that of the tagger")
	f.Float64Var(&job.Confidence, "confidence", 0, "that a link to an entity needs, 0 to 1; 0: 0.5")
	f.StringVar(&job.Spotlight, "spotlight", "", "`URL` of a server of DBpedia Spotlight, as in https://api.dbpedia-spotlight.org/en")
	f.Float64Var(&job.SpotlightConfidence, "spotlight-confidence", 0, "that it needs for a link, 0 to 1; 0: 0.5")
	f.StringVar(&job.Linking, "linking", "", "by `what` nouns are linked: gazetteer, spotlight or both; left out: both with --spotlight")
	f.BoolVar(&job.Add, "add", false, "add to the KRS that is there")
	return c
}

func newKRSShow(a *job.Job) *cobra.Command {
	heaviest, format := 20, ""
	c := &cobra.Command{
		Use:   "show DIR",
		Short: "Show what a KRS has learned",
		Long: `Prints documents, nouns and linked nouns; mean and deviation of their IDF and the range in which
rule: paper accepts pages; the likeness from which rule: calibrated does, and how right that is on
corpus and background; and the nouns that weigh most.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver krs build crawls/aircraft --topic aircraft -o planes.krs
  orbweaver krs show planes.krs --nouns 5`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "" && format != "json" || heaviest < 0 {
				return misused(c, "--format is json or nothing, --nouns not negative")
			}
			return krsJobs(a).Show(args[0], heaviest, format == "json")
		},
	}
	c.Flags().IntVar(&heaviest, "nouns", heaviest, "how many of the heaviest nouns are shown")
	c.Flags().StringVar(&format, "format", "", "json")
	return c
}

func newKRSExport(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:   "export DIR",
		Short: "Write a KRS as RDF",
		Long: `Prints the documents of a KRS as N-Quads in the terms of its paper (sfwc:, nif:, itsrdf:), with the IDF
of each noun.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver krs build crawls/aircraft --topic aircraft -o kites.krs
  orbweaver krs export kites.krs

  nice orbweaver krs export diabetes.krs | orbweaver load facts - --from nquads`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return krsJobs(a).Export(c.Context(), args[0]) },
	}
}

func newKRSGazetteer(a *job.Job) *cobra.Command {
	job := krs.GazetteerJob{}
	c := &cobra.Command{
		Use:   "gazetteer [FILE...] -o FILE",
		Short: "Make a gazetteer of what entities are called",
		Long: `Reads labels from files of RDF (rdfs:label, the labels of SKOS, foaf:name, schema:name,
schema:alternateName) and redirects of DBpedia (dbo:wikiPageRedirects), or takes the titles of a
corpus, and writes them as a gazetteer, by which nouns are linked to entities.`,
		Example: `  orbweaver krs gazetteer examples/aircraft.ttl -o aircraft.names
  orbweaver krs gazetteer --titles examples/demo.warc.gz -o titles.names

  bzcat labels_en.ttl.bz2 | orbweaver krs gazetteer - --from ntriples --lang en -o dbpedia.names`,
		RunE: func(c *cobra.Command, args []string) error {
			read, _ := rdffile.Syntaxes()
			switch {
			case job.Out == "":
				return misused(c, "name the file with -o")
			case len(args)+len(job.Titles) == 0:
				return misused(c, "want files of RDF, or --titles CORPUS")
			case job.From != "" && !slices.Contains(read, job.From):
				return misused(c, "--from is one of %s, not %q", strings.Join(read, ", "), job.From)
			}
			job.Files = args
			return krsJobs(a).Gazetteer(c.Context(), job)
		},
	}
	f := c.Flags()
	f.StringVarP(&job.Out, "output", "o", "", "the gazetteer's `file`")
	f.StringArrayVar(&job.Titles, "titles", nil, "`corpus` whose titles are names; may be repeated")
	f.StringVar(&job.From, "from", "", "the `syntax` of all files; left out: told by name and first bytes")
	f.StringArrayVar(&job.Langs, "lang", nil, "`language` of labels that are taken; may be repeated; left out: all")
	return c
}

func newKRSCorpus(a *job.Job) *cobra.Command {
	job := corpus.Job{}
	c := &cobra.Command{
		Use:   "corpus --wikipedia CATEGORY -o DIR",
		Short: "Fetch the articles of a Wikipedia category as a corpus",
		Long: `Asks the API of a Wikipedia, or of another wiki (--api), for the articles of a category and of the
categories within it, down to --depth, and writes each as a text file. Pages about persons and
lists are left out, as in the paper. One request at a time, a second apart; the same command goes on
where it stopped.`,
		Example: `  nice orbweaver krs corpus --wikipedia "Category:Diabetes" --depth 1 --contact me@example.org -o corpus/
  orbweaver krs build --help      # then learn from it`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			if job.Category == "" || job.Out == "" {
				return misused(c, "name a category with --wikipedia, and a folder with -o")
			}
			job.Wire = a.Wire
			return corpus.Fetch(c.Context(), &a.Console, job)
		},
	}
	f := c.Flags()
	f.StringVar(&job.Category, "wikipedia", "", "the `category`")
	f.IntVar(&job.Depth, "depth", 0, "how far down categories within it count")
	f.StringVar(&job.Lang, "lang", "en", "`language` of the Wikipedia")
	f.StringVar(&job.API, "api", "", "`address` of another wiki's api.php")
	f.IntVar(&job.Limit, "limit", 0, "how many pages; 0: all")
	f.StringVarP(&job.Out, "output", "o", "", "`folder` of the corpus")
	f.BoolVar(&job.Persons, "persons", false, "pages about persons count too")
	f.StringVar(&job.Contact, "contact", "", "`URL` or e-mail address, told with each request")
	f.DurationVar(&job.Delay, "delay", time.Second, "between two requests")
	return c
}

// krsJobs are the jobs around schemas, with the console and the wire of all jobs.
func krsJobs(a *job.Job) *krs.Jobs { return &krs.Jobs{Console: a.Console, Wire: a.Wire} }
