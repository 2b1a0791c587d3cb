// SPDX-License-Identifier: Apache-2.0
// A run on a network of links: the positions of all flits over time. No drawing.
import { countUpTo, orderBy, startsOf } from "./order.js";
import { States } from "./states.js";
import { readHistories } from "./histories.js";
import { Power, milliwatts } from "./power.js";
import { Workload } from "./workload.js";

export const INJECT = 0, EJECT = 1, STORE = 2, HOP = 3;
const STORE_AND_FORWARD = 0, LINKS_ONLY = 2; // storage models; in the latter flits stay on links

// Rows before a window may have steps below 0.
function fromZero(steps) {
  let least = 0;
  for (let i = 0; i < steps.length; ++i) if (steps[i] < least) least = steps[i];
  return least < 0 ? steps.map((step) => step - least) : steps;
}

export class LinksModel {
  constructor(content) {
    const facts = (this.facts = content.facts);
    this.from = facts.from;
    this.to = facts.to;
    this.readNetwork(facts);
    this.readPackets(content);
    this.readFaults(content);
    this.readControl(content.section("control"));
    this.histories = readHistories(content.section("histories"), facts.causes, (id) => this.created[this.packetIndices.get(id)]);
    this.states = new States(content);
    this.workload = facts.workload ? new Workload(content, this.to) : null;
    this.power = facts.power ? new Power(content, this.nodes, this.links) : null;
    this.orderRows();
    this.collectChanges();
    this.sweep();
  }

  readNetwork(facts) {
    this.nodes = facts.nodes.length;
    this.x = Float64Array.from(facts.x);
    this.y = Float64Array.from(facts.y);
    const count = (this.links = facts.links.length / 6);
    for (const [field, at] of [["linkFrom", 0], ["linkPort", 1], ["linkTo", 2], ["linkLatency", 3], ["linkShape", 4]])
      this[field] = Int32Array.from({ length: count }, (_, i) => facts.links[6 * i + at]);
    this.isTerminal = new Uint8Array(this.nodes); // it has no buffers
    for (const node of facts.routers?.terminals ?? []) this.isTerminal[node] = 1;
    this.linkAt = new Int32Array(this.nodes * facts.stride).fill(-1);
    for (let link = 0; link < count; ++link) this.linkAt[this.linkFrom[link] * facts.stride + this.linkPort[link]] = link;
  }

  nodeName(node) {
    return this.facts.nodes[node];
  }
  linkName(link) {
    const name = this.facts.nodes[this.linkFrom[link]].replace(/^node_/, "");
    return `link_${name}_${this.facts.ports[this.facts.links[6 * link + 5]]}`;
  }

  // The packets of a message that the page has.
  packetsOf(message) {
    const { firstPacket, packetCount } = this.workload;
    return Array.from({ length: packetCount[message] }, (_, i) => this.packetIndices.get(firstPacket[message] + i)).filter((p) => p !== undefined);
  }

