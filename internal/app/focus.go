package app

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"orbweaver"
	"orbweaver/eval"
	"orbweaver/focus/baseline"
	"orbweaver/focus/keyword"
	"orbweaver/focus/linkeddata"
	ontofocus "orbweaver/focus/ontology"
	"orbweaver/internal/app/console"
	"orbweaver/internal/app/crawlfile"
	"orbweaver/kb/ontology"
)

// NewFocus builds the focus of a crawl file. guide is what an oracle knows; nil without a truth.
// Errors wrap ErrInput and come all at once.
func NewFocus(f crawlfile.Focus, guide *eval.Distances) (orbweaver.Focus, error) {
	switch {
	case f.Ontology != nil:
		return newOntology(*f.Ontology)
	case f.Keyword != nil:
		return newKeyword(*f.Keyword)
	case f.LinkedData != nil:
		return newLinkedData(*f.LinkedData)
	case f.KRS != nil:
		return newKRSFocus(*f.KRS)
	case f.Metadata != nil:
		return nil, fmt.Errorf("metadata: it ranks no pages: it can be crawled, and not compared or simulated (%w)", orbweaver.ErrInput)
	case f.Crossref != nil:
		return crossrefOfFile(*f.Crossref)
	case f.Swget != nil:
		return newSwget(*f.Swget)
	case f.BestFirst != nil:
		return input(baseline.NewBestFirst(f.BestFirst.Terms, f.BestFirst.N))
	case f.Random != nil:
		return baseline.NewRandom(uint64(f.Random.Seed)), nil
	case f.Oracle != nil:
		if guide == nil {
			return nil, fmt.Errorf("the oracle needs a truth: %w", orbweaver.ErrInput)
		}
		return baseline.NewOracle(guide), nil
	}
	return baseline.NewBreadthFirst(), nil
}

