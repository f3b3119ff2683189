package brotli_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"testing/iotest"

	theirs "github.com/andybalholm/brotli"

	"orbweaver/internal/coding/brotli"
)

// samples are texts and data of several shapes.
func samples(t testing.TB) map[string][]byte {
	t.Helper()
	random := rand.New(rand.NewPCG(1, 2))
	noise, few := make([]byte, 200_000), make([]byte, 300_000)
	for i := range noise {
		noise[i] = byte(random.Uint32())
	}
	for i := range few {
		few[i] = "abcdefgh"[random.IntN(1+random.IntN(8))]
	}
	all := map[string][]byte{
		"nothing": nil, "a byte": {7}, "noise": noise, "few letters": few, "one letter": bytes.Repeat([]byte{'x'}, 1<<20),
		"far back": append(append(bytes.Clone(noise), few...), noise...),
		"words":    []byte("The quick time down of the world, and this information about language. The English UNIVERSITY, " + "\u0420\u043e\u0441\u0441\u0438\u044f"),
	}
	files, err := filepath.Glob("../../../docs/explanation/*.md")
	if err != nil || len(files) == 0 {
		t.Fatal("no documents", err)
	}
	var documents []byte
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		documents = append(documents, text...)
	}
	all["documents"] = documents
	return all
}

