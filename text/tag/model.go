package tag

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"strings"
)

// ErrModel means that a file is not a model, has another version, or is damaged.
var ErrModel = errors.New("not a model that can be used")

// A model file is, all numbers little-endian:
//
//	magic    16 bytes
//	version  4 bytes
//	checksum 4 bytes, CRC-32C of all that follows
//	count    4 bytes, of sections
//	sections each 1 byte: length of its name, the name, 4 bytes: length of its data; sorted by name
//	data     of all sections
const (
	modelMagic   = "orbweaver model\n"
	modelVersion = 1
	modelHead    = len(modelMagic) + 8
	maxModel     = 1 << 26 // bytes
	maxSections  = 64
)

// A Model holds the learned parameters of a language in one file: named sections of bytes. The package that
// owns a section defines its content. The zero Model is empty.
type Model struct{ sections []section }

type section struct {
	name string
	data []byte
}

// Put sets or replaces a section. The name has 1 to 255 bytes; data is not copied.
func (m *Model) Put(name string, data []byte) {
	i, found := m.find(name)
	if !found {
		m.sections = slices.Insert(m.sections, i, section{name: name})
	}
	m.sections[i].data = data
}

// Section returns the data of a section, which must not be changed; false if there is none.
func (m *Model) Section(name string) ([]byte, bool) {
	if i, found := m.find(name); found {
		return m.sections[i].data, true
	}
	return nil, false
}

// Names returns the names of the sections, sorted.
func (m *Model) Names() []string {
	var all []string
	for _, s := range m.sections {
		all = append(all, s.name)
	}
	return all
}

func (m *Model) find(name string) (int, bool) {
	return slices.BinarySearchFunc(m.sections, name, func(s section, name string) int {
		return strings.Compare(s.name, name)
	})
}

// WriteTo writes the model's file.
func (m *Model) WriteTo(w io.Writer) (int64, error) {
	le := binary.LittleEndian
	body := le.AppendUint32(nil, uint32(len(m.sections)))
	total := 0
	for _, s := range m.sections {
		if s.name == "" || len(s.name) > 255 {
			return 0, fmt.Errorf("section %q: a name has 1 to 255 bytes", s.name)
		}
		total += len(s.data)
		body = append(append(body, byte(len(s.name))), s.name...)
		body = le.AppendUint32(body, uint32(len(s.data)))
	}
	if len(m.sections) > maxSections || modelHead+len(body)+total > maxModel {
		return 0, fmt.Errorf("%d sections, %d bytes: more than a model can have", len(m.sections), total)
	}
	for _, s := range m.sections {
		body = append(body, s.data...)
	}
	head := le.AppendUint32([]byte(modelMagic), modelVersion)
	head = le.AppendUint32(head, checksum(body))
	n, err := w.Write(append(head, body...))
	return int64(n), err
}

func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

// LoadModel reads a model file. Errors name the file; they wrap ErrModel if it is not a valid model.
func LoadModel(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := ReadModel(f)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", path, err)
	}
	return m, nil
}

// ReadModel reads a model file of at most 64 MiB. Errors other than those of r wrap ErrModel.
func ReadModel(r io.Reader) (*Model, error) {
	b, err := io.ReadAll(io.LimitReader(r, maxModel+1))
	if err != nil {
		return nil, err
	}
	if len(b) > maxModel {
		return nil, fmt.Errorf("%w: more than %d bytes", ErrModel, maxModel)
	}
	if len(b) < modelHead || string(b[:len(modelMagic)]) != modelMagic {
		return nil, fmt.Errorf("%w: it does not start as one", ErrModel)
	}
	le := binary.LittleEndian
	if v := le.Uint32(b[len(modelMagic):]); v != modelVersion {
		return nil, fmt.Errorf("%w: version %d, this program reads %d", ErrModel, v, modelVersion)
	}
	body := b[modelHead:]
	if le.Uint32(b[modelHead-4:]) != checksum(body) {
		return nil, fmt.Errorf("%w: damaged, its checksum differs", ErrModel)
	}
	return readSections(body)
}

// readSections reads what follows the checksum.
func readSections(body []byte) (*Model, error) {
	d := NewDecoder(body)
	n := d.Uint32()
	if n > maxSections {
		return nil, fmt.Errorf("%w: %d sections", ErrModel, n)
	}
	m := &Model{sections: make([]section, n)}
	sizes := make([]uint32, n)
	for i := range m.sections {
		m.sections[i].name = string(d.Bytes(int(d.Byte())))
		sizes[i] = d.Uint32()
		if i > 0 && m.sections[i].name <= m.sections[i-1].name {
			return nil, fmt.Errorf("%w: sections out of order", ErrModel)
		}
	}
	for i := range m.sections {
		m.sections[i].data = d.Bytes(int(sizes[i]))
	}
	if err := d.End(); err != nil {
		return nil, err
	}
	return m, nil
}
