// Answers questions by keys: 1 to 4, or a, p and n, answer the current question and go on to the next; j and k only go.
const byLetter = { a: 0, p: 1, n: 2 };

export function answers(event) {
  const questions = [...document.querySelectorAll("form[data-answers] fieldset")];
  const typing = event.target.closest("input:not([type=radio]), textarea, select, [contenteditable]");
  if (!questions.length || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const at = questions.findIndex((question) => question.contains(document.activeElement));
  const answer = byLetter[event.key] ?? (/^[1-4]$/.test(event.key) ? Number(event.key) - 1 : -1);
  const step = { j: 1, k: -1 }[event.key] ?? 0;
  if (answer < 0 && !step) return;
  const radio = answer < 0 ? null : questions[Math.max(at, 0)].querySelectorAll("input[type=radio]")[answer];
  if (answer >= 0 && !radio) return;
  event.preventDefault();
  if (radio) radio.checked = true;
  go(questions, answer < 0 ? at + step : Math.max(at, 0) + 1);
}

// go gives the focus to a question; behind the last one stands the button that sends all answers.
function go(questions, to) {
  const next = questions[Math.max(to, 0)];
  const target = next?.querySelector("input[type=radio]:checked") ?? next?.querySelector("input[type=radio]") ?? document.querySelector("form[data-answers] > button");
  if (!target) return;
  target.focus({ preventScroll: true });
  (next ?? target).scrollIntoView({ block: "nearest" });
}
