package synth

// filler pads pages to their size. It is a style sheet, not text.
const filler = ".card{display:flex;margin:0 auto;padding:1rem 2rem;border:1px solid #ccc}\n"

// HTML appends a page's bytes: its words and links, and style sheets up to the drawn size.
func (w *Web) HTML(b []byte, page int64) []byte {
	source, began := w.source(page), len(b)
	c := w.content(source)
	b = append(b, "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>"...)
	b = append(append(b, c.title...), "</title></head>\n<body><main><h1>"...)
	b = append(append(b, c.title...), "</h1>\n"...)
	links := c.links
	for i, text := range c.blocks {
		b = append(append(b, "<p>"...), text...)
		for ; len(links) > 0 && links[0].block == i; links = links[1:] {
			b = append(append(b, " <a href=\""...), links[0].to...)
			b = append(append(append(b, "\">"...), links[0].anchor...), "</a>"...)
		}
		b = append(b, "</p>\n"...)
	}
	b = append(b, "</main>\n<style>\n"...)
	for size := w.size(source); len(b)-began < size; {
		b = append(b, filler...)
	}
	return append(b, "</style></body></html>\n"...)
}
