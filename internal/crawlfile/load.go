package crawlfile

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"orbweaver/fetch/archive"
	"orbweaver/internal/sinks"
)

// Load reads and checks a crawl file. The returned Crawl is complete, with defaults set. The error is Problems, with all
// problems of the file.
func (s Schema) Load(path string) (*Crawl, error) {
	c := &Crawl{Schema: s}
	err := s.load(path, true, c, func(d *decoding) { d.checkCrawl(c) })
	if err != nil {
		return nil, err
	}
	return c, nil
}

// Read is like Load for the text of a crawl file. name is the file name in problems, and folder the base of relative
// paths.
func (s Schema) Read(name, folder string, src []byte) (*Crawl, error) {
	d, c := &decoding{schema: s, file: name, folder: folder, look: true, places: map[string]place{}}, &Crawl{Schema: s}
	if d.decode(src, c, func(d *decoding) { d.checkCrawl(c) }); len(d.problems) > 0 {
		return nil, Problems(d.problems).InOrder(name)
	}
	return c, nil
}

// Confined is Read for a crawl file from somebody who may use the files of the folder alone: paths that lead out of it, also through
// symbolic links, and programs to run are problems.
func (s Schema) Confined(name, folder string, src []byte) (*Crawl, error) {
	whole, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return nil, Problems{{File: name, Msg: err.Error()}}
	}
	d, c := &decoding{schema: s, file: name, folder: whole, within: whole, look: true, places: map[string]place{}}, &Crawl{Schema: s}
	if d.decode(src, c, func(d *decoding) { d.checkCrawl(c) }); len(d.problems) > 0 {
		return nil, Problems(d.problems).InOrder(name)
	}
	return c, nil
}

// Defaults returns a Crawl with the default of every key. It has no seeds and no focus.
func (s Schema) Defaults() *Crawl {
	c, d := &Crawl{Schema: s}, &decoding{schema: s, places: map[string]place{}}
	v := reflect.ValueOf(c).Elem()
	d.defaults(v, fieldsOf(v.Type()))
	return c
}

// LoadRun reads crawl.yaml of a crawl folder (see Crawl.Marshal). It does not read the files that crawl.yaml names, so
// that a crawl can be shown and compared after they are gone. Seeds from a file have a digest and no URLs. Keys that an
// older version did not write get their defaults. If there are keys or values that this version does not know, the first
// of the problems says what to do.
//
// With Schema(nil), LoadRun does not read the focus.
func (s Schema) LoadRun(path string) (*Crawl, error) {
	c := &Crawl{Schema: s}
	err := s.load(path, false, c, func(d *decoding) { d.checkCrawl(c) })
	var problems Problems
	switch _, missing := os.Stat(path); {
	case err == nil:
		return c, nil
	case missing == nil && errors.As(err, &problems):
		return nil, slices.Insert(problems, 0, Problem{
			File: path, Msg: "this version of orbweaver cannot read it: another one wrote it, or it was changed since",
			Hint: "mend what is named below, use the version that wrote it, or crawl again into another folder",
		})
	}
	return nil, err
}

// LoadComparison reads and checks a comparison file, like Load.
func (s Schema) LoadComparison(path string) (*Comparison, error) {
	c := new(Comparison)
	err := s.load(path, true, c, func(d *decoding) { d.checkComparison(c) })
	if err != nil {
		return nil, err
	}
	return c, nil
}

// load reads a file into the struct that out points to, and checks it.
func (s Schema) load(path string, look bool, out any, check func(*decoding)) error {
	d := &decoding{schema: s, file: path, look: look, places: map[string]place{}}
	src, err := readFile(path)
	if err == nil {
		d.folder, err = filepath.Abs(filepath.Dir(path))
	}
	if err != nil {
		d.add(place{}, "", err.Error(), "")
		return Problems(d.problems)
	}
	d.decode(src, out, check)
	if len(d.problems) > 0 {
		return Problems(d.problems).InOrder(path)
	}
	return nil
}

// decode parses, decodes and checks a file. It adds all problems to d.problems.
func (d *decoding) decode(src []byte, out any, check func(*decoding)) {
	if root := readYAML(d, src); root != nil {
		d.places[""] = place{}
		for _, e := range root.entries {
			d.keys = append(d.keys, e.key)
		}
		d.section(reflect.ValueOf(out).Elem(), root, "")
		check(d)
	}
}

// readFile reads at most one byte more than the maximum size.
func readFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	switch {
	case os.IsNotExist(err):
		return nil, fmt.Errorf("no such file")
	case err != nil:
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxFileSize+1))
}

// defaultOutput returns a folder beside the file, named after the file.
func (d *decoding) defaultOutput(parent string) string {
	name := filepath.Base(d.file)
	if stem := strings.TrimSuffix(name, filepath.Ext(name)); stem != "" {
		name = stem
	}
	return filepath.Join(d.folder, parent, name)
}

