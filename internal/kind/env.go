package kind

import (
	"context"

	"orbweaver/eval"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/client"
	"orbweaver/internal/console"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/services/endpoints"
	"orbweaver/internal/services/wire"
)

// An Env is the environment in which a focus is built: the parts of the crawl that its kind may use. The zero Env is for a
// focus without a crawl of its own, as in a comparison.
type Env struct {
	Console *console.Console // for progress and warnings; nil: nobody listens
	Yes     bool             // of what a section leaves open, what fits best is taken

	Path   string           // the crawl file, as its user names it
	File   *crawlfile.Crawl // nil: there is none
	Forget bool             // what another crawl learned of things that the input lacks is left out, not refused
	Folder string           // the crawl folder, where the focus is to be as the crawl began with it; empty: it is new

	Wire   wire.Wire                                             // to services
	Client *client.Client                                        // of the live Web; nil: an archive is crawled
	Web    *archive.Web                                          // nil: the live Web is crawled
	Book   *endpoints.Book                                       // what is known of endpoints; nil: an archive is crawled
	Fetch  func() pipeline.Fetcher                               // what the crawl asks
	Get    func(ctx context.Context, url string) ([]byte, error) // one document of the crawl's web, decoded

	Guide *eval.Distances // what an oracle knows; nil without a truth
}

// Say prints a message to the user, if there is a console.
func (e *Env) Say(format string, args ...any) {
	if e.Console != nil {
		console.Say(e.Console.Err, format, args...)
	}
}
