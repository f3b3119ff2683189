#!/usr/bin/env python3
"""Best first by naive Bayes, learned from some pages about the topic and from the pages that the crawl fetches."""
import heapq, math, random

from web import Web, arguments, words

a = arguments(__doc__)
a.add_argument("--truth", required=True, help="table of URLs and topics, as a comparison has it: the positives are drawn from it")
a.add_argument("--topics", nargs="+", required=True)
a.add_argument("--positives", type=int, default=20)
a.add_argument("--seed", type=int, default=1)
options = a.parse_args()
web = Web(options.proxy, options.exclude)

rows = [line.rstrip("\n").split("\t") for line in open(options.truth, encoding="utf-8")][1:]
about = sorted({url for url, topic in rows if topic.startswith(tuple(options.topics))})
positives = [words(web.example(url).text) for url in random.Random(options.seed).sample(about, min(options.positives, len(about)))]
counts = lambda texts: {w: sum(w in t for t in texts) for w in set().union(*texts)}
topic, other, fetched = counts(positives), {}, 0


def strength(text):  # how much likelier a text about the topic has these words than a page of the crawl
    found = words(text)
    total = sum(math.log((topic.get(w, 0) + .5) / (len(positives) + 1) * (fetched + 1) / (other.get(w, 0) + .5)) for w in found if w in topic or w in other)
    return total / max(1, len(found)) ** .5  # the words of a text depend on each other: their sum is damped


def chance(log_odds):
    return 1 / (1 + math.exp(-max(-30, min(30, log_odds))))


waiting, best, done, made = [(-2, n, url) for n, url in enumerate(options.seeds)], {}, set(), 0
found = len(waiting)
while waiting and made < options.requests:
    _, _, url = heapq.heappop(waiting)
    if url in done or not web.allows(url):
        continue
    done.add(url)
    made += 1
    page = web.page(url)
    if not page:
        continue
    fetched += 1
    for w in words(page.text):
        other[w] = other.get(w, 0) + 1
    score = chance(strength(page.text))
    for link, anchor in page.links:
        worth = .3 * score + .7 * chance(strength(anchor))
        if link not in done and worth > best.get(link, -1):  # the best link to a page counts
            best[link] = worth
            found += 1
            heapq.heappush(waiting, (-worth, found, link))