  // Packets by index, 0 ..; the flits of all packets are consecutive, and so are the rows of all flits.
  readPackets(content) {
    const { facts } = this;
    const packets = content.section("packets"), tokens = content.section("tokens"), steps = content.section("steps");
    const channels = content.section("channels"), late = facts.late ? content.section("late") : null;
    const count = (this.packets = facts.packets);
    for (const field of ["id", "source", "destination", "flits", "created", "delivered", "flitStart"])
      this[field] = new Int32Array(count + 1);
    this.packetIndices = new Map();
    this.rowToken = new Uint8Array(facts.rows);
    this.rowStep = new Int32Array(facts.rows);
    this.rowLate = new Int32Array(late ? facts.rows : 0); // steps between leaving a link and being readable
    this.rowNode = new Int32Array(facts.rows);
    this.rowLink = new Int32Array(facts.rows).fill(-1);
    this.rowChannel = new Int16Array(facts.rows).fill(-1);
    this.rowFlit = new Int32Array(facts.rows); // index of its flit
    const flitPacket = [], flitNumber = [], flitRow = [];
    let id = -1, created = 0, row = 0;
    for (let p = 0; p < count; ++p) {
      id += packets.number();
      this.id[p] = id;
      this.packetIndices.set(id, p);
      this.source[p] = packets.number();
      this.destination[p] = packets.number();
      this.flits[p] = packets.number();
      created += packets.difference();
      this.created[p] = created;
      const took = packets.number();
      this.delivered[p] = took === 0 ? -1 : created + took - 1;
      this.flitStart[p] = flitPacket.length;
      let start = created, before = -1, number = -1;
      for (let next = packets.number(); next !== 0; next = packets.number()) {
        number += next - (facts.copies ? 1 : 0);
        let node = this.source[p] + packets.difference();
        let rows = packets.number();
        const first = row, like = rows === 0 ? flitRow[before] : -1;
        if (rows === 0) rows = first - like;
        const flit = flitPacket.length;
        flitPacket.push(p);
        flitNumber.push(number);
        flitRow.push(first);
        for (let i = 0; i < rows; ++i, ++row) {
          start += steps.difference();
          if (late) this.rowLate[row] = late.number();
          const token = like >= 0 ? this.rowToken[like + i] : tokens.number();
          this.rowToken[row] = token;
          this.rowStep[row] = start;
          this.rowNode[row] = node;
          this.rowFlit[row] = flit;
          const named = facts.channels > 0 && (token === INJECT || token >= HOP);
          if (named) this.rowChannel[row] = like >= 0 ? this.rowChannel[like + i] : channels.number();
          if (token < HOP) continue;
          this.rowLink[row] = this.linkAt[node * facts.stride + token - HOP];
          node = this.linkTo[this.rowLink[row]];
        }
        start = this.rowStep[first];
        before = flit;
      }
    }
    this.flitStart[count] = flitPacket.length;
    this.rows = row;
    this.stores = this.rowToken.subarray(0, row).includes(STORE);
    this.flitPacket = Int32Array.from(flitPacket);
    this.flitNumber = Int32Array.from(flitNumber);
    this.flitRow = Int32Array.from([...flitRow, row]);
  }

  // Dead hardware, and packets that are lost under way: from the step of its loss on, a packet has no flit anywhere.
  readFaults(content) {
    const { faults } = this.facts;
    const byNumber = (list) => {
      const times = new Map(); // [first step, step of the repair] by the number of a link or node
      for (const [number, from, until] of list ?? []) times.set(number, [...(times.get(number) ?? []), [from, until < 0 ? Infinity : until]]);
      return times;
    };
    [this.deadLinks, this.deadRouters, this.deadProcessors] = [byNumber(faults?.links), byNumber(faults?.routers), byNumber(faults?.processors)];
    this.lostAt = new Int32Array(this.packets).fill(-1);
    this.lostBy = new Map(); // cause by packet
    if (!faults) return;
    const lost = content.section("lost");
    for (let left = lost.number(), packet = 0; left > 0; --left) {
      packet += lost.number();
      this.lostAt[packet] = this.created[packet] + lost.number();
      this.lostBy.set(packet, faults.causes[lost.number()]);
    }
  }
  // `dead`: deadLinks, deadRouters or deadProcessors.
  isDead(dead, number, time) {
    const step = Math.floor(time);
    return (dead.get(number) ?? []).some(([from, until]) => from <= step && step < until);
  }
  // The step in which a packet is delivered or lost; -1: neither.
  endOf(packet) {
    return this.delivered[packet] >= 0 ? this.delivered[packet] : this.lostAt[packet];
  }

  // Keys and tokens of the algorithm, by link.
  readControl(numbers) {
    const count = numbers.number();
    this.controlStep = new Int32Array(count);
    this.controlLink = new Int32Array(count);
    let at = 0, step = 0;
    for (let i = 0; i < count; ++i) {
      at += numbers.number();
      numbers.number(); // key or token
      step += numbers.difference();
      this.controlLink[i] = this.linkAt[at];
      this.controlStep[i] = step;
    }
    this.controlStart = startsOf((i) => this.controlLink[i], count, this.links);
  }

