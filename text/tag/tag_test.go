package tag_test

import (
	"testing"

	"orbweaver/text/tag"
)

func TestNames(t *testing.T) {
	n := 0
	for i := range 256 {
		of := tag.Tag(i)
		name := of.String()
		if name == "" {
			continue
		}
		n++
		if back, ok := tag.Parse(name); !ok || back != of {
			t.Errorf("%s is %v", name, back)
		}
	}
	if n != 51 {
		t.Errorf("%d tags, not 51", n)
	}
	for of, name := range map[tag.Tag]string{tag.PRPS: "PRP$", tag.WPS: "WP$", tag.Open: "``", tag.XX: "XX", tag.CC: "CC"} {
		if of.String() != name {
			t.Errorf("%v, not %s", of, name)
		}
	}
	if _, ok := tag.Parse(""); ok {
		t.Error("a tag without a name")
	}
}
