package crawlfolder

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// GatheredFile says of how many workers a crawl folder is gathered, and how far. The folder of a crawl by one process has none.
const GatheredFile = "gathered.json"

// Workers returns of how many workers a crawl folder is gathered; 0: it is that of one process, 1: of those of a cluster.
func Workers(output string) int {
	text, err := os.ReadFile(filepath.Join(output, GatheredFile))
	if err != nil {
		return 0
	}
	var gathered struct {
		Of int `json:"of"`
	}
	if json.Unmarshal(text, &gathered) != nil {
		return 1 // whatever it is, it is no folder of one process
	}
	return max(gathered.Of, 1)
}

// Runs reports whether a crawl of a cluster ran when its folder was gathered last.
func Runs(output string) bool {
	text, err := os.ReadFile(filepath.Join(output, GatheredFile))
	var gathered struct {
		Runs bool `json:"runs"`
	}
	return err == nil && json.Unmarshal(text, &gathered) == nil && gathered.Runs
}

// Begun says by whom a crawl folder that is gathered was begun, and with which flag it goes on.
func Begun(output string) (by, flag string) {
	if n := Workers(output); n > 1 {
		return fmt.Sprintf("%d processes", n), fmt.Sprintf("--processes %d", n)
	}
	return "a cluster", "--cluster"
}
