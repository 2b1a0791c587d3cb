// SPDX-License-Identifier: Apache-2.0
// The panel of a run on a network of links, and of its packets, messages, nodes and links.
import { EJECT, HOP, INJECT, STORE } from "./links_model.js";
import { element, facts, statesOf, stepCurve, table, toNode, toPacket, toTime, waitsOf, go } from "./panel.js";
import { milliwatts } from "./power.js";
import { criticalPath, messageOfPacket, messagePanel, operationNames, operationPanel } from "./workload_panel.js";

const MOST_ROWS = 60;
const PLACES = { memory: ", in memory", buffer: "", passing: ", passing" };

export class LinksPanel {
  constructor(view) {
    this.view = view;
  }
  toLink(link) {
    return go(this.view.model.linkName(link), () => this.view.select({ kind: "link", id: link }));
  }

  run() {
    const { view } = this, { model } = view;
    const moving = element("p", {}, `${model.packets} packet${model.packets === 1 ? "" : "s"}, ${model.nodes} nodes, ${model.links} links. Click a packet, a node or a link.`);
    return [element("h2", {}, "The run"), moving, ...this.powerOf("network"), ...this.powerColours(), ...this.cycle(), ...this.events(), ...(model.workload ? [...operationNames(view), ...criticalPath(view)] : [])];
  }
  // A line for the mean power in the window of the time shown. kind: network, routers or links
  powerOf(kind, number) {
    const { view } = this, { power } = view.model;
    if (!power) return [];
    const window = power.windowAt(view.time);
    if (window < 0) return [element("p", { class: "power" }, "Power is not measured in this step.")];
    const value = number === undefined ? power[kind][window] : power[kind][window][number];
    return [element("p", { class: "power" }, `Power: ${milliwatts(value)} mW in steps ${power.from[window]} to ${power.to[window] - 1}.`)];
  }
  powerColours() {
    const { view } = this, { power } = view.model;
    if (view.layer !== "power") return [];
    return [element("p", { class: "dim" }, `Colours are seven equal parts: of routers up to ${milliwatts(power.mostRouter)} mW, of links up to ${milliwatts(power.mostLink)} mW.`)];
  }
  events() {
    const { view } = this;
    return [element("h3", {}, "Events"), table([view.model.facts.clock, ""], view.events.map((event) =>
      [toTime(view, event.step), element("span", event.alarm ? { class: "alarm" } : {}, event.text)]))];
  }
  cycle() {
    const { view } = this, { model } = view, { cycle } = model.facts;
    if (!cycle.length) return [];
    const rows = cycle.map((entry, i) => {
      const holder = view.packetIndex(entry.packet), next = view.packetIndex(cycle[(i + 1) % cycle.length].packet);
      const link = model.linkAt[entry.node * model.facts.stride + entry.port];
      return [toPacket(view, holder), link >= 0 ? this.toLink(link) : toNode(view, entry.node), toPacket(view, next)];
    });
    return [element("h3", { class: "alarm", id: "cycle" }, "Deadlock cycle"), table(["packet", "waits for", "held by"], rows)];
  }

  packet(p) {
    const { view } = this, { model } = view, id = model.id[p];
    const latency = model.delivered[p] < 0 ? null : model.delivered[p] - model.created[p];
    return [
      element("h2", {}, `Packet ${id}`),
      facts(["from", toNode(view, model.source[p])], ["to", toNode(view, model.destination[p])], ["flits", model.flits[p]],
            ["created", toTime(view, model.created[p])],
            ["delivered", latency === null ? "never" : toTime(view, model.delivered[p])], ["latency", latency ?? ""],
            ...(model.lostBy.has(p) ? [["lost", element("span", { class: "alarm", id: "lost" }, toTime(view, model.lostAt[p]), ` ${model.lostBy.get(p)}`)]] : [])),
      element("p", { id: "where" }, this.whereText(p)),
      ...(model.workload ? messageOfPacket(view, id) : []),
      ...waitsOf(view, model.histories.get(id), latency, (link) => this.toLink(link)),
      ...this.path(p)
    ];
  }
  whereText(p) {
    const { view } = this, { model } = view;
    const found = model.whereIs(p, view.time);
    if (!found.length) return view.time < model.created[p] ? "Not created yet." : model.lostBy.has(p) ? `It is lost: ${model.lostBy.get(p)}.` : "It has arrived.";
    const head = found[0];
    const tag = head.link >= 0 ? model.tagOf(head.row) : undefined;
    const where = head.link >= 0 ? `on ${model.linkName(head.link)}${tag === undefined ? "" : `, tag ${tag}`}` : `in ${model.nodeName(head.node)}${PLACES[head.at]}`;
    return `Flit ${head.flit} is ${where}${found.length > 1 ? `; ${found.length} flits are in flight` : ""}.`;
  }
  path(p) {
    const { view } = this, { model } = view;
    const [begin, end] = model.headRows(p);
    if (begin === end) return [];
    // Of copies, several rows may be of the same step.
    const order = Array.from({ length: end - begin }, (_, i) => begin + i).sort((a, b) => model.rowStep[a] - model.rowStep[b] || a - b);
    const rows = order.slice(0, 4 * MOST_ROWS).map((row) => {
      const token = model.rowToken[row];
      const what = token === INJECT ? "leaves its memory" : token === EJECT ? "arrives" : token === STORE ? "is stored" : "";
      return [toTime(view, model.rowStep[row]), token >= HOP ? this.toLink(model.rowLink[row]) : what];
    });
    return [element("h3", {}, "Path of its head flit"), table([model.facts.clock, ""], rows, (i) =>
      model.rowStep[order[i]] <= view.time && (i + 1 === order.length || view.time < model.rowStep[order[i + 1]]))];
  }

