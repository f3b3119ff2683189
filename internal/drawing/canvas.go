package drawing

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
)

// A Canvas is a picture being drawn: SVG elements, later ones over earlier ones. A style is CSS; empty: that of the group. Numbers are
// written with two decimals. The zero Canvas is empty.
type Canvas struct{ out bytes.Buffer }

// Elements returns what was drawn, the content of an svg element.
func (c *Canvas) Elements() string { return c.out.String() }

// Document returns the picture as a file, of a size in points.
func (c *Canvas) Document(width, height float64) []byte {
	return fmt.Appendf(nil, "<?xml version=\"1.0\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%[1]gpt\" height=\"%[2]gpt\" viewBox=\"0 0 %[1]g %[2]g\">\n%[3]s</svg>\n",
		width, height, c.out.Bytes())
}

// Line draws a line between two points.
func (c *Canvas) Line(x1, y1, x2, y2 float64, style string) {
	fmt.Fprintf(&c.out, `<line x1="%.2f" y1="%.2f" x2="%.2f" y2="%.2f"%s/>`+"\n", x1, y1, x2, y2, styled(style))
}

// Polyline joins points.
func (c *Canvas) Polyline(x, y []float64, style string) { c.points("polyline", x, y, style) }

// Polygon joins points, the last with the first.
func (c *Canvas) Polygon(x, y []float64, style string) { c.points("polygon", x, y, style) }

func (c *Canvas) points(element string, x, y []float64, style string) {
	fmt.Fprintf(&c.out, `<%s points="`, element)
	for i := range x {
		if i > 0 {
			c.out.WriteByte(' ')
		}
		fmt.Fprintf(&c.out, "%.2f,%.2f", x[i], y[i])
	}
	fmt.Fprintf(&c.out, "\"%s/>\n", styled(style))
}

// Circle draws a circle around a point.
func (c *Canvas) Circle(x, y, radius float64, style string) {
	fmt.Fprintf(&c.out, `<circle cx="%.2f" cy="%.2f" r="%.2f"%s/>`+"\n", x, y, radius, styled(style))
}

// Rectangle draws a rectangle.
func (c *Canvas) Rectangle(b Box, style string) {
	fmt.Fprintf(&c.out, `<rect x="%.2f" y="%.2f" width="%.2f" height="%.2f"%s/>`+"\n", b.Left, b.Top, b.Right-b.Left, b.Bottom-b.Top, styled(style))
}

// Text writes a text that begins at a point, unless its style says otherwise.
func (c *Canvas) Text(x, y float64, text, style string) {
	fmt.Fprintf(&c.out, `<text x="%.2f" y="%.2f"%s>%s</text>`+"\n", x, y, styled(style), escaped(text))
}

// Group draws what draw draws, in a style.
func (c *Canvas) Group(style string, draw func()) { c.group(styled(style), draw) }

// Turned draws what draw draws around a point, which is 0, 0 to it, turned by so many degrees clockwise.
func (c *Canvas) Turned(x, y, degrees float64, draw func()) {
	c.group(fmt.Sprintf(` transform="translate(%.2f,%.2f) rotate(%g)"`, x, y, degrees), draw)
}

func (c *Canvas) group(attribute string, draw func()) {
	fmt.Fprintf(&c.out, "<g%s>\n", attribute)
	draw()
	c.out.WriteString("</g>\n")
}

func styled(css string) string {
	if css == "" {
		return ""
	}
	return ` style="` + escaped(css) + `"`
}

// escaped writes text as XML has it; apostrophes, which names of fonts have, stay.
func escaped(text string) string {
	var out strings.Builder
	xml.EscapeText(&out, []byte(text)) // a strings.Builder has no errors
	return strings.ReplaceAll(out.String(), "&#39;", "'")
}
