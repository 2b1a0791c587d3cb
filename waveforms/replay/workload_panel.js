// SPDX-License-Identifier: Apache-2.0
// The parts of the panel that show messages and operations.
import { barColour, splitColours } from "./lanes.js";
import { element, facts, go, table, toNode, toPacket, toTime } from "./panel.js";

const MOST_MESSAGES = 60, MOST_PACKETS = 8, MOST_NAMES = 12;

const toMessage = (view, m) => go(view.model.workload.number[m], () => view.select({ kind: "message", id: m }));

// A table of the last messages of a chain, the latest first. `cells(m)` are those behind its number and flow.
function chainTable(view, chain, heads, cells) {
  const { workload } = view.model;
  const rows = chain.slice(-MOST_MESSAGES).reverse().map((m) => [toMessage(view, m), flowText(view, m), ...cells(m)]);
  const more = chain.length > MOST_MESSAGES ? [element("p", { class: "dim" }, `and ${chain.length - MOST_MESSAGES} before them`)] : [];
  return [table(["message", "flow", ...heads], rows), ...more];
}
const delivery = (view, m) => (view.model.workload.delivered[m] < 0 ? "never" : toTime(view, view.model.workload.delivered[m]));

// A square of a colour, and its text.
const coloured = (text, colour) => [element("span", { style: `color: ${colour}` }, "\u25a0 "), text];
// The ranks of a flow stay in one line.
function flowText(view, m) {
  const flow = view.model.workload.flowName(m), at = flow.lastIndexOf(" ") + 1;
  return element("span", {}, flow.slice(0, at), element("span", { style: "white-space: nowrap" }, flow.slice(at)));
}

// The names of operations.
export function operationNames(view) {
  const { workload } = view.model;
  if (!workload.program) return [];
  const names = workload.names.map((name, i) => [name, i]);
  const computes = new Set(workload.operations.filter(({ compute }) => compute).map(({ name }) => name));
  const shown = names.filter(([, i]) => !computes.has(i)).slice(0, MOST_NAMES).map(([name, i]) => [name, barColour(i, view.palette)]);
  if (computes.size) shown.push(["computations", barColour(-1, view.palette)]);
  return [element("h3", {}, "Operations"), element("p", {}, ...shown.flatMap(([name, colour]) => coloured(`${name}  `, colour)))];
}

// The critical path as a whole.
export function criticalPath(view) {
  const { workload } = view.model, { chain } = workload;
  if (!chain.length) return [];
  const parts = splitColours(view.palette).map(([part, colour]) => [`${part} ${chain.reduce((all, entry) => all + entry[part], 0)}`, colour]);
  const index = new Map(chain.map((entry, i) => [entry.message, i]));
  const total = workload.delivered[chain[chain.length - 1].message];
  return [
    element("h3", {}, "Critical path"),
    element("p", { id: "critical" }, `${total} = `, ...parts.flatMap(([text, colour], i) => [i ? " + " : "", ...coloured(text, colour)])),
    ...chainTable(view, chain.map((entry) => entry.message), ["compute", "ideal", "contention"], (m) => {
      const entry = chain[index.get(m)];
      return [entry.compute, entry.ideal, entry.contention];
    })
  ];
}

export function messagePanel(view, m) {
  const { workload } = view.model, overdue = workload.overdue(m), before = workload.releasedBy[m];
  const packets = element("span", {}), shown = view.model.packetsOf(m).slice(0, MOST_PACKETS);
  shown.forEach((packet, i) => packets.append(i ? ", " : "", toPacket(view, packet)));
  if (workload.packetCount[m] > shown.length) packets.append(` and ${workload.packetCount[m] - shown.length} more`);
  const delivered = workload.delivered[m];
  return [
    element("h2", {}, `Message ${workload.number[m]}`),
    facts(["flow", workload.flowName(m)], ["from", toNode(view, workload.source[m])], ["to", toNode(view, workload.destination[m])],
          ["flits", workload.flits[m]], ["created", toTime(view, workload.created[m])],
          ["delivered", delivery(view, m)],
          ["latency", delivered < 0 ? "" : delivered - workload.created[m]], ["packets", packets],
          ["released by", before < 0 ? "it waited for no other message" : toMessage(view, before)]),
    ...(overdue > 0 ? [element("p", { class: "alarm", id: "overdue" }, `It missed its deadline by ${overdue} ${view.model.facts.clock}${overdue === 1 ? "" : "s"}.`)] : []),
    element("h3", {}, "Its chain: each message was released by the one below"),
    ...chainTable(view, workload.chainOf(m), ["waited", "created", "delivered"], (one) => {
      const released = workload.releasedBy[one];
      return [workload.created[one] - (released < 0 ? 0 : workload.delivered[released]), toTime(view, workload.created[one]), delivery(view, one)];
    })
  ];
}

export function operationPanel(view, o) {
  const { workload } = view.model, operation = workload.operations[o], [rank] = workload.rows[operation.row];
  const messages = workload.messagesOf(o);
  const rows = messages.slice(0, MOST_MESSAGES).map((m) => [
    toMessage(view, m), workload.flowName(m).replace(/^.* /, ""), toTime(view, workload.created[m]), delivery(view, m),
    workload.overdue(m) > 0 ? element("span", { class: "alarm" }, "late") : ""
  ]);
  return [
    element("h2", {}, `${workload.operationName(o)}, ${rank}`),
    facts(["processor", toNode(view, workload.nodeOf(o))], ["enters", toTime(view, operation.start)],
          ["finishes", operation.finish < 0 ? "never" : toTime(view, operation.finish)],
          ["duration", operation.finish < 0 ? "" : operation.finish - operation.start]),
    element("h3", {}, `Its messages, sent and received: ${messages.length}`),
    rows.length ? table(["message", "ranks", "created", "delivered", ""], rows, (i) => {
      const m = messages[i];
      return workload.created[m] <= view.time && (workload.delivered[m] < 0 || view.time < workload.delivered[m]);
    }) : ""
  ];
}

// The message of a packet, and the one that released it.
export function messageOfPacket(view, packet) {
  const { workload } = view.model, m = workload.ofPacket(packet);
  if (m < 0) return [];
  const before = workload.releasedBy[m];
  const text = element("p", { id: "message" }, "Message ", toMessage(view, m), ` of the flow ${workload.flowName(m)}, `);
  if (before < 0) text.append("which waited for no other one.");
  else text.append("released by message ", toMessage(view, before), ` of the flow ${workload.flowName(before)} in ${view.model.facts.clock} `, toTime(view, workload.delivered[before]), ".");
  return [text];
}
