package wall_test

import (
	"net/http"
	"strings"
	"testing"

	"orbweaver"
	"orbweaver/internal/wall"
)

// BenchmarkOrdinary measures what an ordinary page costs, a long one and a short one with a menu.
func BenchmarkOrdinary(b *testing.B) {
	header := http.Header{"Content-Type": {"text/html"}, "Server": {"nginx"}, "Date": {"x"}, "Set-Cookie": {"a=b"}}
	for name, n := range map[string]int{"long": 40, "short": 12} {
		p := &orbweaver.Page{MediaType: "text/html", Title: "A page of a site | Site", Text: strings.Repeat(prose+"\n\n", n), Links: make([]orbweaver.Link, 60)}
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if a := wall.Of(200, header, p, func() []byte { b.Fatal("examined"); return nil }); a.Kind != "" {
					b.Fatal(a)
				}
			}
		})
	}
}
