package cli

import (
	"slices"
	"strings"
	"time"

	"orbweaver/cmd/orbweaver/flags"
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
		Long: `A knowledge representation schema (KRS) is a topic learned from a corpus of documents: its nouns,
linked to entities, with their inverse document frequencies. A crawl with focus: krs finds similar
documents.`,
		Args: flags.Verb,
		RunE: flags.Verbless,
		Example: `  orbweaver krs build --help
  orbweaver krs show --help
  orbweaver krs gazetteer --help
  orbweaver krs corpus --help`,
	}
	c.AddCommand(newKRSBuild(a), newKRSShow(a), newKRSExport(a), newKRSGazetteer(a), newKRSCorpus(a))
	return c
}

func newKRSBuild(a *job.Job) *cobra.Command {
	job, below := krs.Job{}, 0.0
	c := &cobra.Command{
		Use:   "build CORPUS... -o DIR --topic NAME",
		Short: "Learn a topic from documents",
		Long: `Reads a corpus, extracts its nouns, links them to entities, and writes the model into a folder. A
corpus consists of files and folders of HTML, text, PDF, DOCX, ODT and EPUB, WARC archives, and crawl
folders, whose accepted pages count.

A gazetteer links the nouns: the one given with --gazetteer (orbweaver krs gazetteer makes one from
any RDF with labels), or by default the titles of the documents. The folder keeps gazetteer and
tagger, so that crawled pages are read like the corpus.

--spotlight queries a DBpedia Spotlight server for each document and keeps the responses in the
folder. It links nouns that the gazetteer does not; with --linking spotlight it links alone.
Documents added later, and crawls, query it too.

The types of named entities (PER, ORG, LOC, MISC) come from the classes of the gazetteer's entities,
then from names and their words in text annotated as in CoNLL-2003 (--names), then from a few
hundred clues in English.

A background of general documents tells nouns of the topic from common nouns; without one, pages
are accepted by the corpus alone. --sample uses a random sample of it.

--drop-below leaves out documents that are unlike the others: each is judged as if the corpus lacked
it, and dropped if its likeness is lower; below 0 the background is nearer. It prints what it dropped.
orbweaver krs show --documents shows likenesses.

--add adds documents to an existing KRS; a document with a known name replaces the old one.`,
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
			if err := checkKRSBuild(c, job); err != nil {
				return err
			}
			job.Corpus = args
			if c.Flags().Changed("drop-below") {
				job.DropBelow = &below
			}
			return krsJobs(a).Build(c.Context(), job)
		},
	}
	f := c.Flags()
	f.StringVarP(&job.Dir, "output", "o", "", "`folder` of the KRS")
	f.StringVar(&job.Topic, "topic", "", "`name` of the topic")
	f.StringArrayVar(&job.Background, "background", nil, "file or `folder` of general documents; may be repeated")
	f.IntVar(&job.Sample, "sample", 0, "size of a random sample of the background; 0: all")
	f.Uint64Var(&job.Seed, "seed", 1, "random seed of --sample")
	f.StringVar(&job.Gazetteer, "gazetteer", "", "`file` made by orbweaver krs gazetteer (default the documents' titles)")
	f.StringVar(&job.Tagger, "tagger", "", "`file` made by orbweaver text train (default a built-in one for English)")
	f.StringVar(&job.Names, "names", "", "`file` of text annotated with PER, ORG, LOC and MISC (CoNLL's IOB), to learn types of names from")
	f.StringVar(&job.Language, "lang", "", "`language` of the corpus (default that of the tagger)")
	f.Float64Var(&job.Confidence, "confidence", 0, "minimum confidence of a link to an entity, 0 to 1; 0: 0.5")
	f.StringVar(&job.Spotlight, "spotlight", "", "`URL` of a DBpedia Spotlight server, as in https://api.dbpedia-spotlight.org/en")
	f.Float64Var(&job.SpotlightConfidence, "spotlight-confidence", 0, "minimum confidence of a Spotlight link, 0 to 1; 0: 0.5")
	f.StringVar(&job.Linking, "linking", "", "`method` of linking nouns: gazetteer, spotlight or both (default both with --spotlight)")
	f.Float64Var(&below, "drop-below", 0, "drop documents of a lower `likeness` to the others (default none)")
	f.BoolVar(&job.Add, "add", false, "add documents to an existing KRS")
	return c
}

