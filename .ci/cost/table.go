package main

import (
	"bufio"
	"bytes"
	"cmp"
	"debug/elf"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A pack is a package that the program links, as go list describes it.
type pack struct {
	ImportPath string
	Imports    []string
	Module     *struct {
		Path     string
		Main     bool
		Indirect bool
	}
	spent time.Duration
	bytes int64
}

// module names what a package belongs to.
func (p *pack) module() string {
	switch {
	case p.Module == nil:
		return "Go's own library"
	case p.Module.Main:
		return "Orbweaver"
	}
	return p.Module.Path
}

// write measures, and writes the table of a document between its markers.
func write(folder, document string) error {
	if runtime.GOOS != "linux" {
		return errors.New("the table is that of a program for Linux")
	}
	os.Setenv("CGO_ENABLED", "0") // as it is released
	packs, err := linked()
	if err != nil {
		return err
	}
	binary := filepath.Join(folder, "orbweaver")
	spent, err := compile(folder, "build", "-o", binary, program)
	if err != nil {
		return err
	}
	var link time.Duration
	for _, c := range spent {
		if p := packs[c.Package]; p != nil && c.Mode == "build" {
			p.spent += c.Spent
		} else if c.Mode == "link" {
			link += c.Spent
		}
	}
	rest, err := weigh(binary, packs)
	if err != nil {
		return err
	}
	text, err := os.ReadFile(document)
	if err != nil {
		return err
	}
	const from, to = "<!-- cost -->\n", "<!-- /cost -->"
	head, tail, ok := strings.Cut(string(text), from)
	_, tail, end := strings.Cut(tail, to)
	if !ok || !end {
		return fmt.Errorf("%s lacks the markers %q", document, from+to)
	}
	return os.WriteFile(document, []byte(head+from+render(packs, link, rest)+to+tail), 0o644)
}

// linked returns the packages that the program links, by path.
func linked() (map[string]*pack, error) {
	list := exec.Command("go", "list", "-deps", "-json=ImportPath,Imports,Module", program)
	list.Stderr = os.Stderr
	text, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	packs := map[string]*pack{}
	for d := json.NewDecoder(bytes.NewReader(text)); ; {
		p := new(pack)
		if err := d.Decode(p); err == io.EOF {
			return packs, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packs[p.ImportPath] = p
	}
}

// weigh adds to each package the bytes of its symbols, and to those of its functions their part of the tables for stack traces;
// rest is what no package is told of: types, above all.
func weigh(binary string, packs map[string]*pack) (rest int64, err error) {
	file, err := elf.Open(binary)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	symbols, err := file.Symbols()
	if err != nil {
		return 0, err
	}
	var code, tables int64
	for _, s := range file.Sections {
		switch {
		case s.Name == ".text":
			code = int64(s.Size)
		case s.Name == ".gopclntab":
			tables = int64(s.Size)
		}
		if s.Flags&elf.SHF_ALLOC != 0 && s.Type != elf.SHT_NOBITS {
			rest += int64(s.Size)
		}
	}
	for _, s := range symbols {
		if int(s.Section) >= len(file.Sections) || file.Sections[s.Section].Type == elf.SHT_NOBITS {
			continue
		}
		p := packs[packageOf(s.Name)]
		if p == nil {
			continue
		}
		size := int64(s.Size)
		if file.Sections[s.Section].Name == ".text" {
			size += size * tables / code
		}
		p.bytes += size
		rest -= size
	}
	return rest, nil
}

// packageOf returns the path of the package of a symbol; that of a generic function is its own, whatever it is made for.
func packageOf(symbol string) string {
	symbol, _, _ = strings.Cut(symbol, "[")
	slash := strings.LastIndex(symbol, "/") + 1
	dot := strings.Index(symbol[slash:], ".")
	if dot < 0 {
		return ""
	}
	path := strings.NewReplacer("%2e", ".", "%2d", "-").Replace(symbol[:slash+dot])
	if path == "main" {
		return "orbweaver/cmd/orbweaver"
	}
	return path
}

// A share is what a module costs: by itself, and together with all that nothing else brings.
type share struct {
	name         string
	own, all     time.Duration
	bytes, whole int64
}

// render writes the table.
func render(packs map[string]*pack, link time.Duration, rest int64) string {
	shares, total := map[string]*share{}, share{name: "together"}
	for _, p := range packs {
		name := p.module()
		if shares[name] == nil {
			shares[name] = &share{name: name}
		}
		shares[name].own += p.spent
		shares[name].bytes += p.bytes
		total.own += p.spent
		total.bytes += p.bytes
	}
	rows := []*share{}
	for _, p := range packs {
		s := shares[p.module()]
		if p.Module == nil || p.Module.Main || p.Module.Indirect || slices.Contains(rows, s) {
			continue
		}
		rows = append(rows, s)
		left := reached(packs, s.name)
		for path, q := range packs {
			if !left[path] {
				s.all += q.spent
				s.whole += q.bytes
			}
		}
	}
	slices.SortFunc(rows, func(a, b *share) int {
		return cmp.Or(cmp.Compare(b.all, a.all), cmp.Compare(a.name, b.name))
	})
	var out strings.Builder
	w := bufio.NewWriter(&out)
	fmt.Fprint(w, "| library | s, its own | s, with what it alone brings | MB, its own | MB, with what it alone brings |\n|---|---|---|---|---|\n")
	few := share{}
	for _, s := range rows {
		if s.all < time.Second/2 && s.whole < 1e5 {
			few.all, few.own = few.all+s.all, few.own+s.own
			few.bytes, few.whole = few.bytes+s.bytes, few.whole+s.whole
			few.name += ", " + s.name
			continue
		}
		fmt.Fprintf(w, "| %s | %.1f | %.1f | %.2f | %.2f |\n", s.name, s.own.Seconds(), s.all.Seconds(), float64(s.bytes)/1e6, float64(s.whole)/1e6)
	}
	if few.name != "" {
		fmt.Fprintf(w, "| the others%s | %.1f | %.1f | %.2f | %.2f |\n", strings.Replace(few.name, ",", ":", 1),
			few.own.Seconds(), few.all.Seconds(), float64(few.bytes)/1e6, float64(few.whole)/1e6)
	}
	for _, name := range []string{"Orbweaver", "Go's own library"} {
		fmt.Fprintf(w, "| %s | %.1f | | %.2f | |\n", name, shares[name].own.Seconds(), float64(shares[name].bytes)/1e6)
	}
	fmt.Fprintf(w, "| linking; types, and what belongs to no package | %.1f | | %.2f | |\n", link.Seconds(), float64(rest)/1e6)
	fmt.Fprintf(w, "| all, with what several bring | %.1f | | %.2f | |\n", (total.own + link).Seconds(), float64(total.bytes+rest)/1e6)
	w.Flush()
	return out.String()
}

// reached returns the packages that the program would link if a module had none.
func reached(packs map[string]*pack, without string) map[string]bool {
	found := map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		p := packs[path]
		if p == nil || found[path] || p.module() == without {
			return
		}
		found[path] = true
		for _, to := range p.Imports {
			visit(to)
		}
	}
	visit("orbweaver/cmd/orbweaver")
	return found
}
