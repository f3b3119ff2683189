package worker

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"orbweaver/internal/atomicfile"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/step"
)

// A handed is what a worker hands over in an exchange.
type handed struct {
	head
	parts map[string][]byte // by the worker that is to have it, or toAll
}

// A head says what there is of a handed.
type head struct {
	Pieces map[string]int  `json:"pieces"`          // of each part, in files
	Taken  []step.Delivery `json:"taken,omitempty"` // messages of the ledger that it has
}

// toAll is the name of the part that is for all; no worker has it.
const toAll = "all."

// Files of a handed in its folder, and on the bus.
const (
	roundsFolder = "rounds"
	crewFile     = "crew.json"
	headFile     = "head.json"
)

// Sizes, in bytes.
const (
	pieceSize = 64 << 20 // of a file, packed
	mostPart  = 16 << 30 // of a part
)

// errGarbled says that what was handed over cannot be read.
var errGarbled = errors.New("what was handed over cannot be read")

func (w *Worker) roundsDir() string { return filepath.Join(w.o.Folder, roundsFolder) }

// keptCrew returns the crew as this worker knew it in an earlier session; none: it did not.
func (w *Worker) keptCrew() (crew []string, err error) {
	text, err := os.ReadFile(filepath.Join(w.roundsDir(), crewFile))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &crew)
	}
	return crew, err
}

func (w *Worker) keepCrew(crew []string) error {
	text, err := json.Marshal(crew)
	if err == nil {
		err = os.MkdirAll(w.roundsDir(), 0o777)
	}
	if err != nil {
		return err
	}
	return atomicfile.WriteFile(filepath.Join(w.roundsDir(), crewFile), text, 0o666)
}

// keep keeps what this worker hands over, whole or not at all, so that it hands over the same when it was killed.
func (w *Worker) keep(o occasion, h *handed) error {
	path := filepath.Join(w.roundsDir(), o.String())
	part := path + ".part"
	if err := os.RemoveAll(part); err != nil {
		return err
	}
	if err := os.MkdirAll(part, 0o777); err != nil {
		return err
	}
	h.Pieces = map[string]int{}
	for to, body := range h.parts {
		pieces, err := packed(body)
		if err != nil {
			return err
		}
		h.Pieces[to] = len(pieces)
		for i, piece := range pieces {
			if err := os.WriteFile(filepath.Join(part, pieceName(to, i)), piece, 0o666); err != nil {
				return err
			}
		}
	}
	text, err := json.Marshal(h.head)
	if err == nil {
		err = os.WriteFile(filepath.Join(part, headFile), text, 0o666)
	}
	if err != nil {
		return err
	}
	return atomicfile.Place(part, path)
}

func pieceName(to string, i int) string { return fmt.Sprintf("%s-%d", to, i) }

// packed compresses a part, in pieces.
func packed(body []byte) ([][]byte, error) {
	packer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest), zstd.WithEncoderConcurrency(1), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, err
	}
	all := packer.EncodeAll(body, nil)
	return slices.Collect(slices.Chunk(all, pieceSize)), packer.Close()
}

// unpacked is the reverse of packed.
func unpacked(pieces [][]byte) ([]byte, error) {
	reader, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(mostPart))
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	body, err := reader.DecodeAll(bytes.Join(pieces, nil), nil)
	if err != nil {
		err = fmt.Errorf("%w: %w", errGarbled, err)
	}
	return body, err
}

// handedBefore returns what this worker handed over before; nil: it has not.
func (w *Worker) handedBefore(o occasion) (*handed, error) {
	read := func(name string) ([]byte, error) { return os.ReadFile(filepath.Join(w.roundsDir(), o.String(), name)) }
	h, err := readHanded(read, nil)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return h, err
}

