#!/usr/bin/env python3
"""Breadth first: pages in the order in which links to them were found."""
import collections

from web import Web, arguments

options = arguments(__doc__).parse_args()
web, waiting, seen = Web(options.proxy, options.exclude), collections.deque(options.seeds), set(options.seeds)
made = 0
while waiting and made < options.requests:
    url = waiting.popleft()
    if not web.allows(url):
        continue
    made += 1
    page = web.page(url)
    for link, _ in page.links if page else ():
        if link not in seen:
            seen.add(link)
            waiting.append(link)
