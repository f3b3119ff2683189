package page

import "testing"

func TestPlacesOfLinks(t *testing.T) {
	for _, tc := range []struct {
		name, body, want string
	}{
		{"the body", "<p><a href=x>x</a></p>", ""},
		{"elements", "<main><ul><li><a href=x>x</a></ul></main>", "list main"},
		{"nav", "<header><nav><a href=x>x</a></nav></header>", "nav header"},
		{"what is closed is left", "<nav><a href=/>y</a></nav><aside></aside><footer><a href=x>x</a></footer>", "footer"},
		{"a cell", "<table><tr><td><area href=x>", "table"},
		{"roles", "<div role=Navigation><div role=complementary><a href=x>x</a>", "nav aside"},
		{"names", "<div id=sidebar><div class='site-footer wide'><a href=x>x</a>", "footer aside"},
		{"a document's head", "<head><link rel=next href=x></head>", ""},
	} {
		links := read(t, tc.body, "Content-Type", "text/html").Links
		if got := links[len(links)-1].Place; got != tc.want {
			t.Errorf("%s: got %q, want %q", tc.name, got, tc.want)
		}
	}
}

// TestPathsOfLinks: links have the same path if they are of one list, on all pages of a template.
func TestPathsOfLinks(t *testing.T) {
	const first = "<body class=home><div id=content class='wide main'><ul class=posts><li class='post-1 odd'><a href=x>x</a>"
	for _, tc := range []struct {
		name, one, other string
		same             bool
	}{
		{"two items", first, "<div id=content class='wide main'><ul class=posts><li class='post-1 odd'><a href=y>y</a><li class='even post-2'><b><a href=x>x</a>", true},
		{"another page", first, "<body class=page><p>Text.</p><DIV class='main  wide' ID=content><ul class=posts><li class=current><a href=x class=active>x</a>", true},
		{"another list", first, "<div id=content class='wide main'><ul class=tags><li><a href=x>x</a>", false},
		{"another container", first, "<div id=aside class='wide main'><ul class=posts><li><a href=x>x</a>", false},
		{"another kind of link", first, "<div id=content class='wide main'><ul class=posts><li><a href=x class=author>x</a>", false},
		{"a list within", first, "<div id=content class='wide main'><ul class=posts><li><ul class=posts><li><a href=x>x</a>", false},
		{"sections", "<section id=rise><p><a href=x>x</a>", "<section id=fall><p><a href=x>x</a>", true},
		{"the body", "<a href=x>x</a>", "<p>a</p><a href=x>x</a>", true},
	} {
		one, other := read(t, tc.one, "Content-Type", "text/html").Links, read(t, tc.other, "Content-Type", "text/html").Links
		a, b := one[len(one)-1].Path, other[len(other)-1].Path
		if a == 0 || b == 0 || (a == b) != tc.same {
			t.Errorf("%s: %x and %x", tc.name, a, b)
		}
	}
	if got := read(t, first, "Content-Type", "text/html").Links[0].Path; got != 0xeedb4a96 {
		t.Errorf("the path of a page is now %#x: focuses that resume know it by another", got)
	}
}
