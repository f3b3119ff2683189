package engine_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"orbweaver"
	"orbweaver/internal/pipeline"
	"orbweaver/internal/step"
	"orbweaver/ledger"
)

// A miser chooses by what was decided before: it renders a page if the number of pages decided so far, or that of those it rendered, says so.
type miser struct {
	mu                sync.Mutex
	decided, rendered int
	choices           int
}

func (m *miser) choose() bool { return (m.decided+m.rendered)%3 == 0 }

func (m *miser) Render(_ context.Context, _ *step.Response, _ []byte, p *orbweaver.Page, _ pipeline.Get) (*orbweaver.Page, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.choices++
	r := &step.Rendering{Scripts: step.ScriptsLeft, Why: "it says so"}
	p.Rendering = r
	if m.choose() {
		r.Scripts = step.ScriptsChanged
	}
	return p, nil
}

func (m *miser) Stands(p *orbweaver.Page) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.choose() == (p.Rendering.(*step.Rendering).Scripts == step.ScriptsChanged)
}

func (m *miser) Learn(p *orbweaver.Page) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.decided++
	if p.Rendering.(*step.Rendering).Scripts == step.ScriptsChanged {
		m.rendered++
	}
}

// TestChoicesStand: what is chosen for a page of an archive depends on the pages decided before, and not on what was read ahead; what was chosen is in the
// outcomes.
func TestChoicesStand(t *testing.T) {
	w := randomWeb(300, 4)
	var want string
	for _, workers := range []int{1, 2, 8, 32} {
		dir := t.TempDir()
		m := &miser{}
		if _, err := (session{web: w, focus: focus{}, workers: workers, render: m}).run(t, dir); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, ledger.JournalFile))
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = string(got)
		}
		if string(got) != want {
			t.Errorf("%d workers: another crawl", workers)
		}
		if n := strings.Count(want, `"changed"`); n != m.rendered || n < 50 || m.choices < m.decided {
			t.Errorf("%d workers: %d pages rendered, the outcomes have %d; %d choices for %d pages", workers, m.rendered, n, m.choices, m.decided)
		}
	}
}
