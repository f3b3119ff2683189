#!/usr/bin/env python3
# A judge of 40 lines for orbweaver: naive Bayes on some twenty texts about your topic, and a few hundred about anything.
#   python3 bayes.py POSITIVES BACKGROUND      two folders of text files; examples/external/README.md says how to get them
import json, math, pathlib, re, sys

def words(text):
    return set(re.findall(r"[^\W\d_]{3,}", text.lower()))

def count(folder):  # in how many of the files each word is, and the number of files
    files = [p for p in sorted(pathlib.Path(folder).rglob("*")) if p.is_file()]
    counts = {}
    for path in files:
        for word in words(path.read_text(encoding="utf-8", errors="replace")):
            counts[word] = counts.get(word, 0) + 1
    return counts, len(files)

topic, n = count(sys.argv[1])
other, m = count(sys.argv[2])
# How much more likely a word is in a text about the topic, as a logarithm.
weight = {w: math.log((topic.get(w, 0) + 0.5) / (n + 1)) - math.log((other.get(w, 0) + 0.5) / (m + 1)) for w in set(topic) | set(other)}

def strength(text):
    return sorted(((weight[w], w) for w in words(text) if w in weight), reverse=True)

def chance(log_odds):
    return 1 / (1 + math.exp(-max(-30, min(30, log_odds))))

for line in sys.stdin:
    page = json.loads(line)
    found = strength(page["title"] + " " + page["text"])
    score = chance(sum(w for w, _ in found) / max(1, len(found)) ** 0.5)
    links = [chance(sum(w for w, _ in strength(l["anchor"] + " " + l.get("context", ""))) / 4) * 0.5 + score * 0.5 for l in page["links"]]
    reasons = [{"rule": "word", "evidence": w, "weight": round(x, 3)} for x, w in found[:5]]
    print(json.dumps({"id": page["id"], "score": score, "reasons": reasons, "links": links}), flush=True)
