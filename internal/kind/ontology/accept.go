package ontology

import (
	"context"
	"fmt"

	"orbweaver"
	"orbweaver/internal/kind"
	"orbweaver/kb/offer"
	"orbweaver/kb/ontology"
	"orbweaver/rdf/syntax/turtle/edit"
)

// Borrow suggests what the ontology lacks and a source has.
func (in *instance) Borrow(_ context.Context, src *offer.Source) ([]orbweaver.Suggestion, error) {
	r := receiver{ontology: in.focus.Ontology(), weight: in.focus.Weight, decided: in.focus.IsDecided}
	return r.suggestions(src)
}

// Accept writes the statements of an accepted suggestion to the user's file.
func (in *instance) Accept(env *kind.Env, v kind.Verdict, s orbweaver.Suggestion) (d kind.Decided, err error) {
	if d.Decision, err = decision(in.focus.Ontology(), v, s); err != nil {
		return d, err
	}
	files := in.section.Files
	if err := mayGrow(files[0]); err != nil {
		return d, err
	}
	if err := Keep(env.File.Output, files); err != nil {
		return d, err
	}
	d.File, d.Written, err = edit.Append(files[0], d.Decision.Added)
	return d, err
}

// Accepting returns the decision of accepting a suggestion.
func (in *instance) Accepting(v kind.Verdict, s orbweaver.Suggestion) (orbweaver.Decision, error) {
	return decision(in.focus.Ontology(), v, s)
}

// Speaking returns the names of a suggestion's entities, and those of what pages that support it speak of: the words, or the
// entities of a pair, or the one that counts for little.
func (in *instance) Speaking(s orbweaver.Suggestion) (entity, other string, things [][]string) {
	o := in.focus.Ontology()
	names := func(iri string) (name string, all []string) {
		i, ok := o.Find(iri)
		if !ok {
			return "", nil
		}
		for _, e := range o.EntriesOf(i) {
			all = append(all, e.Text)
		}
		return o.Entity(i).Name, all[:min(len(all), maxNames)]
	}
	entity, first := names(s.Entity)
	other, second := names(s.Other)
	switch s.Kind {
	case orbweaver.SuggestPair, orbweaver.SuggestBroader:
		return entity, other, [][]string{first, second}
	case orbweaver.SuggestLittle:
		return entity, "", [][]string{first}
	}
	return entity, "", [][]string{{s.Text}}
}

// maxNames bounds the names of an entity that are looked for in pages.
const maxNames = 50

// decision makes the decision of accepting a suggestion. What the verdict leaves out is as suggested: what it becomes, an
// entry where nothing is suggested, its words and the entity. Errors wrap orbweaver.ErrInput.
func decision(known *ontology.Ontology, v kind.Verdict, s orbweaver.Suggestion) (d orbweaver.Decision, err error) {
	if s.Kind == orbweaver.SuggestLittle {
		return d, fmt.Errorf("%s (%s) adds nothing to the ontology: move it away from the target in the file, or reject it (%w)", s.ID, s.Text, orbweaver.ErrInput)
	}
	d = orbweaver.Decision{ID: s.ID, Accepted: true, As: v.As, Text: v.Text}
	if d.Text == "" {
		if s.Kind == orbweaver.SuggestPair && v.As != orbweaver.AsBroader {
			return d, fmt.Errorf("%s is a pair, %s, and has no words of its own: say them with --text (%w)", s.ID, s.Text, orbweaver.ErrInput)
		}
		d.Text = s.Text
	}
	if d.As == "" {
		d.As = s.As
	}
	if d.As == "" {
		d.As = orbweaver.AsEntry
	}
	if v.Entity == "" && s.Entity == "" {
		return d, fmt.Errorf("nothing is known of what %q (%s) is near: name an entity of the ontology, as in --as %s --entity NAME (%w)", d.Text, s.ID, d.As, orbweaver.ErrInput)
	}
	if d.Entity = s.Entity; v.Entity != "" {
		d.Entity, err = iriOf(known, v.Entity)
	}
	if err == nil && (d.As == orbweaver.AsProperty || d.As == orbweaver.AsBroader) {
		if d.Range = s.Other; v.Range != "" || d.Range == "" {
			d.Range, err = iriOf(known, v.Range)
		}
	}
	if err != nil {
		return d, err
	}
	if d.Added, err = ontology.Addition(known, d.As, d.Text, s.IRI, d.Entity, d.Range); err != nil {
		err = fmt.Errorf("%w (%w)", err, orbweaver.ErrInput)
	}
	return d, err
}
