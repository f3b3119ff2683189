package archive

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha1"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"orbweaver"
)

// Removed is the result of Remove.
type Removed struct {
	Mark    Mark   // of the archive from now on; the caller commits it
	Answers int    // responses and revisits that were removed, each with its request
	Bytes   int64  // that were overwritten, those of moved answers included
	Moved   []Move // answers that stay, at other places
	Resumed bool   // an earlier call's removal was finished, and removed was not asked: call again with the new mark
}

// A Move is the old and the new place of an answer.
type Move struct{ From, To orbweaver.Ref }

// Remove removes the answers of an archive that lies up to a mark, and their requests, by target URI. removed is a function of the URI
// alone, and is asked several times. No process may write to the archive.
//
// Removed records are overwritten in their place by metadata records of spaces, so that all other records keep their places, and their
// lines leave the index. A revisit that stays and repeats the payload of a removed response names the removed page: it is written anew
// at the end of the archive under its own id and date, the first of each payload as a whole response, the others as revisits of
// it, and the old one is overwritten. The requests move with them. Removed tells their places.
//
// Remove may be killed at any time. Until its result's mark is committed, a call with the old mark does the same again, with the same
// result and the same bytes, and OpenWriter refuses that mark. What was begun is finished as it was begun: see Removed.Resumed.
// A mark that is committed ends the removal: OpenWriter and the next Remove forget it. All is synced when Remove returns.
//
// It finds the records by the index, which has a line for each answer, and takes everything between an answer and the one before for its
// request. Memory holds the places of what is overwritten, and the index lines and digests of what moves. progress, which may be nil, is
// told bytes read and overwritten, and how many there are, which grows. The error wraps ErrDamaged if the index or a record
// that must move cannot be read; nothing is removed then.
func Remove(ctx context.Context, dir string, mark Mark, removed func(targetURI string) bool, progress func(done, total int64)) (Removed, error) {
	r := &removal{ctx: ctx, disk: disk{}, dir: dir, removed: removed, progress: progress}
	return r.run(mark)
}

// A removal is one call of Remove.
type removal struct {
	ctx      context.Context
	disk     files
	dir      string
	maxFile  int64 // 0: the default
	removed  func(targetURI string) bool
	progress func(done, total int64)

	done, total int64
	writer      *Writer // appends what moves
	plan        plan
	payloads    map[[sha1.Size]byte]*payload // of removed responses
	movers      []mover
	next        *bufio.Writer // the new index
	length      int64         // of next
}

// maxBlank is the length from which a blank is not extended over the next record.
const maxBlank = 16 << 20

func (r *removal) run(mark Mark) (Removed, error) {
	if mark.File == "" {
		return Removed{Mark: mark}, nil
	}
	begun, err := readPlan(r.dir)
	if err != nil {
		return Removed{}, err
	}
	resumed := begun != nil && !begun.settled(mark)
	switch {
	case resumed && begun.From != mark:
		return Removed{}, fmt.Errorf("archive %s: %w: of the marks %+v and %+v, not %+v", r.dir, ErrUnfinished, begun.From, begun.To, mark)
	case resumed:
		r.plan = *begun
	default:
		if err := r.prepare(mark); err != nil {
			return Removed{}, fmt.Errorf("archive %s: %w", r.dir, err)
		}
	}
	if err := r.finish(); err != nil {
		return Removed{}, fmt.Errorf("archive %s: %w", r.dir, err)
	}
	return r.plan.result(resumed), nil
}

// prepare plans a removal and appends what moves. Nothing is overwritten yet.
func (r *removal) prepare(mark Mark) (err error) {
	opts := WriterOptions{Prefix: strings.TrimSuffix(mark.File, fileSuffix(mark.Seq)), MaxFile: r.maxFile}
	if r.writer, err = openFiles(r.disk, r.dir, mark, opts); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.writer.closeFiles()) }()
	r.plan = plan{From: mark, To: mark}
	r.total = 2 * mark.Index
	if err := r.find(); err != nil || r.plan.Answers == 0 {
		return err
	}
	file, err := r.disk.Open(filepath.Join(r.dir, nextName), os.O_CREATE|os.O_TRUNC)
	if err != nil {
		return err
	}
	r.next = bufio.NewWriterSize(io.NewOffsetWriter(file, 0), 256<<10)
	err = r.divide()
	if err == nil {
		err = r.moveAll()
	}
	if err == nil {
		err = r.next.Flush()
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	if err := r.writer.Sync(); err != nil {
		return err
	}
	if err := r.disk.SyncFolder(r.dir); err != nil {
		return err
	}
	r.plan.To = r.writer.Mark()
	r.plan.To.Index = r.length
	return r.plan.write(r.disk, r.dir)
}

// lines calls see with each line of the index up to the mark.
func (r *removal) lines(see func(text []byte, line *cdxLine, ref orbweaver.Ref) error) error {
	mark := r.plan.From
	file, err := os.Open(filepath.Join(r.dir, partName))
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReaderSize(io.NewSectionReader(file, 0, mark.Index), 256<<10)
	for n := 1; ; n++ {
		text, err := in.ReadBytes('\n')
		if err == io.EOF && len(text) == 0 {
			return nil
		}
		if err != nil && err != io.EOF {
			return err
		}
		line, ref, parsed := parseLine(text)
		seq, known := r.writer.fileNumber(ref.File)
		sane := ref.Offset >= 0 && ref.Length > 0 && (seq < mark.Seq || seq == mark.Seq && ref.Offset+ref.Length <= mark.Length)
		if err == io.EOF || !parsed || !known || !sane {
			return fmt.Errorf("%s:%d: %w: no index line", partName, n, orbweaver.ErrDamaged)
		}
		line.key, line.timestamp = cutKey(text)
		if err := see(text, &line, ref); err != nil {
			return err
		}
		if err := r.step(int64(len(text))); err != nil {
			return err
		}
	}
}

