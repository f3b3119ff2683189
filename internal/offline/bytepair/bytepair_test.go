package bytepair

import (
	"encoding/base64"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"orbweaver"
)

// vocabulary writes a file of ranks: all bytes, then tokens in their order.
func vocabulary(t testing.TB, name string, tokens ...string) string {
	t.Helper()
	var b strings.Builder
	for i := range 256 {
		fmt.Fprintln(&b, base64.StdEncoding.EncodeToString([]byte{byte(i)}), i)
	}
	for i, token := range tokens {
		fmt.Fprintln(&b, base64.StdEncoding.EncodeToString([]byte(token)), 256+i)
	}
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

func load(t testing.TB, named string) *Encoding {
	t.Helper()
	e, err := Read(named)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestCount: parts are joined by rank, the first ones first, and pieces are not joined with each other. What is counted stands beside each text, with a bar between tokens.
func TestCount(t *testing.T) {
	e := load(t, vocabulary(t, "cl100k_base.tiktoken", "in", "th", "he", "the", "ing", " t", "ab", "abab", "\n\n"))
	for _, tokens := range []string{
		"", "x", "the", "th|ing", " |the", "b|a|the", "s|ing|ing", "abab|ab", "x|abab", "the|\n\n|th|in", "th|\xc3|\xa9", "a| t|a", " |1|2|3|4", "<|/|e|o|t|>",
	} {
		text := strings.ReplaceAll(tokens, "|", "")
		want := 0
		if text != "" {
			want = strings.Count(tokens, "|") + 1
		}
		if got := e.Count(text); got != want {
			t.Errorf("%q: %d tokens, want %d: %s", text, got, want, tokens)
		}
	}
}

// TestCut: where the encodings cut texts.
func TestCut(t *testing.T) {
	for _, tc := range []struct{ name, pieces string }{
		{"cl100k_base", "Hello| world|!"}, {"cl100k_base", "don|'t| I|'LL| say"}, {"cl100k_base", "a|  | b"}, {"cl100k_base", "a|   "}, {"cl100k_base", "a| \n\n|  | b"},
		{"cl100k_base", "123|456|7"}, {"cl100k_base", "x|).\n\n|y"}, {"cl100k_base", ".net| (|see"}, {"cl100k_base", "a|/\n|/b"}, {"cl100k_base", "CamelCase|'s"},
		{"cl100k_base", "e|\u0301x"}, {"cl100k_base", "\u00a0|\u00a0x"}, {"cl100k_base", "x|\xff\xff| \xff"},
		{"o200k_base", "Camel|Case's| x"}, {"o200k_base", "it's| HTTPServer"}, {"o200k_base", "a|/\n//|b"}, {"o200k_base", "e\u0301x"}, {"o200k_base", "\u4e2d|AB|!"},
		{"o200k_base", " ABC"}, {"o200k_base", "x| \u0301y"}, {"o200k_base", "\u0301|AB|!"}, {"o200k_base", "ABC's| x"},
	} {
		cut, err := cutters(tc.name)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(pieces(cut, strings.ReplaceAll(tc.pieces, "|", "")), "|"); got != tc.pieces {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.pieces)
		}
	}
}

// pieces cuts a whole text.
func pieces(cut func(string) int, text string) (all []string) {
	for len(text) > 0 {
		n := cut(text)
		all = append(all, text[:n])
		text = text[n:]
	}
	return all
}

// byPattern cuts as the regular expression of an encoding does, with \s written out, and the last but one of its alternatives, \s+(?!\S), by hand.
func byPattern(t testing.TB, name string) func(string) int {
	t.Helper()
	const contraction, space = `(?i:'s|'t|'re|'ve|'m|'ll|'d)`, `\t-\r\x{85}\p{Z}`
	pattern := contraction + `|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^` + space + `\p{L}\p{N}]+[\r\n]*|[` + space + `]*[\r\n]+|([` + space + `]+)`
	if name == "o200k_base" {
		const a, b = `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`, `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`
		pattern = `[^\r\n\p{L}\p{N}]?` + a + `*` + b + `+` + contraction + `?|[^\r\n\p{L}\p{N}]?` + a + `+` + b + `*` + contraction + `?|\p{N}{1,3}| ?[^` + space + `\p{L}\p{N}]+[\r\n/]*|[` +
			space + `]*[\r\n]+|([` + space + `]+)`
	}
	e := regexp.MustCompile("^(?:" + pattern + ")")
	return func(s string) int {
		at := e.FindStringSubmatchIndex(s)
		end := at[1]
		if rs := []rune(s[:end]); at[2] >= 0 && end < len(s) && len(rs) > 1 {
			end -= len(string(rs[len(rs)-1:]))
		}
		return end
	}
}

// FuzzCut: cut as by the regular expressions, and counted as pairs are joined one after another.
func FuzzCut(f *testing.F) {
	random := rand.New(rand.NewPCG(1, 5))
	few := []rune(" \n\r\t'\u2019sStlLvVeE\u017f019/.,-\u00a0\u0085\u3000\u00e9\u00c9\u4e2d\u0915\u093f\u30fc\u01c5\u02b0\u0308\u0663\u2167\U0001f600\u200d\u212a")
	for range 500 {
		var b strings.Builder
		for range 1 + random.IntN(30) {
			b.WriteRune(few[random.IntN(len(few))])
		}
		f.Add(b.String())
	}
	tokens := []string{"in", "th", "he", "the", "ing", " t", "ab", "abab", "\n\n", "aa", "aaaa", "ba", "  ", "\u4e2d", "bab"}
	encodings := []*Encoding{load(f, vocabulary(f, "cl100k_base.tiktoken", tokens...)), load(f, vocabulary(f, "o200k_base.tiktoken", tokens...))}
	patterns := []func(string) int{byPattern(f, "cl100k_base"), byPattern(f, "o200k_base")}
	f.Fuzz(func(t *testing.T, text string) {
		text = strings.ToValidUTF8(text, "?")
		for i, e := range encodings {
			got, want := pieces(e.cut, text), pieces(patterns[i], text)
			if !slices.Equal(got, want) {
				t.Fatalf("%q: %q, want %q", text, got, want)
			}
			n := 0
			for _, piece := range got {
				n += e.plainly(piece)
			}
			if have := e.Count(text); have != n {
				t.Errorf("%q: %d tokens, want %d", text, have, n)
			}
		}
	})
}

// plainly counts as the definition says.
func (e *Encoding) plainly(piece string) int {
	if _, one := e.ranks[piece]; one {
		return 1
	}
	var parts []string
	for i := range len(piece) {
		parts = append(parts, piece[i:i+1])
	}
	for {
		best, at := uint32(none), -1
		for i := range len(parts) - 1 {
			if r, ok := e.ranks[parts[i]+parts[i+1]]; ok && r < best {
				best, at = r, i
			}
		}
		if at < 0 {
			return len(parts)
		}
		parts = slices.Replace(parts, at, at+2, parts[at]+parts[at+1])
	}
}

// TestLong: a piece of a hundred thousand bytes takes no quadratic time: it would take minutes.
func TestLong(t *testing.T) {
	e := load(t, "o200k_base="+vocabulary(t, "any.model", "aa", "aaaa", "aaaaaaaa"))
	if got := e.Count(strings.Repeat("a", 800_000)); got != 100_000 {
		t.Errorf("%d tokens", got)
	}
}

// TestReadErrors: what is wrong is said with file and line.
func TestReadErrors(t *testing.T) {
	good := string(must(os.ReadFile(vocabulary(t, "cl100k_base.tiktoken"))))
	for _, tc := range []struct{ name, content, want string }{
		{"cl100k_base.tiktoken", "IQ== 0\nhello\n", "cl100k_base.tiktoken:2: not a token in base64, a space and a rank"},
		{"cl100k_base.tiktoken", "IQ== 0\nIg== -1\n", "cl100k_base.tiktoken:2: not a token"},
		{"cl100k_base.tiktoken", "IQ== 0\nIg== 0\n", "cl100k_base.tiktoken:2: another token has the rank 0"},
		{"cl100k_base.tiktoken", "IQ== 0\nIQ== 1\n", `cl100k_base.tiktoken:2: the token "!" stands twice`},
		{"cl100k_base.tiktoken", "IQ== 0\n", "cl100k_base.tiktoken: no token is the byte 0x00 alone"},
		{"cl100k_base.tiktoken", good + strings.Repeat("QUFB", 1000) + " 256\n", "cl100k_base.tiktoken:257: a token of 3000 bytes: 1024 at most"},
		{"cl100k_base.tiktoken", good + strings.Repeat("x", 1<<17), "cl100k_base.tiktoken:257: "},
		{"tokenizer.json", "{}", `tokenizer.json: "tokenizer" is none of the encodings cl100k_base and o200k_base: say which by NAME=FILE`},
	} {
		path := filepath.Join(t.TempDir(), tc.name)
		if err := os.WriteFile(path, []byte(tc.content), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); !errors.Is(err, orbweaver.ErrInput) || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v, want %s", err, tc.want)
		}
	}
	if _, err := Read(filepath.Join(t.TempDir(), "o200k_base.tiktoken")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}
