package step

// A Spared counts answers of a crawl whose payload was not stored again, since another archive has it.
type Spared struct {
	Of    string `json:"of"` // the other archive: its path, from the crawl folder
	Pages int64  `json:"pages"`
	Bytes int64  `json:"bytes"` // of payload
}
