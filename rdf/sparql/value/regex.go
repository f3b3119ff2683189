package value

import (
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
)

const (
	maxPattern  = 4096 // bytes of a regular expression: time grows with it times the text
	maxPatterns = 64   // cached per Env
	maxSteps    = 1 << 31
)

// A pattern is a compiled regular expression, or its error.
type pattern struct {
	re   *regexp.Regexp
	size int // instructions: matching takes at most this many steps per byte of the text
	err  error
}

// pattern compiles a regular expression, or returns it from the cache. A long expression with a long text is
// an error, since matching cannot be interrupted.
func (env *Env) pattern(source, flags, text string) (*regexp.Regexp, error) {
	key := flags + "/" + source
	p, ok := env.patterns[key]
	if !ok {
		if len(env.patterns) >= maxPatterns {
			env.patterns = nil
		}
		if env.patterns == nil {
			env.patterns = map[string]pattern{}
		}
		p.re, p.err = compile(source, flags)
		if p.err == nil {
			p.size = size(p.re)
		}
		env.patterns[key] = p
	}
	if p.size*len(text) > maxSteps {
		return nil, fmt.Errorf("regular expression %.100q: %w with a text of %d bytes", source, errSize, len(text))
	}
	return p.re, p.err
}

// size returns the number of instructions of a compiled expression.
func size(re *regexp.Regexp) int {
	parsed, err := syntax.Parse(re.String(), syntax.Perl)
	if err != nil {
		return maxSteps
	}
	program, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		return maxSteps
	}
	return len(program.Inst)
}

// compile compiles a regular expression of XPath (F&O 3.1, section 5.6) with the flags s, m, i, x and q.
// Constructs beyond Go's linear-time expressions are errors: back references, and the subtraction of classes.
func compile(source, flags string) (*regexp.Regexp, error) {
	if len(source) > maxPattern {
		return nil, fmt.Errorf("regular expression of %d bytes: %w", len(source), errSize)
	}
	if wrong := strings.Trim(flags, "smixq"); wrong != "" {
		return nil, fmt.Errorf("flag %q of a regular expression: %w", wrong, ErrType)
	}
	var own strings.Builder
	for _, flag := range [...]string{"i", "m", "s"} {
		if strings.Contains(flags, flag) {
			own.WriteString(flag)
		}
	}
	translated := regexp.QuoteMeta(source)
	if !strings.Contains(flags, "q") {
		var err error
		if translated, err = translate(source, strings.Contains(flags, "x")); err != nil {
			return nil, fmt.Errorf("regular expression %q: %w", source, err)
		}
	}
	if own.Len() > 0 {
		translated = "(?" + own.String() + ")" + translated
	}
	re, err := regexp.Compile(translated)
	if err != nil {
		return nil, fmt.Errorf("regular expression %q: %w", source, err)
	}
	return re, nil
}

