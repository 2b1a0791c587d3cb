// SPDX-License-Identifier: Apache-2.0
// Decoder and models of the page of `starloom replay`, without a browser: node --test model_test.mjs
import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { test } from "node:test";
import { Numbers, contentOf, unzipped } from "../../waveforms/replay/decode.js";
import { LinksModel } from "../../waveforms/replay/links_model.js";
import { Power, milliwatts } from "../../waveforms/replay/power.js";
import { countUpTo, orderBy, startsOf } from "../../waveforms/replay/order.js";
import { heatLevel } from "../../waveforms/replay/palette.js";
import { Player } from "../../waveforms/replay/player.js";
import { PopsModel } from "../../waveforms/replay/pops_model.js";
import { States } from "../../waveforms/replay/states.js";
import { sumsByCause } from "../../waveforms/replay/histories.js";
import { Workload } from "../../waveforms/replay/workload.js";

// The other side of decode.js, for tests.
const number = (value) => {
  const bytes = [];
  for (; value >= 128; value = Math.floor(value / 128)) bytes.push((value % 128) + 128);
  return [...bytes, value];
};
const difference = (value) => number(value < 0 ? -2 * value - 1 : 2 * value);
const content = (facts, sections) => {
  const sizes = Object.fromEntries(Object.entries(sections).map(([name, bytes]) => [name, bytes.length]));
  const text = new TextEncoder().encode(JSON.stringify({ ...facts, sections: sizes }));
  return Uint8Array.from([...number(text.length), ...text, ...Object.values(sections).flat()]);
};

test("numbers of any size come back", () => {
  for (const value of [0, 1, 127, 128, 300, 2 ** 31, 2 ** 40 + 5]) {
    assert.equal(new Numbers(Uint8Array.from(number(value))).number(), value);
    assert.equal(new Numbers(Uint8Array.from(difference(value))).difference(), value);
    if (value) assert.equal(new Numbers(Uint8Array.from(difference(-value))).difference(), -value);
  }
  assert.throws(() => new Numbers(Uint8Array.from([128])).number(), /ends too early/);
});

test("a page's data is unzipped into facts and sections", async () => {
  const bytes = content({ title: "x" }, { a: number(5), b: [...number(300), ...number(7)] });
  const { facts, section } = contentOf(await unzipped(gzipSync(bytes).toString("base64")));
  assert.equal(facts.title, "x");
  assert.equal(section("a").number(), 5);
  const b = section("b");
  assert.deepEqual([b.number(), b.number(), b.done()], [300, 7, true]);
});

test("sorting is stable, and searching finds the last", () => {
  const key = Int32Array.from([70000, 3, 70000, 0, 3, 2 ** 30]);
  assert.deepEqual([...orderBy(key, 6)], [3, 1, 4, 0, 2, 5]);
  assert.equal(countUpTo((i) => [1, 2, 2, 5][i], 0, 4, 2), 3);
  assert.equal(countUpTo((i) => [1, 2, 2, 5][i], 0, 4, 0), 0);
  assert.deepEqual([...startsOf((i) => [0, 0, 2][i], 3, 3)], [0, 2, 2, 3]);
});

// A line of three nodes, packets from 0 to 2 and from 1 to 2, as in docs/output.md; the second packet has two flits.
function line() {
  const links = [[0, 1, 1, 1, 0, 0], [1, 1, 2, 1, 0, 0]].flat(); // node, port, to, latency, shape, name
  const facts = {
    kind: "links", clock: "step", from: 0, to: 4, storage: 0, channels: 0, causes: ["contention"], stride: 2,
    nodes: ["node_a", "node_b", "node_c"], roles: [1, 1, 1], x: [0, 1, 2], y: [0, 0, 0], ports: ["east"], links,
    cycle: [], events: [], packets: 2, rows: 10
  };
  const packets = [
    ...number(1), ...number(0), ...number(2), ...number(1), ...difference(0), ...number(3), // packet 0, delivered in 2
    ...number(1), ...difference(0), ...number(4), ...number(0), // flit 0: 4 rows
    ...number(1), ...number(1), ...number(2), ...number(2), ...difference(0), ...number(3), // packet 1, delivered in 2
    ...number(1), ...difference(0), ...number(3), // flit 0: 3 rows
    ...number(1), ...difference(0), ...number(0), ...number(0) // flit 1: the same way
  ];
  const tokens = [0, 4, 4, 1, 0, 4, 1].flatMap(number);
  const steps = [0, 0, 1, 1, 0, 0, 1, 1, 0, 1].flatMap(difference); // the last flit a step behind the first
  const histories = [...number(1), ...number(1), ...number(1), ...number(1), // of packet 1: distance 1, one wait
    ...number(0), ...number(1), ...number(0), ...number(1), ...number(2), ...number(1), ...difference(-1)];
  return new LinksModel(contentOf(content(facts, { packets, tokens, steps, channels: [], control: number(0), histories })));
}

