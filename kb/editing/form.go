package editing

import (
	"cmp"
	"slices"
	"strings"

	"orbweaver/internal/order"
	"orbweaver/kb/ontology"
	"orbweaver/rdf"
	"orbweaver/rdf/syntax/ntriples"
)

// A Form is what the file says of one entity. Lists have at most fifty elements; More is the number of those left out.
type Form struct {
	Item
	Path       []Item      `json:"path"` // from a root of the tree to it
	Labels     []Label     `json:"labels"`
	Comments   []Label     `json:"comments"`
	Above      []Item      `json:"above"`
	Under      []Item      `json:"under"` // directly below it
	Of         []Item      `json:"of"`    // classes that it is an instance of
	Instances  []Item      `json:"instances"`
	Domains    []Item      `json:"domains"`
	Ranges     []Item      `json:"ranges"`
	Properties []Item      `json:"properties"` // with it as domain or range
	Relations  []Relation  `json:"relations"`
	Anonymous  []Anonymous `json:"anonymous"` // classes without a name that it is below or equal to
	Others     []Other     `json:"others"`    // all else that is said of it
	More       int         `json:"more,omitempty"`
}

// A Relation of an entity to another.
type Relation struct {
	As   Item `json:"as"`
	To   Item `json:"to"`
	Back bool `json:"back,omitempty"` // it is a statement about the other
}

// An Anonymous class is one without a name, as a restriction.
type Anonymous struct {
	As   Item   `json:"as"`
	Text string `json:"text"`
	Node string `json:"node"` // its label in the draft
}

// An Other statement has a value that is no entity.
type Other struct {
	As       Item   `json:"as"`
	Value    string `json:"value"`
	Language string `json:"language,omitempty"`
	Datatype string `json:"datatype,omitempty"`
	Link     bool   `json:"link,omitempty"` // the value is an IRI
}

// Form returns what the file says of an entity. The error wraps ontology.ErrUnknownEntity.
func (d *Draft) Form(iri string) (f Form, err error) {
	if _, err = d.entity(iri); err != nil {
		return f, err
	}
	f = blank()
	f.Item, f.Path, f.Labels = d.item(iri), d.Path(iri), append(f.Labels, d.g.labels(iri)...)
	d.also(&f)
	f.Above = d.items(d.byName(d.above(iri)))
	var total int
	f.Under, total = d.Children(iri, 0, shown)
	f.More = total - len(f.Under)
	d.objects(&f)
	d.subjects(&f)
	order.Stably(f.Relations, func(a, b Relation) int {
		return cmp.Or(cmp.Compare(a.As.Name, b.As.Name), cmp.Compare(a.To.Name, b.To.Name))
	})
	f.More += max(0, len(f.Relations)-shown)
	f.Relations = f.Relations[:min(shown, len(f.Relations))]
	return f, nil
}

// blank is a form whose lists are empty, not absent: as JSON they are lists.
func blank() Form {
	none := []Item{}
	return Form{
		Path: none, Labels: []Label{}, Comments: []Label{}, Above: none, Under: none, Of: none, Instances: none, Domains: none, Ranges: none, Properties: none,
		Relations: []Relation{}, Anonymous: []Anonymous{}, Others: []Other{},
	}
}

// alsoShown is the number of other entities of a label that a form names.
const alsoShown = 5

// also notes which other entities have the labels of a form.
func (d *Draft) also(f *Form) {
	wanted := map[string][]int{}
	for i, l := range f.Labels {
		wanted[folded(l.Text)] = append(wanted[folded(l.Text)], i)
	}
	if len(wanted) == 0 {
		return
	}
	for iri, words := range d.words {
		if iri == f.IRI {
			continue
		}
		lines := strings.Split(words, "\n")
		for _, line := range lines[:max(1, len(lines)-1)] { // the last is the local name, which names what has no label
			for _, i := range wanted[line] {
				f.Labels[i].Also = append(f.Labels[i].Also, iri)
			}
		}
	}
	for i := range f.Labels {
		slices.Sort(f.Labels[i].Also)
		all := slices.Compact(f.Labels[i].Also)
		f.Labels[i].Also = all[:min(alsoShown, len(all))]
	}
}

