//go:build e2e

package studio_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"orbweaver/internal/realdata"
)

// pictures is where TestPictures writes what it sees: those of docs/pictures, and those of help.
var pictures = flag.String("pictures", "", "folder to write pictures of the studio and of a report to")

const maxPicture = 150 << 10

// TestPictures takes the pictures of README.md, if -pictures names a folder; without it, it looks at those that are there.
func TestPictures(t *testing.T) {
	folder := *pictures
	if folder == "" {
		folder = filepath.Join(realdata.Root(t), "docs", "pictures")
	} else {
		takePictures(t, folder)
	}
	for _, name := range []string{"studio.png", "report.png"} {
		content, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if config, err := png.DecodeConfig(bytes.NewReader(content)); err != nil || config.Width != 1280 || len(content) > maxPicture {
			t.Errorf("%s: %d bytes, %d wide (%v)", name, len(content), config.Width, err)
		}
	}
}

func takePictures(t *testing.T, folder string) {
	t.Helper()
	addr, b := crawled(t, 1280)
	b.theme("light")
	b.to(addr, "/crawls/aircraft/page?url=http://skylines.example/types/a320.html")
	b.sees("Reasons of the score")
	b.picture(filepath.Join(folder, "studio.png"))
	for _, theme := range []string{"light", "dark"} {
		b.theme(theme)
		for name, path := range map[string]string{"index": "/help", "search": "/help?q=crawl+archive", "page": "/help/explanation/ranking", "wide": "/help/howto/simulate"} {
			b.to(addr, path)
			b.picture(filepath.Join(folder, "help-"+name+"-"+theme+".png"))
		}
	}
	b.theme("light")
	b.do(chromedp.EmulateViewport(360, 800))
	for name, path := range map[string]string{"index": "/help", "page": "/help/explanation/ranking", "wide": "/help/howto/simulate"} {
		b.to(addr, path)
		b.fits()
		b.picture(filepath.Join(folder, "help-"+name+"-360.png"))
	}
	r, err := http.Get("http://" + addr + "/api/v1/crawls/aircraft/report")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var made struct{ Report string }
	if err := json.NewDecoder(r.Body).Decode(&made); err != nil {
		t.Fatal(err)
	}
	report, err := os.ReadFile(made.Report)
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" { // no icon
			_, _ = w.Write(report)
		}
	}))
	defer server.Close()
	b = open(t, server.Listener.Addr().String(), 1280)
	b.theme("light")
	b.picture(filepath.Join(folder, "report.png"))
}

// picture writes what the window shows, in at most 256 colours.
func (b *browser) picture(path string) {
	b.t.Helper()
	var shot []byte
	b.do(chromedp.Func(func(ctx context.Context, tab *chromedp.Target) error {
		r, err := cdp.Call(ctx, tab, cdppage.CaptureScreenshot, cdppage.CaptureScreenshotParams{Format: "png"})
		if err == nil {
			shot = r.Data
		}
		return err
	}))
	seen, err := png.Decode(bytes.NewReader(shot))
	if err != nil {
		b.t.Fatal(err)
	}
	few := image.NewPaletted(seen.Bounds(), frequent(seen))
	draw.Draw(few, few.Bounds(), seen, seen.Bounds().Min, draw.Src)
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, few); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// frequent are the 64 most frequent colours of a picture.
func frequent(m image.Image) color.Palette {
	counts := map[color.RGBA]int{}
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
			counts[color.RGBAModel.Convert(m.At(x, y)).(color.RGBA)]++
		}
	}
	var all []color.RGBA
	for c := range counts {
		all = append(all, c)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int { return counts[b] - counts[a] })
	var p color.Palette
	for _, c := range all[:min(64, len(all))] {
		p = append(p, c)
	}
	return p
}
