package bus

import (
	"context"
	"encoding/json"
	"fmt"
)

const lessonKey = "learned."

// A lesson is the entry of what a worker has learned.
type lesson struct {
	Pages int64 `json:"pages"`
	Slot  int   `json:"slot"` // of two files, in turn: one that is read stays while the next is written
}

// lessonFile names the file of what a worker has learned.
func (b *Bus) lessonFile(worker string, slot int) string {
	return fmt.Sprintf("%s/learned/%s/%d", b.o.Crawl, worker, slot)
}

// Teach publishes what this worker has learned from a number of pages, in place of what it published before. What the servers lose stands again with the next
// call.
func (b *Bus) Teach(ctx context.Context, pages int64, body []byte) error {
	var last lesson
	revision, err := b.get(ctx, lessonKey+b.o.Worker, &last)
	if err == nil {
		err = b.PutFile(ctx, b.lessonFile(b.o.Worker, 1-last.Slot&1), body)
	}
	if err == nil {
		_, err = b.put(ctx, lessonKey+b.o.Worker, lesson{pages, 1 - last.Slot&1}, revision)
	}
	if err != nil {
		return fmt.Errorf("publish what was learned: %w", err)
	}
	return nil
}

// Lessons returns from how many pages each worker has learned what it published, by its name.
func (b *Bus) Lessons(ctx context.Context) (pages map[string]int64, err error) {
	all, err := b.under(ctx, lessonKey)
	if err != nil {
		return nil, fmt.Errorf("what workers have learned: %w", err)
	}
	pages = map[string]int64{}
	for worker, body := range all {
		var one lesson
		if err := json.Unmarshal(body, &one); err != nil {
			return nil, fmt.Errorf("what %s has learned: %w", worker, err)
		}
		pages[worker] = one.Pages
	}
	return pages, nil
}

// Lesson returns what a worker has published.
func (b *Bus) Lesson(ctx context.Context, worker string) ([]byte, error) {
	var last lesson
	if _, err := b.get(ctx, lessonKey+worker, &last); err != nil {
		return nil, fmt.Errorf("what %s has learned: %w", worker, err)
	}
	return b.File(ctx, b.lessonFile(worker, last.Slot))
}
