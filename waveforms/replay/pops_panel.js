// SPDX-License-Identifier: Apache-2.0
// The panel of a run on a POPS network, and of its packets, processors and couplers.
import { element, facts, go, statesOf, table, toNode, toPacket, toTime, waitsOf } from "./panel.js";

const counted = (count, one, several) => `${count} ${count === 1 ? one : several}`;

export class PopsPanel {
  constructor(view) {
    this.view = view;
  }
  toCoupler(coupler) {
    return go(this.view.model.couplerName(coupler), () => this.view.select({ kind: "link", id: coupler }));
  }

  run() {
    const { view } = this, { model } = view;
    let carry = 0, collide = 0;
    for (const one of model.slot(Math.floor(view.time)).values()) {
      carry += one.carries ? 1 : 0;
      collide += one.collides ? 1 : 0;
    }
    return [element("h2", {}, "The run"),
      element("p", {}, `${model.packets} packets, ${model.nodes} processors in ${model.groups} groups.`),
      element("p", {}, `In this slot ${counted(carry, "coupler carries a message", "couplers carry a message")}, ${counted(collide, "has", "have")} a collision.`),
      element("p", { class: "dim" }, "Squares are couplers: filled, a message; red cross, a collision; grey cross, dead. Rings below are processors that sample."),
      element("h3", {}, "Events"), table(["slot", ""], view.events.map((event) => [toTime(view, event.step), event.text]))];
  }

  packet(p) {
    const { view } = this, { model } = view;
    const latency = model.delivered[p] < 0 ? null : model.delivered[p] - model.created[p];
    const rows = model.rowsOfPacket(p).filter((row) => model.rowDrives[row]).slice(0, 200);
    return [
      element("h2", {}, `Packet ${p}`),
      facts(["from", toNode(view, model.source[p])],
            ["to", model.destination[p] < 0 ? "all" : toNode(view, model.destination[p])],
            ["created", toTime(view, model.created[p])],
            ["delivered", latency === null ? "never" : toTime(view, model.delivered[p])], ["latency", latency ?? ""]),
      ...waitsOf(view, model.histories.get(p), latency, (coupler) => this.toCoupler(coupler)),
      element("h3", {}, "Couplers used"),
      table(["slot", "processor", "coupler", ""], rows.map((row) => [toTime(view, model.rowSlot[row]), toNode(view, model.rowNode[row]),
        this.toCoupler(model.rowCoupler[row]), (model.rowAck[row] ? "acknowledgement " : "") + (model.collides(row) ? "collides" : "")]),
        (i) => model.rowSlot[rows[i]] === Math.floor(view.time))
    ];
  }

  node(node) {
    const { view } = this, { model } = view;
    const rows = [];
    for (let row = 0; row < model.rows && rows.length < 200; ++row) {
      if (model.rowNode[row] !== node || Math.abs(model.rowSlot[row] - view.time) > 30) continue;
      const packet = model.rowPacket[row];
      const what = packet < 0 ? "none" : element("span", {}, model.rowAck[row] ? "acknowledgement of " : "", toPacket(view, packet));
      rows.push([toTime(view, model.rowSlot[row]), model.rowDrives[row] ? "drives" : "samples", this.toCoupler(model.rowCoupler[row]), what]);
    }
    return [element("h2", {}, model.nodeName(node)), element("p", {}, `processor ${node} in group ${model.groupOf(node)}`),
      table(["slot", "", "coupler", "packet"], rows), ...statesOf(view, node)];
  }

  link(coupler) {
    const { view } = this, { model } = view;
    const now = model.slot(Math.floor(view.time)).get(coupler);
    const list = (rows) => {
      const text = element("span", {});
      rows.forEach((row, i) => text.append(i ? ", " : "", toNode(view, model.rowNode[row])));
      return rows.length ? text : "none";
    };
    const state = !now ? "idle" : now.collides ? "collision" : now.dead ? "dead" : now.carries ? `carries packet ${model.rowPacket[now.drivers[0]]}` : "idle";
    return [element("h2", {}, model.couplerName(coupler)),
      facts(["now", state], ["driven by", list(now?.drivers ?? [])], ["sampled by", list(now?.listeners ?? [])])];
  }

  search(text) {
    const { model } = this.view;
    const found = [];
    if (/^\d+$/.test(text) && Number(text) < model.packets) found.push({ text: `packet ${text}`, thing: { kind: "packet", id: Number(text) } });
    for (let node = 0; node < model.nodes && found.length < 8; ++node)
      if (model.nodeName(node).includes(text)) found.push({ text: model.nodeName(node), thing: { kind: "node", id: node } });
    for (let coupler = 0; coupler < model.groups * model.groups && found.length < 12; ++coupler)
      if (model.couplerName(coupler).includes(text)) found.push({ text: model.couplerName(coupler), thing: { kind: "link", id: coupler } });
    return found;
  }
}
