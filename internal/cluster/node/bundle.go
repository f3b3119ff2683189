package node

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/klauspost/compress/zstd"

	"orbweaver"
	"orbweaver/internal/atomicfile"
	"orbweaver/internal/cluster/bus"
	"orbweaver/internal/crawlfile"
	"orbweaver/internal/crawlfolder"
)

// A bundle is a crawl file as run and the files that it names, in a compressed tar: crawl.yaml first, in which place stands for the folder of the others.
const place = "/{bundle}/"

// bundled returns a crawl's bundle. Files and folders that the crawl file names are in it, but none that a pattern or another value only looks like.
func bundled(c *crawlfile.Crawl) ([]byte, error) {
	text, err := c.Marshal()
	if err != nil {
		return nil, err
	}
	var doc any
	if err := yaml.UnmarshalWithOptions(text, &doc, yaml.UseOrderedMap()); err != nil {
		return nil, err
	}
	var names []string
	named := map[string]string{}
	doc = replaced(doc, "", func(key, value string) string {
		at := value
		if strings.HasPrefix(value, "../") { // as run, paths are relative to the crawl folder
			at = filepath.Join(c.Output, value)
		}
		if key == "output" || key == "cluster" || !filepath.IsAbs(at) {
			return value
		}
		if _, err := os.Stat(at); err != nil {
			return value
		}
		if named[at] == "" {
			named[at] = fmt.Sprintf("%03d/%s", len(names), filepath.Base(at))
			names = append(names, at)
		}
		return place + named[at]
	})
	if text, err = yaml.Marshal(doc); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	z, err := zstd.NewWriter(&b)
	if err != nil {
		return nil, err
	}
	t := tar.NewWriter(z)
	err = add(t, crawlfolder.RunFile, int64(len(text)), bytes.NewReader(text))
	for _, name := range names {
		if err == nil {
			err = addTree(t, name, named[name])
		}
	}
	if err = errors.Join(err, t.Close(), z.Close()); err != nil {
		return nil, err
	}
	if b.Len() > bus.MaxFile {
		return nil, fmt.Errorf("the files that the crawl file names are larger than %d MB packed: put them where all nodes have them under the same path (%w)", bus.MaxFile>>20, orbweaver.ErrInput)
	}
	return b.Bytes(), nil
}

// replaced replaces each text of a value; do gets it with the key at the top under which it stands.
func replaced(v any, key string, do func(key, value string) string) any {
	switch v := v.(type) {
	case string:
		return do(key, v)
	case yaml.MapSlice:
		for i, item := range v {
			under := key
			if under == "" {
				under = fmt.Sprint(item.Key)
			}
			v[i].Value = replaced(item.Value, under, do)
		}
	case []any:
		for i := range v {
			v[i] = replaced(v[i], key, do)
		}
	}
	return v
}

func add(t *tar.Writer, name string, size int64, from io.Reader) error {
	if err := t.WriteHeader(&tar.Header{Name: name, Mode: 0o600, Size: size}); err != nil {
		return err
	}
	_, err := io.CopyN(t, from, size)
	return err
}

// addTree adds a file, or all files below a folder.
func addTree(t *tar.Writer, root, as string) error {
	return filepath.WalkDir(root, func(at string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := os.Stat(at)
		if err != nil || !info.Mode().IsRegular() {
			return err
		}
		below, err := filepath.Rel(root, at)
		if err != nil {
			return err
		}
		f, err := os.Open(at)
		if err != nil {
			return err
		}
		return errors.Join(add(t, path.Join(as, filepath.ToSlash(below)), info.Size(), f), f.Close())
	})
}

// unpacked returns the crawl file of a crawl at this node, with what it names beside it.
func (n *Node) unpacked(ctx context.Context, crawl string, notice Notice) (file string, err error) {
	into := filepath.Join(n.o.Folder, "crawls", crawl, "input-"+notice.Files)
	file = filepath.Join(into, crawlfolder.RunFile)
	if _, err := os.Stat(file); err == nil {
		return file, nil
	}
	body, err := n.board.File(ctx, notice.Files)
	if err != nil {
		return "", err
	}
	partial := into + crawlfolder.Partial
	err = os.RemoveAll(partial)
	if err == nil {
		err = unpack(body, partial, into)
	}
	if err == nil {
		err = atomicfile.Place(partial, into)
	}
	if err != nil {
		return "", fmt.Errorf("the files of crawl %s: %w", crawl, err)
	}
	return file, nil
}

// unpack writes a bundle's files into a folder, which gets the name final later.
func unpack(body []byte, folder, final string) error {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(folder) // nothing in it leads elsewhere
	if err != nil {
		return err
	}
	defer root.Close()
	z, err := zstd.NewReader(bytes.NewReader(body), zstd.WithDecoderMaxMemory(bus.MaxFile))
	if err != nil {
		return err
	}
	defer z.Close()
	for t := tar.NewReader(z); ; {
		h, err := t.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		content, err := io.ReadAll(t)
		if err != nil {
			return err
		}
		if h.Name == crawlfolder.RunFile {
			content = []byte(strings.ReplaceAll(string(content), place, final+"/"))
		} else if err := root.MkdirAll(path.Dir(h.Name), 0o700); err != nil {
			return err
		}
		if err := root.WriteFile(h.Name, content, 0o600); err != nil {
			return err
		}
	}
}
