package catalog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
)

// A text is a JSON value that should be a string but may be anything: a number counts as written, and of
// texts by language the English one counts, or else the first. Other values are empty.
type text string

// UnmarshalJSON never fails.
func (t *text) UnmarshalJSON(b []byte) error {
	*t = ""
	if len(b) == 0 {
		return nil
	}
	switch b[0] {
	case '"':
		var s string
		if json.Unmarshal(b, &s) == nil {
			*t = text(s)
		}
	case '{':
		var by map[string]json.RawMessage
		if json.Unmarshal(b, &by) == nil {
			*t = inEnglish(by)
		}
	case 'n', '[', 't', 'f':
	default:
		*t = text(b)
	}
	return nil
}

// inEnglish examines one level only: deeper levels would be scanned repeatedly.
func inEnglish(by map[string]json.RawMessage) text {
	for _, language := range append([]string{"en"}, slices.Sorted(maps.Keys(by))...) {
		var s string
		if json.Unmarshal(by[language], &s) == nil && s != "" {
			return text(s)
		}
	}
	return ""
}

// items is a JSON value that should be a list but may be a single item or nothing. Of an object its values
// count.
type items[T any] struct {
	all []T
	bad int // number of invalid items
}

// UnmarshalJSON never fails.
func (l *items[T]) UnmarshalJSON(b []byte) error {
	var raw []json.RawMessage
	if len(b) > 0 && b[0] == '{' {
		var by map[string]json.RawMessage
		if json.Unmarshal(b, &by) != nil {
			l.bad++
		}
		for _, key := range slices.Sorted(maps.Keys(by)) {
			raw = append(raw, by[key])
		}
	} else if json.Unmarshal(b, &raw) != nil {
		l.bad++
	}
	for _, one := range raw {
		var item T
		if json.Unmarshal(one, &item) != nil {
			l.bad++
			continue
		}
		l.all = append(l.all, item)
	}
	return nil
}

// A scan reads JSON without holding more than one entry in memory.
type scan struct{ *json.Decoder }

func newScan(b []byte) scan { return scan{json.NewDecoder(bytes.NewReader(b))} }

// opens reads the opening bracket or brace of a value, 0 for a scalar.
func (s scan) opens() (byte, error) {
	token, err := s.Token()
	if err != nil {
		return 0, cut(err)
	}
	if d, ok := token.(json.Delim); ok {
		return byte(d), nil
	}
	return 0, nil
}

// members calls a function for each key of the opened object; the function reads the value.
func (s scan) members(each func(key string) error) error {
	for s.More() {
		token, err := s.Token()
		if err != nil {
			return s.at(err)
		}
		key, ok := token.(string)
		if !ok {
			return s.at(errors.New("a key that is no string"))
		}
		if err := each(key); err != nil {
			return err
		}
	}
	return s.closes()
}

// elements calls a function for each item of the opened list.
func (s scan) elements(each func(i int, raw json.RawMessage) error) error {
	for i := 0; s.More(); i++ {
		raw, err := s.value()
		if err != nil {
			return err
		}
		if err := each(i, raw); err != nil {
			return err
		}
	}
	return s.closes()
}

// value reads a complete value.
func (s scan) value() (json.RawMessage, error) {
	var raw json.RawMessage
	if err := s.Decode(&raw); err != nil {
		return nil, s.at(err)
	}
	return raw, nil
}

func (s scan) closes() error {
	_, err := s.Token()
	return s.at(err)
}

// at adds the position to an error.
func (s scan) at(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("at byte %d: %w", s.InputOffset(), cut(err))
}

// cut replaces the error of truncated JSON by a clear one.
func cut(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errors.New("it is cut off")
	}
	return err
}
