"use strict";
// Shows results by pages of 50: those that have all words of the filter, in the order chosen. All text
// is put in as text, never as markup.
(function () {
  var size = 50;
  var get = function (id) { return document.getElementById(id); };
  var data = JSON.parse(get("data").textContent);
  var pages = data.pages || [], rdf = data.rdf || [];
  var kind = rdf.length && (!pages.length || rdf[0].p > pages[0].p) ? "rdf" : "pages"; // where the best is
  var words = [], order = "p", page = 0, timer = 0;

  function make(name, className, text, parent) {
    var e = document.createElement(name);
    if (className) e.className = className;
    if (text) e.textContent = text;
    if (parent) parent.appendChild(e);
    return e;
  }

  function marked(parts, parent) {
    parts.forEach(function (text, i) {
      if (i % 2) make("mark", "", text, parent);
      else parent.appendChild(document.createTextNode(text));
    });
  }

  function clean(text) { // what could turn the direction of writing, or hide
    return text.replace(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
  }

  function shown(hit) {
    var li = document.createElement("li");
    var h3 = make("h3", "", "", li), within = h3;
    h3.dir = "auto";
    if (/^https?:\/\//.test(hit.u)) {
      within = make("a", "", "", h3);
      within.href = hit.u;
      within.rel = "noreferrer nofollow";
    }
    var address = clean(hit.u.length > 300 ? hit.u.slice(0, 300) + "…" : hit.u);
    if (hit.t) marked(hit.t, within);
    else make("bdi", "", address, within);
    var where = make("div", "where", "", li);
    make("b", "score", hit.q, where);
    where.appendChild(document.createTextNode(" "));
    make("bdi", "", hit.h, where);
    if (hit.c) {
      where.appendChild(document.createTextNode(" · "));
      make("bdi", "", hit.c, where);
    }
    if (hit.r) where.appendChild(document.createTextNode(" · relevant by the truth"));
    make("bdi", "", address, make("div", "where url", "", li));
    if (hit.s) {
      var p = make("p", "snippet", "", li);
      p.dir = "auto";
      marked(hit.s, p);
    }
    if (hit.w) {
      var why = make("ul", "why", "", li);
      hit.w.forEach(function (text) { make("li", "", text, why).dir = "auto"; });
    }
    if (hit.d) {
      var details = make("details", "why", "", li);
      make("summary", "", "the same content elsewhere", details);
      hit.d.forEach(function (url) { make("bdi", "", url, make("div", "", "", details)); });
      if (hit.m) make("div", "", "and " + hit.m + " more", details);
    }
    return li;
  }

  function text(hit) { // all that is looked through, made once
    if (!hit.all) {
      hit.all = [(hit.t || []).join(""), (hit.s || []).join(""), hit.u, hit.c || "", (hit.w || []).join(" ")].join("\n").toLowerCase();
    }
    return hit.all;
  }

  function key(hit) { return order === "t" ? (hit.t || [hit.u]).join("").toLowerCase() : hit.h; }

  function compare(a, b) {
    if (order === "n") return a.n - b.n;
    if (order !== "p") {
      var x = key(a), y = key(b);
      if (x !== y) return x < y ? -1 : 1;
    }
    return b.p - a.p || a.n - b.n;
  }

  function show() {
    var all = kind === "rdf" ? rdf : pages;
    var found = all.filter(function (hit) {
      return words.every(function (w) { return text(hit).indexOf(w) >= 0; });
    }).sort(compare);
    var many = Math.max(1, Math.ceil(found.length / size));
    page = Math.min(page, many - 1);
    var first = page * size, last = Math.min(first + size, found.length);
    var list = make("ol", "hits");
    list.start = first + 1;
    found.slice(first, last).forEach(function (hit) { list.appendChild(shown(hit)); });
    get("hits").replaceChildren(list);
    var what = kind === "rdf" ? "RDF documents" : "pages";
    var told = found.length ? first + 1 + "–" + last + " of " + found.length + " " + what : "no such " + what;
    get("told").textContent = found.length < all.length ? told + ", filtered from " + all.length : told;
    get("place").textContent = "page " + (page + 1) + " of " + many;
    get("pager").hidden = many < 2;
    get("back").disabled = page === 0;
    get("on").disabled = page === many - 1;
  }

  function turn(by) {
    page += by;
    show();
    get("results").scrollIntoView();
  }

  function again() {
    page = 0;
    show();
  }

  get("find").hidden = false;
  get("kinds").hidden = !(pages.length && rdf.length);
  get("kind").value = kind;
  get("find").addEventListener("submit", function (e) { e.preventDefault(); });
  get("words").addEventListener("input", function () {
    clearTimeout(timer);
    timer = setTimeout(function () {
      words = get("words").value.toLowerCase().split(/\s+/).filter(Boolean);
      again();
    }, 120);
  });
  get("order").addEventListener("change", function () { order = get("order").value; again(); });
  get("kind").addEventListener("change", function () { kind = get("kind").value; again(); });
  get("back").addEventListener("click", function () { turn(-1); });
  get("on").addEventListener("click", function () { turn(1); });
  show();
})();
