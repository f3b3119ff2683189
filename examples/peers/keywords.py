#!/usr/bin/env python3
"""Best first by keywords: a link's worth is the share of the keywords in its URL, and pages are fetched in batches of ten."""
import heapq

from web import Web, arguments

a = arguments(__doc__)
a.add_argument("--keywords", nargs="+", required=True)
options = a.parse_args()
web, keywords = Web(options.proxy, options.exclude), [k.lower() for k in options.keywords]
waiting, seen, made = [(-2, n, url) for n, url in enumerate(options.seeds)], set(options.seeds), 0
while waiting and made < options.requests:
    batch = [heapq.heappop(waiting)[2] for _ in range(min(10, len(waiting)))]
    for url in batch:
        if made == options.requests or not web.allows(url):
            continue
        made += 1
        page = web.page(url)
        for link, _ in page.links if page else ():
            if link not in seen:
                seen.add(link)
                worth = sum(k in link.lower() for k in keywords) / len(keywords)
                heapq.heappush(waiting, (-worth, len(seen), link))