  // Rows of hops by link, then by step.
  orderRows() {
    const { rowLink } = this;
    const byTime = orderBy(fromZero(this.rowStep.subarray(0, this.rows)), this.rows);
    const hops = new Int32Array(this.rows), link = new Int32Array(this.rows);
    let count = 0;
    for (let i = 0; i < byTime.length; ++i) {
      const row = byTime[i];
      if (rowLink[row] < 0) continue;
      link[count] = rowLink[row];
      hops[count++] = row;
    }
    const order = orderBy(link, count);
    for (let i = 0; i < count; ++i) order[i] = hops[order[i]];
    this.linkRows = order;
    this.linkStart = startsOf((i) => rowLink[order[i]], count, this.links);
  }

  // The tag of a flit in a hop, if the waves contain it.
  tagOf(row) {
    return this.states.tagOf(this.rowLink[row], this.rowStep[row]);
  }
  // The time at which a flit leaves the link of a hop.
  leavesLink(row) {
    const arrives = this.rowStep[row] + this.linkLatency[this.rowLink[row]];
    const lost = this.lostAt[this.flitPacket[this.rowFlit[row]]];
    if (this.facts.storage !== LINKS_ONLY) return lost < 0 ? arrives : Math.min(arrives, lost);
    const next = row + 1;
    return next < this.flitRow[this.rowFlit[row] + 1] ? Math.max(arrives, this.rowStep[next]) : Infinity;
  }

  // Calls visit(row, share of the link) for every flit on the link at a time.
  onLink(link, time, visit) {
    const begin = this.linkStart[link];
    let at = countUpTo((i) => this.rowStep[this.linkRows[i]], begin, this.linkStart[link + 1], time);
    for (const latency = this.linkLatency[link]; at-- > begin; ) {
      const row = this.linkRows[at];
      if (time >= this.leavesLink(row)) {
        if (time - this.rowStep[row] > latency) return;
        continue;
      }
      visit(row, Math.min(1, (time - this.rowStep[row]) / latency));
    }
  }
  // The position of a key or token on the link, from 0 to 1; -1: none.
  controlOnLink(link, time) {
    const begin = this.controlStart[link], end = this.controlStart[link + 1];
    const at = countUpTo((i) => this.controlStep[i], begin, end, time) - 1;
    const share = at < begin ? 2 : (time - this.controlStep[at]) / this.linkLatency[link];
    return share < 1 ? share : -1;
  }
  // Flits that entered the link in (from, to].
  crossings(link, from, to) {
    const step = (i) => this.rowStep[this.linkRows[i]];
    const begin = this.linkStart[link], end = this.linkStart[link + 1];
    return countUpTo(step, begin, end, to) - countUpTo(step, begin, end, from);
  }

  // In routers a flit is in a buffer from the step in which it is readable until it wins the switch; before and after
  // that it passes.
  entersBuffer(row) {
    const { routers } = this.facts, token = this.rowToken[row];
    if (!routers) return token >= HOP ? this.rowStep[row] + this.linkLatency[this.rowLink[row]] : this.rowStep[row];
    const node = token >= HOP ? this.linkTo[this.rowLink[row]] : this.rowNode[row];
    if (this.isTerminal[node]) return Infinity;
    const { injection } = routers.of_nodes?.[node] ?? routers;
    const late = this.rowLate.length > 0 ? this.rowLate[row] : 0;
    return this.rowStep[row] + (token >= HOP ? this.linkLatency[this.rowLink[row]] + late : injection);
  }
  leavesBuffer(row) {
    const { routers } = this.facts;
    if (!routers) return this.rowStep[row];
    const { to_link, to_processor } = routers.of_nodes?.[this.rowNode[row]] ?? routers;
    return this.rowStep[row] - (this.rowToken[row] >= HOP ? to_link : to_processor);
  }

