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

// A text is a value of JSON that should be a string and may be anything: a number as it is written, of
// texts by language the English one, or else the first. What is nothing of this is empty.
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

// inEnglish looks one level deep and no deeper: each would be scanned again.
func inEnglish(by map[string]json.RawMessage) text {
	for _, language := range append([]string{"en"}, slices.Sorted(maps.Keys(by))...) {
		var s string
		if json.Unmarshal(by[language], &s) == nil && s != "" {
			return text(s)
		}
	}
	return ""
}

// items are what should be a list, and may be one, or nothing. An object stands for its values.
type items[T any] struct {
	all []T
	bad int // that make no sense
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

// A scan walks over JSON without holding more of it than one entry.
type scan struct{ *json.Decoder }

func newScan(b []byte) scan { return scan{json.NewDecoder(bytes.NewReader(b))} }

// opens reads the bracket or brace that a value starts with, 0 where it is a scalar.
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

// members calls a function for each key of the object that was opened; the function reads the value.
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

// elements calls a function for each item of the list that was opened.
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

// value reads one whole value.
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

// at says where an error is.
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
