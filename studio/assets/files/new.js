// The editor of a crawl file: form and YAML follow each other as a person types. The server does the work: what is typed is sent, and
// the page that comes back fills what the person is not at. Without this script the button "Check" does the same.
const wait = 400; // ms without typing before it is sent

function sync(form) {
  const yaml = form.elements.yaml;
  let timer = 0, sent = 0;

  const send = async () => {
    const number = ++sent;
    const posted = new URLSearchParams();
    for (const [name, value] of new FormData(form)) posted.append(name, value);
    posted.set("do", "sync");
    let page;
    try {
      const answer = await fetch(form.action, { method: "POST", body: posted });
      if (!answer.ok) return;
      page = new DOMParser().parseFromString(await answer.text(), "text/html");
    } catch {
      return; // the next change is sent again
    }
    if (number === sent) take(page, posted);
  };

  // take fills the form with a page; what has changed since it was asked for stays.
  const take = (page, posted) => {
    const other = page.getElementById("draft");
    if (!other) return;
    const same = (field) => lines(posted.get(field.name) ?? "") === lines(field.value);
    if (!same(yaml)) return; // a newer request is on its way
    if (lines(yaml.value) !== lines(other.elements.yaml.value) && document.activeElement !== yaml) {
      yaml.value = other.elements.yaml.value;
      yaml.dispatchEvent(new Event("refresh")); // for an editor that stands in its place
    }
    form.elements.was.value = other.elements.was.value;
    const fields = [...form.querySelectorAll("#d-keys [name]")];
    if (names(fields) !== names([...other.querySelectorAll("#d-keys [name]")])) {
      const at = document.activeElement?.id;
      replace(page, "d-keys");
      if (at) document.getElementById(at)?.focus();
    } else {
      for (const field of fields) {
        const now = other.elements[field.name];
        if (same(field) && field !== document.activeElement && lines(field.value) !== lines(now.value)) field.value = now.value;
        const fault = page.getElementById(field.id + "-fault"), place = document.getElementById(field.id + "-fault");
        if (fault && place && place.textContent !== fault.textContent) {
          place.replaceChildren(...fault.cloneNode(true).childNodes);
          place.parentElement.className = fault.parentElement.className;
          field.setAttribute("aria-invalid", String(fault.textContent !== ""));
          const group = place.closest("details.group");
          if (group && fault.textContent) group.open = true;
        }
      }
    }
    replace(page, "d-problems");
  };

  const later = (event) => {
    if (!event.target.name || ["url", "text", "forced", "urls"].includes(event.target.name)) return;
    clearTimeout(timer);
    timer = setTimeout(send, event.type === "change" ? 0 : wait);
  };
  form.addEventListener("input", later);
  form.addEventListener("change", later);

  let changed = false; // nothing is kept before "Create" or "Save": whoever leaves is asked
  form.addEventListener("input", () => (changed = true));
  form.addEventListener("submit", () => (changed = false));
  window.addEventListener("beforeunload", (event) => changed && event.preventDefault());
}

// replace takes an element over from another page.
function replace(page, id) {
  const place = document.getElementById(id), now = page.getElementById(id);
  if (place && now && place.innerHTML !== now.innerHTML) place.replaceChildren(...now.childNodes);
}

const names = (fields) => fields.map((field) => field.name).join(" ");
const lines = (text) => text.replaceAll("\r\n", "\n");

for (const form of document.querySelectorAll("form[data-sync]")) sync(form);