  // The changes at nodes: packets with a flit in a buffer, packets with a flit in the memory of the processor, and the
  // packets of which result.json gives the maximum as `queue` (docs/model.md, "Queues").
  collectChanges() {
    const most = 2 * this.packets + 4 * this.rows;
    const step = new Int32Array(most), node = new Int32Array(most);
    const inside = new Int8Array(most), memory = new Int8Array(most), queue = new Int8Array(most);
    let count = 0;
    const change = (at, where, inBuffers, inMemory, inQueue) => {
      step[count] = at;
      node[count] = where;
      inside[count] = inBuffers;
      memory[count] = inMemory;
      queue[count++] = inQueue;
    };
    const { rowStep, rowNode, rowToken, rowLink, linkTo, linkLatency, flitRow, flitNumber, flitStart, source, destination } = this;
    const { storage, routers, counts_unsent } = this.facts;
    const stays = storage !== LINKS_ONLY; // otherwise flits are on links, never in a node
    const moves = storage === STORE_AND_FORWARD; // a packet is a flit, and counts where it is readable in the next step
    const unsent = routers || (moves && !counts_unsent) ? 0 : 1, buffered = moves ? 0 : 1;
    for (let p = 0; p < this.packets; ++p) {
      // Its last flit leaves the memory last; without rows it has not left, or the packet is for its own node.
      const first = flitStart[p], last = flitStart[p + 1] - 1;
      const sent = last >= first && flitNumber[last] === this.flits[p] - 1;
      const leaves = sent ? flitRow[this.firstCopy(last)] : -1;
      const known = !sent || (rowToken[leaves] === INJECT && rowNode[leaves] === source[p]);
      const atHome = !sent && last < first && this.delivered[p] >= 0;
      const lost = this.lostAt[p];
      if (known && !(atHome && this.delivered[p] === this.created[p])) {
        change(this.created[p], source[p], 0, 1, unsent);
        if (sent) change(rowStep[leaves], source[p], 0, -1, -unsent);
        else if (atHome) change(this.delivered[p], source[p], 0, -1, -unsent);
        else if (lost >= 0) change(lost, source[p], 0, -1, -unsent);
      }
      const visits = [];
      for (let flit = first; flit <= last; ++flit)
        for (let row = flitRow[flit]; row < flitRow[flit + 1]; ++row) {
          const at = rowStep[row], where = rowNode[row], token = rowToken[row], link = rowLink[row];
          const begins = row === flitRow[flit]; // of a window: what was before it is not known
          if (stays && !begins && token !== INJECT) visits.push([this.leavesBuffer(row), where, -1]);
          const vanishes = lost >= 0 && row + 1 === flitRow[flit + 1];
          if (stays && (token === INJECT || token >= HOP) && this.entersBuffer(row) < (vanishes ? lost : Infinity)) {
            visits.push([this.entersBuffer(row), token >= HOP ? linkTo[link] : where, 1]);
            if (vanishes) visits.push([lost, token >= HOP ? linkTo[link] : where, -1]);
          }
          const head = flitNumber[flit] === 0;
          if (head && token === STORE) change(at, where, 0, 1, buffered);
          if (head && token === INJECT && !begins) change(at, where, 0, -1, -buffered);
          if (!moves) continue;
          if (token === INJECT && begins && known) change(at, where, 0, 0, 1);
          if (token >= HOP && !begins) change(at, where, 0, 0, -1);
          if (token >= HOP && linkTo[link] !== destination[p]) change(at + linkLatency[link] - 1, linkTo[link], 0, 0, 1);
        }
      this.countOnce(visits, (at, where, sign) => change(at, where, sign, 0, sign * buffered));
    }
    const order = orderBy(fromZero(step.subarray(0, count)), count);
    this.changes = count;
    const sorted = (values) => {
      const result = new values.constructor(count);
      for (let i = 0; i < count; ++i) result[i] = values[order[i]];
      return result;
    };
    this.changeStep = sorted(step);
    this.changeNode = sorted(node);
    this.changeInside = sorted(inside);
    this.changeMemory = sorted(memory);
    this.changeQueue = sorted(queue);
    this.done = 0; // changes that are in the counts below
    this.inside = new Int32Array(this.nodes);
    this.memory = new Int32Array(this.nodes);
  }
  // The paths of the copies of a flit follow each other; the first begins where the packet was sent.
  isCopy(flit) {
    return flit > this.flitStart[this.flitPacket[flit]] && this.flitNumber[flit] === this.flitNumber[flit - 1];
  }
  firstCopy(flit) {
    while (this.isCopy(flit)) --flit;
    return flit;
  }
  // The rows of the head of a packet and of its copies: [first, the one behind the last].
  headRows(packet) {
    const first = this.flitStart[packet];
    if (first === this.flitStart[packet + 1]) return [0, 0];
    let behind = first + 1;
    while (behind < this.flitStart[packet + 1] && this.isCopy(behind)) ++behind;
    return [this.flitRow[first], this.flitRow[behind]];
  }

