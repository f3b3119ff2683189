package orcatest

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"iter"
	"net/http"
	"strconv"
	"strings"

	"github.com/klauspost/compress/zstd"

	"orbweaver/rdf"
)

// sendPacked sends statements in a form such as "nt.gz", "zip" or "tar.xz".
func (n *Node) sendPacked(w http.ResponseWriter, form string, all iter.Seq[rdf.Triple]) {
	body, err := n.packed(form, all)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	mediaType := mediaTypes[form]
	if mediaType == "" {
		mediaType = "application/octet-stream"
	}
	w.Header().Set("Content-Type", mediaType)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body) // the client may have left
}

// packed returns statements in a form. Archives have a text, and two documents of RDF in two syntaxes.
func (n *Node) packed(form string, all iter.Seq[rdf.Triple]) ([]byte, error) {
	var b bytes.Buffer
	inner, outer, _ := strings.Cut(form, ".")
	switch form {
	case "tgz":
		inner, outer = "tar", "gz"
	case "zip", "nt.zip", "trig.zip":
		z := zip.NewWriter(&b)
		first := "ttl"
		if outer == "zip" {
			first = inner
		}
		for i, member := range []string{"readme.txt", "one." + first, "two.nt"} {
			w, err := z.Create(member)
			if err != nil {
				return nil, err
			}
			writeMember(w, i, member, all)
		}
		err := z.Close()
		return b.Bytes(), err
	case "xz":
		inner, outer = "nt", "xz"
	}
	if inner == "tar" {
		if err := tarred(&b, all); err != nil {
			return nil, err
		}
	} else {
		write(&b, inner, all)
	}
	switch outer {
	case "":
		return b.Bytes(), nil
	case "gz":
		var out bytes.Buffer
		z := gzip.NewWriter(&out)
		_, _ = z.Write(b.Bytes()) // a Buffer never fails
		err := z.Close()
		return out.Bytes(), err
	case "zst":
		var out bytes.Buffer
		z, err := zstd.NewWriter(&out)
		if err != nil {
			return nil, err
		}
		_, _ = z.Write(b.Bytes())
		err = z.Close()
		return out.Bytes(), err
	}
	program := map[string]string{"bz2": "bzip2", "xz": "xz"}[outer]
	if n.web.opts.Compress[program] == nil {
		return nil, fmt.Errorf("%s: no such program", program)
	}
	return n.web.opts.Compress[program](b.Bytes())
}

// writeMember writes a member of an archive: a text, and the statements in two parts.
func writeMember(w io.Writer, i int, name string, all iter.Seq[rdf.Triple]) {
	if i == 0 {
		fmt.Fprintln(w, "These are statements in two files.")
		return
	}
	write(w, name[strings.LastIndexByte(name, '.')+1:], part(all, i-1, 2))
}

// tarred writes a tar file.
func tarred(w io.Writer, all iter.Seq[rdf.Triple]) error {
	t := tar.NewWriter(w)
	for i, member := range []string{"data/README", "data/one.ttl", "data/two.nt"} {
		var b bytes.Buffer
		writeMember(&b, i, member, all)
		err := t.WriteHeader(&tar.Header{Name: member, Mode: 0o644, Size: int64(b.Len())})
		if err == nil {
			_, err = t.Write(b.Bytes())
		}
		if err != nil {
			return err
		}
	}
	return t.Close()
}
