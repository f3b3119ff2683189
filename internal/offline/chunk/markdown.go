package chunk

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"orbweaver/page"
)

// Markdown writes an article, whose blocks are those of a text, in Markdown. The text of blocks other than code is written by inline: Plain or
// Escape.
func Markdown(text string, blocks []page.Block, inline func(string) string) string {
	var all []string
	for len(blocks) > 0 {
		n := run(blocks)
		if markdown := markdownOf(text, blocks[:n], inline); markdown != "" {
			all = append(all, markdown)
		}
		blocks = blocks[n:]
	}
	return strings.Join(all, "\n\n")
}

// Plain leaves text as it stands, for language models.
func Plain(text string) string { return text }

// Escape writes text so that Markdown (CommonMark 0.31, and tables) shows it as it stands, for readers.
func Escape(text string) string {
	var b strings.Builder
	for i, line := range strings.Split(text, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		escapeLine(&b, strings.TrimSpace(line))
	}
	return b.String()
}

// escapeLine escapes what Markdown would read as markup in a line without spaces at its ends.
func escapeLine(b *strings.Builder, line string) {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	for i, c := range line {
		switch {
		case strings.ContainsRune("\\`*_[]<&", c), i == 0 && strings.ContainsRune("#+-=>|~", c), c == '#' && i == len(line)-1,
			digits > 0 && i == digits && (c == '.' || c == ')'):
			b.WriteByte('\\')
		}
		b.WriteRune(c)
	}
}

// run returns the number of blocks that are one unit: the items of a list, the cells of a table, adjacent lines of code; or one.
func run(blocks []page.Block) int {
	n := 1
	switch shape := blocks[0].Shape; shape {
	case page.Item, page.Cell, page.Code:
		for n < len(blocks) && blocks[n].Shape == shape {
			n++
		}
	}
	return n
}

// markdownOf writes the blocks of a unit in Markdown; empty if they have no text.
func markdownOf(text string, blocks []page.Block, inline func(string) string) string {
	first := blocks[0]
	content := Visible(text[first.Start:first.End])
	switch first.Shape {
	case page.Heading:
		if content == "" {
			return ""
		}
		return strings.Repeat("#", max(1, min(first.Level, 6))) + " " + inline(oneLine(content))
	case page.Item:
		var lines []string
		for _, b := range blocks {
			if item := oneLine(Visible(text[b.Start:b.End])); item != "" {
				lines = append(lines, "- "+inline(item))
			}
		}
		return strings.Join(lines, "\n")
	case page.Cell:
		return table(text, blocks, inline)
	case page.Code:
		return fenced(text, blocks)
	case page.Quote:
		if content == "" {
			return ""
		}
		return "> " + strings.ReplaceAll(inline(content), "\n", "\n> ")
	}
	return inline(content)
}

// table writes cells as a table: with one row or one column as lines.
func table(text string, cells []page.Block, inline func(string) string) string {
	var rows [][]string
	widest := 0
	for i, b := range cells {
		if i == 0 || b.Row != cells[i-1].Row {
			rows = append(rows, nil)
		}
		last := &rows[len(rows)-1]
		*last = append(*last, inline(oneLine(Visible(text[b.Start:b.End]))))
		widest = max(widest, len(*last))
	}
	var b strings.Builder
	for i, row := range rows {
		if len(rows) == 1 || widest == 1 {
			b.WriteString(strings.Join(row, "\n") + "\n")
			continue
		}
		for _, cell := range row {
			b.WriteString("| " + strings.ReplaceAll(cell, "|", `\|`) + " ")
		}
		b.WriteString("|\n")
		if i == 0 {
			b.WriteString(strings.Repeat("| --- ", len(row)) + "|\n")
		}
	}
	return strings.TrimSpace(b.String())
}

// fenced writes code between fences that are longer than any within.
func fenced(text string, blocks []page.Block) string {
	var lines []string
	for _, b := range blocks {
		code := b.Code
		if code == "" {
			code = text[b.Start:b.End]
		}
		lines = append(lines, Visible(code))
	}
	code := strings.Trim(strings.Join(lines, "\n"), "\n")
	if strings.TrimSpace(code) == "" {
		return ""
	}
	fence := "```"
	for strings.Contains(code, fence) && len(fence) < len(code) {
		fence += "`"
	}
	return fence + "\n" + code + "\n" + fence
}

// Visible returns text of a page for readers and models: valid UTF-8 without control characters but tabs and line feeds, and without
// characters that are not shown and can hide text from a reader: directional marks, zero-width characters, tags.
func Visible(s string) string {
	clean := func(r rune) bool {
		return r == '\t' || r == '\n' || r != utf8.RuneError && !unicode.IsControl(r) && (!unicode.Is(unicode.Cf, r) || isJoiner(r))
	}
	if strings.IndexFunc(s, func(r rune) bool { return !clean(r) }) < 0 {
		return s
	}
	return strings.Map(func(r rune) rune {
		switch {
		case r == utf8.RuneError:
			return '\ufffd'
		case clean(r):
			return r
		}
		return -1
	}, s)
}

// isJoiner reports whether a character that is not shown changes how others are written: in Persian, Indic scripts and emoji.
func isJoiner(r rune) bool { return r == '\u200c' || r == '\u200d' }

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// cut returns at most n bytes of s, without a part of a character.
func cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n]
}
