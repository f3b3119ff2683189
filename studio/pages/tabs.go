package pages

// crawlTabs are the pages of a crawl.
var crawlTabs = []struct{ path, label string }{{"", "Live"}, {"/results", "Results"}, {"/map", "Map"}, {"/proposals", "Proposals"}, {"/teach", "Teach"}, {"/ask", "Ask"}}
