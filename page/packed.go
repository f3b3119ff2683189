package page

import (
	"bytes"
	"io"
	"strings"

	"github.com/klauspost/compress/gzip"
	"golang.org/x/net/html/charset"

	"orbweaver"
)

// unpacked takes gzip off a file that is a sitemap or a feed inside, as "sitemap.xml.gz" is sent. All
// else is returned as it is. What is unpacked has no declared type.
func unpacked(body []byte, contentType string, purpose orbweaver.Purpose, limit int64) ([]byte, string, error) {
	if !bytes.HasPrefix(body, []byte{0x1f, 0x8b, 8}) {
		return body, contentType, nil
	}
	r, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		return body, contentType, nil
	}
	head := make([]byte, min(sniffed, limit))
	n, _ := io.ReadFull(r, head)
	if !isDiscovery(head[:n], purpose) {
		return body, contentType, nil
	}
	var out bytes.Buffer
	out.Write(head[:n])
	// An archive that breaks off is as good as a document that does.
	if _, _ = io.Copy(&out, io.LimitReader(r, limit-int64(n)+1)); int64(out.Len()) > limit {
		return nil, "", tooLarge(limit)
	}
	return out.Bytes(), "", nil
}

// isDiscovery says whether a document starts as a sitemap or a feed does.
func isDiscovery(head []byte, purpose orbweaver.Purpose) bool {
	switch root := string(localRoot(head)); {
	case root == "rss" || root == "feed" || isSitemap([]byte(root)):
		return true
	case root != "":
		return false
	}
	head = bytes.TrimSpace(head)
	return purpose == orbweaver.ForSitemap && (hasPrefixFold(head, "http://") || hasPrefixFold(head, "https://"))
}

// xmlText returns an XML document as UTF-8, by its mark, its header, or its own declaration.
func xmlText(body []byte, contentType string) []byte {
	if !bytes.HasPrefix(body, []byte("<?xml")) || strings.Contains(strings.ToLower(contentType), "charset=") {
		return unicodeText(body, contentType)
	}
	declaration, _, _ := bytes.Cut(body[:min(len(body), 1024)], []byte("?>"))
	_, name, declared := bytes.Cut(declaration, []byte("encoding="))
	name = bytes.Trim(bytes.TrimSpace(name), `"'`)
	if end := bytes.IndexAny(name, "\"' \t\r\n"); end >= 0 {
		name = name[:end]
	}
	if encoding, _ := charset.Lookup(string(name)); declared && encoding != nil {
		return unicodeText(body, "text/xml; charset="+string(name))
	}
	return unicodeText(body, contentType)
}