// coded returns data in Brotli, as another library writes it.
func coded(t testing.TB, data []byte, o theirs.WriterOptions) []byte {
	t.Helper()
	var out bytes.Buffer
	w := theirs.NewWriterOptions(&out, o)
	for len(data) > 0 {
		n := min(len(data), 150_000)
		if _, err := w.Write(data[:n]); err != nil {
			t.Fatal(err)
		}
		if data = data[n:]; len(data)%2 == 0 {
			w.Flush()
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestReader: what another library encodes is decoded, whatever its quality and window, read in pieces of whatever size.
func TestReader(t *testing.T) {
	for name, data := range samples(t) {
		for _, o := range []theirs.WriterOptions{{Quality: 0}, {Quality: 1, LGWin: 10}, {Quality: 3}, {Quality: 5, LGWin: 18}, {Quality: 6}, {Quality: 9, LGWin: 24}, {Quality: 11, LGWin: 16}} {
			if o.Quality == 11 && len(data) > 200_000 {
				data = data[:200_000]
			}
			packed := coded(t, data, o)
			got, err := io.ReadAll(brotli.NewReader(bytes.NewReader(packed)))
			if err != nil || !bytes.Equal(got, data) {
				t.Fatalf("%s, %+v: %d bytes of %d, %v", name, o, len(got), len(data), err)
			}
			if err := iotest.TestReader(brotli.NewReader(iotest.OneByteReader(bytes.NewReader(packed))), data); err != nil {
				t.Fatalf("%s, %+v, byte by byte: %v", name, o, err)
			}
		}
	}
}

// TestWords: a word of the dictionary of each length, with each transform, is what it is to another library; none is longer.
func TestWords(t *testing.T) {
	random, other, words := rand.New(rand.NewPCG(3, 4)), theirs.NewReader(nil), 0
	const bits = "\x0a\x0a\x0a\x0b\x0b\x0a\x0a\x0a\x0a\x0a\x09\x09\x08\x07\x07\x08\x07\x07\x06\x06\x05\x05\x05" // of the numbers of words of 3 bytes and more
	for length := 3; length <= 25; length++ {
		for transform := range 123 {
			n := transform<<bits[length-3] + random.IntN(1<<bits[length-3])
			for size := max(1, length-9); size < length+15; size++ {
				packed := word(length, n, size)
				other.Reset(bytes.NewReader(packed))
				want, wrong := io.ReadAll(other)
				got, err := io.ReadAll(brotli.NewReader(bytes.NewReader(packed)))
				if (err == nil) != (wrong == nil) || err == nil && !bytes.Equal(got, want) {
					t.Fatalf("word %d of %d bytes: %q, %v; with the other library %q, %v", n, length, got, err, want, wrong)
				}
				if err == nil {
					words++
					break
				}
			}
		}
	}
	if words != 2442 { // 99 transforms leave nothing of a word
		t.Errorf("%d words with transforms", words)
	}
}

// word returns a stream whose only command is for a word of a length, with what a transform adds of so many bytes.
func word(length, n, size int) []byte {
	w := new(bitWriter)
	w.put(0, 1)                    // the smallest header
	w.put(1, 1)                    // the last meta-block,
	w.put(0, 1)                    // which is not empty
	w.put(0, 2)                    // its size in 16 bits
	w.put(size-1, 16)              //
	w.put(0, 3+2+4+2+2)            // one kind of block of each; distances, contexts and trees as simple as can be
	code, extra, first := 0, 0, 2  // of the length
	for first+1<<extra <= length { //
		first += 1 << extra        //
		code++                     //
		extra = max(0, code-6) / 2 //
	} //
	command := []int{128, 192, 384}[code/8] // no literal
	w.simple(0, 8)
	w.simple(command+code%8, 10)
	high, offset := 0, 0
	for offset+2<<(high/2) <= n {
		offset += 2 << (high / 2)
		high++
	}
	w.simple(16+high, 6)
	w.put(length-first, extra)
	w.put(n-offset, 1+high/2)
	return append(w.bytes, byte(w.bits))
}

// A bitWriter writes bits as Brotli has them.
type bitWriter struct {
	bytes      []byte
	bits, held int
}

func (w *bitWriter) put(value, n int) {
	w.bits |= value << w.held
	for w.held += n; w.held >= 8; w.held -= 8 {
		w.bytes = append(w.bytes, byte(w.bits))
		w.bits >>= 8
	}
}

// simple writes a prefix code of one symbol.
func (w *bitWriter) simple(symbol, width int) {
	w.put(1, 4)
	w.put(symbol, width)
}

// TestDamaged: a stream that is cut, or longer than it should be, is an error, and what was whole before is read.
func TestDamaged(t *testing.T) {
	packed := coded(t, bytes.Repeat([]byte("tides and moons, "), 50), theirs.WriterOptions{Quality: 6})
	for n := range packed {
		if _, err := io.ReadAll(brotli.NewReader(bytes.NewReader(packed[:n]))); !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%d of %d bytes: %v", n, len(packed), err)
		}
	}
	if got, err := io.ReadAll(brotli.NewReader(bytes.NewReader(append(packed, 1)))); err == nil || len(got) != 17*50 {
		t.Errorf("a byte more: %d bytes, %v", len(got), err)
	}
	failed := errors.New("failed")
	if _, err := io.ReadAll(brotli.NewReader(io.MultiReader(bytes.NewReader(packed[:9]), iotest.ErrReader(failed)))); !errors.Is(err, failed) {
		t.Error(err)
	}
}

// TestFlushed: what a server has sent is read before it sends more.
func TestFlushed(t *testing.T) {
	in, out := io.Pipe()
	defer in.Close()
	sent := make(chan error, 1)
	go func() {
		w := theirs.NewWriter(out)
		w.Write([]byte("tides"))
		sent <- w.Flush() // and nothing more
	}()
	b := make([]byte, 10)
	if n, err := brotli.NewReader(in).Read(b); string(b[:n]) != "tides" || err != nil {
		t.Errorf("%q, %v", b[:n], err)
	}
	if err := <-sent; err != nil {
		t.Error(err)
	}
}

// FuzzReader: bytes, most of them no Brotli, give what they give another library, and an error where it has one.
func FuzzReader(f *testing.F) {
	for _, data := range samples(f) {
		for _, quality := range []int{0, 2, 5, 9, 11} {
			f.Add(coded(f, data[:min(len(data), 2000)], theirs.WriterOptions{Quality: quality, LGWin: 16}))
		}
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		const most = 1 << 20
		got, err := io.ReadAll(io.LimitReader(brotli.NewReader(bytes.NewReader(packed)), most))
		want, wrong := io.ReadAll(io.LimitReader(theirs.NewReader(bytes.NewReader(packed)), most))
		if len(got) == most || len(want) == most {
			return
		}
		if (err == nil) != (wrong == nil) {
			t.Fatalf("%v, and the other %v", err, wrong)
		}
		if err == nil && !bytes.Equal(got, want) {
			t.Fatalf("%d bytes, and the other %d, and not the same", len(got), len(want))
		}
	})
}

// BenchmarkReader decodes documents, by this package and by the other library.
func BenchmarkReader(b *testing.B) {
	data := samples(b)["documents"]
	packed := coded(b, data, theirs.WriterOptions{Quality: 5})
	for name, open := range map[string]func(io.Reader) io.Reader{
		"ours":   func(r io.Reader) io.Reader { return brotli.NewReader(r) },
		"theirs": func(r io.Reader) io.Reader { return theirs.NewReader(r) },
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				if _, err := io.Copy(io.Discard, open(bytes.NewReader(packed))); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
