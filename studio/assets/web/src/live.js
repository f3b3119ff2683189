// live replaces the parts of a page as the server sends them. While the tab is hidden nothing is asked for.
export function live(element) {
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