// objects fills in what statements about the entity say.
func (d *Draft) objects(f *Form) {
	for _, l := range d.g.out[rdf.NewIRI(f.IRI)] {
		as := d.item(l.predicate)
		role := ontology.RoleOf(l.predicate)
		switch {
		case role == ontology.RoleLabel:
		case l.to.Kind == rdf.Literal && (l.predicate == commented || l.predicate == defined):
			f.Comments = append(f.Comments, Label{As: l.predicate, Text: l.to.Value, Language: l.to.Lang})
		case l.to.Kind == rdf.Literal:
			f.Others = append(f.Others, Other{As: as, Value: l.to.Value, Language: l.to.Lang, Datatype: l.to.Datatype})
		case l.to.Kind == rdf.TripleTerm:
			f.Others = append(f.Others, Other{As: as, Value: string(ntriples.AppendTerm(nil, l.to))})
		case l.to.Kind == rdf.Blank:
			f.Anonymous = append(f.Anonymous, Anonymous{As: as, Text: d.express(l.to), Node: l.to.Value})
		default:
			d.object(f, role, as, l.to.Value)
		}
	}
	order.Stably(f.Comments, func(a, b Label) int { return cmp.Compare(foreign(a.Language), foreign(b.Language)) })
	order.Stably(f.Others, func(a, b Other) int { return cmp.Or(cmp.Compare(a.As.Name, b.As.Name), cmp.Compare(a.Value, b.Value)) })
	f.More += max(0, len(f.Others)-shown)
	f.Others = f.Others[:min(shown, len(f.Others))]
}

// object fills in a statement about the entity whose object is an IRI.
func (d *Draft) object(f *Form, role ontology.Role, as Item, to string) {
	other := d.item(to)
	switch {
	case role == ontology.RoleType && !ontology.Builtin(to):
		f.Of = append(f.Of, other)
	case role == ontology.RoleType, role == ontology.RoleNarrower:
	case (role == ontology.RoleSubClass || role == ontology.RoleSubProp) && other.Kind == "":
		f.Above = append(f.Above, other)
	case role == ontology.RoleSubClass, role == ontology.RoleSubProp:
	case role == ontology.RoleDomain:
		f.Domains = append(f.Domains, other)
	case role == ontology.RoleRange:
		f.Ranges = append(f.Ranges, other)
	case other.Kind == "":
		f.Others = append(f.Others, Other{As: as, Value: to, Link: true})
	default:
		f.Relations = append(f.Relations, Relation{As: as, To: other})
	}
}

// subjects fills in what statements about others say of the entity.
func (d *Draft) subjects(f *Form) {
	var instances, properties []string
	for _, l := range d.g.in[rdf.NewIRI(f.IRI)] {
		if l.to.Kind != rdf.IRI || d.natures[l.to.Value].kind() == "" {
			continue
		}
		switch ontology.RoleOf(l.predicate) {
		case ontology.RoleType:
			instances = append(instances, l.to.Value)
		case ontology.RoleDomain, ontology.RoleRange:
			properties = append(properties, l.to.Value)
		case ontology.RoleSubClass, ontology.RoleSubProp, ontology.RoleNarrower:
		default:
			f.Relations = append(f.Relations, Relation{As: d.item(l.predicate), To: d.item(l.to.Value), Back: true})
		}
	}
	slices.Sort(properties) // one may have it as domain and as range
	properties = slices.Compact(properties)
	f.Instances, f.Properties = d.first(instances), d.first(properties)
	f.More += max(0, len(instances)-len(f.Instances)) + max(0, len(properties)-len(f.Properties))
}

// Below returns the statements by which an entity leads to a class without a name.
func (d *Draft) Below(iri, node string) (all []rdf.Triple) {
	for _, l := range d.g.out[rdf.NewIRI(iri)] {
		if l.to == rdf.NewBlank(node) {
			all = append(all, state(iri, l.predicate, l.to))
		}
	}
	return all
}

// Value returns the statement of an entity that a form lists under Others; ok is false if it is not there.
func (d *Draft) Value(iri string, o Other) (t rdf.Triple, ok bool) {
	for _, l := range d.g.out[rdf.NewIRI(iri)] {
		if l.predicate == o.As.IRI && l.to.Value == o.Value && (l.to.Kind == rdf.IRI) == o.Link && (o.Link || l.to.Lang == o.Language && l.to.Datatype == o.Datatype) {
			return state(iri, l.predicate, l.to), true
		}
	}
	return t, false
}