test("flits are where the rows say, at any time", () => {
  const model = line();
  assert.deepEqual(model.whereIs(0, 0), [{ flit: 0, at: "link", node: -1, link: 0, share: 0, row: 1 }]);
  assert.deepEqual(model.whereIs(0, 1.25), [{ flit: 0, at: "link", node: -1, link: 1, share: 0.25, row: 2 }]);
  assert.deepEqual(model.whereIs(0, 2), []);
  assert.deepEqual(model.whereIs(1, 0.5).map((one) => [one.flit, one.at]), [[0, "link"], [1, "memory"]]);
  assert.deepEqual(model.whereIs(1, 1.5).map((one) => [one.flit, one.link]), [[1, 1]]);
  const seen = [];
  model.onLink(1, 1.5, (row, share) => seen.push([model.flitPacket[model.rowFlit[row]], share]));
  assert.deepEqual(seen, [[1, 0.5], [0, 0.5]]);
  assert.equal(model.crossings(1, -1, 10), 3);
  assert.equal(model.linkName(0), "link_a_east");
});

// The second packet is lost in step 1, with one flit on the link and the other one behind it.
test("lost packets vanish, and links are dead in their steps", () => {
  const whole = line();
  const facts = { ...whole.facts, packets: 1, rows: 3, faults: { links: [[1, 1, 3], [1, 5, -1]], routers: [[0, 2, -1]], processors: [], causes: ["cut", "no-way"] } };
  const packets = [...number(1), ...number(0), ...number(2), ...number(2), ...difference(0), ...number(0),
    ...number(1), ...difference(0), ...number(2), ...number(1), ...difference(0), ...number(1), ...number(0)];
  const tokens = [0, 4, 0].flatMap(number), steps = [0, 0, 0].flatMap(difference);
  const lost = [...number(1), ...number(0), ...number(1), ...number(1)];
  const model = new LinksModel(contentOf(content(facts, { packets, tokens, steps, channels: [], lost, control: number(0), histories: number(0) })));
  assert.deepEqual(model.whereIs(0, 0.5).map((one) => [one.flit, one.at]), [[0, "link"], [1, "buffer"]]);
  assert.deepEqual(model.whereIs(0, 1), []);
  const seen = [];
  model.onLink(0, 0.9, (row) => seen.push(row));
  model.onLink(0, 1, (row) => seen.push(row));
  assert.equal(seen.length, 1);
  assert.equal(model.endOf(0), 1);
  assert.equal(model.lostBy.get(0), "no-way");
  assert.deepEqual([0, 1, 2.9, 3, 5, 99].map((time) => model.isDead(model.deadLinks, 1, time)), [false, true, true, false, true, true]);
  assert.equal(model.isDead(model.deadRouters, 0, 2), true);
  model.goTo(1);
  assert.deepEqual([[...model.inside], [...model.memory]], [[0, 0, 0], [0, 0, 0]]);
  model.goTo(0);
  assert.equal(model.curves["in flight"].at(-1), 0);
});

test("counts of nodes are those of the rows, forwards and backwards", () => {
  const model = line();
  const at = (time) => {
    model.goTo(time);
    return [[...model.inside], [...model.memory]];
  };
  const forwards = [0, 1, 2, 3].map(at), backwards = [3, 2, 1, 0].map(at).reverse();
  assert.deepEqual(forwards, backwards);
  assert.deepEqual(forwards[3], [[0, 0, 0], [0, 0, 0]]);
  assert.equal(model.curves["flits moved"].reduce((a, b) => a + b), 4);
  assert.equal(model.curves.delivered.reduce((a, b) => a + b), 2);
  assert.equal(model.nextEvent(0), 1);
  assert.equal(model.nextEvent(5), Infinity);
});

test("what is stored on the way is in the memory of a processor", () => {
  // Packet 0 is stored in node 1 in step 1, and leaves again in step 3.
  const packets = [...number(1), ...number(0), ...number(2), ...number(1), ...difference(0), ...number(5),
    ...number(1), ...difference(0), ...number(6), ...number(0)];
  const tokens = [0, 4, 2, 0, 4, 1].flatMap(number), steps = [0, 0, 1, 2, 0, 1].flatMap(difference);
  const facts = { ...line().facts, packets: 1, rows: 6, to: 5 };
  const model = new LinksModel(contentOf(content(facts, { packets, tokens, steps, channels: [], control: number(0), histories: number(0) })));
  const at = (time) => (model.goTo(time), [[...model.inside], [...model.memory]]);
  assert.deepEqual(at(2), [[0, 0, 0], [0, 1, 0]]);
  assert.deepEqual(model.whereIs(0, 2).map((one) => [one.at, one.node]), [["memory", 1]]);
  assert.deepEqual(at(4), [[0, 0, 0], [0, 0, 0]]);
});

