package chance

import "encoding/binary"

// Both is the evidence that a crawl keeps. The zero Both is empty.
type Both struct {
	Links Links
	Pages Pages
}

// Append appends the encoded evidence to b.
func (c *Both) Append(b []byte) []byte {
	links := c.Links.Append(nil)
	b = binary.AppendUvarint(b, uint64(len(links)))
	return c.Pages.Append(append(b, links...))
}

// ReadBoth decodes what Append encoded; b holds nothing else, or nothing at all, as in the folder of a crawl that has
// no evidence. Invalid bytes wrap orbweaver.ErrDamaged.
func ReadBoth(b []byte) (*Both, error) {
	if len(b) == 0 {
		return &Both{}, nil
	}
	n, size := binary.Uvarint(b)
	if size <= 0 || n > uint64(len(b)-size) {
		return nil, damaged("links")
	}
	links, err := ReadLinks(b[size : size+int(n)])
	if err != nil {
		return nil, err
	}
	pages, err := ReadPages(b[size+int(n):])
	if err != nil {
		return nil, err
	}
	return &Both{Links: *links, Pages: *pages}, nil
}