  // Converts visits [step, node, +1 or -1] of a packet's flits to those of the packet: calls visit(step, node, +1 or
  // -1) when it has its first flit in a node at the end of a step, or no longer has one.
  countOnce(visits, visit) {
    visits.sort((a, b) => a[0] - b[0]);
    const flits = new Map();
    for (let i = 0; i < visits.length; ) {
      const step = visits[i][0], before = new Map();
      for (; i < visits.length && visits[i][0] === step; ++i) {
        const [, node, sign] = visits[i], here = flits.get(node) ?? 0;
        if (!before.has(node)) before.set(node, here);
        flits.set(node, here + sign);
      }
      for (const [node, here] of before) {
        const sign = (flits.get(node) > 0) - (here > 0);
        if (sign) visit(step, node, sign);
      }
    }
  }

  // Updates `inside` and `memory` to the end of a step.
  goTo(time) {
    const target = countUpTo((i) => this.changeStep[i], 0, this.changes, Math.floor(time));
    if (this.marks && Math.abs(target - this.done) > 2 * this.markEvery) {
      const mark = this.marks[Math.floor(target / this.markEvery)];
      this.inside.set(mark.inside);
      this.memory.set(mark.memory);
      this.done = Math.floor(target / this.markEvery) * this.markEvery;
    }
    for (; this.done < target; ++this.done) this.apply(this.done, 1);
    while (this.done > target) this.apply(--this.done, -1);
  }
  apply(change, sign) {
    this.inside[this.changeNode[change]] += sign * this.changeInside[change];
    this.memory[this.changeNode[change]] += sign * this.changeMemory[change];
  }

  // Processes all changes once: curves for the scrubber, and snapshots that make any time fast to reach.
  sweep() {
    const bins = (this.bins = Math.max(1, Math.min(this.to - this.from, 1000)));
    const binOf = (step) => Math.floor(((step - this.from) * bins) / (this.to - this.from));
    const curves = (this.curves = {
      "in flight": new Float64Array(bins), delivered: new Float64Array(bins),
      "longest queue": new Float64Array(bins), "flits moved": new Float64Array(bins)
    });
    this.markEvery = 20000;
    const marks = [];
    let bin = -1, step = -Infinity;
    const queues = curves["longest queue"];
    const { inside, memory, changeStep, changeNode, changeInside, changeMemory, changeQueue, nodes } = this;
    const queue = new Int32Array(nodes);
    const raise = (node) => {
      if (bin >= 0 && step < this.to && queue[node] > queues[bin]) queues[bin] = queue[node];
    };
    let begin = 0; // of the changes of the step
    const settle = (end) => {
      for (; begin < end; ++begin) raise(changeNode[begin]);
    };
    for (let i = 0; i < this.changes; ++i) {
      if (changeStep[i] !== step) {
        settle(i);
        step = changeStep[i];
        const next = Math.min(binOf(step), bins - 1);
        while (bin < next) {
          ++bin;
          for (let node = 0; node < nodes; ++node) raise(node);
        }
      }
      if (i % this.markEvery === 0) marks.push({ inside: inside.slice(), memory: memory.slice() });
      inside[changeNode[i]] += changeInside[i];
      memory[changeNode[i]] += changeMemory[i];
      queue[changeNode[i]] += changeQueue[i];
    }
    settle(this.changes);
    this.done = this.changes;
    if (this.changes % this.markEvery === 0) marks.push({ inside: inside.slice(), memory: memory.slice() });
    this.marks = marks;
    for (let p = 0; p < this.packets; ++p) {
      const begin = Math.max(0, binOf(this.created[p]));
      const end = this.endOf(p) < 0 ? bins - 1 : Math.min(bins - 1, binOf(this.endOf(p)));
      if (begin <= end) {
        ++curves["in flight"][begin];
        if (end + 1 < bins) --curves["in flight"][end + 1];
      }
      if (this.delivered[p] >= this.from && this.delivered[p] < this.to) ++curves.delivered[binOf(this.delivered[p])];
    }
    for (let b = 1; b < bins; ++b) curves["in flight"][b] += curves["in flight"][b - 1];
    const moved = curves["flits moved"], { linkRows, rowStep, from, to } = this;
    for (let i = 0; i < linkRows.length; ++i) {
      const at = rowStep[linkRows[i]];
      if (at >= from && at < to) ++moved[binOf(at)];
    }
    if (this.power?.from.length > 1) this.addPowerCurve(bins);
    this.goTo(this.from);
  }
  addPowerCurve(bins) {
    const { power } = this;
    this.curves["power, mW"] = Float64Array.from({ length: bins }, (_, bin) => {
      const window = power.windowAt(this.from + ((bin + 0.5) * (this.to - this.from)) / bins);
      return window < 0 ? 0 : milliwatts(power.network[window]);
    });
  }

