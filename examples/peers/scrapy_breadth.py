#!/usr/bin/env python3
"""Scrapy, breadth first, one request at a time so that its order is the same again."""
import os

import scrapy
from scrapy.crawler import CrawlerProcess
from scrapy.linkextractors import LinkExtractor

from web import arguments

options = arguments(__doc__).parse_args()
os.environ["http_proxy"] = options.proxy  # for robots.txt too


class Breadth(scrapy.Spider):
    name = "breadth"
    links = LinkExtractor(deny_domains=options.exclude)

    def start_requests(self):
        for url in options.seeds:
            yield scrapy.Request(url)

    def parse(self, response):
        if isinstance(response, scrapy.http.TextResponse):
            for link in self.links.extract_links(response):
                yield scrapy.Request(link.url)


process = CrawlerProcess({
    "DEPTH_PRIORITY": 1, "SCHEDULER_DISK_QUEUE": "scrapy.squeues.PickleFifoDiskQueue",
    "SCHEDULER_MEMORY_QUEUE": "scrapy.squeues.FifoMemoryQueue",
    "CLOSESPIDER_PAGECOUNT": options.requests, "CONCURRENT_REQUESTS": 1, "ROBOTSTXT_OBEY": True, "RETRY_ENABLED": False,
    "LOG_LEVEL": "ERROR", "TELNETCONSOLE_ENABLED": False, "REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7",
})
process.crawl(Breadth)
process.start()