// Two routers of three cycles; two packets of two flits from 0 to 1, none of which waits.
function routers(terminals) {
  const facts = {
    ...line().facts, to: 20, storage: 1, channels: 1, nodes: ["node_a", "node_b"], roles: [1, 1], x: [0, 1], y: [0, 0],
    links: [0, 1, 1, 1, 0, 0], packets: 2, rows: 12, routers: { injection: 2, to_link: 2, to_processor: 3, terminals }
  };
  const packet = (delivered) => [...number(1), ...number(0), ...number(1), ...number(2), ...difference(0), ...number(delivered + 1),
    ...number(1), ...difference(0), ...number(3), ...number(1), ...difference(0), ...number(0), ...number(0)];
  const tokens = [0, 4, 1, 0, 4, 1].flatMap(number), channels = [0, 0, 0, 0].flatMap(number);
  // inject, hop, eject of each flit, as differences; a flit starts at the step of the one before.
  const steps = [0, 4, 4, 1, 4, 4, 2, 4, 4, 1, 4, 4].flatMap(difference);
  return new LinksModel(contentOf(content(facts,
    { packets: [...packet(9), ...packet(11)], tokens, steps, channels, control: number(0), histories: number(0) })));
}

test("flits of routers are in a buffer from being readable to winning the switch", () => {
  // A head that is sent in 0 is readable in 2 and enters the link in 4: it wins the switch as it becomes readable.
  const model = routers([]);
  assert.deepEqual([0, 2, 4, 5].map((time) => model.whereIs(0, time)[0].at), ["passing", "passing", "link", "passing"]);
  const at = (time) => (model.goTo(time), [[...model.inside], [...model.memory]]);
  assert.deepEqual([0, 1, 2, 3].map(at), [[[0, 0], [2, 0]], [[0, 0], [1, 0]], [[0, 0], [1, 0]], [[0, 0], [0, 0]]]);
  assert.equal(Math.max(...model.curves["longest queue"]), 0);
  assert.deepEqual(model.packetsIn(0, 1), { buffer: [], passing: [0], memory: [1] });
});

test("routers that differ have their own times", () => {
  const model = routers([]), { rowStep } = model;
  model.facts.routers.of_nodes = [{ injection: 2, to_link: 3, to_processor: 4 }, { injection: 2, to_link: 4, to_processor: 5 }];
  const hop = 1, eject = 2; // in node 0 and in node 1
  assert.deepEqual([hop, eject].map((row) => model.leavesBuffer(row)), [rowStep[hop] - 3, rowStep[eject] - 5]);
});

test("flits between two clocks are in no buffer", () => {
  // As the packets above, to a node with a cycle of two steps: a flit arrives in 5 to 8, and is read in 6, 8, 10, 12.
  const facts = routers([]).facts;
  facts.late = true;
  facts.routers.of_nodes = [{ injection: 2, to_link: 2, to_processor: 3 }, { injection: 4, to_link: 4, to_processor: 6 }];
  const packet = [...number(1), ...number(0), ...number(1), ...number(4), ...difference(0), ...number(19),
    ...number(1), ...difference(0), ...number(3), ...[1, 2, 3].flatMap(() => [...number(1), ...difference(0), ...number(0)]), ...number(0)];
  const tokens = [0, 4, 1].flatMap(number), channels = [0, 0].flatMap(number);
  const steps = [0, 4, 8, 1, 4, 9, 1, 4, 10, 1, 4, 11].flatMap(difference);
  const late = [0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 4, 0].flatMap(number);
  const model = new LinksModel(contentOf(content({ ...facts, packets: 1 },
    { packets: packet, tokens, steps, late, channels, control: number(0), histories: number(0) })));
  const hops = [1, 4, 7, 10];
  assert.deepEqual(hops.map((row) => model.rowStep[row]), [4, 5, 6, 7]);
  assert.deepEqual(hops.map((row) => model.entersBuffer(row)), [6, 8, 10, 12]);
  assert.equal(model.entersBuffer(0), 2);
  assert.deepEqual([2, 5, 8, 11].map((row) => model.leavesBuffer(row)), [6, 8, 10, 12]);
  assert.equal(model.whereIs(0, 7)[1].at, "passing");
});

