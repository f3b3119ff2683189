package page

// Parts of a text, in percent or bytes, by which its article is found.
const (
	holding    = 85 // percent of the good text that the container of an article has
	bodied     = 80 // percent of the good text that makes a body by name the article's
	left       = 70 // percent of the good text that has to be left without what stands beside it
	leadLength = 60 // bytes from which a heading before the article is its lead
)

// setApart marks the blocks of the page's text that are not its article's. Text is for judging and keeps what tells of
// the page; the article is for readers. It is what the narrowest container with most good text has, from the first to
// the last block of the run with the largest sum; the lead between the page's heading and that run; and the short blocks
// that follow the run in the same container.
func (d *document) setApart(text selection) {
	s := selection{blocks: text.blocks, least: text.least}
	s.without, s.with = d.unwantedBeside(text)
	in := d.container(s)
	first, last := d.bestRun(s, in)
	if first < 0 {
		return
	}
	lead := s.without &^ teaser
	for i := range s.blocks[:last] {
		b := &s.blocks[i]
		is := s.has(*b) && in.has(b.node) && b.flags&teaser == 0
		if i < first && int(b.start) > d.heading.start && b.flags&lead == 0 {
			is = is || b.worth == good || b.kind == tagHeading && b.size() >= leadLength
		}
		if !is {
			b.flags |= apart
		}
	}
	end := s.blocks[last].node
	for rest := s.blocks[last+1:]; len(rest) > 0; rest = rest[1:] {
		if b := rest[0]; b.worth != weak || b.node != end || !s.has(b) {
			for i := range rest {
				rest[i].flags |= apart
			}
			break
		}
	}
	d.alignWithStated(s)
}

// node returns the innermost open container; 0: the page.
func (d *document) node() int32 {
	if len(d.stack) == 0 {
		return 0
	}
	return d.stack[len(d.stack)-1].node
}

// nodeOf returns the container of what is within an element that is being opened.
func (d *document) nodeOf(t tag) int32 {
	if t < tagRow || len(d.nodes) >= maxBlocks {
		return d.node()
	}
	if len(d.nodes) == 0 {
		d.nodes = append(d.nodes, 0)
	}
	d.nodes = append(d.nodes, d.node())
	return int32(len(d.nodes) - 1)
}

// containers are a container and all within it, which follow it in document order: half open.
type containers struct{ from, to int32 }

func (c containers) has(node int32) bool { return c.from <= node && node < c.to }

// container returns the narrowest container that has most good text of a selection; the page if that is short.
func (d *document) container(s selection) containers {
	d.sums = append(d.sums[:0], 0)
	for range len(d.nodes) {
		d.sums = append(d.sums, 0)
	}
	total := 0
	for _, b := range s.blocks {
		if b.worth == good && s.has(b) {
			d.sums[b.node] += int32(b.size())
			total += b.size()
		}
	}
	page := containers{0, int32(len(d.sums))}
	if total < article {
		return page
	}
	for i := len(d.nodes) - 1; i > 0; i-- { // what is within a container comes after it
		if int(d.sums[i])*100 < total*holding {
			d.sums[d.nodes[i]] += d.sums[i]
			continue
		}
		c := containers{int32(i), int32(i + 1)}
		for int(c.to) < len(d.nodes) && d.nodes[c.to] >= c.from {
			c.to++
		}
		return c
	}
	return page
}

// bestRun returns the first and the last block of the run with the largest sum, both good; -1: no block is good. Good
// text counts for a run, half of the text of other links against it: maximum subsequence segmentation (Pasternack and
// Roth, "Extracting article text from the web with maximum subsequence segmentation", WWW 2009), with fixed values
// instead of learned ones.
func (d *document) bestRun(s selection, in containers) (first, last int) {
	first, last = -1, -1
	best, sum, start := 0, 0, 0
	for i, b := range s.blocks {
		switch {
		case b.worth == good && s.has(b) && in.has(b.node) && b.flags&teaser == 0:
			if sum <= 0 {
				sum, start = 0, i
			}
			if sum += b.size() - int(b.linked); sum > best {
				best, first, last = sum, start, i
			}
		case b.flags&hidden == 0 && (b.worth != weak || !s.has(b)):
			sum -= int(b.linked) / 2
		}
	}
	return first, last
}

// unwantedBeside narrows the flags of unwanted blocks on the page of an article: to the article's body where that has
// most good text, and to what does not stand beside the article where that leaves most. A listing or a forum, whose text
// is teasers or has no such marks, keeps all its text.
func (d *document) unwantedBeside(text selection) (without, with flag) {
	without, with = text.without, text.with
	kept := d.goodBytes(without, with)
	if body := d.goodBytes(without, with|inBody); body >= article && body*100 >= kept*bodied {
		with, kept = with|inBody, body
	}
	if rest := d.goodBytes(without|beside, with); rest*100 >= kept*left {
		without |= beside
	}
	return without, with
}

// inText cuts the ranges of a text to its length.
func inText(parts [][2]int, length int) [][2]int {
	for n := len(parts); n > 0; n-- {
		if last := &parts[n-1]; last[0] < length {
			last[1] = min(last[1], length)
			return parts[:n]
		}
	}
	return nil
}

// isCaption reports whether an element is a caption, or about a page's author.
func isCaption(name []byte) bool { return string(name) == "figcaption" || string(name) == "address" }

// placeOf returns where class, id and itemprop of the current element place it: inBody or else beside, and teaser.
func (d *document) placeOf() (f flag) {
	if d.attrs.has(attrItemprop) && string(d.attrs.get(attrItemprop)) == "articleBody" {
		return inBody
	}
	if d.attrs.has(attrClass) {
		f = placeByName(d.attrs.get(attrClass))
	}
	if d.attrs.has(attrID) {
		f |= placeByName(d.attrs.get(attrID))
	}
	if f&inBody != 0 {
		f &^= beside
	}
	return f
}

// placeByName returns where the words of a class or id place an element: inBody for "entry-content", "post__body",
// "articleBody".
func placeByName(names []byte) (f flag) {
	for owned := false; len(names) > 0; {
		end := wordEnd(names)
		last := end == len(names) || names[end] <= ' '
		var buf [maxName]byte
		switch place := placeByWord(lower(&buf, names[:end])); {
		case place == owner:
			owned = !last
		case place == owns:
			if owned && last {
				f |= inBody
			}
			owned = false
		case end == 0: // between two separators
			owned = owned && !last
		default:
			f |= place
			owned = false
		}
		names = names[min(end+1, len(names)):]
	}
	return f
}

// owner and owns are two words that name a body together.
const owner, owns = muted, linkless

// placeByWord returns where a word in lower case places an element: beside are captions and their credits, authors,
// dates and tags, widgets, forms.
func placeByWord(word []byte) flag {
	switch string(word) {
	case "entry", "post", "story":
		return owner
	case "content", "body", "text", "copy":
		return owns
	case "articlebody", "entrycontent", "postcontent", "storybody", "articletext", "articlecontent", "bodytext", "storytext":
		return inBody
	case "teaser", "teasers":
		return teaser
	case "caption", "figcaption", "credit", "credits", "copyright", "bio", "author", "authors", "byline",
		"dateline", "tags", "tag", "widget", "textwidget", "widgets", "promo", "rating", "likes", "sharedaddy",
		"sociable", "print", "noprint", "infobox", "paywall", "contact", "postmetadata", "meta", "metadata", "more",
		"similar", "recommendations", "outbrain", "taboola", "sticky", "overlay", "cta":
		return beside
	}
	return 0
}