  message(message) {
    return messagePanel(this.view, message);
  }
  operation(operation) {
    return operationPanel(this.view, operation);
  }
  // A line for hardware that is dead in some steps.
  deadText(dead, number, what) {
    const times = dead.get(number);
    if (!times) return [];
    const steps = times.map(([from, until]) => (until === Infinity ? `from step ${from} on` : `in steps ${from} to ${until - 1}`));
    return [element("p", { class: "alarm dead" }, `${what} dead ${steps.join(", ")}.`)];
  }
  node(node) {
    const { view } = this, { model } = view;
    const inside = model.packetsIn(node, view.time);
    const waiting = model.stores ? "Packets waiting in its source, or stored" : "Packets waiting in its source";
    const list = (packets, id) => {
      const text = element("p", { id }, `${packets.length}${packets.length ? ": " : ""}`);
      packets.slice(0, MOST_ROWS).forEach((packet, i) => text.append(i ? ", " : "", toPacket(view, packet)));
      return text;
    };
    const links = [];
    for (let link = 0; link < model.links; ++link) if (model.linkFrom[link] === node) links.push([this.toLink(link), model.crossings(link, model.from - 1, view.time)]);
    return [
      element("h2", {}, model.nodeName(node)),
      element("p", {}, `${model.facts.roles[node] ? "processor" : "switch"}, node ${node}`),
      ...(model.isTerminal[node] ? [] : this.powerOf("routers", node)),
      ...this.deadText(model.deadRouters, node, "The router is"),
      ...(model.deadRouters.has(node) ? [] : this.deadText(model.deadProcessors, node, "The processor is")),
      element("h3", {}, "Packets in its buffers"), list(inside.buffer, "in_buffers"),
      ...(inside.passing.length ? [element("h3", {}, "Packets passing"), list(inside.passing, "passing")] : []),
      element("h3", {}, waiting), list(inside.memory, "in_source"),
      element("h3", {}, "Packets in its buffers, over time"), stepCurve(view, model.historyOf(node, model.changeInside)),
      element("h3", {}, `${waiting}, over time`), stepCurve(view, model.historyOf(node, model.changeMemory)),
      element("h3", {}, "Flits sent so far"), table(["link", "flits"], links),
      ...statesOf(view, node)
    ];
  }
  link(link) {
    const { view } = this, { model } = view;
    const begin = model.linkStart[link], end = model.linkStart[link + 1];
    const all = model.crossings(link, model.from - 1, Infinity), before = model.crossings(link, model.from - 1, view.time);
    const from = Math.max(begin, Math.min(end - MOST_ROWS, end - all + before - MOST_ROWS / 2));
    const rows = [];
    for (let i = from; i < Math.min(end, from + MOST_ROWS); ++i) {
      const row = model.linkRows[i], flit = model.rowFlit[row];
      rows.push([toTime(view, model.rowStep[row]), toPacket(view, model.flitPacket[flit]), model.flitNumber[flit]]);
    }
    return [
      element("h2", {}, model.linkName(link)),
      facts(["from", toNode(view, model.linkFrom[link])], ["to", toNode(view, model.linkTo[link])],
            ["latency", model.linkLatency[link]], ["flits so far", before], ["flits in total", all]),
      ...this.powerOf("links", link),
      ...this.deadText(model.deadLinks, link, "The link is"),
      element("h3", {}, "Flits that crossed it"),
      table([model.facts.clock, "packet", "flit"], rows, (i) => model.rowStep[model.linkRows[from + i]] === Math.floor(view.time))
    ];
  }

  // [{text, thing}] for a text typed into the search field.
  search(text) {
    const { view } = this, { model } = view;
    const found = [];
    const number = /^\d+$/.test(text) ? view.packetIndex(Number(text)) : undefined;
    if (number !== undefined) found.push({ text: `packet ${text}`, thing: { kind: "packet", id: number } });
    const message = /^\d+$/.test(text) ? model.workload?.indices.get(Number(text)) : undefined;
    if (message !== undefined) found.push({ text: `message ${text}`, thing: { kind: "message", id: message } });
    for (let node = 0; node < model.nodes && found.length < 8; ++node)
      if (model.nodeName(node).includes(text)) found.push({ text: model.nodeName(node), thing: { kind: "node", id: node } });
    for (let link = 0; link < model.links && found.length < 12; ++link)
      if (model.linkName(link).includes(text)) found.push({ text: model.linkName(link), thing: { kind: "link", id: link } });
    return found;
  }
}
