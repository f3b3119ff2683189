package assembly

import (
	"cmp"
	"os"
	"path/filepath"

	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/kind"
)

// exploredUsually is the share of requests that are drawn at random where the crawl file does not say.
const exploredUsually = 0.02

// settle sets the share of requests that are drawn at random, where requests wait that probably fail, and how lists of links are judged, if
// a crawl file does not say. A crawl that has begun goes on as it began; one of an older version draws none, ranks all, and judges lists as text.
func settle(file *crawlfile.Crawl) error {
	if file.Explore.Share != nil && file.Failing != "" && file.Lists != "" {
		return nil
	}
	share, failing, lists := 0.0, FailingOf("", file.Focus), "items"
	run := filepath.Join(file.Output, crawlfolder.RunFile)
	if _, err := os.Stat(run); err == nil && !crawlfolder.HasNothing(file.Output) {
		ran, err := file.Schema.LoadRun(run)
		if err != nil {
			return err
		}
		share, failing, lists = ran.Explore.Part(), cmp.Or(ran.Failing, ranked), cmp.Or(ran.Lists, "text")
	} else if kind.AbilitiesOf(file.Focus).Explored {
		share = exploredUsually
	}
	if file.Explore.Share == nil {
		file.Explore.Share = &share
	}
	file.Failing, file.Lists = cmp.Or(file.Failing, failing), cmp.Or(file.Lists, lists)
	return nil
}

// Where requests wait that probably fail.
const last, ranked = "last", "ranked"

// FailingOf returns where requests of a focus wait that probably fail: as a file says, or else by default.
func FailingOf(said string, focus crawlfile.Focus) string {
	if said == "" && kind.AbilitiesOf(focus).Explored {
		return last
	}
	return cmp.Or(said, ranked)
}
