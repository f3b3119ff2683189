package export

import (
	"context"
	"errors"
	"io"
	"path/filepath"

	"orbweaver"
	"orbweaver/fetch/archive"
	"orbweaver/fetch/archive/wacz"
	"orbweaver/internal/console"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/page"
)

// Software is the name of the writing software in exported files.
const Software = "orbweaver"

// warc copies records into one WARC file.
func (x *Run) warc(ctx context.Context, stock *archive.Stock, found []Pick) error {
	pages := 0
	stdout, err := x.toOutput(func(w io.Writer) error {
		copier := archive.NewCopier(stock, w, x.warcName(), Software, x.Body)
		err := x.copy(ctx, copier, found, func(k Pick, _ archive.Copied) error {
			if k.page {
				pages++
			}
			return nil
		})
		return errors.Join(err, copier.Close())
	})
	if err == nil {
		x.wrote(stdout, "%s: %d pages in %d answers", x.Opts.Out, pages, len(found)-x.damaged)
	}
	return err
}

// warcName returns the name that the warcinfo record states.
func (x *Run) warcName() string {
	if x.Opts.Out == "-" {
		return x.name + ".warc.gz"
	}
	return filepath.Base(x.Opts.Out)
}

// shownDamage bounds the damaged records that are reported one by one.
const shownDamage = 10

// copy copies records and calls each for every copied one. It skips damaged records.
func (x *Run) copy(ctx context.Context, copier *archive.Copier, found []Pick, each func(Pick, archive.Copied) error) error {
	for _, k := range found {
		if err := ctx.Err(); err != nil {
			return err
		}
		copied, err := copier.Copy(k.Holding)
		if err != nil {
			if !x.PassOver(err) {
				return err
			}
			continue
		}
		if err := each(k, copied); err != nil {
			return err
		}
	}
	return nil
}

// PassOver reports whether an error concerns one record only, and reports that error.
func (x *Run) PassOver(err error) bool {
	var failure orbweaver.Failure
	if !errors.As(err, &failure) {
		return false
	}
	if x.damaged++; x.damaged <= shownDamage {
		console.Say(x.Err, "left out: %v", err)
	}
	return true
}

// wacz copies records into a WACZ with a list of the pages. The best page is its main page.
func (x *Run) wacz(ctx context.Context, stock *archive.Stock, found []Pick) error {
	z := &packer{Run: x, stock: stock, reader: page.NewReader(page.Options{MaxBody: x.Body, MaxDump: x.Dump, MaxLinks: 1})}
	stdout, err := x.toOutput(func(w io.Writer) (err error) {
		if z.out, err = wacz.Create(w, x.temp()); err != nil {
			return err
		}
		copier := archive.NewCopier(stock, z.out.WARC(), wacz.WARCName, Software, x.Body)
		err = x.copy(ctx, copier, found, func(k Pick, c archive.Copied) error { return z.add(ctx, k, c) })
		if err = errors.Join(err, copier.Close()); err != nil {
			return errors.Join(err, z.out.Abort())
		}
		return z.out.Close(wacz.Info{
			Title: x.name, Description: z.description(), Software: Software, Main: z.best,
		})
	})
	if err == nil {
		x.wrote(stdout, "%s: %d pages in %d answers; open it in https://replayweb.page", x.Opts.Out, z.pages, len(found)-x.damaged)
	}
	return err
}

// temp returns the folder for temporary files: that of the output, which has disk space for them.
func (x *Run) temp() string {
	if x.Opts.Out == "-" {
		return ""
	}
	return filepath.Dir(x.Opts.Out)
}

// packer fills a WACZ.
type packer struct {
	*Run
	stock  *archive.Stock
	reader *page.Reader
	out    *wacz.Writer
	pages  int
	best   wacz.Page
	score  float32
}

func (z *packer) add(ctx context.Context, k Pick, c archive.Copied) error {
	if err := z.out.Index(c); err != nil {
		return err
	}
	if !k.page {
		return nil
	}
	read, err := z.Read(ctx, z.stock, z.reader, k)
	if err != nil && ctx.Err() != nil {
		return err
	}
	p := wacz.Page{URL: c.URL, At: c.At}
	if err == nil { // an unreadable record has no title
		p.Title = read.Title
	}
	if z.pages++; z.pages == 1 || k.score > z.score {
		z.best, z.score = p, k.score
	}
	return z.out.AddPage(p)
}

func (z *packer) description() string {
	if z.Opts.Accepted {
		return "The accepted pages of a crawl by " + Software
	}
	return "A crawl by " + Software
}

// Read parses an archived page as the crawl did: one that was rendered as its scripts left it, if the archive has that.
func (x *Run) Read(ctx context.Context, stock *archive.Stock, reader *page.Reader, k Pick) (*orbweaver.Page, error) {
	response, payload, err := x.answer(stock, k)
	if err != nil {
		return nil, err
	}
	return reader.Read(ctx, response, payload)
}

// answer returns what Read parses.
func (x *Run) answer(stock *archive.Stock, k Pick) (*step.Response, []byte, error) {
	response, err := stock.Response(k.Holding, x.Body)
	if err != nil {
		return nil, nil, err
	}
	payload, err := pipeline.Payload(response, 0, nil) // the archive bounds it
	if err != nil || !k.made {
		return response, payload, err
	}
	html, err := stock.Rendered(k.Holding, x.Body)
	switch {
	case err == nil:
		return pipeline.Made(response), html, nil
	case !errors.Is(err, orbweaver.ErrAbsent):
		return nil, nil, err
	}
	return response, payload, nil
}
