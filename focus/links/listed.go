package links

import (
	"fmt"

	"orbweaver"
)

// perItem is how many words an item of a list stands for. An item is the title of another page, and a title names what a page is about once
// in a few words: what the page's text does once in a hundred.
const perItem = 60

// RuleList is the rule of a reason that says that a page only lists links. Its weight is 0.
const RuleList = "list"

// Listed returns how many words the items of a page that only lists links stand for, beside the words that they have; 0 for any other page.
// So a list is about what most of its items are about.
func Listed(p *orbweaver.Page) int { return perItem * p.Items }

// AppendListed appends to the reasons of a page's score, if there are any, that it only lists links.
func AppendListed(reasons []orbweaver.Reason, p *orbweaver.Page) []orbweaver.Reason {
	if p.Items == 0 || len(reasons) == 0 {
		return reasons
	}
	return append(reasons, orbweaver.Reason{Rule: RuleList, Evidence: fmt.Sprintf("%d, with hardly any text beside them", p.Items)})
}