// checkCrawl reports problems of a crawl file beyond single values.
func (d *decoding) checkCrawl(c *Crawl) {
	if c.Output == "" && !d.given("output") {
		c.Output = d.defaultOutput("crawls")
	}
	d.checkSeeds(&c.Seeds, c.Focus, c.Web)
	d.checkPrefixes(c.Prefixes)
	d.checkDocuments(c.Documents)
	d.checkScope(&c.Scope)
	d.checkSources(c.Sources)
	d.checkDiscover(&c.Discover, "discover")
	if slices.Contains(c.Discover.By, "sitemaps") && !d.troubled("discover") {
		if c.Sitemaps == "off" && d.given("sitemaps") {
			d.problem("discover.by", "has sitemaps, and sitemaps is off", "leave one of them out")
		}
		c.Sitemaps = "all"
	}
	d.checkPoliteness(&c.Politeness)
	d.checkHTTP(c)
	c.Render.Check(func(key, message, hint string) {
		if !d.troubled("render.when") && !d.troubled("render."+key) {
			d.problem("render."+key, message, hint)
		}
	})
	archive.CheckKnown(c.Archive.Known, c.Archive.Keep != "off" && (c.Archive.Keep != "auto" || c.Web == nil), func(i int, message string) {
		if key := fmt.Sprintf("archive.known[%d]", i+1); d.look && !d.troubled(key) && !d.troubled("archive.known") {
			d.problem(key, message, "")
		}
	})
	if d.given("requisites") && !d.given("requisites.of") && !d.troubled("requisites") {
		d.problem("requisites", "has budgets, and does not say of which pages", "add of: accepted")
	}
	if why, hint := c.Requisites.Misplaced(c.Web == nil, c.Archive.Keep); why != "" && !d.troubled("requisites") {
		d.problem("requisites", why, hint)
	}
	d.checkSinks(c)
	if i := slices.IndexFunc(c.Sinks, func(s sinks.Sink) bool { return s.S3 != nil && s.S3.Remove }); i >= 0 && c.Schedule.On() {
		d.problem(fmt.Sprintf("sinks[%d].s3.remove", i+1), "removes pages that schedule compares with what they are later", "leave one of them out")
	}
	d.checkSchedule(&c.Schedule, c.Web)
	d.checkWeb(c.Web, c.Output)
	d.checkListed(c.Listed(), c.Limits)
	if c.Web != nil && c.Web.Sitemap.Opaque > 0 {
		d.problem("web.sitemap.opaque", "has no meaning in a crawl file", "in a comparison file it measures what the words of URLs are worth")
	}
	d.beside = filepath.Join(filepath.Dir(c.Output), "datasets")
	if c.Truth != nil {
		d.checkTruth(c.Truth)
		if c.Truth.Cosine != nil {
			d.problem("truth.cosine", "has no meaning in a crawl file", "in a comparison file pages are compared with the item drawn")
		}
		if c.Truth.Of != "" {
			d.problem("truth.of", "has no meaning in a crawl file", "in a comparison file there is an item drawn")
		}
	}
	d.checkFocus(c.Focus, "focus", &Check{Prefixes: c.Prefixes, Crawl: c})
}

// checkSinks reports problems of sinks. Those of a crawl folder need not be reachable to read what the crawl found.
func (d *decoding) checkSinks(c *Crawl) {
	report := func(key, message, hint string) {
		if !d.troubled("sinks" + key) {
			d.problem("sinks"+key, message, hint)
		}
	}
	sinks.Check(c.Sinks, c.Output, report)
	if d.look {
		sinks.CheckReach(c.Sinks, d.within != "", report)
	}
}

// checkComparison reports problems of a comparison file beyond single values.
func (d *decoding) checkComparison(c *Comparison) {
	if c.Output == "" && !d.given("output") {
		c.Output = d.defaultOutput("comparisons")
	}
	d.checkSeeds(&c.Seeds, Focus{}, c.Web)
	d.checkPrefixes(c.Prefixes)
	d.checkDocuments(c.Documents)
	d.checkScope(&c.Scope)
	d.checkWeb(c.Web, c.Output)
	d.checkListed(c.Listed(), c.Limits)
	if c.Truth != nil {
		d.checkTruth(c.Truth)
		if c.Truth.Cosine != nil && c.Each == nil && !d.given("each") {
			d.problem("truth.cosine", "has no item to compare pages with", "add each: {items: 60}")
		}
		if c.Truth.Of != "" && c.Each == nil && !d.given("each") {
			d.problem("truth.of", "has no item whose topics count", "add each: {items: 60}")
		}
		if c.Each != nil && c.Truth.Cosine == nil && c.Truth.Of == "" && !d.troubled("truth") {
			d.problem("each", "the truth is the same for every item", "with each write truth: {cosine: 0.25} or {file: PATH, of: item}; without it all runs are made once")
		}
	}
	for i, share := range c.Checkpoints {
		if share <= 0 || share > 1 {
			d.problem(d.item("checkpoints", i), fmt.Sprintf("%v is no share of the web", share), "shares are above 0 and at most 1")
		}
	}
	slices.Sort(c.Checkpoints)
	c.Checkpoints = slices.Compact(c.Checkpoints)
	d.checkRuns(c)
	d.checkBaseline(c)
}
