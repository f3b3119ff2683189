package pages

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"

	"orbweaver"
	"orbweaver/studio/workspace"
)

// maxUpload is the size of a form with files, and maxUploads the number of its files.
const (
	maxUpload  = 4 * workspace.MaxFile
	maxUploads = 200
)

// writer shows a page to whoever may change something.
func (h *Handler) writer(p page) page {
	return func(w http.ResponseWriter, r *http.Request) error {
		if !h.MayWrite(r) {
			h.readOnly(w, r)
			return nil
		}
		return p(w, r)
	}
}

// answer answers a form with a page.
func (h *Handler) answer(pattern string, most int64, p page) {
	h.mux.HandleFunc(pattern, func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, most)
		if err := h.writer(p)(w, r); err != nil {
			h.fail(w, r, err)
		}
	})
}

// A way to begin a crawl.
type way struct{ From, Label, Says string }

// ways are the ways to begin.
var ways = []way{
	{"words", "Words", "You know a few words that the pages have. The simplest way."},
	{"ontology", "Ontology", "You have an ontology or a vocabulary (OWL, RDFS, SKOS): pages are judged by what it says of your topic."},
	{"documents", "Documents", "You have texts on the topic: the crawl learns it from them, and finds pages like them."},
	{"item", "A page", "You have one page, and look for others with the same information."},
	{"terms", "Terms", "You publish data, and look for vocabularies and datasets with classes like yours."},
	{"copy", "Another crawl", "You begin with the crawl file of a crawl that is here already."},
}

// newView is the page that asks how to begin.
type newView struct {
	Frame
	Ways       []way
	From       way
	Values     url.Values // as typed
	Problem    string
	Ontologies []workspace.File
	Documents  []workspace.File
	Topics     []string // folders of topics that were learned
	Crawls     []string
	CSS        string
}

// Given is a value as it was typed.
func (v newView) Given(name string) string { return v.Values.Get(name) }

// A fileChoice is a file that may be chosen.
type fileChoice struct {
	workspace.File
	Chosen bool
}

// Choices are files of the workspace with what was chosen of them.
func (v newView) Choices(files []workspace.File) (all []fileChoice) {
	for _, f := range files {
		all = append(all, fileChoice{f, v.Chosen("file", f.Name)})
	}
	return all
}

// Chosen reports whether a value was chosen.
func (v newView) Chosen(name, value string) bool { return slices.Contains(v.Values[name], value) }

// newCrawl asks how to begin.
func (h *Handler) newCrawl(w http.ResponseWriter, r *http.Request) error {
	return h.showNew(w, r, http.StatusOK, r.URL.Query().Get("from"), r.URL.Query(), "")
}

// showNew shows the form of a way to begin.
func (h *Handler) showNew(w http.ResponseWriter, r *http.Request, status int, from string, values url.Values, problem string) error {
	v := newView{Frame: h.frame(r, "New crawl"), Ways: ways, Values: values, Problem: problem, CSS: h.Asset("new.css")}
	i := max(0, slices.IndexFunc(ways, func(w way) bool { return w.From == from }))
	v.From = ways[i]
	all, err := h.Workspace.Files()
	if err != nil {
		return err
	}
	for _, f := range all {
		switch f.Kind {
		case "ontology":
			v.Ontologies = append(v.Ontologies, f)
		case "documents", "archive":
			v.Documents = append(v.Documents, f)
		}
	}
	if v.From.From == "documents" {
		models, err := h.Workspace.Models()
		if err != nil {
			return err
		}
		for _, m := range models {
			if m.Kind == "krs" {
				v.Topics = append(v.Topics, m.Name)
			}
		}
	}
	if v.From.From == "copy" {
		crawls, err := h.Workspace.Crawls(r.Context())
		if err != nil {
			return err
		}
		for _, c := range crawls {
			if c.File != "" {
				v.Crawls = append(v.Crawls, c.ID)
			}
		}
	}
	return h.show(w, status, "new", v)
}

// begin makes a draft of what was said, and shows it in the editor. What is wrong is shown beside the form, as it was typed.
func (h *Handler) begin(w http.ResponseWriter, r *http.Request) error {
	done, err := parseUpload(r)
	defer done()
	if err != nil {
		return err
	}
	from := r.PostForm.Get("from")
	b, err := h.beginning(r, from)
	var text string
	if err == nil {
		text, err = h.Workspace.Draft(r.Context(), b)
	}
	if err != nil {
		return h.showNew(w, r, http.StatusUnprocessableEntity, from, r.PostForm, err.Error())
	}
	d := draft{Name: cmp.Or(strings.TrimSpace(r.PostForm.Get("name")), h.freeName(r, stem(b))), Text: text}
	return h.showDraft(w, r, http.StatusOK, d)
}

