// Package recommend has the verb that recommends vocabularies and datasets: by what a metadata crawl found, or by the links of a catalogue.
//
// This package is not part of the stable API.
package recommend

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"orbweaver"
	"orbweaver/cmd/orbweaver/flags"
	"orbweaver/crawl"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/findings"
	"orbweaver/internal/job"
	"orbweaver/internal/kind/metadata"
	"orbweaver/internal/view"
	"orbweaver/kb/terms"
)

const longHelp = `Ranks the results of a metadata crawl: vocabularies by the number of given terms they reach, the
number of datasets that use them and their instances there; and datasets by the terms of which they
have instances. Each comes with the counts behind its rank, and the path that led to it;
docs/howto/metadata.md gives the formula.

If a catalogue of the crawl says which datasets link to which (the LOD cloud's JSON), datasets are ranked
by what those with instances of the terms link to; --rank instances ranks them by their instances all the
same. --for names your dataset in the catalogue, or a file that describes it, so that datasets like it
count more.

--data FILE, your own dataset in any RDF syntax, weights terms by their use in it: the result is
the vocabularies near those it uses, and the datasets it could be linked to.

--tables prints, for each term that was processed, the classes it led to, its instances in each
dataset, and how long its requests took: alone, and with the terms that it led to.

Of catalogues that say which datasets link to which (the LOD cloud's JSON) instead of a crawl,
recommend ranks the datasets that a dataset could link to: by what datasets like it link to.
--for names a dataset of the catalogue, or a file that describes a new one as a catalogue does.
--measure hides the links of each dataset with three or more, and tells how well this ranking and
others find them. docs/howto/metadata.md has the method.`

const exampleHelp = `  orbweaver crawl examples/harbour.yaml
  orbweaver recommend crawls/harbour
  orbweaver recommend crawls/harbour --limit 3 --format json
  orbweaver recommend crawls/harbour --data examples/register.ttl
  orbweaver recommend crawls/harbour --rank instances
  orbweaver recommend crawls/harbour --tables

  orbweaver recommend crawls/harbour --as ontology -o ships.ttl
  orbweaver ontology check ships.ttl
  orbweaver crawl ships.yaml

  cat > cloud.json <<END
  {"tunes": {"_id": "tunes", "title": "Tunes", "keywords": ["music"], "links": [{"target": "places"}, {"target": "people"}, {"target": "dances"}]},
   "dances": {"_id": "dances", "title": "Dances", "keywords": ["music"], "links": [{"target": "places"}, {"target": "people"}, {"target": "tunes"}]},
   "rivers": {"_id": "rivers", "title": "Rivers", "keywords": ["water"], "links": [{"target": "places"}]}}
  END
  cat > mine.json <<END
  {"songs": {"_id": "songs", "title": "Songs of the coast", "keywords": ["music"]}}
  END
  orbweaver recommend cloud.json --for mine.json
  orbweaver recommend cloud.json --for rivers --limit 5 --format json
  orbweaver recommend cloud.json --measure`

