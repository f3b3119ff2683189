package lab

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/crawl"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/job"
	"orbweaver/internal/offline"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/internal/store"
	"orbweaver/kb/labels"
	"orbweaver/kb/stream"
)

func newLabels(a *job.Job) *cobra.Command {
	c := &cobra.Command{
		Use:   "labels",
		Short: "Learn labels and rules from a stream of documents, and inspect the model",
		Long: `Learns a label model from documents in order, unsupervised: the terms of each document, a hierarchy of
labels, and rules that assign labels to documents. See docs/explanation/labels.md.`,
		Args: flags.Verb,
		RunE: flags.Verbless,
		Example: `  orbweaver lab labels train --help
  orbweaver lab labels show --help
  orbweaver lab labels why --help`,
	}
	c.AddCommand(newLabelsTrain(a), newLabelsShow(a), newLabelsTree(a), newLabelsWhy(a), newLabelsDrift(a))
	return c
}

func newLabelsTrain(a *job.Job) *cobra.Command {
	job, rules := labelmodel.Training{}, "certain"
	c := &cobra.Command{
		Use:   "train --stream FOLDER|FILE... -o MODEL",
		Short: "Learn a label model from a stream of documents",
		Long: `Reads documents in order and learns from each. The stream consists of files and folders, in the order given:

  a folder, .txt .html .md .pdf   text and pages, sorted by name; also .docx .odt .epub
  .jsonl, .jsonl.gz               one document per line: {"id", "title", "text", "date", "lang"}
  .sgm, .json, .tar.gz            Reuters-21578, as SGML or as JSON, sorted by date
  .warc, .warc.gz                 the main text of pages, sorted by URL
  a KRS (krs build)               its documents, as their nouns, sorted by IRI
  a crawl folder                  the accepted pages, in fetch order

Several goroutines read documents; learning is sequential. The model, whose digest is printed, is the same
for any number of --workers. Documents without text and duplicates are counted and skipped; text beyond the
first MiB is cut off. drift.jsonl in the folder records what each document changes.

A label is broader than another when P(broader|narrower) is at least --tau and not the other way round. A
term gives a label by itself when P(label|term) is above --alpha, and with others of its set, --delta of
them, when it is at least --beta. --rules paper takes these inequalities alone, as SemXDM does; certain also
wants six documents with both, the lower bound of Wilson's interval, and a margin.

Ctrl-C leaves a model of the documents read so far, if half a second is enough to write it; --resume
continues after them, with the same stream, to which documents may have been appended.`,
		Example: `  orbweaver lab labels train --stream examples/demo.warc.gz -o demo.model
  orbweaver lab labels show demo.model --limit 5

  nice orbweaver lab labels train --stream reuters21578.tar.gz -o news.model --half-life 5000
  nice orbweaver lab labels train --stream notes/ more.jsonl -o notes.model --resume`,
		RunE: func(c *cobra.Command, args []string) error {
			job.Stream = append(job.Stream, args...)
			switch {
			case len(job.Stream) == 0:
				return flags.Misused(c, "name files or folders with --stream")
			case job.Out == "":
				return flags.Misused(c, "name the model's folder with -o")
			case rules != "certain" && rules != "paper":
				return flags.Misused(c, "--rules is certain or paper, not %q", rules)
			case job.Workers < 0 || job.HalfLife < 0 || job.Terms < 0:
				return flags.Misused(c, "--half-life, --terms and --workers must not be negative")
			}
			if err := checkThresholds(c, job.Rules); err != nil {
				return err
			}
			job.Rules.Exact = rules == "paper"
			if !c.Flags().Changed("terms") {
				job.Terms = 0
			}
			return labelmodel.Train(c.Context(), &a.Console, job)
		},
	}
	f := c.Flags()
	f.StringArrayVar(&job.Stream, "stream", nil, "`file` or folder of documents; others may follow it")
	f.StringVarP(&job.Out, "output", "o", "", "`folder` of the model")
	f.Float64Var(&job.HalfLife, "half-life", 0, "number of documents after which one counts half; 0: never")
	f.IntVar(&job.Terms, "terms", 25, "maximum number of terms per document, 2 to 200")
	f.Float64Var(&job.Rules.Alpha, "alpha", 0, "P(label|term) above which a term gives a label, 0.01 to 0.99 (default 0.7)")
	f.Float64Var(&job.Rules.Beta, "beta", 0, "P(label|term) from which terms together do, 0.01 to alpha (default 0.5)")
	f.Float64Var(&job.Rules.Broader, "tau", 0, "P(i|j) from which i is broader than j, 0.01 to 1 (default 0.4)")
	f.IntVar(&job.Rules.Delta, "delta", 0, "terms of a Beta set that give its label, 1 to 200 (default two, and a tenth of the set)")
	f.StringVar(&rules, "rules", rules, "certain or paper: what brings a rule into force")
	f.StringVar(&job.WordNet, "wordnet", "", "`folder` of WordNet 3.0, to merge synonyms into one term")
	f.StringVar(&job.Lang, "lang", "", "`language` of all documents (default detected for each)")
	f.IntVar(&job.Workers, "workers", 0, "number of reading goroutines; 0: one per processor")
	f.BoolVar(&job.Resume, "resume", false, "continue the existing model")
	return c
}