// cutKey returns what precedes the JSON of a line.
func cutKey(text []byte) (key, timestamp string) {
	k, rest, _ := bytes.Cut(text, []byte(" "))
	at, _, _ := bytes.Cut(rest, []byte(" "))
	return string(k), string(at)
}

// step counts n bytes of work.
func (r *removal) step(n int64) error {
	const rarely = 1 << 20
	before := r.done
	r.done += n
	if before/rarely != r.done/rarely || r.done == r.total {
		if r.progress != nil {
			r.progress(r.done, r.total)
		}
		return r.ctx.Err()
	}
	return nil
}

// find counts what is removed, and notes its payloads.
func (r *removal) find() error {
	r.payloads = map[[sha1.Size]byte]*payload{}
	return r.lines(func(_ []byte, line *cdxLine, ref orbweaver.Ref) error {
		if !r.removed(line.URL) {
			return nil
		}
		r.plan.Answers++
		sum, ok := parseDigest(line.Digest)
		if ok && line.Mime != mimeRevisit && line.Digest != emptyDigest && r.payloads[sum] == nil {
			r.payloads[sum] = &payload{from: ref}
		}
		return nil
	})
}

// divide writes the lines of what stays to the new index, and notes the other answers' ranges and what moves.
func (r *removal) divide() error {
	file, end := "", int64(0) // of the record before
	return r.lines(func(text []byte, line *cdxLine, ref orbweaver.Ref) error {
		if ref.File != file {
			file, end = ref.File, 0
		}
		from := end
		end = ref.Offset + ref.Length
		if ref.Offset < from {
			return fmt.Errorf("%s at byte %d: %w: the index has it out of order", ref.File, ref.Offset, orbweaver.ErrDamaged)
		}
		sum, ok := parseDigest(line.Digest)
		repeated := r.payloads[sum]
		gone := r.removed(line.URL)
		switch {
		case gone:
		case !ok || repeated == nil:
			return r.addLine(text)
		case line.Mime != mimeRevisit:
			repeated.kept = ref
			return r.addLine(text)
		}
		if from == 0 {
			var err error
			if from, err = r.afterInfo(ref); err != nil {
				return err
			}
		}
		if !gone {
			asked := r.requestBefore(ref, from, line.URL)
			r.movers = append(r.movers, mover{ref: ref, asked: asked, line: *line})
		}
		return r.cover(orbweaver.Ref{File: ref.File, Offset: from, Length: end - from})
	})
}

func (r *removal) addLine(text []byte) error {
	r.length += int64(len(text))
	_, err := r.next.Write(text)
	return err
}

// cover adds a range to those that are overwritten.
func (r *removal) cover(at orbweaver.Ref) error {
	if _, fits := blankAt(at); !fits {
		return fmt.Errorf("%s at byte %d: %w: %d bytes are no record", at.File, at.Offset, orbweaver.ErrDamaged, at.Length)
	}
	r.total += at.Length
	if n := len(r.plan.Blank); n > 0 {
		last := &r.plan.Blank[n-1]
		if last.File == at.File && last.Offset+last.Length == at.Offset && last.Length+at.Length <= maxBlank {
			last.Length += at.Length
			return nil
		}
	}
	r.plan.Blank = append(r.plan.Blank, at)
	return nil
}

// finish does what is planned.
func (r *removal) finish() error {
	for i := 0; i < len(r.plan.Blank); {
		n := i + 1
		for n < len(r.plan.Blank) && r.plan.Blank[n].File == r.plan.Blank[i].File {
			n++
		}
		if err := r.blankAll(r.plan.Blank[i:n]); err != nil {
			return err
		}
		i = n
	}
	part, next := filepath.Join(r.dir, partName), filepath.Join(r.dir, nextName)
	_, err := os.Stat(next)
	switch {
	case r.plan.From == r.plan.To || errors.Is(err, fs.ErrNotExist): // nothing is removed, or it was renamed before
	case err != nil:
		return err
	default:
		if err := r.disk.Rename(next, part); err != nil {
			return err
		}
	}
	if err := checkLength(part, r.plan.To.Index); err != nil {
		return err
	}
	if err := r.disk.SyncFolder(r.dir); err != nil {
		return err
	}
	return sortIndex(r.disk, part, filepath.Join(r.dir, indexName), sortRun)
}

// blankAll overwrites ranges of one file.
func (r *removal) blankAll(ranges []orbweaver.Ref) error {
	file, err := r.disk.Open(filepath.Join(r.dir, ranges[0].File), 0)
	if err != nil {
		return err
	}
	for _, at := range ranges {
		b, fits := blankAt(at)
		if !fits {
			err = fmt.Errorf("%s: %w: a range of %d bytes", planName, orbweaver.ErrDamaged, at.Length)
		} else if err = b.write(file); err == nil {
			err = r.step(at.Length)
		}
		if err != nil {
			return errors.Join(err, file.Close())
		}
	}
	return errors.Join(file.Sync(), file.Close())
}
