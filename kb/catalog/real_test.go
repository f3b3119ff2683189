package catalog_test

import (
	"os"
	"testing"

	"orbweaver/internal/realdata"
	"orbweaver/kb/catalog"
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
	t.Log(endpoints, with, dumps, void, homepages, len(c.Problems))
	for _, p := range c.Problems {
		t.Log(p)
	}
	m, conflicts := catalog.Merge(c.Datasets...)
	t.Log(len(m), conflicts)
	for _, d := range m {
		if len(d.Aliases) > 0 {
			t.Log(d.Name, d.Aliases, d.Endpoints)
		}
	}
}
