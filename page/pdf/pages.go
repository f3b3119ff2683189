package pdf

// pages shows all pages below the root, in order; without any, every page object. It returns their number.
func (r *reader) pages(root dict) int {
	t := tree{reader: r, visited: make(map[ref]bool)}
	t.walk(root["Pages"], nil, 0)
	if t.count > 0 {
		return t.count
	}
	for _, i := range r.mentions("/Page") {
		if page, ok := r.resolve(ref(r.origins[i].id)).(dict); ok && page["Type"] == name("Page") {
			t.page(page, nil)
		}
	}
	return t.count
}

// A tree is a walk through the tree of pages.
type tree struct {
	*reader
	visited map[ref]bool
	count   int
}

// walk shows a page, or all pages below a node, which inherit its resources.
func (t *tree) walk(o object, resources dict, depth int) {
	if id, ok := o.(ref); ok {
		if t.visited[id] {
			return
		}
		t.visited[id] = true
	}
	node, ok := t.resolve(o).(dict)
	if !ok || depth > maxTree || t.count >= maxPages || t.out.full() {
		return
	}
	if own, ok := t.resolve(node["Resources"]).(dict); ok {
		resources = own
	}
	if _, ok := t.resolve(node["Kids"]).(array); !ok {
		t.page(node, resources)
		return
	}
	for kid := range t.some(node["Kids"]) {
		t.walk(kid, resources, depth+1)
	}
}

// page shows one page, and reads the links of its annotations.
func (t *tree) page(page, resources dict) {
	t.count++
	if own, ok := t.resolve(page["Resources"]).(dict); ok {
		resources = own
	}
	var content []byte
	for part := range t.some(page["Contents"]) {
		if s, ok := t.resolve(part).(*stream); ok {
			content = append(append(content, t.decoded(s)...), '\n')
		}
	}
	t.out.paragraph()
	t.show(content, resources, identity(), 0)
	t.out.flush()
	for a := range t.some(page["Annots"]) {
		t.annotation(a)
	}
}

// annotation reads the URL of a link annotation.
func (t *tree) annotation(o object) {
	annotation, _ := t.resolve(o).(dict)
	action, _ := t.resolve(annotation["A"]).(dict)
	address, ok := t.resolve(action["URI"]).(str)
	if !ok || len(address) == 0 || len(address) > maxAddress || len(t.links) >= t.limits.Links || t.seen[string(address)] {
		return
	}
	if t.seen == nil {
		t.seen = make(map[string]bool)
	}
	t.seen[string(address)] = true
	t.links = append(t.links, string(address))
}

// maxAddress exceeds every URL that can be requested.
const maxAddress = 8192
