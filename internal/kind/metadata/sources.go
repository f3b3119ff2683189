package metadata

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"orbweaver"
	focus "orbweaver/focus/metadata"
	"orbweaver/internal/console"
	"orbweaver/internal/datasets"
	"orbweaver/internal/services/catalogs"
	"orbweaver/internal/step"
	"orbweaver/kb/catalog"
	"orbweaver/weburl"
)

// knownDatasets returns the datasets of the crawl file and of its catalogues, without duplicates.
func (c *instance) knownDatasets(ctx context.Context, m *section) ([]catalog.Dataset, error) {
	var named []catalog.Dataset
	for _, d := range m.Datasets {
		one := catalog.Dataset{Name: d.Name, Title: d.Title, ByHand: true, Sources: []string{c.env.Path}}
		if d.Endpoint != "" {
			one.Endpoints = []string{d.Endpoint}
		}
		if d.Dump != "" {
			one.Dumps = []catalog.Dump{{URL: d.Dump}}
		}
		if d.Void != "" {
			one.Void = []string{d.Void}
		}
		named = append(named, one)
	}
	if c.env.Web != nil {
		for _, name := range m.Catalogues {
			if strings.Contains(name, "://") {
				return nil, fmt.Errorf("%s: focus.metadata.catalogues: %s is of the live Web, and web: names an archive (%w)", c.env.Path, name, orbweaver.ErrInput)
			}
		}
	}
	reader := &catalogs.Catalogs{Err: c.env.Console.Err, Terminal: c.env.Console.Terminal, Client: c.env.Wire.Options}
	return reader.Gather(ctx, catalogs.Sources{
		Names: m.Catalogues, Private: c.env.File.AllowPrivate.All, Within: c.env.File.AllowPrivate.Networks,
		Agent: c.env.File.Politeness.UserAgent, Timeout: c.env.File.Politeness.Timeout, Delay: c.env.File.Politeness.Delay,
	}, named...)
}

// reachable returns the datasets that can be queried: through endpoints, or locally from dumps. It drops datasets with
// neither.
func (c *instance) reachable(ctx context.Context, m *section, known []catalog.Dataset) ([]focus.Dataset, error) {
	var all []focus.Dataset
	for _, d := range known {
		one := focus.Dataset{Name: d.Name, Title: d.Title, Known: d}
		switch {
		case len(d.Endpoints) > 0:
			one.Endpoint = withGraphs(d.Endpoints[0], d.Graphs)
		case len(d.Dumps) > 0 && (m.Dumps == "all" || m.Dumps == "named" && d.ByHand):
			if err := c.loadDump(ctx, m, d.Dumps[0].URL, &one); err != nil {
				return nil, err
			}
		default:
			continue
		}
		one.Void = voidOf(m.Void, one, d.Void)
		all = append(all, one)
	}
	return all, nil
}

// withGraphs returns the URL of an endpoint with its default graphs.
func withGraphs(endpoint string, graphs []string) string {
	for _, graph := range graphs {
		join := "?"
		if strings.Contains(endpoint, "?") {
			join = "&"
		}
		endpoint += join + "default-graph-uri=" + url.QueryEscape(graph)
	}
	return endpoint
}

// voidOf returns the URLs of the VoID descriptions to fetch for a dataset.
func voidOf(which string, d focus.Dataset, named []string) (all []string) {
	if which == "off" {
		return nil
	}
	for _, u := range named {
		if canonical, err := weburl.Canonical(u); err == nil {
			all = append(all, canonical)
		}
	}
	if at, err := url.Parse(d.Endpoint); which == "all" && err == nil && at.Host != "" {
		all = append(all, at.Scheme+"://"+at.Host+"/.well-known/void")
	}
	return all
}

// loadDump loads a dump as a local dataset, unless it is loaded already. A dump that is damaged or cannot be fetched is
// reported, and the crawl continues without the dataset.
func (c *instance) loadDump(ctx context.Context, m *section, dump string, d *focus.Dataset) error {
	d.Dump = dump
	address, err := weburl.Dataset(d.Name)
	if err != nil {
		return fmt.Errorf("%s: %w (%w)", c.env.Path, err, orbweaver.ErrInput)
	}
	if c.datasets == nil {
		if c.datasets, err = datasets.Open(m.Store, datasets.Limits{}); err != nil {
			return err
		}
	}
	source, same, err := c.dumpOf(ctx, d.Name, dump)
	if err == nil && !same {
		var r datasets.Record
		var fresh bool
		if r, fresh, err = c.datasets.Load(ctx, d.Name, source); fresh {
			c.env.Say("dataset %s: %d triples of %s", d.Name, r.Triples, console.Relative(dump))
		}
	}
	switch {
	case ctx.Err() != nil:
		return fmt.Errorf("%s: %w; the same command begins again", c.env.File.Output, console.ErrInterrupted)
	case err != nil:
		c.env.Say("warning: dataset %s is left out: %v", d.Name, err)
		d.Problem = err.Error()
	default:
		d.Endpoint = address
	}
	return nil
}

// dumpOf returns the source of a dump. It revalidates a dump of the Web with a conditional request; same: the loaded copy is
// current.
func (c *instance) dumpOf(ctx context.Context, name, dump string) (source datasets.Source, same bool, err error) {
	if !strings.Contains(dump, "://") {
		return datasets.Source{Path: dump}, false, nil
	}
	if c.env.Client == nil {
		return source, false, fmt.Errorf("%s is of the live Web, and web: names an archive", dump)
	}
	record, known, err := c.datasets.Record(name)
	if err != nil {
		return source, false, err
	}
	var old orbweaver.Version
	if known && record.Source == dump {
		old = record.Version
	}
	response, err := c.follow(ctx, dump, old)
	if err != nil {
		return source, false, err
	}
	switch {
	case response.Status == http.StatusNotModified:
		return source, true, response.Body.Close()
	case response.Status/100 != 2:
		response.Body.Close()
		return source, false, fmt.Errorf("fetch %s: %w %d", dump, orbweaver.ErrStatus, response.Status)
	}
	c.env.Say("dataset %s: loading %s ...", name, dump)
	return datasets.Source{
		Open: func(context.Context) (io.ReadCloser, error) { return response.Body, nil }, URL: dump,
		MediaType: response.Header.Get("Content-Type"),
		Version:   orbweaver.Version{ETag: response.Header.Get("ETag"), LastModified: response.Header.Get("Last-Modified")},
	}, false, nil
}

// follow fetches a document, following redirects.
func (c *instance) follow(ctx context.Context, address string, old orbweaver.Version) (*step.Response, error) {
	at := address
	for range c.env.File.Limits.Redirects + 1 {
		response, err := c.env.Client.FetchIf(ctx, orbweaver.Request{URL: at}, old.ETag, old.LastModified)
		if err != nil || response.Redirect == "" {
			return response, err
		}
		if err := response.Body.Close(); err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		at = response.Redirect
	}
	return nil, fmt.Errorf("fetch %s: %w", address, orbweaver.ErrRedirects)
}
