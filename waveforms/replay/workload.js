// SPDX-License-Identifier: Apache-2.0
// The messages of a workload and the operations of a program. No drawing.

const MOST_LANES = 4; // of a row; further bars cover those of the last one

export class Workload {
  constructor(content, to) {
    const facts = content.facts.workload;
    this.to = to;
    this.program = facts.program;
    this.rows = facts.rows; // [name, node]
    this.flows = facts.flows; // [name, deadline or null]
    this.names = facts.operations;
    this.readMessages(content.section("messages"));
    this.readChain(content.section("chain"));
    this.readOperations(content.section("operations"));
    this.placeBars();
  }

  // Messages by index, 0 ..
  readMessages(numbers) {
    const count = (this.messages = numbers.number());
    for (const field of ["number", "flow", "source", "destination", "flits", "created", "delivered", "releasedBy", "firstPacket", "packetCount"])
      this[field] = new Int32Array(count);
    this.indices = new Map();
    let number = 0, created = 0, packet = 0;
    for (let m = 0; m < count; ++m) {
      number += numbers.number();
      this.number[m] = number;
      this.indices.set(number, m);
      for (const field of ["flow", "source", "destination", "flits"]) this[field][m] = numbers.number();
      created += numbers.difference();
      this.created[m] = created;
      const took = numbers.number(), back = numbers.number();
      this.delivered[m] = took === 0 ? -1 : created + took - 1;
      this.releasedBy[m] = back === 0 ? -1 : this.indices.get(number - back); // index
      packet += numbers.number();
      this.firstPacket[m] = packet;
      this.packetCount[m] = numbers.number();
    }
  }
  // The critical path: [{message, compute, ideal, contention}], the earliest first.
  readChain(numbers) {
    this.chain = [];
    let number = 0;
    for (let left = numbers.number(); left > 0; --left) {
      number += numbers.difference();
      this.chain.push({ message: this.indices.get(number), compute: numbers.number(), ideal: numbers.number(), contention: numbers.number() });
    }
  }
  // [{row, name, instance, compute, start, finish}] by row and start; finish -1: it has not finished.
  readOperations(numbers) {
    this.operations = [];
    for (let left = numbers.number(); left > 0; --left) {
      const operation = { row: numbers.number(), name: numbers.number(), instance: numbers.number(), compute: numbers.number() === 1, start: numbers.number() };
      const took = numbers.number();
      operation.finish = took === 0 ? -1 : operation.start + took;
      this.operations.push(operation);
    }
  }

  // Bars of operations, or else of messages at their source. Those of a row at the same time are in different lanes.
  placeBars() {
    const rowAt = (this.rowAt = new Map(this.rows.map(([, node], row) => [node, row])));
    if (this.program) {
      this.bars = this.operations.map((operation, id) => ({
        row: operation.row, from: operation.start, to: operation.finish < 0 ? this.to : operation.finish, colour: operation.compute ? -1 : operation.name,
        thing: { kind: "operation", id }
      }));
    } else {
      this.bars = Array.from({ length: this.messages }, (_, m) => ({
        row: rowAt.get(this.source[m]), from: this.created[m], to: this.delivered[m] < 0 ? this.to : this.delivered[m], colour: this.flow[m],
        thing: { kind: "message", id: m }
      }));
      this.bars.sort((a, b) => a.row - b.row || a.from - b.from || a.thing.id - b.thing.id);
    }
    this.lanes = 1;
    let row = -1, free = [];
    for (const bar of this.bars) {
      if (bar.row !== row) free = [];
      row = bar.row;
      let lane = free.findIndex((end) => end <= bar.from);
      if (lane < 0) lane = Math.min(free.length, MOST_LANES - 1);
      free[lane] = bar.to;
      bar.lane = lane;
      this.lanes = Math.max(this.lanes, lane + 1);
    }
  }

  flowName(m) {
    return this.flows[this.flow[m]][0];
  }
  operationName(o) {
    return `${this.names[this.operations[o].name]}[${this.operations[o].instance}]`;
  }
  // The processor of the rank of an operation.
  nodeOf(o) {
    return this.rows[this.operations[o].row][1];
  }
  // Steps beyond its deadline until its delivery, or until the end; 0: none.
  overdue(m) {
    const deadline = this.flows[this.flow[m]][1];
    return deadline === null ? 0 : Math.max(0, (this.delivered[m] < 0 ? this.to : this.delivered[m]) - this.created[m] - deadline);
  }
  // The messages that released each other, up to this one.
  chainOf(m) {
    const chain = [];
    for (; m >= 0; m = this.releasedBy[m]) chain.push(m);
    return chain.reverse();
  }
  // The message of a packet by its number, or -1.
  ofPacket(packet) {
    let begin = 0, end = this.messages;
    while (begin < end) {
      const middle = (begin + end) >> 1;
      if (this.firstPacket[middle] <= packet) begin = middle + 1;
      else end = middle;
    }
    const m = begin - 1;
    return m >= 0 && packet < this.firstPacket[m] + this.packetCount[m] ? m : -1;
  }
  // The messages that the rank of an operation sends or receives in it.
  messagesOf(o) {
    const flow = this.operationName(o) + " ", node = this.nodeOf(o);
    const found = [];
    for (let m = 0; m < this.messages; ++m)
      if ((this.source[m] === node || this.destination[m] === node) && this.flowName(m).startsWith(flow)) found.push(m);
    return found;
  }
}
