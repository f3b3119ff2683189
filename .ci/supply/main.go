// Command supply lists what builds of Orbweaver are made of: `licences` prints the licence texts of all linked modules
// and of the packages in the studio's scripts, `sbom` a CycloneDX document of them. It fails if a module has no licence text.
// Builds are those for the platforms given as GOOS/GOARCH, together, or that for this machine.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A module is a linked module, as go list describes it.
type module struct {
	Path, Version, Dir, Sum string
	Main                    bool
}

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "supply:", err)
		os.Exit(1)
	}
}

func run(args []string, out io.Writer) error {
	if len(args) == 0 || args[0] != "licences" && args[0] != "sbom" {
		return errors.New("usage: go run ./.ci/supply licences|sbom [GOOS/GOARCH...]")
	}
	modules, err := linked(args[1:])
	if err != nil {
		return err
	}
	texts, err := licences(modules)
	if err != nil {
		return err
	}
	if args[0] == "sbom" {
		return sbom(out, modules, texts)
	}
	for i, m := range modules {
		for _, text := range texts[i] {
			fmt.Fprintf(out, "==== %s %s: %s\n\n%s\n", m.Path, m.Version, text.name, strings.TrimSpace(text.text))
		}
	}
	for _, folder := range carried() {
		licence, err := os.ReadFile(filepath.Join(folder, "LICENSE"))
		if err != nil {
			return err
		}
		fmt.Fprintf(out, "==== data in %s: LICENSE\n\n%s\n\n", folder, bytes.TrimSpace(licence))
	}
	scripts, err := os.ReadFile(scriptLicences)
	if err == nil {
		_, err = out.Write(scripts)
	}
	return err
}

// carried are the folders of this module with data of others, each with its licence.
func carried() []string { return []string{"internal/coding/brotli", "text/tag/prose"} }

// scriptLicences has the licence texts of the packages in the studio's scripts, each under a line of its name and version.
const scriptLicences = "studio/assets/files/LICENSES.txt"

// scripts returns the packages in the studio's scripts, as name and version.
func scripts() (packages [][2]string, err error) {
	text, err := os.ReadFile(scriptLicences)
	for _, found := range regexp.MustCompile(`(?m)^==== (\S+) (\S+): `).FindAllStringSubmatch(string(text), -1) {
		if p := [2]string{found[1], found[2]}; !slices.Contains(packages, p) {
			packages = append(packages, p)
		}
	}
	if err == nil && len(packages) == 0 {
		err = fmt.Errorf("%s names no package", scriptLicences)
	}
	return packages, err
}

// linked returns the modules whose packages the program links on any of the platforms, in the order of their paths. The standard
// library stands for the module "std".
func linked(platforms []string) ([]module, error) {
	if len(platforms) == 0 {
		platforms = []string{os.Getenv("GOOS") + "/" + os.Getenv("GOARCH")} // empty: those of this machine
	}
	var text []byte
	for _, platform := range platforms {
		system, processor, ok := strings.Cut(platform, "/")
		if !ok {
			return nil, fmt.Errorf("%s: want GOOS/GOARCH", platform)
		}
		list := exec.Command("go", "list", "-deps", "-json=Module,Standard", "./cmd/orbweaver")
		list.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor)
		list.Stderr = os.Stderr
		listed, err := list.Output()
		if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		text = append(text, listed...)
	}
	root, err := exec.Command("go", "env", "GOROOT", "GOVERSION").Output()
	if err != nil {
		return nil, fmt.Errorf("go env: %w", err)
	}
	dir, version, _ := strings.Cut(strings.TrimSpace(string(root)), "\n")
	found := map[string]module{"std": {Path: "std", Version: version, Dir: dir}}
	for d := json.NewDecoder(strings.NewReader(string(text))); ; {
		var p struct{ Module *module }
		if err := d.Decode(&p); err == io.EOF {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if p.Module != nil && !p.Module.Main {
			found[p.Module.Path] = *p.Module
		}
	}
	var modules []module
	for _, m := range found {
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return modules, nil
}

// A text is a licence or a notice.
type text struct{ name, text string }

// licences returns the texts of each module: those in its folder, and in folders below that hold other people's work.
func licences(modules []module) ([][]text, error) {
	named := regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|copyright|ftl|gpl|ofl|patents|unlicense)([-._].*)?$`)
	all := make([][]text, len(modules))
	var missing []error
	for i, m := range modules {
		err := filepath.WalkDir(m.Dir, func(path string, d os.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && path != m.Dir && (m.Path == "std" || d.Name() == "testdata"):
				return filepath.SkipDir
			case d.IsDir() || !named.MatchString(d.Name()) || strings.HasSuffix(d.Name(), ".go"):
				return nil
			}
			b, err := os.ReadFile(path)
			name, _ := filepath.Rel(m.Dir, path)
			all[i] = append(all[i], text{name, string(b)})
			return err
		})
		if err != nil {
			return nil, err
		}
		if len(all[i]) == 0 {
			missing = append(missing, fmt.Errorf("%s %s has no licence text in %s", m.Path, m.Version, m.Dir))
		}
	}
	return all, errors.Join(missing...)
}

// sbom writes CycloneDX 1.5.
func sbom(out io.Writer, modules []module, texts [][]text) error {
	type object map[string]any
	var components []object
	for i, m := range modules {
		var files []string
		for _, t := range texts[i] {
			files = append(files, t.name)
		}
		components = append(components, object{
			"type": "library", "name": m.Path, "version": m.Version, "purl": "pkg:golang/" + m.Path + "@" + m.Version, "bom-ref": m.Path + "@" + m.Version,
			"properties": []object{{"name": "go:sum", "value": m.Sum}, {"name": "licence files", "value": strings.Join(files, " ")}},
		})
	}
	bundled, err := scripts()
	if err != nil {
		return err
	}
	for _, p := range bundled {
		components = append(components, object{
			"type": "library", "name": p[0], "version": p[1], "purl": "pkg:npm/" + strings.Replace(p[0], "@", "%40", 1) + "@" + p[1], "bom-ref": "npm/" + p[0] + "@" + p[1],
			"properties": []object{{"name": "licence files", "value": scriptLicences}},
		})
	}
	e := json.NewEncoder(out)
	e.SetIndent("", " ")
	return e.Encode(object{
		"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
		"metadata":   object{"component": object{"type": "application", "name": "orbweaver"}},
		"components": components,
	})
}