// checkKRSBuild validates the combination of flags.
func checkKRSBuild(c *cobra.Command, job krs.Job) error {
	switch {
	case job.Dir == "":
		return flags.Misused(c, "name the folder of the KRS with -o")
	case job.Topic == "" && !job.Add:
		return flags.Misused(c, "name the topic with --topic")
	case job.Add && (job.Gazetteer != "" || job.Tagger != "" || job.Names != "" || len(job.Background) > 0 || job.Confidence > 0):
		return flags.Misused(c, "--add keeps the settings of the KRS: omit --gazetteer, --tagger, --names, --confidence and --background")
	case job.Add && (job.Spotlight != "" || job.Linking != "" || job.SpotlightConfidence > 0):
		return flags.Misused(c, "--add keeps the linking of the KRS: omit --spotlight, --spotlight-confidence and --linking")
	case job.Confidence < 0 || job.Confidence > 1 || job.Sample < 0:
		return flags.Misused(c, "--confidence must be from 0 to 1, --sample not negative")
	case job.SpotlightConfidence < 0 || job.SpotlightConfidence > 1:
		return flags.Misused(c, "--spotlight-confidence must be from 0 to 1")
	case job.Spotlight == "" && (job.SpotlightConfidence > 0 || job.Linking != "" && job.Linking != "gazetteer"):
		return flags.Misused(c, "name the server with --spotlight")
	case job.Linking == "spotlight" && job.Gazetteer != "":
		return flags.Misused(c, "--linking spotlight uses no gazetteer: omit --gazetteer")
	}
	return nil
}

func newKRSShow(a *job.Job) *cobra.Command {
	heaviest, documents, format := 20, 0, "text"
	c := &cobra.Command{
		Use:   "show DIR",
		Short: "Show the statistics of a KRS",
		Long: `Prints the numbers of documents, nouns and linked nouns; mean and standard deviation of their IDF
and the range in which rule: paper accepts pages; the similarity threshold of rule: calibrated with
its accuracy on corpus and background; with --documents, those of the corpus that are least like the
others; and the nouns with the greatest weight.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver krs build crawls/aircraft --topic aircraft -o planes.krs
  orbweaver krs show planes.krs --nouns 5 --documents 5`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" || heaviest < 0 || documents < 0 {
				return flags.Misused(c, "--format is text or json, --nouns and --documents not negative")
			}
			return krsJobs(a).Show(args[0], heaviest, documents, format == "json")
		},
	}
	c.Flags().IntVar(&heaviest, "nouns", heaviest, "number of nouns to show, by weight")
	c.Flags().IntVar(&documents, "documents", 0, "number of documents to show, the least typical first")
	c.Flags().StringVar(&format, "format", format, "text or json")
	return c
}

func newKRSExport(a *job.Job) *cobra.Command {
	return &cobra.Command{
		Use:   "export DIR",
		Short: "Export a KRS as RDF",
		Long: `Prints the documents of a KRS as N-Quads in the vocabulary of its paper (sfwc:, nif:, itsrdf:), with
the IDF of each noun.`,
		Example: `  orbweaver crawl examples/aircraft.yaml
  orbweaver krs build crawls/aircraft --topic aircraft -o kites.krs
  orbweaver krs export kites.krs

  nice orbweaver krs export diabetes.krs | orbweaver store load facts - --from nquads`,
		Args: cobra.ExactArgs(1),
		RunE: func(c *cobra.Command, args []string) error { return krsJobs(a).Export(c.Context(), args[0]) },
	}
}

