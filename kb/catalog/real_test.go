package catalog_test

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/kb/catalog"
	"orbweaver/weburl"
)

func readFile(t *testing.T, name string) catalog.Catalogue {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	c, err := catalog.Read(f, catalog.Options{Name: "lod-cloud"})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestLODCloud reads the LOD cloud of 2020: 296 datasets with 189 entries for endpoints.
func TestLODCloud(t *testing.T) {
	c := readFile(t, realdata.File(t, "lod-cloud-2020.json.gz"))
	if c.Kind != catalog.LODCloud || len(c.Datasets) != 296 {
		t.Fatalf("%s of %d datasets", c.Kind, len(c.Datasets))
	}
	endpoints, with, dumps, void, homepages := 0, 0, 0, 0, 0
	for _, d := range c.Datasets {
		endpoints += len(d.Endpoints)
		if len(d.Endpoints) > 0 {
			with++
		}
		if len(d.Dumps) > 0 {
			dumps++
		}
		if len(d.Void) > 0 {
			void++
		}
		if d.Homepage != "" {
			homepages++
		}
	}
	if endpoints != 189 || with != 184 || dumps != 222 || void != 164 || homepages != 262 {
		t.Errorf("%d endpoints in %d datasets, %d with dumps, %d with VoID, %d with a homepage", endpoints, with, dumps, void, homepages)
	}
	holds(t, problems(c), "allie-abbreviation-and-long-form-database-in-life-science: dump: ", "ftp://ftp.dbcls.jp/", "muninn-world-war-i: website: ", "eea-rod: dump: ")
	if len(c.Problems) != 3 {
		t.Errorf("%d problems", len(c.Problems))
	}
}

// TestLODCloudEntries: all 189 endpoint entries of the file are found, each in its dataset; numbers are
// parsed in all notations.
func TestLODCloudEntries(t *testing.T) {
	file := realdata.File(t, "lod-cloud-2020.json.gz")
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]struct {
		SPARQL []struct {
			URL string `json:"access_url"`
		} `json:"sparql"`
		Title   string
		Triples any
	}
	if err := json.NewDecoder(z).Decode(&raw); err != nil {
		t.Fatal(err)
	}
	entries := 0
	for _, d := range readFile(t, file).Datasets {
		own, ok := raw[d.Name]
		if !ok {
			t.Errorf("%s is not in the file", d.Name)
		}
		digits := strings.NewReplacer(",", "", " ", "").Replace(fmt.Sprint(own.Triples))
		if n, isFloat := own.Triples.(float64); isFloat {
			digits = strconv.FormatInt(int64(n), 10)
		}
		if strconv.FormatInt(d.Triples, 10) != digits {
			t.Errorf("%s: %d triples, not %s", d.Name, d.Triples, digits)
		}
		for _, e := range own.SPARQL {
			entries++
			canonical, err := weburl.Canonical(strings.TrimSpace(e.URL))
			if err != nil || !slices.Contains(d.Endpoints, canonical) {
				t.Errorf("%s: %s is not among %v (%v)", d.Name, e.URL, d.Endpoints, err)
			}
		}
	}
	if entries != 189 {
		t.Errorf("%d entries", entries)
	}
}
