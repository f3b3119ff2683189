package pdf

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/md5"
	"fmt"
	"strings"
	"testing"
)

func TestReasons(t *testing.T) {
	for _, tc := range []struct {
		name string
		file []byte
		want string
	}{
		{"text", onePage(helvetica, streamOf("", "BT /F 12 Tf (a) Tj ET")), ""},
		{"a scanned page", onePage(helvetica, streamOf("", "q /X Do Q"), streamOf("/Subtype /Image /Filter /DCTDecode", "x")), ReasonImages},
		{"an image in the content", onePage(helvetica, streamOf("", "BI /W 1 ID \x00 EI")), ReasonImages},
		{"glyphs without characters", onePage("<< /Subtype /Type0 /Encoding /Identity-H >>", streamOf("", "BT /F 12 Tf <00410042> Tj ET")), ReasonFonts},
		{"an empty page", onePage(helvetica, streamOf("", "0 0 m")), ReasonEmpty},
		{"no page", file("", "<< /Type /Catalog >>"), ReasonDamaged},
		{"nothing", nil, ReasonDamaged},
		{"a handler of another maker", file("/Encrypt << /Filter /Maker.Handler /V 1 >>", "<< /Type /Catalog >>"), ReasonHandler},
		{"a password", encrypted("/V 2 /R 3 /Length 128", rc4Key, "not empty"), ReasonPassword},
	} {
		if got := Read(tc.file, Limits{}).Reason; got != tc.want {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
	packed := onePage(helvetica, streamOf("/Filter /FlateDecode", deflated(strings.Repeat(" ", 9000)+"BT /F 12 Tf (a) Tj")))
	if got := Read(packed, Limits{Decoded: 1000}).Reason; got != ReasonLimit {
		t.Errorf("beyond the limit: %q", got)
	}
}

// encrypted returns a file of one page with the text "secret", encrypted by revision 2 to 4 with a user password, or by
// revision 5 or 6 with the empty one.
func encrypted(entries string, kind cipherKind, password string) []byte {
	r := &reader{limits: Limits{Decoded: 1 << 20}}
	values := 1000
	head, _ := (&lexer{b: []byte("<< /Filter /Standard /P -4 " + entries + " >>"), values: &values}).object(0).(dict)
	owner := strings.Repeat("o", 32)
	c := &crypt{left: 1 << 20}
	revision, _ := head["R"].(float64)
	if kind == aesAll {
		c.key = []byte(strings.Repeat("k", 32))
		hash := func(salt string) []byte { return r.passwordHash(str(salt), revision == 6) }
		block, _ := aes.NewCipher(hash("keysalt8"))
		wrapped := make([]byte, 32)
		cipher.NewCBCEncrypter(block, make([]byte, 16)).CryptBlocks(wrapped, c.key)
		entries += fmt.Sprintf(" /U <%x%x> /UE <%x>", hash("checksal"), "checksalkeysalt8", wrapped)
	} else {
		bits, _ := head["Length"].(float64)
		if bits == 0 {
			bits = 40
		}
		// The check of the empty password is what makes a file openable: with another it is random.
		c.key, head["U"] = r.userKey(head, str(owner), "id", int(revision), int(bits)/8)
		if password != "" {
			head["U"] = str(strings.Repeat("?", 32))
		}
		entries += fmt.Sprintf(" /O (%s) /U <%x>", owner, string(head["U"].(str)))
	}
	content := "BT /F 12 Tf (secret) Tj ET"
	sealed := seal(c, kind, origin{5, 0}, content)
	title := seal(c, kind, origin{6, 0}, "Title")
	return file(fmt.Sprintf("/Info 6 0 R /ID [<6964>] /Encrypt << /Filter /Standard /P -4 %s >>", entries),
		"<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Resources << /Font << /F 4 0 R >> >> >>",
		"<< /Type /Page /Contents 5 0 R >>", helvetica, streamOf("", sealed), fmt.Sprintf("<< /Title <%x> >>", title))
}

// seal is the inverse of decrypt.
func seal(c *crypt, kind cipherKind, of origin, text string) string {
	key := c.objectKey(kind, of)
	if kind == rc4Key {
		return string(unRC4(key, []byte(text)))
	}
	fill := 16 - len(text)%16
	text += strings.Repeat(string(rune(fill)), fill)
	block, _ := aes.NewCipher(key)
	vector := md5.Sum([]byte(text))
	out := []byte(text)
	cipher.NewCBCEncrypter(block, vector[:]).CryptBlocks(out, out)
	return string(vector[:]) + string(out)
}

func TestEncrypted(t *testing.T) {
	filter := func(method string) string {
		return "/CF << /StdCF << /CFM /" + method + " >> >> /StmF /StdCF /StrF /StdCF"
	}
	for _, tc := range []struct {
		name, entries string
		kind          cipherKind
	}{
		{"RC4 of 40 bits", "/V 1 /R 2", rc4Key},
		{"RC4 of 128 bits", "/V 2 /R 3 /Length 128", rc4Key},
		{"RC4 by a crypt filter", "/V 4 /R 4 /Length 128 " + filter("V2"), rc4Key},
		{"AES-128", "/V 4 /R 4 /Length 128 " + filter("AESV2"), aesKey},
		{"AES-128, metadata clear", "/V 4 /R 4 /Length 128 /EncryptMetadata false " + filter("AESV2"), aesKey},
		{"AES-256 of Acrobat 9", "/V 5 /R 5 " + filter("AESV3"), aesAll},
		{"AES-256", "/V 5 /R 6 " + filter("AESV3"), aesAll},
	} {
		doc := Read(encrypted(tc.entries, tc.kind, ""), Limits{})
		if doc.Text != "secret" || doc.Title != "Title" || doc.Reason != "" {
			t.Errorf("%s: %+v", tc.name, doc)
		}
	}
}

func TestColumns(t *testing.T) {
	at := func(x, y int, text string) string { return fmt.Sprintf("1 0 0 1 %d %d Tm (%s) Tj ", x, y, text) }
	rows := func(gutter int, left, right string, n int) (s string) {
		for i := range n {
			s += at(50, 700-14*i, fmt.Sprint(left, i)) + at(gutter, 700-14*i, fmt.Sprint(right, i))
		}
		return s
	}
	const left, right = "the left column goes on ", "and so does the right one "
	for _, tc := range []struct{ name, content, before, behind string }{
		{"two columns line by line", rows(300, left, right, 6), left + "5", right + "0"},
		{"a heading over both", at(50, 740, "One heading that is wider than a column, and then some more of it") + rows(300, left, right, 6), left + "5", right + "0"},
		{"a table of numbers", rows(300, "alpha ", "12 ", 6), "alpha 1", "12 1"},
		{"two rows are no columns", rows(300, left, right, 2), right + "0", left + "1"},
	} {
		text := Read(onePage(helvetica, streamOf("", "BT /F 10 Tf "+tc.content+"ET")), Limits{}).Text
		a, b := strings.Index(text, tc.before), strings.Index(text, tc.behind)
		if a < 0 || b < 0 || a > b {
			t.Errorf("%s: %q", tc.name, text)
		}
	}
}