// checkThresholds reports the first flag out of range. A threshold of 0 is a flag that was not given.
func checkThresholds(c *cobra.Command, r stream.Rules) error {
	for _, t := range []struct {
		flag        string
		value       float64
		least, most float64
	}{
		{"alpha", r.Alpha, 0.01, 0.99}, {"beta", r.Beta, 0.01, 0.99}, {"tau", r.Broader, 0.01, 1}, {"delta", float64(r.Delta), 1, 200},
	} {
		if c.Flags().Changed(t.flag) && !(t.value >= t.least && t.value <= t.most) {
			return flags.Misused(c, "--%s is %v, not %v to %v", t.flag, t.value, t.least, t.most)
		}
	}
	if p := r.Parameters(); p.Beta > p.Alpha {
		return flags.Misused(c, "--beta is %v, above --alpha %v: lower it, or raise --alpha", p.Beta, p.Alpha)
	}
	return nil
}

// modelArgs names the argument of all verbs that read a model.
const modelArgs = "a model folder, or a crawl folder with a model"

// wordNetFlag names where the synonyms are now.
func wordNetFlag(c *cobra.Command, wordNet *string) {
	c.Flags().StringVar(wordNet, "wordnet", "", "new `folder` of the WordNet used in training, if it was moved")
}

func newLabelsShow(a *job.Job) *cobra.Command {
	opts, format, wordNet := labelmodel.ShowOptions{}, "text", ""
	c := &cobra.Command{
		Use:   "show DIR|MODEL",
		Short: "Show a model: counts, labels, rules",
		Long: `Prints the size of a model, its most frequent labels with their numbers of rules, and the rules with the
most supporting documents. From 250 documents on it also prints broad concepts: labels that share documents,
named by the strongest. An Alpha rule assigns its label by itself; a Beta rule needs several terms of
its set.`,
		Example: `  orbweaver lab labels train --stream examples/demo.warc.gz -o demo.model
  orbweaver lab labels show demo.model
  orbweaver lab labels show demo.model --limit 3 --format json`,
		Args: flags.Exactly(1, modelArgs),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" || opts.Top < 0 {
				return flags.Misused(c, "--format is text or json, --limit must not be negative")
			}
			opts.JSON = format == "json"
			return labelmodel.Show(&a.Console, args[0], wordNet, opts)
		},
	}
	c.Flags().IntVar(&opts.Top, "limit", 20, "number of labels and rules; 0: all")
	flags.Formerly(c, "top", "limit")
	c.Flags().StringVar(&opts.Label, "label", "", "only rules of this `label`")
	c.Flags().StringVar(&format, "format", format, "text or json")
	wordNetFlag(c, &wordNet)
	return c
}

func newLabelsTree(a *job.Job) *cobra.Command {
	label, format, wordNet := "", "text", ""
	c := &cobra.Command{
		Use:   "tree DIR|MODEL",
		Short: "Show the hierarchy of labels",
		Long: `Prints the tree of broad concepts with their labels, then labels below their nearest broader labels, most frequent first, with their numbers of documents. A
label with two broader labels appears below the first and is marked with … below the other. --format skos
writes the hierarchy as SKOS, swrl the whole model with its rules, both in Turtle.`,
		Example: `  orbweaver lab labels train --stream examples/demo.warc.gz -o demo.model
  orbweaver lab labels tree demo.model
  orbweaver lab labels tree demo.model --format skos`,
		Args: flags.Exactly(1, modelArgs),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case !slices.Contains(labelmodel.TreeFormats(), format):
				return flags.Misused(c, "--format is one of %s, not %q", strings.Join(labelmodel.TreeFormats(), ", "), format)
			case label != "" && format != "text":
				return flags.Misused(c, "--label needs --format text")
			}
			return labelmodel.Tree(c.Context(), &a.Console, args[0], wordNet, label, format)
		},
	}
	c.Flags().StringVar(&label, "label", "", "only the ancestors and descendants of this `label`")
	c.Flags().StringVar(&format, "format", format, strings.Join(labelmodel.TreeFormats(), ", "))
	wordNetFlag(c, &wordNet)
	return c
}

