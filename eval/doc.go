// Package eval measures crawls against a truth that is independent of them: which pages are relevant and how
// fast each crawl found them. It writes its figures as CSV, JSON and HTML.
//
// It reads the output of crawls (lines of the ledger, in commit order) and an archive's web as a graph; it
// neither crawls nor judges. Each figure has one name and one definition:
//
//   - a request is one line: a page or query requested, whatever its outcome;
//   - a page is a distinct canonical URL that answered 2xx; an answer to a query is none;
//   - the web is the number of distinct URLs of the archive, in scope, that answered 2xx;
//   - reachable documents are those that links and redirects reach from the seeds, at any depth;
//   - harvest_rate is relevant pages ÷ pages fetched;
//   - recall is relevant pages fetched ÷ reachable relevant pages;
//   - acceptance_rate is accepted pages ÷ pages fetched;
//   - the requests needed for a share of the relevant pages are those after which that share was found;
//   - link_precision, link_recall and the discovery rates are those of LinkFigures;
//   - cos_item is the mean cosine of pages to the target item, without the item itself, with one idf for all
//     pages of the archive (Likeness), and cos_above_X is pages above X ÷ pages fetched;
//   - acceptance_precision and acceptance_recall are the relevant accepted pages ÷ accepted pages
//     and ÷ relevant pages.
//
// Figures depend only on the lines and the truth, those of predicted links also on the web graph: never on a
// clock or the order of a map. 0 ÷ 0 is 0.
//
// This package is not part of the stable API.
package eval
