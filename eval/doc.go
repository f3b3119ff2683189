// Package eval measures crawls: it says which pages are relevant by a truth that no crawl has a hand
// in, how fast each crawl found them, and writes what it measured as CSV, JSON and HTML.
//
// It reads what crawls wrote (lines of the ledger, in commit order) and an archive's web as a graph;
// it neither crawls nor judges. All figures have one definition each, under one name:
//
//   - a request is one line: a page or query asked for, whatever became of it;
//   - a page is a distinct canonical URL that answered 2xx; an answer to a query is none;
//   - the web is the number of distinct URLs of the archive, in scope, that answered 2xx;
//   - reachable is what links and redirects lead to from the seeds, at any depth;
//   - harvest_rate is relevant pages by pages;
//   - recall is relevant pages by relevant pages that can be reached;
//   - acceptance_rate is accepted pages by pages;
//   - what a share of the relevant needed is the requests after which it was found;
//   - link_precision, link_recall and the discovery rates are those of LinkFigures;
//   - cos_item is the mean cosine of pages to the item that is looked for, itself left out, by one idf for all
//     pages of the archive (Likeness), and cos_above_X the pages above X by pages;
//   - acceptance_precision and acceptance_recall are the accepted pages that are relevant, by
//     accepted pages and by relevant pages.
//
// Figures depend on the lines, the truth and, how links were predicted, the web graph alone: no clock, no order of a map. A ratio of nothing
// to nothing is 0.
//
// This package is not part of the stable API.
package eval
