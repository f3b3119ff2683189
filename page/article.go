package page

import "orbweaver"

// setApart marks the blocks of the page's text that are not its article's. Text is for judging and keeps what
// tells of the page; the article is for readers.
func (d *document) setApart(text selection) {
	without, with := d.unwantedBeside(text)
	if without == text.without && with == text.with {
		return
	}
	last := -1
	for i, b := range text.blocks {
		if b.flags&without == 0 && b.flags&with == with && b.worth == good {
			last = i
		}
	}
	for i := range text.blocks {
		if b := &text.blocks[i]; i > last || b.flags&without != 0 || b.flags&with != with {
			b.flags |= apart
		}
	}
}

// unwantedBeside narrows the flags of unwanted blocks on the page of an article, whose wanted good blocks have kept
// bytes: to the article's body where that has most of them, and to what does not stand beside the article where that
// leaves most. A listing or a forum, whose text is teasers or has no such marks, keeps all its text.
func (d *document) unwantedBeside(text selection) (without, with flag) {
	without, with = text.without, text.with
	kept := d.goodBytes(without, with)
	if body := d.goodBytes(without, with|inBody); body >= article && body*10 >= kept*8 {
		with, kept = with|inBody, body
	}
	if rest := d.goodBytes(without|beside, with); rest >= article && rest*10 >= kept*7 {
		without |= beside
	}
	return without, with
}

// inText cuts the ranges of a text to its length.
func inText(parts []orbweaver.Range, length int) []orbweaver.Range {
	for n := len(parts); n > 0; n-- {
		if last := &parts[n-1]; last.Start < length {
			last.End = min(last.End, length)
			return parts[:n]
		}
	}
	return nil
}

// isCaption reports whether an element is a caption, or about a page's author.
func isCaption(name []byte) bool { return string(name) == "figcaption" || string(name) == "address" }

// placeOf returns inBody or beside if class, id or itemprop of the current element place it there, else zero.
func (d *document) placeOf() flag {
	if string(d.attrs.get(attrItemprop)) == "articleBody" {
		return inBody
	}
	class, id := d.attrs.get(attrClass), d.attrs.get(attrID)
	switch {
	case isBodyName(class) || isBodyName(id):
		return inBody
	case isBesideName(class) || isBesideName(id):
		return beside
	}
	return 0
}

// isBodyName reports whether a class or id names the body of an article: "entry-content", "post__body",
// "articleBody".
func isBodyName(names []byte) bool {
	for owned := false; len(names) > 0; {
		end := wordEnd(names)
		last := end == len(names) || names[end] <= ' '
		var buf [maxName]byte
		switch string(lower(&buf, names[:end])) {
		case "articlebody", "entrycontent", "postcontent", "storybody", "articletext", "articlecontent", "bodytext", "storytext":
			return true
		case "content", "body", "text", "copy":
			if owned && last {
				return true
			}
			owned = false
		case "entry", "post", "story":
			owned = !last
		case "": // between two separators
			owned = owned && !last && end == 0
		default:
			owned = false
		}
		names = names[min(end+1, len(names)):]
	}
	return false
}

// isBesideName reports whether one word of a class or id marks what stands beside an article's text.
func isBesideName(names []byte) bool {
	for len(names) > 0 {
		end := wordEnd(names)
		if isBesideWord(names[:end]) {
			return true
		}
		names = names[min(end+1, len(names)):]
	}
	return false
}

// isBesideWord reports whether a word, in any case, marks what stands beside an article's text: captions and their
// credits, authors, dates and tags, teasers, widgets, forms.
func isBesideWord(word []byte) bool {
	var buf [maxName]byte
	switch string(lower(&buf, word)) {
	case "caption", "figcaption", "credit", "credits", "copyright", "bio", "author", "authors", "byline",
		"dateline", "tags", "tag", "teaser", "teasers", "widget", "textwidget", "widgets", "promo", "rating",
		"likes", "sharedaddy", "sociable", "print", "noprint", "infobox", "paywall", "contact", "postmetadata",
		"meta", "metadata", "more", "similar", "recommendations", "outbrain", "taboola", "sticky", "overlay",
		"cta":
		return true
	}
	return false
}
