package link

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// maxRun bounds the consecutive occupied entries of the prefix table, and so a search. At load factor 7/8 the longest
// runs are some hundred.
const maxRun = 4096

// The file: magic, version, checksum of the rest, salt, entities, section lengths, and the sections, each aligned to
// 8 bytes. Numbers are little-endian.
const (
	magic    = "orbwgaz\n"
	version  = 1
	sections = 10
	header   = 5*8 + sections*8
)

// assemble builds a gazetteer from its sections, in the order of the file.
func assemble(salt uint64, entities int, parts [sections][]byte) *Gazetteer {
	size := header
	for _, p := range parts {
		size += padded(len(p))
	}
	data := append(aligned(size), magic...)
	data = binary.LittleEndian.AppendUint64(data, version)
	data = binary.LittleEndian.AppendUint64(data, 0)
	data = binary.LittleEndian.AppendUint64(data, salt)
	data = binary.LittleEndian.AppendUint64(data, uint64(entities))
	for _, p := range parts {
		data = binary.LittleEndian.AppendUint64(data, uint64(len(p)))
	}
	for i, p := range parts {
		at := len(data)
		data = append(data, p...)
		parts[i] = data[at:len(data):len(data)]
		data = data[:padded(len(data))]
	}
	binary.LittleEndian.PutUint64(data[16:], xxhash.Sum64(data[24:]))
	return view(data, parts)
}

// aligned returns room for a file of a size. Its first section, the prefix table, begins at a cache line there, as long blocks of memory begin at
// a page: a bucket is one line, not a part of two.
func aligned(size int) []byte {
	const line = 64
	before := (line - header%line) % line
	return make([]byte, before, before+size)[before:]
}

func padded(n int) int { return (n + 7) &^ 7 }

// sectionsOf splits a file into its sections.
func sectionsOf(data []byte) (parts [sections][]byte, err error) {
	switch {
	case len(data) < header || string(data[:8]) != magic:
		return parts, fmt.Errorf("%w: no header", ErrFormat)
	case binary.LittleEndian.Uint64(data[8:]) != version:
		return parts, fmt.Errorf("%w: version %d", ErrFormat, binary.LittleEndian.Uint64(data[8:]))
	case binary.LittleEndian.Uint64(data[16:]) != xxhash.Sum64(data[24:]):
		return parts, fmt.Errorf("%w: checksum", ErrFormat)
	}
	rest := data[header:]
	for i := range parts {
		n := binary.LittleEndian.Uint64(data[40+8*i:])
		if n > uint64(len(rest)) || padded(int(n)) > len(rest) {
			return parts, fmt.Errorf("%w: section %d goes beyond the end", ErrFormat, i)
		}
		parts[i], rest = rest[:n:n], rest[padded(int(n)):]
	}
	if len(rest) > 0 {
		return parts, fmt.Errorf("%w: %d bytes after the last section", ErrFormat, len(rest))
	}
	return parts, nil
}

// view returns the gazetteer over data, split into sections.
func view(data []byte, parts [sections][]byte) *Gazetteer {
	g := &Gazetteer{
		data:     data,
		salt:     binary.LittleEndian.Uint64(data[24:]),
		entities: int(binary.LittleEndian.Uint64(data[32:])),
		prefixes: parts[0],
		filter:   parts[1],
		names:    parts[2],
		iris:     parts[3],
		blocks:   parts[4],
		supports: parts[6],
		uses:     parts[7],
		contexts: parts[8],
		starts:   parts[9],
	}
	g.buckets = uint64(len(g.prefixes) / (bucket * 8))
	if len(parts[5]) > 0 {
		g.langs = strings.Split(string(parts[5]), "\n")
	}
	return g
}

// Parse returns the gazetteer in data, such as a memory-mapped file, without copying it. It validates all of data.
// Errors wrap ErrFormat.
func Parse(data []byte) (*Gazetteer, error) {
	parts, err := sectionsOf(data)
	if err != nil {
		return nil, err
	}
	if n := binary.LittleEndian.Uint64(data[32:]); n > maxEntities {
		return nil, fmt.Errorf("%w: %d entities", ErrFormat, n)
	}
	g := view(data, parts)
	if err := g.check(); err != nil {
		return nil, err
	}
	return g, nil
}