func newKRSGazetteer(a *job.Job) *cobra.Command {
	job := krs.GazetteerJob{}
	c := &cobra.Command{
		Use:   "gazetteer [FILE...] -o FILE",
		Short: "Make a gazetteer of entity names",
		Long: `Reads labels from RDF files (rdfs:label, the labels of SKOS, foaf:name, schema:name,
schema:alternateName) and DBpedia redirects (dbo:wikiPageRedirects), or takes the titles of a
corpus, and writes a gazetteer, which links nouns to entities.

Classes of the entities (rdf:type, Wikidata's P31) give their types: PER, ORG, LOC, or MISC. A class
has the type of its name (foaf:Person, dbo:City), or of the nearest class above it
(rdfs:subClassOf, P279): give the ontology too.`,
		Example: `  orbweaver krs gazetteer examples/aircraft.ttl -o aircraft.names
  orbweaver krs gazetteer --titles examples/demo.warc.gz -o titles.names

  bzcat labels_en.ttl.bz2 | orbweaver krs gazetteer - --from ntriples --lang en -o dbpedia.names`,
		RunE: func(c *cobra.Command, args []string) error {
			read, _ := rdffile.Syntaxes()
			switch {
			case job.Out == "":
				return flags.Misused(c, "name the file with -o")
			case len(args)+len(job.Titles) == 0:
				return flags.Misused(c, "want files of RDF, or --titles CORPUS")
			case job.From != "" && !slices.Contains(read, job.From):
				return flags.Misused(c, "--from is one of %s, not %q", strings.Join(read, ", "), job.From)
			}
			job.Files = args
			return krsJobs(a).Gazetteer(c.Context(), job)
		},
	}
	f := c.Flags()
	f.StringVarP(&job.Out, "output", "o", "", "the gazetteer's `file`")
	f.StringArrayVar(&job.Titles, "titles", nil, "`corpus` whose titles are names; may be repeated")
	f.StringVar(&job.From, "from", "", "the `syntax` of all files (default by name and first bytes)")
	f.StringArrayVar(&job.Langs, "lang", nil, "`language` of the labels to read; may be repeated (default all)")
	return c
}

func newKRSCorpus(a *job.Job) *cobra.Command {
	job, count, format := corpus.Job{}, false, "text"
	c := &cobra.Command{
		Use:   "corpus --wikipedia CATEGORY {-o DIR | --count}",
		Short: "Fetch the articles of a Wikipedia category as a corpus",
		Long: `Fetches the articles of a category and of its subcategories, down to --depth, from the API of a
Wikipedia or of another wiki (--api), and writes each as a text file. Pages about persons and lists
are omitted, as in the paper. One request at a time, one second apart; the same command resumes an
interrupted download.

--count fetches no text: it prints how many pages the category has down to each level of its
subcategories (the paper's Table 12), to choose --depth by.`,
		Example: `  nice orbweaver krs corpus --wikipedia "Category:Diabetes" --depth 1 --contact me@example.org -o corpus/
  nice orbweaver krs corpus --wikipedia "Category:Diabetes" --depth 4 --count --contact me@example.org
  orbweaver krs build --help      # then learn from it`,
		Args: cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			switch {
			case job.Category == "" || job.Out == "" && !count:
				return flags.Misused(c, "name a category with --wikipedia, and a folder with -o")
			case count && (job.Out != "" || job.Limit > 0):
				return flags.Misused(c, "--count writes nothing and counts all: omit -o and --limit")
			case format != "text" && format != "json" || format == "json" && !count:
				return flags.Misused(c, "--format is text or json, with --count")
			}
			job.Wire = a.Wire
			if count {
				return corpus.Count(c.Context(), &a.Console, job, format == "json")
			}
			return corpus.Fetch(c.Context(), &a.Console, job)
		},
	}
	f := c.Flags()
	f.StringVar(&job.Category, "wikipedia", "", "the `category`")
	f.IntVar(&job.Depth, "depth", 0, "levels of subcategories to include")
	f.StringVar(&job.Lang, "lang", "en", "`language` of the Wikipedia")
	f.StringVar(&job.API, "api", "", "`address` of another wiki's api.php")
	f.IntVar(&job.Limit, "limit", 0, "maximum number of pages; 0: all")
	f.StringVarP(&job.Out, "output", "o", "", "`folder` of the corpus")
	f.BoolVar(&count, "count", false, "print the number of pages by level, and fetch none")
	f.StringVar(&format, "format", format, "with --count: text or json")
	f.BoolVar(&job.Persons, "persons", false, "include pages about persons")
	f.StringVar(&job.Contact, "contact", "", "contact `URL` or e-mail address, sent with every request")
	f.DurationVar(&job.Delay, "delay", time.Second, "delay between two requests")
	return c
}

// krsJobs are the jobs around schemas, with the console and the wire of all jobs.
func krsJobs(a *job.Job) *krs.Jobs { return &krs.Jobs{Console: a.Console, Wire: a.Wire} }
