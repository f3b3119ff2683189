"""An archived web behind a proxy (orbweaver replay), for small crawlers that are compared with others on it."""
import argparse, html.parser, re, urllib.error, urllib.parse, urllib.request, urllib.robotparser


class Page(html.parser.HTMLParser):
    """The text of a page, and its links with their anchor texts."""

    def __init__(self, base, source):
        super().__init__()
        self.base, self.parts, self.links, self.anchor, self.hidden = base, [], [], None, 0
        self.feed(source)
        self.text = " ".join(self.parts)

    def handle_starttag(self, tag, attrs):
        href = dict(attrs).get("href")
        if tag in ("script", "style"):
            self.hidden += 1
        elif tag == "a" and href:
            try:
                url = urllib.parse.urldefrag(urllib.parse.urljoin(self.base, href.strip())).url
            except ValueError:
                return
            if url.startswith(("http://", "https://")):
                self.anchor = [url, ""]
                self.links.append(self.anchor)

    def handle_endtag(self, tag):
        if tag in ("script", "style"):
            self.hidden = max(0, self.hidden - 1)
        elif tag == "a":
            self.anchor = None

    def handle_data(self, data):
        if not self.hidden:
            self.parts.append(data)
            if self.anchor:
                self.anchor[1] += data


class Web:
    """Pages through a proxy. It obeys robots.txt, and requests nothing on the hosts in exclude."""

    def __init__(self, proxy, exclude=()):
        self.proxy, self.exclude, self.robots = proxy, exclude, {}
        self.opener = urllib.request.build_opener(urllib.request.ProxyHandler({"http": proxy, "https": proxy}))

    def allows(self, url):
        parts = urllib.parse.urlsplit(url)
        if any(parts.hostname == host or (parts.hostname or "").endswith("." + host) for host in self.exclude):
            return False
        origin = f"{parts.scheme}://{parts.netloc}"
        if origin not in self.robots:
            rules = self.robots[origin] = urllib.robotparser.RobotFileParser()
            rules.parse((self.source(origin + "/robots.txt")[1] or "").splitlines())
        return self.robots[origin].can_fetch("peer", url)

    def source(self, url, opener=None):
        """The final URL and the text of what answers; None if nothing does, or no text."""
        try:
            with (opener or self.opener).open(url, timeout=30) as answer:
                if not answer.headers.get_content_type().startswith("text/"):
                    return url, None
                body = answer.read(10_000_000)
                return answer.url, body.decode(answer.headers.get_content_charset() or "utf-8", "replace")
        except (urllib.error.URLError, OSError, LookupError, ValueError):
            return url, None

    def page(self, url):
        final, source = self.source(url)
        return Page(final, source) if source is not None else None

    def example(self, url):
        """A page from the archive itself, not through the proxy: no request of the crawl."""
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        return Page(url, self.source(f"{self.proxy}/web/{url}", direct)[1] or "")


def words(text):
    return set(re.findall(r"[^\W\d_]{3,}", text.lower()))


def arguments(description):
    a = argparse.ArgumentParser(description=description)
    a.add_argument("--proxy", default="http://127.0.0.1:8080")
    a.add_argument("--requests", type=int, default=300)
    a.add_argument("--exclude", nargs="*", default=[], help="hosts out of scope")
    a.add_argument("--seeds", nargs="+", required=True)
    return a