func newLabelsWhy(a *job.Job) *cobra.Command {
	format, wordNet := "text", ""
	c := &cobra.Command{
		Use:   "why DIR|MODEL ITEM",
		Short: "Explain the labels of a document",
		Long: `Prints the terms and labels of a document, and the derivation of each label: as one of the terms, by an
Alpha rule, by enough terms of a Beta set, or from a narrower label, with the documents that support each rule;
then its broad concepts, with the terms that decide.
The document is a text, HTML, Markdown, PDF, DOCX, ODT or EPUB file, - for standard input, or the URL of a page in the crawl
of DIR. The model is that of now: of a crawl that runs the one in its memory, else the one in its folder.`,
		Example: `  orbweaver lab labels train --stream examples/demo.warc.gz -o demo.model
  cat > flight.txt <<END
  The airliner has two engines below its wings, and a cabin for its passengers.
  The airline flies it to airports of the coast, and the pilots like its cockpit.
  END
  orbweaver lab labels why demo.model flight.txt
  orbweaver lab labels why demo.model flight.txt --format json`,
		Args: flags.Exactly(2, modelArgs+", and a file or URL"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return flags.Misused(c, "--format is text or json, not %q", format)
			}
			return whyLabels(c.Context(), a, args[0], args[1], wordNet, format == "json")
		},
	}
	c.Flags().StringVar(&format, "format", format, "text or json")
	wordNetFlag(c, &wordNet)
	return c
}

// whyLabels explains the labels of a document by the model as it is now: that of the process that runs the crawl, or
// that of the folder.
func whyLabels(ctx context.Context, a *job.Job, dir, name, wordNet string, asJSON bool) error {
	if crawlfolder.CheckCrawl(dir) != nil || wordNet != "" {
		return offline.WhyLabels(ctx, a, dir, name, wordNet, asJSON)
	}
	t, err := store.TextOf(ctx, a, dir, name)
	if err != nil {
		return err
	}
	folder, err := crawl.Open(dir, crawl.On(a))
	if err != nil {
		return err
	}
	if x, err := folder.Labels(ctx, t); err == nil {
		return x.Print(&a.Console, asJSON)
	}
	m, _, err := labelmodel.Open(dir, "") // nobody runs the crawl, or it learns no labels
	if err != nil {
		return err
	}
	return labelmodel.Why(&a.Console, m, t, asJSON)
}

func newLabelsDrift(a *job.Job) *cobra.Command {
	opts, kind, format, wordNet := labelmodel.DriftOptions{}, "", "text", ""
	kinds := []string{string(labels.OfTerm), string(labels.OfLabel), string(labels.OfRule), string(labels.OfBroader), string(labels.OfAlarm), string(labels.OfConcept)}
	c := &cobra.Command{
		Use:   "drift DIR|MODEL",
		Short: "Show the changes of a model, by document",
		Long: `Prints, in order, the changes caused by each document: labels, rules and broader labels added or removed,
and with --kind term new and forgotten terms. An alarm says that the labels of documents change more than
they did before, since which document, and which labels came and went; --kind alarm shows these alone. --kind concept tells
the drift of a stream in few lines: which broad concepts came, went, or became more or less frequent. --since takes a document number or a date.`,
		Example: `  orbweaver lab labels train --stream examples/demo.warc.gz -o demo.model
  orbweaver lab labels drift demo.model --kind concept
  orbweaver lab labels drift demo.model --kind label
  orbweaver lab labels drift demo.model --since 100 --format json`,
		Args: flags.Exactly(1, modelArgs),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case kind != "" && !slices.Contains(kinds, kind):
				return flags.Misused(c, "--kind is one of %s, not %q", strings.Join(kinds, ", "), kind)
			case format != "text" && format != "json":
				return flags.Misused(c, "--format is text or json, not %q", format)
			}
			opts.Kind, opts.JSON = labels.Kind(kind), format == "json"
			return labelmodel.Drift(c.Context(), &a.Console, args[0], wordNet, opts)
		},
	}
	c.Flags().StringVar(&opts.Since, "since", "", "document `number`, or a date as in 1987-06-01")
	c.Flags().StringVar(&kind, "kind", "", strings.Join(kinds, ", ")+" (default all but term)")
	c.Flags().StringVar(&format, "format", format, "text or json")
	wordNetFlag(c, &wordNet)
	return c
}
