package weburl

import "testing"

func TestQueriesAreInTheEncodingOfTheDocument(t *testing.T) {
	for _, tc := range []struct{ name, encoding, ref, want string }{
		{"Cyrillic: the query alone", "windows-1251", "/ж?q=да&x=1#ж", "/%D0%B6?q=%E4%E0&x=1"},
		{"KOI8-R", "koi8-r", "?q=да", "/d/p?q=%C4%C1"},
		{"Chinese", "gbk", "/zh?kw=飞机", "/zh?kw=%B7%C9%BB%FA"},
		{"bytes that are ASCII letters stay letters", "shift_jis", "ja?k=飛行機&ok", "/d/ja?k=%94%F2%8Ds%8B%40&ok"},
		{"with escape sequences", "iso-2022-jp", "?k=日", "/d/p?k=%1B%24BF%7C%1B%28B"},
		{"the euro of Latin-1", "iso-8859-1", "?q=é€", "/d/p?q=%E9%80"},
		{"what the encoding lacks", "windows-1251", "?q=дé", "/d/p?q=%E4%26%23233%3B"},
		{"UTF-16 is UTF-8", "utf-16le", "?q=é", "/d/p?q=%C3%A9"},
		{"UTF-8", "", "?q=é", "/d/p?q=%C3%A9"},
		{"no encoding", "none-such", "?q=é", "/d/p?q=%C3%A9"},
		{"a question mark in the fragment", "windows-1251", "x#?ж", "/d/x"},
		{"hosts are Unicode", "windows-1251", "//пример.test/?ж", "http://xn--e1afmkfd.test/?%E6"},
	} {
		base, err := NewBase("http://a.test/d/p?old")
		if err != nil {
			t.Fatal(err)
		}
		want := tc.want
		if want[0] == '/' {
			want = "http://a.test" + want
		}
		if got, err := base.In(tc.encoding).Resolve(tc.ref); got != want || err != nil {
			t.Errorf("%s: got %s, %v, want %s", tc.name, got, err, want)
		}
	}
}

// TestBytesOfHeaders: a reference that is no UTF-8 consists of bytes.
func TestBytesOfHeaders(t *testing.T) {
	for _, tc := range []struct{ name, location, want string }{
		{"Latin-1", "/caf\xe9", "http://a.test/caf%E9"},
		{"GBK, and the query", "\xb7\xc9?\xbb\xfa=1", "http://a.test/%B7%C9?%BB%FA=1"},
		{"absolute", "HTTP://B.test/\xe9/../\xe8", "http://b.test/%E8"},
		{"a host in UTF-8 and a path that is not", "//é.test/\xe9", "http://xn--9ca.test/%E9"},
		{"UTF-8", "/café", "http://a.test/caf%C3%A9"},
		{"a host of bytes", "//\xe9.test/", ""},
	} {
		if got := Target("http://a.test/", tc.location); got != tc.want {
			t.Errorf("%s: got %s, want %s", tc.name, got, tc.want)
		}
	}
	if got, err := Canonical("http://a.test/\xe9.xml"); got != "http://a.test/%E9.xml" || err != nil {
		t.Errorf("got %s, %v", got, err)
	}
}

func TestFormValues(t *testing.T) {
	for _, tc := range []struct{ text, encoding, want string }{
		{"a b&ж", "", "a+b%26%D0%B6"}, {"a b&ж", "windows-1251", "a+b%26%E6"}, {"é", "koi8-r", "%26%23233%3B"}, {"飛", "euc-jp", "%C8%F4"},
	} {
		if got := FormValue(tc.text, tc.encoding); got != tc.want {
			t.Errorf("%s in %s: got %s, want %s", tc.text, tc.encoding, got, tc.want)
		}
	}
}