// readHanded reads what a worker hands over: the parts that are wanted, nil: all.
func readHanded(read func(name string) ([]byte, error), wanted []string) (*handed, error) {
	text, err := read(headFile)
	if err != nil {
		return nil, err
	}
	h := &handed{parts: map[string][]byte{}}
	if err := json.Unmarshal(text, &h.head); err != nil {
		return nil, fmt.Errorf("%w: %w", errGarbled, err)
	}
	for to, n := range h.Pieces {
		if wanted != nil && !slices.Contains(wanted, to) {
			continue
		}
		var pieces [][]byte
		for i := range n {
			piece, err := read(pieceName(to, i))
			if err != nil {
				return nil, err
			}
			pieces = append(pieces, piece)
		}
		if h.parts[to], err = unpacked(pieces); err != nil {
			return nil, err
		}
	}
	return h, nil
}

// busName is the name on the bus of a file of what a worker hands over.
func (w *Worker) busName(o, from, name string) string {
	return strings.Join([]string{w.o.Bus.Crawl(), roundsFolder, o, from, name}, "/")
}

// handedBy returns what another worker hands over, as far as it is for this one.
func (w *Worker) handedBy(ctx context.Context, o occasion, from string) (*handed, error) {
	return readHanded(func(name string) ([]byte, error) { return w.o.Bus.File(ctx, w.busName(o.String(), from, name)) }, []string{toAll, w.o.Worker})
}

// handOver gives what is kept of an exchange to the bus, the head last, however often that fails.
func (w *Worker) handOver(ctx context.Context, o string, h head) error {
	var names []string
	for _, to := range slices.Sorted(maps.Keys(h.Pieces)) {
		for i := range h.Pieces[to] {
			if to != w.o.Worker { // it has that
				names = append(names, pieceName(to, i))
			}
		}
	}
	for _, name := range append(names, headFile) {
		body, err := os.ReadFile(filepath.Join(w.roundsDir(), o, name))
		if err != nil {
			return err
		}
		if err := again(ctx, errAnything, func() error { return passing(ctx, w.o.Bus.PutFile(ctx, w.busName(o, w.o.Worker, name), body)) }); err != nil {
			return err
		}
	}
	return nil
}

// errAnything stands for errors of the bus, which pass.
var errAnything = errors.New("the bus failed")

func passing(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil || errors.Is(err, bus.ErrTooLarge) {
		return err
	}
	return fmt.Errorf("%w: %w", errAnything, err)
}

// revise gives what is kept to the bus again if the bus has lost it.
func (w *Worker) revise(ctx context.Context) error {
	all, err := os.ReadDir(w.roundsDir())
	if err != nil {
		return err
	}
	for _, e := range all {
		if !e.IsDir() || strings.HasSuffix(e.Name(), ".part") {
			continue
		}
		if _, err := w.o.Bus.File(ctx, w.busName(e.Name(), w.o.Worker, headFile)); !errors.Is(err, bus.ErrLost) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(w.roundsDir(), e.Name(), headFile))
		var h head
		if err == nil {
			err = json.Unmarshal(text, &h)
		}
		if err == nil {
			err = w.handOver(ctx, e.Name(), h)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// forget drops what was handed over in rounds before one whose offers all have.
func (w *Worker) forget(ctx context.Context, before int) error {
	all, err := os.ReadDir(w.roundsDir())
	if err != nil {
		return err
	}
	for _, e := range all {
		number, _, _ := strings.Cut(e.Name(), "-")
		if round, err := strconv.Atoi(number); err != nil || !e.IsDir() || round >= before {
			continue
		}
		files, err := os.ReadDir(filepath.Join(w.roundsDir(), e.Name()))
		if err != nil {
			return err
		}
		for _, f := range files {
			_ = w.o.Bus.RemoveFile(ctx, w.busName(e.Name(), w.o.Worker, f.Name())) // what stays takes room, and nothing else
		}
		if err := os.RemoveAll(filepath.Join(w.roundsDir(), e.Name())); err != nil {
			return err
		}
	}
	return nil
}