test("packets of several flits count once, and those in the source not among those in buffers", () => {
  const model = routers([]), { rowStep } = model;
  // All hops and ejects of the second packet a few steps later: its flits wait in the buffer of node 0.
  for (let row = 6; row < 12; ++row) if (row % 3) rowStep[row] += 5;
  model.collectChanges();
  model.sweep();
  const at = (time) => (model.goTo(time), [...model.inside]);
  assert.deepEqual([3, 4, 5, 8, 9, 10].map(at), [[0, 0], [1, 0], [1, 0], [1, 0], [1, 0], [0, 0]]);
  assert.equal(Math.max(...model.curves["longest queue"]), 1);
  assert.deepEqual(model.packetsIn(0, 5).buffer, [1]);
  const history = model.historyOf(0, model.changeInside);
  assert.deepEqual(history.filter(([, count], i) => i === 0 || count !== history[i - 1][1]), [[0, 0], [4, 1], [10, 0]]);
});

test("terminals have no buffers", () => {
  const model = routers([0, 1]);
  for (let time = 0; time < 12; ++time) {
    model.goTo(time);
    assert.deepEqual([...model.inside], [0, 0]);
  }
});

test("histories have their waits", () => {
  const history = line().histories.get(1);
  assert.deepEqual(history, { distance: 1, waits: [{ cause: "contention", node: 1, from: 0, to: 1, link: 1, behind: [0] }] });
  assert.deepEqual(sumsByCause(history), [["contention", 1]]);
});

test("a coupler with two drivers carries nothing", () => {
  const facts = { from: 0, to: 2, groups: 2, group_size: 2, dead: [], causes: [], packets: 4, rows: 4 };
  const packets = [0, 1, 2, 3].flatMap((p) => [...number(p), ...number(4 - p), ...number(0), ...number(2)]);
  const row = (later, kind, node, group, packet) => [later, kind].flatMap(number).concat(difference(node), number(group), packet);
  const rows = [...number(4),
    ...row(0, 0, 0, 1, difference(0)), ...row(0, 0, 1, 1, difference(0)), // 0 and 1 drive the coupler to group 1
    ...row(0, 0, 1, 0, difference(0)), // and 2 the one to group 0
    ...row(0, 1, 0, 1, difference(2))]; // which 0 samples
  const model = new PopsModel(contentOf(content(facts, { packets, rows, histories: number(0) })));
  const couplers = model.slot(0);
  assert.equal(couplers.get(1).collides, true);
  assert.equal(couplers.get(1).carries, false);
  assert.equal(couplers.get(2).carries, true);
  assert.equal(model.rowPacket[3], 2);
  assert.equal(model.couplerName(1), "coupler_to01_from00");
  assert.equal(model.nodeName(3), "proc_g01_p01");
  assert.deepEqual([...model.curves.collisions], [1, 0]);
});

test("state fields have the names of their values, and links their tags", () => {
  const state = { fields: [{ node: 3, name: "mode", names: "waves.mode.filter" }, { node: 3, name: "count", names: "" }], values: { "waves.mode.filter": { 0: "idle", 2: "busy" } } };
  const numbers = [...number(2), ...difference(0), ...number(0), ...difference(5), ...number(2), ...number(1), ...difference(4), ...number(9)];
  const states = new States(contentOf(content({ state }, { state: numbers })));
  assert.deepEqual(states.of(3, 4.5), [["mode", "idle"], ["count", "9"]]);
  assert.deepEqual(states.of(3, 5), [["mode", "busy"], ["count", "9"]]);
  assert.deepEqual(states.of(3, 1), [["mode", "idle"], ["count", ""]]);
  assert.equal(states.tagOf(0, 9), undefined);
  const tags = [...number(2), ...difference(4), ...number(0), ...difference(3), ...number(2)];
  const tagged = new States(contentOf(content({ state, tagged: [6] }, { state: numbers, tags })));
  assert.deepEqual([3, 4, 6, 7, 90].map((step) => tagged.tagOf(6, step)), [undefined, 0, 0, 2, 2]);
  assert.equal(tagged.tagOf(5, 9), undefined);
  assert.deepEqual(new States(contentOf(content({ no_state: "none" }, {}))).missing, "none");
});

