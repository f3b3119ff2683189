package pdf

import (
	"bytes"
	"compress/lzw"
	"encoding/ascii85"
	"io"
	"slices"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/zlib"
	tiff "golang.org/x/image/tiff/lzw"
)

// maxFilters is the maximal number of filters of a stream.
const maxFilters = 4

// streamData returns the bytes of a stream: of its declared length if its end follows them, or otherwise up to
// the next end.
func (r *reader) streamData(start int, head dict) []byte {
	length := -1.0
	if _, indirect := head["Length"].(ref); !indirect {
		length, _ = head["Length"].(float64)
	} else if n, ok := r.number(head["Length"]); ok {
		length = n
	}
	start = min(start, len(r.file))
	rest := r.file[start:]
	if length >= 0 && length < float64(len(rest)) {
		after := bytes.TrimLeft(rest[int(length):min(len(rest), int(length)+24)], " \r\n\t\x00")
		if bytes.HasPrefix(after, []byte("endstream")) {
			return rest[:int(length)]
		}
	}
	if i, _ := slices.BinarySearch(r.ends, start); i < len(r.ends) {
		return r.file[start:r.ends[i]]
	}
	return rest
}

// decoded returns the data of a stream, or as much as can be decoded; nil for images.
func (r *reader) decoded(s *stream) []byte {
	filters, params := list(r.resolve(s.head["Filter"])), list(r.resolve(s.head["DecodeParms"]))
	if len(filters) > maxFilters || !r.known(filters) {
		return nil
	}
	data := r.unsealed(s, filters)
	for i, f := range filters {
		var param dict
		if i < len(params) {
			param, _ = r.resolve(params[i]).(dict)
		}
		filter, _ := r.resolve(f).(name)
		var ok bool
		if data, ok = r.filter(filter, param, data); !ok {
			return nil
		}
	}
	if len(filters) == 0 {
		data = data[:max(0, min(int64(len(data)), r.budget))]
		r.budget -= int64(len(data))
	}
	return data
}

// known reports whether all filters can be undone: not those of images.
func (r *reader) known(filters array) bool {
	for _, f := range filters {
		switch filter, _ := r.resolve(f).(name); filter {
		case "FlateDecode", "Fl", "LZWDecode", "LZW", "ASCIIHexDecode", "AHx", "ASCII85Decode", "A85", "RunLengthDecode", "RL", "Crypt":
		default:
			return false
		}
	}
	return true
}

// list returns an array unchanged and any other object but nil as an array of one.
func list(o object) array {
	switch o := o.(type) {
	case nil:
		return nil
	case array:
		return o
	}
	return array{o}
}

// filter decodes one filter.
func (r *reader) filter(filter name, param dict, data []byte) (out []byte, ok bool) {
	switch filter {
	case "FlateDecode", "Fl":
		out = r.inflate(data)
	case "LZWDecode", "LZW":
		out = r.unpackLZW(data, param)
	case "ASCIIHexDecode", "AHx":
		data, _, _ = bytes.Cut(data, []byte(">"))
		return r.spend(unhex(data)), true
	case "ASCII85Decode", "A85":
		data, _, _ = bytes.Cut(data, []byte("~"))
		return r.readAll(ascii85.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("<"))))), true
	case "RunLengthDecode", "RL":
		return r.runLengths(data), true
	case "Crypt":
		return data, true
	default:
		return nil, false
	}
	if predictor, _ := r.number(param["Predictor"]); predictor >= 2 {
		out = r.unpredict(out, predictor, param)
	}
	return out, true
}

// inflate decodes zlib data, or raw deflate, which some writers use.
func (r *reader) inflate(data []byte) []byte {
	data = bytes.TrimLeft(data, "\r\n")
	z, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return r.readAll(flate.NewReader(bytes.NewReader(data)))
	}
	return r.readAll(z)
}

// unpackLZW unpacks LZW data.
func (r *reader) unpackLZW(data []byte, param dict) []byte {
	if early, ok := r.number(param["EarlyChange"]); ok && early == 0 {
		return r.readAll(lzw.NewReader(bytes.NewReader(data), lzw.MSB, 8))
	}
	return r.readAll(tiff.NewReader(bytes.NewReader(data), tiff.MSB, 8))
}

// readAll reads a decoder until it fails or the budget is used up.
func (r *reader) readAll(from io.Reader) []byte {
	var out bytes.Buffer
	n, _ := io.Copy(&out, io.LimitReader(from, max(r.budget, 0)))
	r.budget -= n
	return out.Bytes()
}

// spend subtracts bytes from the budget, and returns as many as it had.
func (r *reader) spend(b []byte) []byte {
	b = b[:max(0, min(int64(len(b)), r.budget))]
	r.budget -= int64(len(b))
	return b
}

// runLengths unpacks run lengths.
func (r *reader) runLengths(data []byte) []byte {
	var out []byte
	for i := 0; i < len(data) && int64(len(out)) < r.budget; {
		n := int(data[i])
		i++
		switch {
		case n == 128:
			return r.spend(out)
		case n < 128:
			out = append(out, data[i:min(len(data), i+n+1)]...)
			i += n + 1
		case i < len(data):
			out = append(out, bytes.Repeat(data[i:i+1], 257-n)...)
			i++
		}
	}
	return r.spend(out)
}

// unpredict undoes a PNG predictor, in place, and TIFF's for bytes.
func (r *reader) unpredict(data []byte, predictor float64, param dict) []byte {
	columns, depth := r.positive(param["Columns"], 1, 1<<20), r.positive(param["BitsPerComponent"], 8, 16)
	depth *= r.positive(param["Colors"], 1, 64)
	pixel := max(1, depth/8)
	row := min((columns*depth+7)/8, max(1, len(data)))
	if predictor == 2 {
		for start := 0; start+row <= len(data); start += row {
			for i := pixel; i < row; i++ {
				data[start+i] += data[start+i-pixel]
			}
		}
		return data
	}
	out := data[:0]
	before := make([]byte, row)
	for len(data) > 1 {
		kind := data[0]
		line := data[1:min(len(data), row+1)]
		data = data[1+len(line):]
		pngRow(kind, line, before, pixel)
		out = append(out, line...)
		before = out[len(out)-len(line):]
		if len(line) < row {
			break
		}
	}
	return out
}

// positive returns an integer from 1 to most; 0 for others.
func (r *reader) positive(o object, none, most int) int {
	if n, ok := r.number(o); ok && n >= 1 && n <= float64(most) {
		return int(n)
	}
	return none
}

// pngRow undoes the filter of one row (PNG, section 9).
func pngRow(kind byte, line, before []byte, pixel int) {
	for i := range line {
		var left, corner byte
		if i >= pixel {
			left, corner = line[i-pixel], before[i-pixel]
		}
		switch kind {
		case 1:
			line[i] += left
		case 2:
			line[i] += before[i]
		case 3:
			line[i] += byte((int(left) + int(before[i])) / 2)
		case 4:
			line[i] += paeth(left, before[i], corner)
		}
	}
}

// paeth is the predictor of that name.
func paeth(a, b, c byte) byte {
	p := int(a) + int(b) - int(c)
	pa, pb, pc := abs(p-int(a)), abs(p-int(b)), abs(p-int(c))
	switch {
	case pa <= pb && pa <= pc:
		return a
	case pb <= pc:
		return b
	}
	return c
}

func abs(n int) int {
	if n < 0 {
		return -n
	}
	return n
}
