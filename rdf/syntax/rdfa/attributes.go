package rdfa

import "strings"

// An attribute is one that RDFa processing uses.
type attribute uint8

const (
	isAbout attribute = iota
	isContent
	isDatatype
	isDatetime
	isHref
	isID
	isInlist
	isLang
	isPrefix
	isProperty
	isRel
	isResource
	isRev
	isRole
	isSrc
	isTypeof
	isVocab
	isXMLBase
	isXMLLang
	attributes
)

// attributeOf returns the attribute of a name as written.
func attributeOf[T string | []byte](name T) (attribute, bool) {
	switch string(name) {
	case "about":
		return isAbout, true
	case "content":
		return isContent, true
	case "datatype":
		return isDatatype, true
	case "datetime":
		return isDatetime, true
	case "href":
		return isHref, true
	case "id":
		return isID, true
	case "inlist":
		return isInlist, true
	case "lang":
		return isLang, true
	case "prefix":
		return isPrefix, true
	case "property":
		return isProperty, true
	case "rel":
		return isRel, true
	case "resource":
		return isResource, true
	case "rev":
		return isRev, true
	case "role":
		return isRole, true
	case "src":
		return isSrc, true
	case "typeof":
		return isTypeof, true
	case "vocab":
		return isVocab, true
	case "xml:base":
		return isXMLBase, true
	case "xml:lang":
		return isXMLLang, true
	}
	return 0, false
}

// plain are the attributes that make no triples by themselves.
const plain = 1<<isID | 1<<isDatetime | 1<<isContent | 1<<isDatatype | 1<<isInlist

// An attr is an attribute as written.
type attr struct{ name, value string }

// A tag holds the attributes of one element. It is reused for the next element.
type tag struct {
	present uint32 // a bit for each attribute
	values  [attributes]string
	roles   bool   // role attributes are wanted
	spaces  []attr // namespace declarations, by prefix, "" being the default
	all     []attr // all attributes, while markup is kept
}

// reset clears the tag for the next element.
func (t *tag) reset() {
	t.present, t.spaces, t.all = 0, t.spaces[:0], t.all[:0]
}

// set sets an attribute, unless it is already set.
func (t *tag) set(which attribute, value string) {
	if !t.has(which) && (which != isRole || t.roles) {
		t.present |= 1 << which
		t.values[which] = value
	}
}

// add adds an attribute of any name.
func (t *tag) add(name, value string) {
	if which, ours := attributeOf(name); ours {
		t.set(which, value)
		return
	}
	if prefix, declares := strings.CutPrefix(name, "xmlns:"); declares {
		t.spaces = append(t.spaces, attr{prefix, value})
	} else if name == "xmlns" {
		t.spaces = append(t.spaces, attr{"", value})
	}
}

// silent reports whether an element makes no triples and does not change the context.
func (t *tag) silent() bool { return t.present&^plain == 0 && len(t.spaces) == 0 }

// refers reports whether an element only sets the subject of its content.
func (t *tag) refers() bool {
	return t.present&^(plain|1<<isHref|1<<isSrc|1<<isLang|1<<isXMLLang) == 0 && len(t.spaces) == 0
}

func (t *tag) has(a attribute) bool { return t.present&(1<<a) != 0 }

// get returns an attribute's value, or "".
func (t *tag) get(a attribute) string {
	if !t.has(a) {
		return ""
	}
	return t.values[a]
}

// drop removes an attribute.
func (t *tag) drop(a attribute) { t.present &^= 1 << a }