// input marks an error as one of the user's input.
func input(f orbweaver.Focus, err error) (orbweaver.Focus, error) {
	if err != nil && !errors.Is(err, orbweaver.ErrInput) {
		err = fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	return f, err
}

// newKeyword makes a focus of terms.
func newKeyword(f crawlfile.Keyword) (orbweaver.Focus, error) {
	if f.Mode == keywordPaper {
		return input(baseline.NewKeyword(f.Terms))
	}
	focus, err := keyword.New(f.Terms, keyword.Options{Accept: f.Accept})
	if err != nil {
		return input(nil, err)
	}
	return focus, nil
}

// keywordPaper is the mode of the paper's keyword baseline.
const keywordPaper = "paper"

// newLinkedData makes a focus that looks for RDF.
func newLinkedData(f crawlfile.LinkedData) (orbweaver.Focus, error) {
	opts := linkeddata.DefaultOptions()
	opts.Method, _ = linkeddata.ParseMethod(f.Method) // the crawl file was checked
	opts.HR, _ = linkeddata.ParseLead(f.HR)
	opts.Classifier, _ = linkeddata.ParseClassifier(f.Classifier)
	opts.Seed, opts.KeepN = uint64(f.Seed), f.KeepN
	opts.Hosts, _ = linkeddata.ParseHostOrder(f.Hosts)
	opts.Config = opts.Config.Extend(linkeddata.Config{
		Terms: f.Terms, ContentTypes: f.ContentTypes, Extensions: f.Extensions,
		HTMLExtensions: f.HTMLExtensions, OtherExtensions: f.OtherExtensions, Layout: f.Layout,
	})
	focus, err := linkeddata.New(opts)
	if err != nil {
		return nil, below("focus.linked_data.", err)
	}
	return focus, nil
}

// below puts a section before the key that each of several problems starts with.
func below(section string, err error) error {
	all, ok := err.(interface{ Unwrap() []error })
	if !ok {
		return err
	}
	problems := slices.Clone(all.Unwrap())
	for i, problem := range problems {
		problems[i] = fmt.Errorf("%s%w", section, problem)
	}
	return errors.Join(problems...)
}

// newOntology reads an ontology and makes a focus of it.
func newOntology(f crawlfile.Ontology) (orbweaver.Focus, error) {
	knowledge, err := ontology.Load(f.Files...)
	if err != nil {
		return input(nil, eachAlone(f.Files, err, func(path string) error {
			_, err := ontology.Load(path)
			return err
		}))
	}
	relevance, _ := ontology.ParseSet(f.Relevance) // the crawl file was checked
	discount, _ := ontology.ParseDecay(f.Discount)
	combine, _ := ontofocus.ParseCombine(f.Combine)
	opts := ontofocus.Options{
		Ontology: knowledge, Targets: f.Target, Relevance: relevance, Discount: discount, Base: f.Base,
		Combine: combine, Accept: f.Accept, Measure: ontofocus.Presence,
	}
	switch f.IDF {
	case "learned":
		opts.IDF = ontofocus.Learned
	case "none":
		opts.IDF = ontofocus.None
	default:
		opts.IDF = ontofocus.Background
		if opts.Background, err = readIDF(f.IDF); err != nil {
			return nil, err
		}
	}
	return ontofocus.New(opts)
}

// maxIDFProblems is how many bad lines of an idf file are told.
const maxIDFProblems = 10

// readIDF reads a background file: a word or phrase, or the IRI of an entity, a tab, and its idf, a
// line each; # starts a comment.
func readIDF(path string) (map[string]float64, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	defer file.Close()
	values, number := map[string]float64{}, 0
	var problems []error
	scanner := bufio.NewScanner(file)
	for scanner.Scan() && len(problems) < maxIDFProblems {
		number++
		line := strings.TrimSpace(scanner.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		term, value, _ := strings.Cut(line, "\t")
		idf, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(idf > 0) {
			problems = append(problems, fmt.Errorf("%s:%d: want a term, a tab and a number above 0, have %q (%w)", path, number, line, orbweaver.ErrInput))
			continue
		}
		if term = strings.TrimSpace(term); !strings.Contains(term, "://") {
			term = strings.ToLower(term) // words; an IRI has case
		}
		values[term] = idf
	}
	if err := scanner.Err(); err != nil {
		problems = append(problems, fmt.Errorf("%s:%d: %w (%w)", path, number+1, err, orbweaver.ErrInput))
	}
	return values, errors.Join(problems...)
}

// focusLine names a focus on one line, for reports and help.
func focusLine(f crawlfile.Focus) string {
	switch {
	case f.Ontology != nil:
		o := f.Ontology
		return fmt.Sprintf("ontology: %s, %s, idf %s", o.Relevance, o.Combine, o.IDF)
	case f.Keyword != nil:
		return fmt.Sprintf("keyword: %s, %s", f.Keyword.Mode, strings.Join(f.Keyword.Terms, ", "))
	case f.BestFirst != nil:
		return fmt.Sprintf("best_first: n = %d, %s", f.BestFirst.N, strings.Join(f.BestFirst.Terms, ", "))
	case f.LinkedData != nil:
		l := f.LinkedData
		what := fmt.Sprintf("linked_data: %s, by %s, hr %s", l.Method, l.Classifier, l.HR)
		if l.Method == "focused" {
			what += ", hosts " + l.Hosts
		}
		return what
	case f.KRS != nil:
		return fmt.Sprintf("krs: %s, rule %s", console.Relative(f.KRS.File), f.KRS.Rule)
	case f.Metadata != nil:
		return fmt.Sprintf("metadata: expand %s, levels %d, %s", f.Metadata.Expand, f.Metadata.Limits.Levels, strings.Join(f.Metadata.Terms, ", "))
	case f.Crossref != nil:
		return crossrefLine(*f.Crossref, console.Relative(f.Crossref.Item))
	case f.Swget != nil:
		return "swget: " + f.Swget.Expression
	case f.Random != nil:
		return fmt.Sprintf("random: seed %d", f.Random.Seed)
	}
	return f.Kind()
}
