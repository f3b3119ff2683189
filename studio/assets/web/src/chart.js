// chart draws series over numbers: {x: {label, values}, y: {label}, series: [{label, values}], marks: [{x, label}], bands: [{low, high}]}, as of /api/v1/crawls/ID/curve.
import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";
import { colour, element, onTheme } from "./load.js";

const strokes = ["quiet", "accent", "danger", "series-4", "series-5", "series-6"];
const dashes = [[], [8, 4], [2, 3], [10, 3, 2, 3]];
const say = (n) => (n === null || n === undefined ? "–" : n.toLocaleString("en", { maximumFractionDigits: 3 }));

// start draws the chart that data-src of an element answers with, or the part of the answer that data-part names, and anew after each event "refresh", once a second at most.
export default function start(place) {
  let busy = false, again = false;
  const draw = async () => {
    if (busy) {
      again = true;
      return;
    }
    busy = true;
    try {
      const answer = await fetch(place.dataset.src);
      if (answer.ok) show(place, part(await answer.json(), place.dataset.part));
    } catch {
      // the next refresh draws it
    }
    setTimeout(() => {
      busy = false;
      if (again) draw();
      again = false;
    }, 1000);
  };
  place.addEventListener("refresh", draw);
  return draw();
}

const part = (answer, name) => (name ? answer[name] : answer);

const drawn = new WeakMap();

// show draws a chart in an element, or new numbers into the chart that is there.
export function show(place, chart) {
  const values = chart.x.values ?? [];
  if (values.length < 2) return;
  const data = [values, ...chart.series.map((s) => s.values ?? [])];
  const told = words(chart);
  const was = drawn.get(place);
  if (was && was.series === chart.series.length) {
    was.chart = chart;
    was.plot.setData(data);
    was.said.replaceChildren(...marked(chart));
    was.picture.setAttribute("aria-label", told);
    was.table.replaceChildren(...rows(chart));
    return;
  }
  const picture = element("div", { class: "plot", role: "img", "aria-label": told });
  const table = element("table", {}, ...rows(chart));
  const scroll = element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Numbers of the chart" }, table);
  const said = element("div", {}, ...marked(chart));
  place.replaceChildren(picture, element("details", {}, element("summary", {}, "The same as a table"), scroll, said));
  const state = { chart, picture, table, said, series: chart.series.length };
  state.plot = new uPlot(options(chart, picture, state), data, picture);
  drawn.set(place, state);
  new ResizeObserver(() => state.plot.setSize({ width: picture.clientWidth, height: 260 })).observe(picture);
  onTheme(picture, () => {
    const now = state.plot.data;
    state.plot.destroy();
    state.plot = new uPlot(options(chart, picture, state), now, picture);
  });
}

// words say what a chart shows at its end.
function words({ x, y, series, marks = [] }) {
  const end = (list) => list?.findLast((v) => v !== null && v !== undefined);
  return `${y.label} by ${x.label}: after ${say(end(x.values))} ${series.map((s) => `${s.label} ${say(end(s.values))}`).join(", ")}${marks.length > 0 ? `; ${marks.length} decisions are marked` : ""}`;
}

// marked are the marks of a chart as a list.
function marked({ x, marks = [] }) {
  if (marks.length === 0) return [];
  return [element("p", {}, "Decisions:"), element("ul", {}, ...marks.map((m) => element("li", {}, `after ${say(m.x)} ${x.label}: ${m.label}`)))];
}

const longest = 28; // characters of a mark's label in the picture

// mark draws a line across the chart at each mark, with its label along it unless it would stand on another one.
function mark(plot, marks) {
  const { ctx, bbox } = plot;
  const size = 11 * devicePixelRatio;
  let last = -Infinity;
  ctx.save();
  ctx.strokeStyle = ctx.fillStyle = colour("series-4");
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([3 * devicePixelRatio, 3 * devicePixelRatio]);
  ctx.font = `${size}px system-ui, sans-serif`;
  ctx.textAlign = "right";
  for (const { x, label } of marks) {
    const at = Math.round(plot.valToPos(x, "x", true));
    if (at < bbox.left || at > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(at, bbox.top);
    ctx.lineTo(at, bbox.top + bbox.height);
    ctx.stroke();
    if (at - last < 1.3 * size) continue;
    last = at;
    ctx.save();
    ctx.translate(at - 0.35 * size, bbox.top + 2);
    ctx.rotate(-Math.PI / 2);
    ctx.fillText(label.length > longest ? `${label.slice(0, longest)}…` : label, 0, 0);
    ctx.restore();
  }
  ctx.restore();
}

function options({ x, y, series, bands = [] }, picture, state) {
  const axis = { stroke: colour("quiet"), grid: { stroke: colour("line"), width: 1 }, ticks: { stroke: colour("line"), width: 1 } };
  const numbers = (_, ticks) => ticks.map(say);
  return {
    width: Math.max(picture.clientWidth, 240),
    height: 260,
    scales: { x: { time: false }, y: { range: (_, least, most) => [Math.min(0, least ?? 0), (most ?? 0) > 0 ? most * 1.05 : 1] } },
    legend: { live: true },
    hooks: { draw: [(plot) => mark(plot, state.chart.marks ?? [])] },
    bands: bands.map(({ low, high }) => ({ series: [high + 1, low + 1], fill: colour("band") })),
    cursor: { drag: { x: true, y: false } },
    axes: [{ ...axis, label: x.label, labelSize: 18, values: numbers }, { ...axis, label: y.label, labelSize: 18, size: 64, values: numbers }],
    series: [
      { label: x.label, value: (_, v) => say(v) },
      ...series.map((s, i) => ({
        label: s.label, width: 2, points: { show: false }, spanGaps: true, value: (_, v) => say(v),
        stroke: colour(strokes[i % strokes.length]), dash: dashes[Math.floor(i / strokes.length) % dashes.length],
      })),
    ],
  };
}

// rows are a table of the numbers: at most twelve, with the first and the last.
function rows({ x, series }) {
  const n = x.values.length, step = Math.max(1, Math.ceil((n - 1) / 11));
  const at = x.values.map((_, i) => i).filter((i) => i % step === 0 || i === n - 1);
  const head = element("tr", {}, ...[x, ...series].map((s) => element("th", { scope: "col" }, s.label)));
  const body = at.map((i) => element("tr", {}, element("th", { scope: "row" }, say(x.values[i])), ...series.map((s) => element("td", {}, say(s.values?.[i])))));
  return [element("thead", {}, head), element("tbody", {}, ...body)];
}
