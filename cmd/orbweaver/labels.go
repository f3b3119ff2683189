package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver/internal/job"
	"orbweaver/internal/offline"
	"orbweaver/internal/offline/labelmodel"
	"orbweaver/kb/labels"
)

func newLabels(a *job.Job) *cobra.Command {
	c := &cobra.Command{
		Use:   "labels",
		Short: "Learn terms, labels and rules from a stream of documents, and see what was learned",
		Long: `A model of labels is learned from documents as they come, and nobody says what the labels are to be:
the terms of each document, a hierarchy of labels, and rules that give labels to documents. docs/labels.md
says how.`,
		Args: verb,
		RunE: verbless,
		Example: `  orbweaver labels train --help
  orbweaver labels show --help
  orbweaver labels why --help`,
	}
	c.AddCommand(newLabelsTrain(a), newLabelsShow(a), newLabelsTree(a), newLabelsWhy(a), newLabelsDrift(a))
	return c
}

func newLabelsTrain(a *job.Job) *cobra.Command {
	job := labelmodel.Training{}
	c := &cobra.Command{
		Use:   "train --stream FOLDER|FILE... -o MODEL",
		Short: "Learn from a stream of documents, in order",
		Long: `Reads documents in order and learns from each. The stream is files and folders, in the order named:

  a folder, .txt .html .md .pdf   text and pages, in order of names
  .jsonl, .jsonl.gz               a line a document: {"id", "title", "text", "date", "lang"}
  .sgm, .json, .tar.gz            Reuters-21578, as SGML or as JSON, sorted by date
  .warc, .warc.gz                 the main text of pages, in order of URLs
  a crawl's folder                the accepted pages, in order of fetching

Documents are read by several goroutines and learned in order: the model, whose digest is printed, is the same
for any number of --workers. Those without text or with the text of another are counted and passed over; what
is behind the first MiB of text is cut off. What each document changes goes into drift.jsonl in the folder.

Ctrl-C leaves a model of what was read until then; --resume goes on behind it, with the same stream, to
which documents may have been added at the end.`,
		Example: `  orbweaver labels train --stream examples/demo.warc.gz -o demo.model
  orbweaver labels show demo.model --top 5

  nice orbweaver labels train --stream reuters21578.tar.gz -o news.model --half-life 5000
  nice orbweaver labels train --stream notes/ more.jsonl -o notes.model --resume`,
		RunE: func(c *cobra.Command, args []string) error {
			job.Stream = append(job.Stream, args...)
			switch {
			case len(job.Stream) == 0:
				return misused(c, "name files or folders with --stream")
			case job.Out == "":
				return misused(c, "name the model's folder with -o")
			case job.Workers < 0 || job.HalfLife < 0 || job.Terms < 0:
				return misused(c, "--half-life, --terms and --workers are not negative")
			}
			if !c.Flags().Changed("terms") {
				job.Terms = 0
			}
			return labelmodel.Train(c.Context(), &a.Console, job)
		},
	}
	f := c.Flags()
	f.StringArrayVar(&job.Stream, "stream", nil, "`file` or folder of documents; others may follow it")
	f.StringVarP(&job.Out, "output", "o", "", "`folder` of the model")
	f.Float64Var(&job.HalfLife, "half-life", 0, "after how many documents one counts half; 0: it counts for ever")
	f.IntVar(&job.Terms, "terms", 25, "most terms that a document has, 2 to 200")
	f.StringVar(&job.WordNet, "wordnet", "", "`folder` of WordNet 3.0: synonyms are one term")
	f.StringVar(&job.Lang, "lang", "", "`language` of all documents; left out: told by each")
	f.IntVar(&job.Workers, "workers", 0, "goroutines that read; 0: one a processor")
	f.BoolVar(&job.Resume, "resume", false, "go on with the model that is there")
	return c
}

// modelArgs is what all verbs that look at a model want.
const modelArgs = "a model's folder, or that of a crawl which has one"

// wordNetFlag names where the synonyms are now.
func wordNetFlag(c *cobra.Command, wordNet *string) {
	c.Flags().StringVar(wordNet, "wordnet", "", "`folder` of the WordNet that it was learned with, if it was moved")
}

func newLabelsShow(a *job.Job) *cobra.Command {
	opts, format, wordNet := labelmodel.ShowOptions{}, "text", ""
	c := &cobra.Command{
		Use:   "show DIR|MODEL",
		Short: "Show what was learned: counts, labels, rules",
		Long: `Prints how much a model has learned, its most frequent labels with the number of rules that give each, and
the rules that rest on the most documents: an Alpha rule gives the label by itself, a term of a Beta set
together with others of it.`,
		Example: `  orbweaver labels train --stream examples/demo.warc.gz -o demo.model
  orbweaver labels show demo.model
  orbweaver labels show demo.model --top 3 --format json`,
		Args: exactly(1, modelArgs),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" || opts.Top < 0 {
				return misused(c, "--format is text or json, --top not negative")
			}
			opts.JSON = format == "json"
			return labelmodel.Show(&a.Console, args[0], wordNet, opts)
		},
	}
	c.Flags().IntVar(&opts.Top, "top", 20, "how many labels and rules; 0: all")
	c.Flags().StringVar(&opts.Label, "label", "", "the rules of this `label` alone")
	c.Flags().StringVar(&format, "format", format, "text or json")
	wordNetFlag(c, &wordNet)
	return c
}