// Load reads the gazetteer in a file.
func Load(path string) (*Gazetteer, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data := bytes.NewBuffer(aligned(int(info.Size()) + bytes.MinRead))
	if _, err := data.ReadFrom(f); err != nil {
		return nil, err
	}
	g, err := Parse(data.Bytes())
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return g, nil
}

// WriteTo writes the gazetteer as a file.
func (g *Gazetteer) WriteTo(w io.Writer) (int64, error) {
	return bytes.NewReader(g.data).WriteTo(w)
}

// check returns an error for contents that would make a search fail or never end.
func (g *Gazetteer) check() error {
	count := len(g.names) / 8
	switch {
	case g.salt&1 == 0 || len(g.prefixes)%(bucket*8) != 0 || len(g.prefixes) == 0 || len(g.names)%8 != 0, len(g.filter) == 0,
		count > 2*maxEntities, len(g.langs) > maxLangs,
		len(g.blocks) != (g.entities+block-1)/block*4,
		len(g.supports) != 0 && len(g.supports) != g.entities*4,
		len(g.uses) != 0 && len(g.uses) != count*4,
		len(g.starts) != 0 && len(g.starts) != g.entities*4+4,
		len(g.starts) == 0 && len(g.contexts) != 0, len(g.contexts)%4 != 0:
		return fmt.Errorf("%w: wrong section lengths", ErrFormat)
	}
	if err := g.checkNames(count); err != nil {
		return err
	}
	if err := g.checkPrefixes(count); err != nil {
		return err
	}
	if err := g.checkIRIs(); err != nil {
		return err
	}
	return g.checkContexts()
}

func (g *Gazetteer) checkNames(count int) error {
	run := 0
	for i := range count {
		n := g.name(uint32(i))
		if run++; run > maxCandidates || int(n.entity) >= g.entities || int(n.lang()) > len(g.langs) {
			return fmt.Errorf("%w: name %d", ErrFormat, i)
		}
		if n.last() {
			run = 0
		}
	}
	if run != 0 {
		return fmt.Errorf("%w: the last name lacks its end mark", ErrFormat)
	}
	return nil
}

func (g *Gazetteer) checkPrefixes(count int) error {
	taken, free := 0, 0
	for b := g.prefixes; len(b) > 0; b = b[8:] {
		entry := binary.LittleEndian.Uint64(b)
		if taken++; taken > maxRun {
			return fmt.Errorf("%w: a search would not end", ErrFormat)
		}
		if entry == 0 {
			taken, free = 0, free+1
		} else if value := entry >> 32; value == 0 || value&^goesOn > uint64(count) {
			return fmt.Errorf("%w: a prefix leads to name %d of %d", ErrFormat, value&^goesOn, count)
		}
	}
	if free == 0 {
		return fmt.Errorf("%w: a search would not end", ErrFormat)
	}
	return nil
}

func (g *Gazetteer) checkIRIs() error {
	run := g.iris
	length := uint64(0) // of the previous IRI
	for i := range g.entities {
		if i%block == 0 {
			length = 0
			if at := binary.LittleEndian.Uint32(g.blocks[i/block*4:]); int(at) != len(g.iris)-len(run) {
				return fmt.Errorf("%w: block of IRI %d", ErrFormat, i)
			}
		}
		shared, n := binary.Uvarint(run)
		if n <= 0 || shared > length {
			return fmt.Errorf("%w: IRI %d", ErrFormat, i)
		}
		run = run[n:]
		own, n := binary.Uvarint(run)
		if n <= 0 || own > uint64(len(run)-n) || own > maxIRI || shared+own > maxIRI {
			return fmt.Errorf("%w: IRI %d", ErrFormat, i)
		}
		run = run[n+int(own):]
		length = shared + own
	}
	if len(run) > 0 {
		return fmt.Errorf("%w: %d bytes after the last IRI", ErrFormat, len(run))
	}
	return nil
}

func (g *Gazetteer) checkContexts() error {
	before := uint32(0)
	for i := 0; i < len(g.starts); i += 4 {
		at := binary.LittleEndian.Uint32(g.starts[i:])
		if at < before || at-before > maxFeatures || uint64(at)*4 > uint64(len(g.contexts)) {
			return fmt.Errorf("%w: context of entity %d", ErrFormat, i/4)
		}
		before = at
	}
	return nil
}
