// SPDX-License-Identifier: Apache-2.0
// A run on a POPS network: drives, samples and the states of couplers, slot by slot. No drawing.
import { countUpTo } from "./order.js";
import { States } from "./states.js";
import { readHistories } from "./histories.js";

export class PopsModel {
  constructor(content) {
    const facts = (this.facts = content.facts);
    this.from = facts.from;
    this.to = facts.to;
    this.groups = facts.groups;
    this.groupSize = facts.group_size;
    this.nodes = this.groups * this.groupSize;
    this.dead = new Set(facts.dead);
    this.readPackets(content.section("packets"));
    this.readRows(content.section("rows"));
    this.histories = readHistories(content.section("histories"), facts.causes, (id) => this.created[id]);
    this.states = new States(content);
    this.sweep();
  }

  groupOf(node) {
    return Math.floor(node / this.groupSize);
  }
  nodeName(node) {
    const padded = (n, most) => String(n).padStart(Math.max(2, String(most - 1).length), "0");
    const index = node % this.groupSize;
    return `proc_g${padded(this.groupOf(node), this.groups)}_p${padded(index, this.groupSize)}`;
  }
  couplerName(coupler) {
    const width = Math.max(2, String(this.groups - 1).length);
    const name = (group) => String(group).padStart(width, "0");
    return `coupler_to${name(coupler % this.groups)}_from${name(Math.floor(coupler / this.groups))}`;
  }

  readPackets(numbers) {
    const count = (this.packets = this.facts.packets);
    for (const field of ["source", "destination", "created", "delivered"]) this[field] = new Int32Array(count);
    for (let p = 0; p < count; ++p) {
      this.source[p] = numbers.number();
      this.destination[p] = numbers.number() - 1;
      this.created[p] = numbers.number();
      const took = numbers.number();
      this.delivered[p] = took === 0 ? -1 : this.created[p] + took - 1;
    }
  }

  // Rows by slot, drives before listens. The packet heard by a listener is in its row; -1: none.
  readRows(numbers) {
    const count = (this.rows = numbers.number());
    for (const field of ["rowSlot", "rowNode", "rowCoupler", "rowPacket"]) this[field] = new Int32Array(count);
    this.rowDrives = new Uint8Array(count);
    this.rowAck = new Uint8Array(count);
    let slot = 0, node = 0, drives = 1;
    for (let row = 0; row < count; ++row) {
      const later = numbers.number(), kind = numbers.number();
      const driving = kind % 2 === 0 ? 1 : 0;
      if (later > 0 || driving !== drives) node = 0;
      slot += later;
      drives = driving;
      node += numbers.difference();
      const group = numbers.number(), own = this.groupOf(node);
      this.rowSlot[row] = slot;
      this.rowNode[row] = node;
      this.rowDrives[row] = drives;
      this.rowAck[row] = (kind >> 1) & 1;
      this.rowCoupler[row] = drives ? own * this.groups + group : group * this.groups + own;
      this.rowPacket[row] = kind >= 4 ? -1 : node + numbers.difference();
    }
  }

  rowsOf(slot) {
    const at = (i) => this.rowSlot[i];
    return [countUpTo(at, 0, this.rows, slot - 1), countUpTo(at, 0, this.rows, slot)];
  }

  // Couplers that are driven or sampled in a slot, in their order: Map coupler -> {drivers, listeners, carries,
  // collides}. Drivers and listeners are rows.
  slot(slot) {
    const couplers = new Map();
    const [begin, end] = this.rowsOf(slot);
    for (let row = begin; row < end; ++row) {
      const coupler = this.rowCoupler[row];
      if (!couplers.has(coupler)) couplers.set(coupler, { drivers: [], listeners: [] });
      couplers.get(coupler)[this.rowDrives[row] ? "drivers" : "listeners"].push(row);
    }
    for (const [coupler, one] of couplers) {
      one.collides = one.drivers.length > 1;
      one.dead = this.dead.has(coupler);
      one.carries = one.drivers.length === 1 && !one.dead;
    }
    return couplers;
  }

  sweep() {
    const bins = (this.bins = Math.max(1, Math.min(this.to - this.from, 1000)));
    const binOf = (slot) => Math.floor(((slot - this.from) * bins) / (this.to - this.from));
    const curves = (this.curves = {
      "undelivered": new Float64Array(bins), delivered: new Float64Array(bins),
      collisions: new Float64Array(bins), "couplers driven": new Float64Array(bins)
    });
    for (let p = 0; p < this.packets; ++p) {
      const at = this.delivered[p];
      if (at >= this.from && at <= this.to) ++curves.delivered[Math.min(bins - 1, binOf(at))];
      const end = at < 0 ? bins : Math.min(bins, Math.max(0, binOf(at)));
      for (let bin = 0; bin < end; ++bin) ++curves["undelivered"][bin];
    }
    for (let begin = 0; begin < this.rows; ) {
      const slot = this.rowSlot[begin];
      const drivers = new Map();
      for (; begin < this.rows && this.rowSlot[begin] === slot; ++begin)
        if (this.rowDrives[begin])
          drivers.set(this.rowCoupler[begin], (drivers.get(this.rowCoupler[begin]) ?? 0) + 1);
      curves["couplers driven"][binOf(slot)] += drivers.size;
      for (const count of drivers.values()) curves.collisions[binOf(slot)] += count > 1 ? 1 : 0;
    }
  }

  nextEvent(time) {
    const at = countUpTo((i) => this.rowSlot[i], 0, this.rows, Math.floor(time));
    return at < this.rows ? this.rowSlot[at] : Infinity;
  }

  // Rows of a packet, including acknowledgements.
  rowsOfPacket(packet) {
    const rows = [];
    for (let row = 0; row < this.rows; ++row) if (this.rowPacket[row] === packet) rows.push(row);
    return rows;
  }
  // True if another processor drove the coupler of a row in its slot.
  collides(row) {
    const [begin, end] = this.rowsOf(this.rowSlot[row]);
    for (let other = begin; other < end; ++other)
      if (other !== row && this.rowDrives[other] && this.rowCoupler[other] === this.rowCoupler[row]) return true;
    return false;
  }
}
