package assembly

import (
	"os"
	"path/filepath"

	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
	"orbweaver/internal/kind"
)

// exploredUsually is the share of requests that are drawn at random where the crawl file does not say.
const exploredUsually = 0.02

// settleExplore sets the share of requests that are drawn at random if a crawl file does not say. A crawl that has
// begun goes on as it began; one of an older version draws none.
func settleExplore(file *crawlfile.Crawl) error {
	if file.Explore.Share != nil {
		return nil
	}
	run := filepath.Join(file.Output, crawlfolder.RunFile)
	if _, err := os.Stat(run); err == nil && !crawlfolder.HasNothing(file.Output) {
		ran, err := file.Schema.LoadRun(run)
		if err != nil {
			return err
		}
		share := ran.Explore.Part()
		file.Explore.Share = &share
		return nil
	}
	share := 0.0
	if kind.AbilitiesOf(file.Focus).Explored {
		share = exploredUsually
	}
	file.Explore.Share = &share
	return nil
}