func newLabelsTree(a *job.Job) *cobra.Command {
	label, format, wordNet := "", "text", ""
	c := &cobra.Command{
		Use:   "tree DIR|MODEL",
		Short: "Show the hierarchy of labels",
		Long: `Prints labels, each below its nearest broader ones, with how many documents hold it, the most frequent
first. What stands below two labels is shown below the first, and marked with … below the other. With
--format skos the hierarchy is written as SKOS, with swrl all of the model with its rules, both in Turtle.`,
		Example: `  orbweaver labels train --stream examples/demo.warc.gz -o demo.model
  orbweaver labels tree demo.model
  orbweaver labels tree demo.model --format skos`,
		Args: exactly(1, modelArgs),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case !slices.Contains(labelmodel.TreeFormats(), format):
				return misused(c, "--format is one of %s, not %q", strings.Join(labelmodel.TreeFormats(), ", "), format)
			case label != "" && format != "text":
				return misused(c, "--label goes with --format text")
			}
			return labelmodel.Tree(c.Context(), &a.Console, args[0], wordNet, label, format)
		},
	}
	c.Flags().StringVar(&label, "label", "", "what is above and below this `label` alone")
	c.Flags().StringVar(&format, "format", format, strings.Join(labelmodel.TreeFormats(), ", "))
	wordNetFlag(c, &wordNet)
	return c
}

func newLabelsWhy(a *job.Job) *cobra.Command {
	format, wordNet := "text", ""
	c := &cobra.Command{
		Use:   "why DIR|MODEL ITEM",
		Short: "Tell why a document has its labels",
		Long: `Prints the terms of a document and its labels, and for each label how it follows: as one of the terms, by an
Alpha rule, by enough terms of a Beta set, or from a narrower label, with the documents that each rule rests on.
The document is a file of text, HTML, Markdown or PDF, - for standard input, or the URL of a page that the
crawl of DIR has.`,
		Example: `  orbweaver labels train --stream examples/demo.warc.gz -o demo.model
  cat > flight.txt <<END
  The airliner has two engines below its wings, and a cabin for its passengers.
  The airline flies it to airports of the coast, and the pilots like its cockpit.
  END
  orbweaver labels why demo.model flight.txt
  orbweaver labels why demo.model flight.txt --format json`,
		Args: exactly(2, modelArgs+", and a file or URL"),
		RunE: func(c *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return misused(c, "--format is text or json, not %q", format)
			}
			return offline.WhyLabels(c.Context(), a, args[0], args[1], wordNet, format == "json")
		},
	}
	c.Flags().StringVar(&format, "format", format, "text or json")
	wordNetFlag(c, &wordNet)
	return c
}

func newLabelsDrift(a *job.Job) *cobra.Command {
	opts, kind, format, wordNet := labelmodel.DriftOptions{}, "", "text", ""
	kinds := []string{string(labels.OfTerm), string(labels.OfLabel), string(labels.OfRule), string(labels.OfBroader)}
	c := &cobra.Command{
		Use:   "drift DIR|MODEL",
		Short: "Tell what changed in a model, and with which document",
		Long: `Prints in order what documents changed: labels, rules and broader labels that came or went, and with
--kind term new and forgotten terms. --since takes the number of a document or a date.`,
		Example: `  orbweaver labels train --stream examples/demo.warc.gz -o demo.model
  orbweaver labels drift demo.model --kind label
  orbweaver labels drift demo.model --since 100 --format json`,
		Args: exactly(1, modelArgs),
		RunE: func(c *cobra.Command, args []string) error {
			switch {
			case kind != "" && !slices.Contains(kinds, kind):
				return misused(c, "--kind is one of %s, not %q", strings.Join(kinds, ", "), kind)
			case format != "text" && format != "json":
				return misused(c, "--format is text or json, not %q", format)
			}
			opts.Kind, opts.JSON = labels.Kind(kind), format == "json"
			return labelmodel.Drift(c.Context(), &a.Console, args[0], wordNet, opts)
		},
	}
	c.Flags().StringVar(&opts.Since, "since", "", "`number` of a document, or a date as in 1987-06-01")
	c.Flags().StringVar(&kind, "kind", "", strings.Join(kinds, ", ")+"; left out: all but term")
	c.Flags().StringVar(&format, "format", format, "text or json")
	wordNetFlag(c, &wordNet)
	return c
}
