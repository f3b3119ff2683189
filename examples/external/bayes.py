#!/usr/bin/env python3
# A judge of 40 lines for orbweaver: naive Bayes on some twenty texts about a topic, and some hundred about anything.
#   python3 bayes.py POSITIVES BACKGROUND      two folders of text files; README.md beside this file says how to get them
import json, math, pathlib, re, sys


def words(text):
    return set(re.findall(r"[^\W\d_]{3,}", text.lower()))


def count(folder):  # in how many files of a folder each word is, and how many files there are
    files, counts = [p for p in sorted(pathlib.Path(folder).rglob("*")) if p.is_file()], {}
    for path in files:
        for word in words(path.read_text(encoding="utf-8", errors="replace")):
            counts[word] = counts.get(word, 0) + 1
    return counts, len(files) or sys.exit(f"{folder} has no files")


(topic, n), (other, m) = count(sys.argv[1]), count(sys.argv[2])
# How much likelier a text about the topic has a word than any text: the logarithm of the quotient.
weight = {w: math.log((topic.get(w, 0) + .5) / (n + 1) * (m + 1) / (other.get(w, 0) + .5)) for w in topic | other}


def strength(text):
    return sorted(((weight[w], w) for w in words(text) if w in weight), reverse=True)


def chance(log_odds):
    return 1 / (1 + math.exp(-max(-30, min(30, log_odds))))


for line in sys.stdin:
    page = json.loads(line)
    found = strength(page["title"] + " " + page["text"])
    # The words of a page depend on each other: their sum is damped by the root of their number.
    score = chance(sum(x for x, _ in found) / 2 / max(1, len(found)) ** .5 + math.log(n / m))
    around = [sum(x for x, _ in strength(link["anchor"] + " " + link.get("context", ""))) for link in page["links"]]
    reasons = [{"rule": "word", "evidence": word, "weight": round(x, 3)} for x, word in found[:5]]
    print(json.dumps({"id": page["id"], "score": score, "reasons": reasons, "links": [.3 * score + .7 * chance(x / 4) for x in around]}), flush=True)
