package app

import (
	"context"
	"errors"
	"io"
	"path/filepath"
	"strings"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/archive/wacz"
	"orbweaver/internal/app/console"
	"orbweaver/page"
)

// software is who writes, in the files that say so.
const software = "orbweaver"

// warc copies records into one WARC file.
func (x *export) warc(ctx context.Context, stock *archive.Stock, found []pick) error {
	pages := 0
	stdout, err := x.toOutput(func(w io.Writer) error {
		copier := archive.NewCopier(stock, w, x.warcName(), software, x.body)
		err := x.copy(ctx, copier, found, func(k pick, _ archive.Copied) error {
			if k.page {
				pages++
			}
			return nil
		})
		return errors.Join(err, copier.Close())
	})
	if err == nil {
		x.wrote(stdout, "%s: %d pages in %d answers", x.opts.Out, pages, len(found)-x.damaged)
	}
	return err
}

// warcName is what a WARC file says its name is.
func (x *export) warcName() string {
	if x.opts.Out == "-" {
		return x.name + ".warc.gz"
	}
	return filepath.Base(x.opts.Out)
}

// shownDamage is how many damaged records are told one by one.
const shownDamage = 10

// copy copies records and tells of each; those that cannot be are passed over.
func (x *export) copy(ctx context.Context, copier *archive.Copier, found []pick, tell func(pick, archive.Copied) error) error {
	for _, k := range found {
		if err := ctx.Err(); err != nil {
			return err
		}
		copied, err := copier.Copy(k.holding)
		if err != nil {
			if !x.passOver(err) {
				return err
			}
			continue
		}
		if err := tell(k, copied); err != nil {
			return err
		}
	}
	return nil
}

// passOver reports whether an error is of one record, which is told and left out.
func (x *export) passOver(err error) bool {
	var failure orbweaver.Failure
	if !errors.As(err, &failure) {
		return false
	}
	if x.damaged++; x.damaged <= shownDamage {
		console.Say(x.Err, "left out: %v", err)
	}
	return true
}

// wacz copies records into a WACZ, with a list of the pages. Its main page is the best.
func (x *export) wacz(ctx context.Context, stock *archive.Stock, found []pick) error {
	z := &packer{export: x, stock: stock, reader: page.NewReader(page.Options{MaxBody: x.body, MaxLinks: 1})}
	stdout, err := x.toOutput(func(w io.Writer) (err error) {
		if z.out, err = wacz.Create(w, x.temp()); err != nil {
			return err
		}
		copier := archive.NewCopier(stock, z.out.WARC(), wacz.WARCName, software, x.body)
		err = x.copy(ctx, copier, found, func(k pick, c archive.Copied) error { return z.add(ctx, k, c) })
		if err = errors.Join(err, copier.Close()); err != nil {
			return errors.Join(err, z.out.Abort())
		}
		return z.out.Close(wacz.Info{
			Title: x.name, Description: z.description(), Software: software, Main: z.best,
		})
	})
	if err == nil {
		x.wrote(stdout, "%s: %d pages in %d answers; open it in https://replayweb.page", x.opts.Out, z.pages, len(found)-x.damaged)
	}
	return err
}

// temp is where temporary files go: beside the output, where there is room for it.
func (x *export) temp() string {
	if x.opts.Out == "-" {
		return ""
	}
	return filepath.Dir(x.opts.Out)
}

// A packer fills a WACZ.
type packer struct {
	*export
	stock  *archive.Stock
	reader *page.Reader
	out    *wacz.Writer
	pages  int
	best   wacz.Page
	score  float32
}

func (z *packer) add(ctx context.Context, k pick, c archive.Copied) error {
	if err := z.out.Index(c); err != nil {
		return err
	}
	if !k.page {
		return nil
	}
	read, err := z.read(ctx, z.stock, z.reader, k)
	if err != nil && ctx.Err() != nil {
		return err
	}
	p := wacz.Page{URL: c.URL, At: c.At}
	if err == nil { // what cannot be read now has no title
		p.Title = read.Title
	}
	if z.pages++; z.pages == 1 || k.score > z.score {
		z.best, z.score = p, k.score
	}
	return z.out.AddPage(p)
}

func (z *packer) description() string {
	if z.opts.Accepted {
		return "The accepted pages of a crawl by " + software
	}
	return "A crawl by " + software
}

// read makes a page of what the archive holds, as the crawl did.
func (x *export) read(ctx context.Context, stock *archive.Stock, reader *page.Reader, k pick) (*orbweaver.Page, error) {
	response, err := stock.Response(k.holding, x.body)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	payload, err := io.ReadAll(response.Body)
	if err != nil {
		return nil, err
	}
	return reader.Read(ctx, response, payload)
}

// entitiesOf are what the reasons of a page name, each once, heaviest first.
func entitiesOf(reasons []orbweaver.Reason) (entities []string) {
	told := map[string]bool{}
	for _, r := range reasons {
		evidence := strings.TrimSpace(r.Evidence)
		if evidence != "" && !told[evidence] {
			told[evidence] = true
			entities = append(entities, evidence)
		}
	}
	return entities
}