  // The next step from `time` on with an event; Infinity after the last.
  nextEvent(time) {
    const at = countUpTo((i) => this.changeStep[i], 0, this.changes, Math.floor(time));
    return at < this.changes ? this.changeStep[at] : Infinity;
  }

  // The positions of the flits of a packet: [{flit, at: "memory" | "buffer" | "passing" | "link", node, link, share,
  // row of the hop}].
  // A flit that passes is in a node but in none of its buffers.
  whereIs(index, time) {
    const found = [];
    if (this.lostAt[index] >= 0 && time >= this.lostAt[index]) return found;
    for (let flit = this.flitStart[index]; flit < this.flitStart[index + 1]; ++flit) {
      const begin = this.flitRow[flit], end = this.flitRow[flit + 1];
      const row = countUpTo((i) => this.rowStep[i], begin, end, time) - 1;
      const number = this.flitNumber[flit];
      if (row < begin) {
        if (time >= this.created[index] && !this.isCopy(flit)) found.push({ flit: number, at: "memory", node: this.rowNode[begin], link: -1, share: 0 });
        continue;
      }
      const token = this.rowToken[row], link = this.rowLink[row];
      if (token === EJECT) continue;
      if (token >= HOP && time < this.leavesLink(row)) {
        const share = Math.min(1, (time - this.rowStep[row]) / this.linkLatency[link]);
        found.push({ flit: number, at: "link", node: -1, link, share, row });
      } else {
        const node = token >= HOP ? this.linkTo[link] : this.rowNode[row], step = Math.floor(time);
        const left = row + 1 < end && this.leavesBuffer(row + 1) <= step;
        const at = token === STORE ? "memory" : this.entersBuffer(row) <= step && !left ? "buffer" : "passing";
        found.push({ flit: number, at, node, link: -1, share: 0 });
      }
    }
    if (this.flitStart[index] === this.flitStart[index + 1] && this.delivered[index] < 0 && time >= this.created[index])
      found.push({ flit: 0, at: "memory", node: this.source[index], link: -1, share: 0 });
    return found;
  }

  // Packets with a flit in the node at the end of a step, each once per list: {buffer, passing, memory}; a packet in a
  // buffer is not in `passing`.
  packetsIn(node, time) {
    const found = { buffer: [], passing: [], memory: [] };
    for (let p = 0; p < this.packets; ++p) {
      if (this.created[p] > time || (this.delivered[p] >= 0 && this.delivered[p] <= time)) continue;
      const here = this.whereIs(p, time).filter((flit) => flit.node === node).map((flit) => flit.at);
      if (here.includes("buffer")) found.buffer.push(p);
      else if (here.includes("passing")) found.passing.push(p);
      if (here.includes("memory")) found.memory.push(p);
    }
    return found;
  }

  // [[step, count]] at every change of a node, of `changeInside` or `changeMemory`.
  historyOf(node, ofChange) {
    const history = [];
    let count = 0;
    for (let i = 0; i < this.changes; ++i) {
      if (this.changeNode[i] !== node) continue;
      count += ofChange[i];
      const step = this.changeStep[i];
      if (history.length && history[history.length - 1][0] === step) history[history.length - 1][1] = count;
      else history.push([step, count]);
    }
    return history;
  }
}