// Message 3 waited for message 0, message 5 for message 3; the second packet of message 0 is packet 1.
function workload(operations) {
  const rows = [
    [0, 0, 4, 5, 8, 10, 21, 0, 0, 2], [3, 1, 5, 4, 1, 5, 0, 3, 4, 1], [2, 0, 4, 4, 2, 20, 6, 2, 2, 1]
  ];
  const messages = rows.flatMap((row) => row.flatMap((value, i) => (i === 5 ? difference(value) : number(value))));
  const chain = [...number(2), ...difference(0), 10, 7, 13, ...difference(3), 0, 1, 1];
  const facts = {
    program: operations.length > 0, rows: [["rank 0", 4], ["rank 1", 5]], flows: [["sum[0] 0->1", 15], ["sum[0] 1->0", null]], operations: ["sum", "work"]
  };
  const bytes = { messages: [3, ...messages], chain, operations: [operations.length, ...operations.flat()] };
  return new Workload(contentOf(content({ workload: facts }, bytes)), 100);
}

test("messages have their chains, packets and deadlines", () => {
  const shown = workload([]);
  assert.deepEqual([...shown.number], [0, 3, 5]);
  assert.deepEqual([...shown.created], [10, 15, 35]);
  assert.deepEqual([...shown.delivered], [30, -1, 40]);
  assert.deepEqual(shown.chainOf(2), [0, 1, 2]);
  assert.deepEqual([0, 1, 2, 4, 5, 6].map((packet) => shown.ofPacket(packet)), [0, 0, -1, 1, -1, 2]);
  assert.deepEqual([0, 1, 2].map((m) => shown.overdue(m)), [5, 0, 0]);
  assert.deepEqual(shown.chain.map(({ message, compute, ideal, contention }) => [message, compute, ideal, contention]), [[0, 10, 7, 13], [1, 0, 1, 1]]);
  // Bars of messages, in lanes of their source.
  assert.deepEqual(shown.bars.map(({ row, lane, from, to, thing }) => [row, lane, from, to, thing.id]), [[0, 0, 10, 30, 0], [0, 0, 35, 40, 2], [1, 0, 15, 100, 1]]);
});

test("operations of a rank at the same time have lanes", () => {
  const shown = workload([[0, 0, 0, 0, 5, 20], [0, 1, 7, 1, 10, 10], [0, 1, 8, 1, 22, 2], [1, 0, 0, 0, 5, 0]]);
  assert.deepEqual(shown.bars.map(({ row, lane, from, to, colour }) => [row, lane, from, to, colour]),
                   [[0, 0, 5, 25, 0], [0, 1, 10, 20, -1], [0, 1, 22, 24, -1], [1, 0, 5, 100, 0]]);
  assert.equal(shown.lanes, 2);
  assert.equal(shown.operationName(1), "work[7]");
  assert.deepEqual([shown.messagesOf(0), shown.messagesOf(3), shown.messagesOf(1)], [[0, 1, 2], [0, 1], []]);
});

test("power is that of the window of a step", () => {
  // Two nodes and a link, in steps 10 to 13 and 14 to 15; then not measured.
  const power = new Power(contentOf(content({ power: 2 }, { power: [...number(10), ...number(4), ...[7e6, 0, 2e6].flatMap(difference),
    ...number(0), ...number(2), ...[-3e6, 0, 5e5].flatMap(difference)] })), 2, 1);
  assert.deepEqual([9, 10, 13.9, 14, 15.5, 16].map((time) => power.windowAt(time)), [-1, 0, 0, 1, 1, -1]);
  assert.deepEqual(power.network.map(milliwatts), [9, 6.5]);
  assert.deepEqual([power.mostRouter, power.mostLink].map(milliwatts), [7, 2.5]);
  assert.deepEqual([0, 1].map((window) => [power.routerLevel(window, 0), power.routerLevel(window, 1), power.linkLevel(window, 0)]), [[7, 0, 6], [4, 0, 7]]);
});

test("time stops at the end, and skips what is idle", () => {
  const player = new Player({ from: 0, to: 100000, nextEvent: (time) => (time < 90000 ? 90000 : Infinity) });
  player.toggle();
  player.advance(0.1);
  assert.equal(player.time, 89998);
  player.seek(1e9);
  assert.equal(player.time, 100000);
  player.step(-10);
  assert.equal(player.time, 99990);
});

test("time passes at its speed, and stops when told", () => {
  const player = new Player({ from: 10, to: 20, nextEvent: (time) => Math.floor(time) + 1 });
  player.toggle();
  player.advance(0.25); // at four steps a second
  assert.equal(player.time, 11);
  player.step(1);
  assert.deepEqual([player.time, player.playing], [12, false]);
  player.advance(1);
  assert.equal(player.time, 12);
});

test("heat has the steps of links.svg", () => {
  assert.deepEqual([0, 0.01, 0.02, 0.03, 0.3, 1].map(heatLevel), [0, 1, 1, 2, 5, 7]);
});