// translate translates a regular expression of XPath to Go. Escapes of Go only are refused, except \b and \B,
// which are widely used.
func translate(source string, ignoreSpace bool) (string, error) {
	var b strings.Builder
	class := 0 // start of the current character class, from 1
	for i := 0; i < len(source); i++ {
		switch c := source[i]; {
		case c == '\\':
			if i++; i == len(source) {
				return "", fmt.Errorf("ends with a backslash: %w", ErrType)
			}
			escape, ok := translateEscape(source[i], class > 0)
			if !ok {
				return "", fmt.Errorf("\\%c: %w", source[i], ErrType)
			}
			b.WriteString(escape)
		case class > 0 && c == '[':
			if source[i-1] == '-' {
				return "", fmt.Errorf("subtraction of a class: %w", ErrType)
			}
			b.WriteString(`\[`)
		case c == '[':
			class = i + 1
			b.WriteByte(c)
		case c == ']' && class > 0:
			class = 0
			b.WriteByte(c)
		case ignoreSpace && class == 0 && strings.IndexByte(" \t\n\r", c) >= 0:
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), nil
}

// translateEscape returns the translation of a backslash with a character, inside or outside a character
// class.
func translateEscape(c byte, inClass bool) (string, bool) {
	const start, name = `_:\p{L}`, `\-._:\p{L}\p{M}\p{N}\x{B7}`
	const word = `\p{L}\p{M}\p{N}\p{S}`
	set, not := "", false
	switch c {
	case 'd':
		return `\p{Nd}`, true
	case 'D':
		return `\P{Nd}`, true
	case 's':
		set = ` \t\n\r`
	case 'S':
		set, not = ` \t\n\r`, true
	case 'w':
		set = word
	case 'W':
		set, not = word, true
	case 'i':
		set = start
	case 'I':
		set, not = start, true
	case 'c':
		set = name
	case 'C':
		set, not = name, true
	case 'n', 'r', 't', 'p', 'P', '\\', '|', '.', '-', '^', '?', '*', '+', '{', '}', '(', ')', '[', ']', '$':
		return `\` + string(c), true
	case 'b', 'B':
		return `\` + string(c), !inClass
	}
	switch {
	case set == "":
		return "", false
	case !inClass && not:
		return "[^" + set + "]", true
	case !inClass:
		return "[" + set + "]", true
	case !not:
		return set, true
	case c == 'S':
		return `\x{0}-\x{8}\x{B}\x{C}\x{E}-\x{1F}!-\x{10FFFF}`, true
	case c == 'W':
		return `\p{P}\p{Z}\p{C}`, true
	}
	return "", false
}

// matches is REGEX.
func matches(env *Env, s, source, flags Value) (Value, error) {
	if !s.isString() || source.class != text || flags.class != text {
		return Value{}, ErrType
	}
	re, err := env.pattern(source.value, flags.value, s.value)
	if err != nil {
		return Value{}, err
	}
	return Bool(re.MatchString(s.value)), nil
}

// replace is REPLACE: it replaces all matches, which must not be empty, by a template in which $1 is the
// first group.
func replace(env *Env, s, source, template, flags Value) (Value, error) {
	if !s.isString() || source.class != text || template.class != text || flags.class != text {
		return Value{}, ErrType
	}
	re, err := env.pattern(source.value, flags.value, s.value)
	if err != nil {
		return Value{}, err
	}
	if re.MatchString("") {
		return Value{}, fmt.Errorf("regular expression %q matches nothing: %w", source.value, ErrType)
	}
	literal := strings.Contains(flags.value, "q")
	parts, err := parseTemplate(template.value, re.NumSubexp(), literal)
	if err != nil {
		return Value{}, err
	}
	replaced, err := fill(re, s.value, parts)
	if err != nil {
		return Value{}, err
	}
	return sized(s.with(replaced))
}

// maxMatches bounds the matches with groups, which are all held in memory.
const maxMatches = 1 << 18

// fill replaces each match by a template.
func fill(re *regexp.Regexp, s string, parts []part) (string, error) {
	var b strings.Builder
	if len(parts) == 1 {
		size := 0
		all := re.ReplaceAllStringFunc(s, func(string) string {
			if size += len(parts[0].text); size > MaxString {
				return ""
			}
			return parts[0].text
		})
		if size > MaxString {
			return "", errSize
		}
		return all, nil
	}
	found := re.FindAllStringSubmatchIndex(s, maxMatches)
	if len(found) == maxMatches {
		return "", errSize
	}
	rest := 0
	for _, m := range found {
		b.WriteString(s[rest:m[0]])
		for _, p := range parts {
			b.WriteString(p.text)
			if p.group >= 0 && m[2*p.group] >= 0 {
				b.WriteString(s[m[2*p.group]:m[2*p.group+1]])
			}
		}
		if rest = m[1]; b.Len() > MaxString {
			return "", errSize
		}
	}
	return b.String() + s[rest:], nil
}

// A part of a template is text followed by a group.
type part struct {
	text  string
	group int // -1: none
}

// parseTemplate parses a template. The digits after "$" are the longest valid group number; a missing group
// is empty.
func parseTemplate(template string, groups int, literal bool) (parts []part, err error) {
	if literal {
		return []part{{template, -1}}, nil
	}
	var before strings.Builder
	for i := 0; i < len(template); i++ {
		c := template[i]
		if c != '\\' && c != '$' {
			before.WriteByte(c)
			continue
		}
		if i++; i == len(template) {
			return nil, fmt.Errorf("replacement %q: ends with %q: %w", template, c, ErrType)
		}
		next := template[i]
		switch {
		case c == '\\' && (next == '\\' || next == '$'):
			before.WriteByte(next)
		case c == '$' && next >= '0' && next <= '9':
			group := int(next - '0')
			for i+1 < len(template) && template[i+1] >= '0' && template[i+1] <= '9' && group*10+int(template[i+1]-'0') <= groups {
				i++
				group = group*10 + int(template[i]-'0')
			}
			if group > groups {
				group = -1
			}
			parts = append(parts, part{before.String(), group})
			before.Reset()
		default:
			return nil, fmt.Errorf("replacement %q: %q before %q: %w", template, c, next, ErrType)
		}
	}
	return append(parts, part{before.String(), -1}), nil
}
