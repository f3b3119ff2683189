// What lives on the studio's pages: everything on them reads and acts without it.

// live replaces the parts of a page as the server sends them. While the tab is hidden nothing is asked for.
function live(element) {
  let source = null, wait = 1000;
  const note = document.createElement("p");
  note.setAttribute("role", "status");
  const lost = (text) => {
    note.textContent = text;
    note.className = text ? "lost" : "";
  };
  document.body.append(note);
  const stop = () => {
    source?.close();
    source = null;
  };
  const start = () => {
    if (source || document.hidden) return;
    source = new EventSource(element.dataset.src);
    source.addEventListener("part", (event) => {
      wait = 1000;
      lost("");
      for (const part of JSON.parse(event.data).parts) {
        const place = document.getElementById(part.id);
        if (place && !keeps(place)) place.innerHTML = part.html; // the server's own templates
      }
      for (const chart of element.querySelectorAll("[data-island=chart]")) chart.dispatchEvent(new Event("refresh"));
    });
    source.onerror = () => {
      stop();
      lost("The connection to the studio is lost; trying again …");
      setTimeout(start, wait);
      wait = Math.min(wait * 2, 30000);
    };
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? stop() : start()));
  start();
}

// keeps reports whether a person is at a part: it has the focus, or something in it is open.
function keeps(place) {
  return place.contains(document.activeElement) || place.querySelector("details[open]") !== null;
}

const svg = (name, attributes, text) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
};

// chart draws series over numbers, once a second at most.
function chart(element) {
  let busy = false;
  const draw = async () => {
    if (busy) return;
    busy = true;
    try {
      const answer = await fetch(element.dataset.src);
      if (answer.ok) show(element, await answer.json());
    } catch {
      // the next refresh draws it
    }
    setTimeout(() => (busy = false), 1000);
  };
  element.addEventListener("refresh", draw);
  draw();
}

function show(element, { x, y, series }) {
  const values = x.values ?? [];
  if (values.length < 2) return;
  const width = 720, height = 220, left = 52, bottom = 24, top = 10, right = 90;
  const most = Math.max(1, ...series.flatMap((s) => s.values ?? []));
  const last = values[values.length - 1];
  const px = (v) => left + ((width - left - right) * v) / last;
  const py = (v) => height - bottom - ((height - bottom - top) * v) / most;
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img" });
  const told = series.map((s) => `${s.label} ${s.values[s.values.length - 1]}`).join(", ");
  picture.append(svg("title", {}, `${y.label} by ${x.label}: after ${last} ${told}`));
  for (const share of [0, 0.5, 1]) {
    const v = Math.round(most * share);
    picture.append(svg("line", { x1: left, x2: width - right, y1: py(v), y2: py(v), stroke: "currentColor", opacity: 0.15 }));
    picture.append(svg("text", { x: left - 6, y: py(v) + 4, "text-anchor": "end" }, v.toLocaleString("en")));
    const u = Math.round(last * share);
    picture.append(svg("text", { x: px(u), y: height - 6, "text-anchor": "middle" }, u.toLocaleString("en") + (share === 1 ? " " + x.label : "")));
  }
  for (const s of series) {
    const points = s.values.map((v, i) => `${px(values[i])},${py(v)}`).join(" ");
    picture.append(svg("polyline", { points, fill: "none", class: s.label, "stroke-width": 2 }));
    picture.append(svg("text", { x: width - right + 6, y: py(s.values[s.values.length - 1]) + 4 }, s.label));
  }
  element.replaceChildren(picture);
}

const islands = { live, chart };
for (const element of document.querySelectorAll("[data-island]")) islands[element.dataset.island]?.(element);

// "/" goes to the search, as elsewhere on the Web.
document.addEventListener("keydown", (event) => {
  const search = document.querySelector("input[type=search]");
  const typing = event.target.closest("input, textarea, select, [contenteditable]");
  if (event.key === "/" && search && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    event.preventDefault();
    search.focus();
  }
});
