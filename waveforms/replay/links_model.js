// SPDX-License-Identifier: Apache-2.0
// A run on a network of links: where every flit is at any time. No drawing.
import { countUpTo, orderBy, startsOf } from "./order.js";
import { States } from "./states.js";
import { readStories } from "./stories.js";

export const INJECT = 0, EJECT = 1, STORE = 2, HOP = 3;
const LINKS_ONLY = 2; // the storage model in which flits stand on links

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
    this.readControl(content.section("control"));
    this.stories = readStories(content.section("stories"), facts.causes, (id) => this.created[this.placeOf.get(id)]);
    this.states = new States(content);
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

  // Packets by place, 0 ..; flits of all packets one behind the other, and the rows of all flits likewise.
  readPackets(content) {
    const { facts } = this;
    const packets = content.section("packets"), tokens = content.section("tokens"), steps = content.section("steps");
    const channels = content.section("channels");
    const count = (this.packets = facts.packets);
    for (const field of ["id", "source", "destination", "flits", "created", "delivered", "flitStart"])
      this[field] = new Int32Array(count + 1);
    this.placeOf = new Map();
    this.rowToken = new Uint8Array(facts.rows);
    this.rowStep = new Int32Array(facts.rows);
    this.rowNode = new Int32Array(facts.rows);
    this.rowLink = new Int32Array(facts.rows).fill(-1);
    this.rowChannel = new Int16Array(facts.rows).fill(-1);
    this.rowFlit = new Int32Array(facts.rows); // place of its flit
    const flitPacket = [], flitNumber = [], flitRow = [];
    let id = -1, created = 0, row = 0;
    for (let p = 0; p < count; ++p) {
      id += packets.number();
      this.id[p] = id;
      this.placeOf.set(id, p);
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
        number += next;
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
    this.flitPacket = Int32Array.from(flitPacket);
    this.flitNumber = Int32Array.from(flitNumber);
    this.flitRow = Int32Array.from([...flitRow, row]);
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

  // The tag with which a flit makes a hop, if the waves tell it.
  tagOf(row) {
    return this.states.tagOf(this.rowLink[row], this.rowStep[row]);
  }
  // Where a flit stops being on the link of a hop.
  leavesLink(row) {
    const arrives = this.rowStep[row] + this.linkLatency[this.rowLink[row]];
    if (this.facts.storage !== LINKS_ONLY) return arrives;
    const next = row + 1;
    return next < this.flitRow[this.rowFlit[row] + 1] ? Math.max(arrives, this.rowStep[next]) : Infinity;
  }

  // Calls visit(row, share of the way) for every flit on the link at a time.
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
  // Whether a key or token is on the link, and how far; -1: none.
  controlOnLink(link, time) {
    const begin = this.controlStart[link], end = this.controlStart[link + 1];
    const at = countUpTo((i) => this.controlStep[i], begin, end, time) - 1;
    const way = at < begin ? 2 : (time - this.controlStep[at]) / this.linkLatency[link];
    return way < 1 ? way : -1;
  }
  // Flits that entered the link in (from, to].
  crossings(link, from, to) {
    const step = (i) => this.rowStep[this.linkRows[i]];
    const begin = this.linkStart[link], end = this.linkStart[link + 1];
    return countUpTo(step, begin, end, to) - countUpTo(step, begin, end, from);
  }

  // What changes at nodes: flits that are in them, packets in the memory of their processors.
  collectChanges() {
    const most = 2 * this.packets + 3 * this.rows;
    const step = new Int32Array(most), node = new Int32Array(most), inside = new Int8Array(most), memory = new Int8Array(most);
    let count = 0;
    const change = (at, where, flits, packets) => {
      step[count] = at;
      node[count] = where;
      inside[count] = flits;
      memory[count++] = packets;
    };
    for (let p = 0; p < this.packets; ++p) {
      const first = this.flitRow[this.flitStart[p]];
      const hasRows = this.flitStart[p] < this.flitStart[p + 1];
      const atSource = hasRows && this.rowToken[first] === INJECT && this.rowNode[first] === this.source[p];
      const waits = hasRows ? atSource : this.delivered[p] < 0 || this.delivered[p] > this.created[p];
      if (waits) change(this.created[p], this.source[p], 0, 1);
      if (waits && !hasRows && this.delivered[p] >= 0) change(this.delivered[p], this.source[p], 0, -1);
    }
    const { rowStep, rowNode, rowToken, rowLink, linkTo, linkLatency, flitRow, flitPacket, flitNumber, source } = this;
    const stays = this.facts.storage === LINKS_ONLY ? 0 : 1; // else flits stand on links, and in no node
    for (let flit = 0; flit < flitPacket.length; ++flit) {
      const head = flitNumber[flit] === 0, begin = flitRow[flit], end = flitRow[flit + 1];
      for (let row = begin; row < end; ++row) {
        const at = rowStep[row], where = rowNode[row], token = rowToken[row], link = rowLink[row];
        const first = row === begin; // of a window: what was before it is not known
        if (token === INJECT) {
          const known = !first || where === source[flitPacket[flit]];
          change(at, where, stays, head && known ? -1 : 0);
        } else {
          if (!first) change(at, where, -stays, 0);
          if (token >= HOP) change(at + linkLatency[link], linkTo[link], stays, 0);
          if (token === STORE && head) change(at, where, 0, 1);
        }
      }
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
    this.done = 0; // changes that are in the counts below
    this.inside = new Int32Array(this.nodes);
    this.memory = new Int32Array(this.nodes);
  }

  // Brings `inside` and `memory` to the end of a step.
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

  // Goes through all changes once: curves for the scrubber, and marks from which any time is near.
  sweep() {
    const bins = (this.bins = Math.max(1, Math.min(this.to - this.from, 1000)));
    const binOf = (step) => Math.floor(((step - this.from) * bins) / (this.to - this.from));
    const curves = (this.curves = {
      "under way": new Float64Array(bins), delivered: new Float64Array(bins),
      "longest queue": new Float64Array(bins), "flits moved": new Float64Array(bins)
    });
    this.markEvery = 20000;
    const marks = [];
    let bin = -1, step = -Infinity;
    const queues = curves["longest queue"];
    const { inside, memory, changeStep, changeNode, changeInside, changeMemory, nodes } = this;
    const raise = (node) => {
      const count = inside[node] + memory[node];
      if (bin >= 0 && count > queues[bin]) queues[bin] = count;
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
    }
    settle(this.changes);
    this.done = this.changes;
    if (this.changes % this.markEvery === 0) marks.push({ inside: inside.slice(), memory: memory.slice() });
    this.marks = marks;
    for (let p = 0; p < this.packets; ++p) {
      const begin = Math.max(0, binOf(this.created[p]));
      const end = this.delivered[p] < 0 ? bins - 1 : Math.min(bins - 1, binOf(this.delivered[p]));
      if (begin <= end) {
        ++curves["under way"][begin];
        if (end + 1 < bins) --curves["under way"][end + 1];
      }
      if (this.delivered[p] >= this.from && this.delivered[p] < this.to) ++curves.delivered[binOf(this.delivered[p])];
    }
    for (let b = 1; b < bins; ++b) curves["under way"][b] += curves["under way"][b - 1];
    const moved = curves["flits moved"], { linkRows, rowStep, from, to } = this;
    for (let i = 0; i < linkRows.length; ++i) {
      const at = rowStep[linkRows[i]];
      if (at >= from && at < to) ++moved[binOf(at)];
    }
    this.goTo(this.from);
  }

  // The next step from `time` on in which something happens; Infinity behind the last.
  nextEvent(time) {
    const at = countUpTo((i) => this.changeStep[i], 0, this.changes, Math.floor(time));
    return at < this.changes ? this.changeStep[at] : Infinity;
  }

  // Where the flits of a packet are: [{flit, at: "memory" | "node" | "link", node, link, share, row of the hop}].
  whereIs(place, time) {
    const found = [];
    for (let flit = this.flitStart[place]; flit < this.flitStart[place + 1]; ++flit) {
      const begin = this.flitRow[flit], end = this.flitRow[flit + 1];
      const row = countUpTo((i) => this.rowStep[i], begin, end, time) - 1;
      const number = this.flitNumber[flit];
      if (row < begin) {
        if (time >= this.created[place]) found.push({ flit: number, at: "memory", node: this.rowNode[begin], link: -1, share: 0 });
        continue;
      }
      const token = this.rowToken[row], link = this.rowLink[row];
      if (token === EJECT) continue;
      if (token >= HOP && time < this.leavesLink(row)) {
        const share = Math.min(1, (time - this.rowStep[row]) / this.linkLatency[link]);
        found.push({ flit: number, at: "link", node: -1, link, share, row });
      } else {
        const node = token >= HOP ? this.linkTo[link] : this.rowNode[row];
        found.push({ flit: number, at: token === STORE ? "memory" : "node", node, link: -1, share: 0 });
      }
    }
    if (this.flitStart[place] === this.flitStart[place + 1] && this.delivered[place] < 0 && time >= this.created[place])
      found.push({ flit: 0, at: "memory", node: this.source[place], link: -1, share: 0 });
    return found;
  }

  // Packets with a flit in the node, or in its processor's memory, at the end of a step: [{packet, at}].
  packetsIn(node, time) {
    const found = [];
    for (let p = 0; p < this.packets; ++p) {
      if (this.created[p] > time || (this.delivered[p] >= 0 && this.delivered[p] <= time)) continue;
      const here = this.whereIs(p, time).find((flit) => flit.node === node);
      if (here) found.push({ packet: p, at: here.at });
    }
    return found;
  }

  // [[step, packets and flits there]] at every change.
  historyOf(node) {
    const history = [];
    let count = 0;
    for (let i = 0; i < this.changes; ++i) {
      if (this.changeNode[i] !== node) continue;
      count += this.changeInside[i] + this.changeMemory[i];
      const step = this.changeStep[i];
      if (history.length && history[history.length - 1][0] === step) history[history.length - 1][1] = count;
      else history.push([step, count]);
    }
    return history;
  }
}