// Command returns the verb recommend.
func Command(a *job.Job) *cobra.Command {
	opts, data := findings.Options{}, ""
	var as asOntology
	var links linking
	c := &cobra.Command{
		Use:     "recommend DIR [--as ontology] | recommend CATALOGUE... --for DATASET",
		Short:   "Recommend vocabularies and datasets from a metadata crawl, or datasets from a catalogue",
		Long:    longHelp,
		Example: exampleHelp,
		Args: func(c *cobra.Command, args []string) error {
			if len(args) != 1 && (len(args) == 0 || !links.used()) {
				return misused(c, "want the folder of a metadata crawl, or catalogues, have %d arguments", len(args))
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			if opts.Format != findings.Text && opts.Format != findings.JSON {
				return misused(c, "--format is text or json, not %q", opts.Format)
			}
			if opts.Top < 0 {
				return misused(c, "--limit must not be negative")
			}
			if opts.By != "" && opts.By != terms.ByLinks && opts.By != terms.ByInstances {
				return misused(c, "--rank is links or instances, not %q", opts.By)
			}
			if links.ofCrawl(args) && !opts.Tables && as.kind+as.file+as.vocabulary == "" && opts.By != terms.ByInstances {
				own, err := links.known(c.Context(), a, args[0])
				if err != nil {
					return err
				}
				opts.Own = own
				return metadata.Recommend(c.Context(), a.Out, args[0], data, opts)
			}
			if links.used() {
				if opts.By != "" || data != "" || opts.Tables || as.kind+as.file+as.vocabulary != "" {
					return misused(c, "--for is for catalogues and for the ranking of a crawl's datasets by links, --measure for catalogues, and the other flags for crawls")
				}
				return links.run(c.Context(), a, args, opts)
			}
			if opts.Tables && data != "" {
				return misused(c, "--tables and --data exclude each other")
			}
			if as.kind != "" || as.file != "" || as.vocabulary != "" {
				return as.run(c, a, args[0], opts.Format)
			}
			return metadata.Recommend(c.Context(), a.Out, args[0], data, opts)
		},
	}
	c.Flags().StringVar(&opts.Format, "format", findings.Text, "text or json")
	c.Flags().IntVar(&opts.Top, "limit", 20, "number of each; 0: all")
	flags.Formerly(c, "top", "limit")
	c.Flags().BoolVar(&opts.Tables, "tables", false, "instances and time of each term instead of a ranking")
	c.Flags().StringVar(&opts.By, "rank", "", "`what` ranks datasets: links or instances (default links, if a catalogue has them)")
	flags.Formerly(c, "by", "rank")
	c.Flags().StringVar(&data, "data", "", "RDF `file` of your own dataset")
	c.Flags().StringVar(&as.kind, "as", "", "ontology: write a vocabulary as an ontology, with a crawl file")
	c.Flags().StringVar(&as.vocabulary, "vocabulary", "", "with --as ontology, the `namespace` of the vocabulary")
	c.Flags().StringVarP(&as.file, "output", "o", "", "with --as ontology, the `file` to write; default: named after the vocabulary")
	c.Flags().StringVar(&links.of, "for", "", "the `dataset` to find links for: a name in the catalogues, or a file that describes it")
	c.Flags().BoolVar(&links.measure, "measure", false, "of catalogues, how well rankings find hidden links")
	return c
}

// misused is the error of flags or arguments that make no sense.
func misused(c *cobra.Command, format string, args ...any) error {
	return fmt.Errorf("%s: %s: see %s --help (%w)", c.Name(), fmt.Sprintf(format, args...), c.CommandPath(), orbweaver.ErrInput)
}

// asOntology writes a recommended vocabulary as an ontology.
type asOntology struct{ kind, vocabulary, file string }

func (as asOntology) run(c *cobra.Command, a *job.Job, dir, format string) error {
	if as.kind != "ontology" {
		return misused(c, "--as is ontology, not %q; --output and --vocabulary belong to it", as.kind)
	}
	if as.file != "" && filepath.Ext(as.file) != ".ttl" {
		return misused(c, "--output: the ontology is written in Turtle: name a file that ends in .ttl, not %s", as.file)
	}
	folder, err := crawl.Open(dir, crawl.On(a))
	if err != nil {
		return err
	}
	r, err := folder.RecommendOntology(c.Context(), as.vocabulary, as.file)
	if err != nil {
		return err
	}
	if as.file == "" {
		as.file = r.Name + ".ttl"
	}
	run := strings.TrimSuffix(as.file, ".ttl") + ".yaml"
	if _, err := os.Lstat(run); err == nil {
		return exists(run)
	}
	if err := writeNew(as.file, r.Turtle); err != nil {
		return err
	}
	if err := writeNew(run, r.CrawlFile); err != nil {
		return err
	}
	if format == findings.JSON {
		return console.WriteJSON(a.Out, r)
	}
	view.RecommendedOntology(a.Out, r, as.file, run)
	return nil
}

// writeNew writes a file that must not exist.
func writeNew(name, text string) error {
	err := crawlfolder.WriteNew(name, []byte(text))
	if errors.Is(err, fs.ErrExist) {
		return exists(name)
	}
	return err
}

// exists is the error of a file that would be replaced.
func exists(name string) error {
	return fmt.Errorf("%s exists: name another file with -o, as in -o other.ttl (%w)", name, orbweaver.ErrInput)
}
