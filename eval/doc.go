// Package eval measures crawls against a truth that is independent of them: which pages are relevant and how fast
// each crawl found them. It writes its figures as CSV, JSON and HTML.
//
// It reads what crawls wrote (lines of the ledger, in commit order) and an archive's web as a graph;
// it neither crawls nor judges. All figures have one definition each, under one name:
//
//   - a request is one line: a page or query asked for, whatever became of it;
//   - a page is a distinct canonical URL that answered 2xx; an answer to a query is none;
//   - the web is the number of distinct URLs of the archive, in scope, that answered 2xx;
//   - reachable is what links and redirects lead to from the seeds, at any depth;
//   - harvest_rate is relevant pages ÷ pages fetched;
//   - recall is relevant pages fetched ÷ reachable relevant pages;
//   - acceptance_rate is accepted pages ÷ pages fetched;
//   - what a share of the relevant needed is the requests after which it was found;
//   - link_precision, link_recall and the discovery rates are those of LinkFigures;
//   - cos_item is the mean cosine of pages to the item that is looked for, itself left out, by one idf for all
//     pages of the archive (Likeness), and cos_above_X the pages above X ÷ pages fetched;
//   - acceptance_precision and acceptance_recall are the relevant accepted pages ÷ accepted pages
//     and ÷ relevant pages.
//
// Figures depend on the lines and the truth alone, those of predicted links on the web graph too: not on a clock or
// the order of a map. 0 ÷ 0 is 0.
//
// This package is not part of the stable API.
package eval
