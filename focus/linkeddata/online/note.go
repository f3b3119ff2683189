package online

import "encoding/binary"

// AppendNote appends features in the form kept with a request: the keys, four bytes each, the number of
// remaining features, and the differences of successive features, as uvarints.
func AppendNote(dst []byte, features []uint32) []byte {
	if len(features) < keys || len(features) > MaxFeatures {
		return dst
	}
	for _, key := range features[:keys] {
		dst = binary.LittleEndian.AppendUint32(dst, key)
	}
	dst = binary.AppendUvarint(dst, uint64(len(features)-keys))
	last := uint32(0)
	for _, code := range features[keys:] {
		dst = binary.AppendUvarint(dst, uint64(code-last))
		last = code
	}
	return dst
}

// ReadNote appends the features at the start of a note and returns the rest of the note; false, with dst
// unchanged, if there are none.
func ReadNote(dst []uint32, note []byte) (features []uint32, rest []byte, ok bool) {
	if len(note) < 4*keys {
		return dst, nil, false
	}
	features = dst
	for ; len(features) < len(dst)+keys; note = note[4:] {
		features = append(features, binary.LittleEndian.Uint32(note))
	}
	n, size := binary.Uvarint(note)
	if size <= 0 || n > MaxFeatures-keys {
		return dst, nil, false
	}
	note = note[size:]
	code := uint64(0)
	for i := range n {
		more, size := binary.Uvarint(note)
		if code += more; size <= 0 || more == 0 && i > 0 || more > 1<<32 || !valid(code) {
			return dst, nil, false
		}
		note = note[size:]
		features = append(features, uint32(code))
	}
	return features, note, true
}

// valid reports whether Features can return a code.
func valid(code uint64) bool {
	return code < groupPast<<groupShift && index(uint32(code)) < firstPast
}
