package drawing

import (
	"fmt"
	"sync"

	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// goRegular is the font by which texts are measured. Its letters are about as wide as those of Arial and Liberation Sans (within 3 % for
// names of hosts), in a third of the bytes. No picture contains it.
var goRegular = sync.OnceValue(func() *sfnt.Font {
	parsed, err := sfnt.Parse(goregular.TTF)
	if err != nil {
		panic(err) // the font is part of the program
	}
	return parsed
})

// Letters is a style of text, in the reader's sans serif.
func Letters(ink string, size float64) string {
	return fmt.Sprintf("fill:%s;font:%gpx 'Liberation Sans',Arial,Helvetica,sans-serif", ink, size)
}

// Width is about how wide a text of some size is; the reader's font may be wider.
func Width(text string, size float64) float64 {
	var b sfnt.Buffer
	f, width := goRegular(), fixed.Int26_6(0)
	em := fixed.Int26_6(f.UnitsPerEm())
	for _, r := range text {
		glyph, err := f.GlyphIndex(&b, r) // that of no glyph for what the font lacks
		if err != nil {
			continue
		}
		if advance, err := f.GlyphAdvance(&b, glyph, em, 0); err == nil {
			width += advance
		}
	}
	return float64(width) / float64(em) * size
}