// beginning reads the form of a way to begin.
func (h *Handler) beginning(r *http.Request, from string) (b workspace.Beginning, err error) {
	f := r.PostForm
	lines := func(name string) []string { return strings.Split(strings.ReplaceAll(f.Get(name), "\r\n", "\n"), "\n") }
	b.Contact = strings.TrimSpace(f.Get("contact"))
	for _, line := range lines("seeds") {
		b.Seeds = append(b.Seeds, strings.Fields(line)...)
	}
	switch from {
	case "words":
		if b.Words = lines("words"); strings.Trim(f.Get("words"), " ,\r\n") == "" {
			return b, fmt.Errorf("write the words that the pages have (%w)", orbweaver.ErrInput)
		}
	case "ontology":
		b.Target = lines("target")
		b.Ontology, err = h.taken(r, "ontologies")
	case "documents":
		if b.KRS = f.Get("krs"); b.KRS != "" {
			b.Topic = strings.TrimSuffix(path.Base(b.KRS), ".krs")
			break
		}
		b.Topic = strings.TrimSpace(f.Get("topic"))
		b.Documents, err = h.taken(r, "documents")
	case "item":
		if b.Item = strings.TrimSpace(f.Get("item")); b.Item == "" {
			var names []string
			if names, err = h.taken(r, "documents"); err == nil {
				b.Item = names[0]
			}
		}
	case "terms":
		b.Terms, b.Endpoints, b.Dumps = lines("terms"), lines("endpoints"), f["file"]
		if strings.TrimSpace(f.Get("terms")) == "" {
			return b, fmt.Errorf("write the terms: classes by IRI or by words (%w)", orbweaver.ErrInput)
		}
	case "copy":
		if b.Copy = f.Get("copy"); b.Copy == "" {
			return b, fmt.Errorf("choose a crawl (%w)", orbweaver.ErrInput)
		}
	default:
		return b, fmt.Errorf("%.40q is no way to begin (%w)", from, orbweaver.ErrInput)
	}
	return b, err
}

// taken takes the files of a form into a folder of the workspace: those chosen there, uploaded, pasted, and fetched from URLs.
func (h *Handler) taken(r *http.Request, folder string) (names []string, err error) {
	if names, err = h.given(r, folder); err != nil {
		return nil, err
	}
	for _, u := range strings.Fields(r.PostForm.Get("url")) {
		f, err := h.Workspace.Fetch(r.Context(), folder, u)
		if err != nil {
			return nil, err
		}
		names = append(names, f.Name)
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("choose a file of the workspace, upload one, paste a text, or give a URL (%w)", orbweaver.ErrInput)
	}
	return names, nil
}

// given takes the files of a form that need not be fetched. Beside an error are those that it took.
func (h *Handler) given(r *http.Request, folder string) (names []string, err error) {
	names = slices.Clone(r.PostForm["file"])
	names = slices.DeleteFunc(names, func(s string) bool { return s == "" })
	add := func(f workspace.File, err error) error {
		if err == nil {
			names = append(names, f.Name)
		}
		return err
	}
	if r.MultipartForm != nil {
		uploads := r.MultipartForm.File["upload"]
		if len(uploads) > maxUploads {
			return names, fmt.Errorf("%d files are more than %d: put them into the folder of the workspace, or into one archive (%w)", len(uploads), maxUploads, orbweaver.ErrInput)
		}
		for _, u := range uploads {
			content, err := read(u)
			if err == nil {
				err = add(h.Workspace.PutNew(folder+"/"+workspace.FileName(u.Filename), content))
			}
			if err != nil {
				return names, err
			}
		}
	}
	if text := r.PostForm.Get("paste"); strings.TrimSpace(text) != "" {
		end := workspace.Extension("", []byte(text))
		if folder == "ontologies" && end == ".txt" {
			end = ".ttl"
		}
		if err := add(h.Workspace.PutNew(folder+"/pasted"+end, []byte(text))); err != nil {
			return names, err
		}
	}
	return names, nil
}

// read reads an upload.
func read(u *multipart.FileHeader) ([]byte, error) {
	f, err := u.Open()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", u.Filename, err)
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, workspace.MaxFile+1))
}

// stem is a name for a crawl, from what it looks for.
func stem(b workspace.Beginning) string {
	for _, text := range append(slices.Concat(b.Words, b.Target, []string{b.Topic, b.Copy}, b.Terms), hostOf(b.Item)) {
		if i := strings.LastIndexAny(strings.TrimRight(text, "/#"), "/#"); i >= 0 {
			text = text[i+1:]
		}
		text, _, _ = strings.Cut(text, ",")
		words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return r < '0' || r > '9' && r < 'a' || r > 'z' })
		if name := strings.Join(words, "-"); name != "" {
			return name[:min(len(name), 40)]
		}
	}
	return "crawl"
}

// freeName is a name that no crawl has.
func (h *Handler) freeName(r *http.Request, stem string) string {
	for n := 1; n < 1000; n++ {
		name := stem
		if n > 1 {
			name = fmt.Sprintf("%s-%d", stem, n)
		}
		if _, err := h.Workspace.Crawl(r.Context(), name); errors.Is(err, workspace.ErrUnknown) {
			return name
		}
	}
	return stem
}
