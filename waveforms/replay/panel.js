// SPDX-License-Identifier: Apache-2.0
// Pieces of the panel beside the network. A `view` has model, time, select(thing), seek(time).
import { sumsByCause } from "./histories.js";

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
    else made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

// A link to a part of the network or a time.
export const go = (text, action) => element("button", { class: "go", type: "button", onclick: action }, String(text));
export const toPacket = (view, index, text) => go(text ?? view.packetNumber(index), () => view.select({ kind: "packet", id: index }));
// Of packets to several destinations, the number behind the last node is all of these.
export const toNode = (view, node) => node >= view.model.nodes ? "several nodes" : go(view.model.nodeName(node), () => view.select({ kind: "node", id: node }));
export const toTime = (view, time) => go(time, () => view.seek(time));

export function table(head, rows, isNow = () => false) {
  const body = rows.map((cells, i) =>
    element("tr", isNow(i) ? { class: "now" } : {},
      ...cells.map((cell) => element("td", typeof cell === "number" ? { class: "number" } : {}, cell instanceof Node ? cell : String(cell)))));
  return element("table", {}, element("tr", {}, ...head.map((name) => element("th", {}, name))), ...body);
}

export const facts = (...pairs) =>
  table(["", ""], pairs.map(([name, value]) => [name, typeof value === "number" ? String(value) : value]));

// The waits of a packet, each with its cause, and the sum that is the latency.
export function waitsOf(view, history, latency, linkName) {
  if (!history) return [element("p", { class: "dim" }, "This page does not contain the causes of its waits; starloom why DIR --packet N prints them.")];
  const causes = (wait) => {
    const list = element("div", {}, wait.link >= 0 ? linkName(wait.link) : toNode(view, wait.node));
    if (wait.behind.length) list.append(element("br"), "behind ");
    wait.behind.slice(0, 6).forEach((other, i) => {
      const known = view.packetIndex(other);
      list.append(i ? ", " : "", known === undefined ? String(other) : toPacket(view, known));
    });
    if (wait.behind.length > 6) list.append(` and ${wait.behind.length - 6} more`);
    return list;
  };
  const rows = history.waits.map((wait) => [toTime(view, wait.from), wait.to - wait.from, wait.cause, causes(wait)]);
  const sum = [`distance ${history.distance}`, ...sumsByCause(history).map(([cause, time]) => `${cause} ${time}`)].join(" + ");
  return [
    element("h3", {}, "Waits and their causes"),
    element("p", { id: "sum" }, latency === null ? sum : `${latency} = ${sum}`),
    rows.length ? table(["from", "duration", "cause", "where"], rows, (i) => history.waits[i].from <= view.time && view.time < history.waits[i].to) : ""
  ];
}

// A step curve of [[time, value]], with the current time.
export function stepCurve(view, history) {
  const canvas = element("canvas", { width: 640, height: 140, "aria-label": "over time" });
  const context = canvas.getContext("2d");
  const { from, to } = view.model;
  const most = history.reduce((a, [, value]) => Math.max(a, value), 1);
  const x = (time) => ((time - from) / Math.max(1, to - from)) * 640;
  const y = (value) => 132 - (value / most) * 110;
  context.strokeStyle = view.palette.text;
  context.lineWidth = 2;
  context.beginPath();
  context.moveTo(x(from), y(0));
  let last = 0;
  for (const [time, value] of history) {
    context.lineTo(x(time), y(last));
    context.lineTo(x(time), y(value));
    last = value;
  }
  context.lineTo(640, y(last));
  context.stroke();
  context.fillStyle = view.palette.accent;
  context.fillRect(x(view.time) - 1, 0, 3, 140);
  context.fillStyle = view.palette.dim;
  context.font = "22px sans-serif";
  context.fillText(`max ${most}`, 6, 20);
  canvas.addEventListener("click", (event) => view.seek(Math.floor(from + (event.offsetX / canvas.clientWidth) * (to - from))));
  return canvas;
}

const MOST_FIELDS_IN_ROWS = 64;

// Fields KIND_ITEM in tables with a row for each item; kinds with the same items share a table.
function tablesOf(fields) {
  const kinds = new Map();
  for (const [name, value] of fields) {
    const [kind] = name.split("_", 1);
    if (!kinds.has(kind)) kinds.set(kind, new Map());
    kinds.get(kind).set(name.slice(kind.length + 1), value);
  }
  const tables = new Map();
  for (const [kind, values] of kinds) {
    const items = [...values.keys()];
    const key = items.join();
    if (!tables.has(key)) tables.set(key, { items, columns: [] });
    tables.get(key).columns.push([kind, values]);
  }
  return [...tables.values()].map(({ items, columns }) =>
    table(["", ...columns.map(([kind]) => kind)], items.map((item) => [item, ...columns.map(([, values]) => values.get(item))])));
}

// The state fields of a node, or the reason why there are none. Many are in tables.
export function statesOf(view, node) {
  const { states } = view.model;
  const fields = states.of(node, view.time);
  if (fields.length > MOST_FIELDS_IN_ROWS) return [element("h3", {}, "State"), ...tablesOf(fields)];
  if (fields.length) return [element("h3", {}, "State"), facts(...fields)];
  return [element("p", { class: "dim" }, states.missing || "The waves of this run do not include this node.")];
}

const KEYS = [
  ["space", "play or pause"], ["\u2190 \u2192", "one step back, one forward; with Shift ten"], ["Home End", "to the beginning, to the end"],
  ["[ ]", "slower, faster"], ["n p", "next, previous event"], ["w a s d", "move the network"], ["+ -", "zoom"], ["0", "fit the whole network"],
  ["/", "search"], ["c", "next colour"], ["l", "next layer: load or power"], ["Esc", "clear the selection"], ["?", "these shortcuts"]
];

export function keysPanel() {
  return [element("h2", {}, "Shortcuts"), table(["", ""], KEYS.map(([keys, meaning]) => [element("kbd", {}, keys), meaning]))];
}
