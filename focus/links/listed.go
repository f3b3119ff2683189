package links

import "orbweaver"

// perItem is how many words an item of a list stands for. An item is the title of another page, and a title names what a page is about once
// in a few words: what the page's text does once in a hundred.
const perItem = 60

// Listed returns how many words the items of a page that only lists links stand for, beside the words that they have; 0 for any other page.
// So a list is about what most of its items are about.
func Listed(p *orbweaver.Page) int { return perItem * p.Items }
