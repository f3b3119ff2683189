package page

import (
	"bytes"
	"encoding/json"
	"fmt"

	"github.com/mmcdole/gofeed"
	jsonfeed "github.com/mmcdole/gofeed/json"
)

// parseFeed parses a feed. Items and members of a JSON Feed that are not of the type that the standard gives them are left
// out and counted: the library refuses a feed with one.
func parseFeed(body []byte, isJSON bool) (feed *gofeed.Feed, left int, err error) {
	if feed, err = parse(body); err == nil || !isJSON {
		return feed, 0, err
	}
	body, left = fittingFeed(body)
	feed, err = parse(body)
	return feed, left, err
}

// parse is the library's parser, which panics at items that are null.
func parse(body []byte) (feed *gofeed.Feed, err error) {
	defer func() {
		if crash := recover(); crash != nil {
			feed, err = nil, fmt.Errorf("the parser crashed: %v", crash)
		}
	}()
	return gofeed.NewParser().Parse(bytes.NewReader(body))
}

// fittingFeed returns a JSON Feed without what does not fit, and how much that is.
func fittingFeed(body []byte) (fit []byte, left int) {
	var feed map[string]json.RawMessage
	var items []json.RawMessage
	if json.Unmarshal(body, &feed) != nil || json.Unmarshal(feed["items"], &items) != nil {
		return body, 0
	}
	kept := make([]json.RawMessage, 0, len(items))
	for _, item := range items[:min(len(items), feedItems)] {
		item, n := fitting[jsonfeed.Item](item)
		if left += n; item != nil {
			kept = append(kept, item)
		}
	}
	feed["items"] = asJSON(kept)
	fit, n := fitting[jsonfeed.Feed](asJSON(feed))
	return fit, left + n
}

// fitting returns an object without the members that do not fit a type, and their number; nil: it is no object.
func fitting[T any](object json.RawMessage) (fit json.RawMessage, left int) {
	if json.Unmarshal(object, new(T)) == nil && object[0] == '{' {
		return object, 0
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(object, &members) != nil || members == nil {
		return nil, 1
	}
	for name, value := range members {
		if json.Unmarshal(asJSON(map[string]json.RawMessage{name: value}), new(T)) != nil {
			delete(members, name)
			left++
		}
	}
	return asJSON(members), left
}

// asJSON encodes what was decoded from JSON.
func asJSON(v any) []byte {
	text, _ := json.Marshal(v) // it was valid
	return text
}
