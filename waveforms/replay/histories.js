// SPDX-License-Identifier: Apache-2.0
// The latencies of packets: their waits, each with its cause.

// Map from a packet to {distance, waits: [{cause, node, from, to, link, behind}]}; link -1: not a link.
export function readHistories(numbers, causes, createdOf) {
  const histories = new Map();
  let packet = 0;
  for (let left = numbers.number(); left > 0; --left) {
    packet += numbers.number();
    const history = { distance: numbers.number(), waits: [] };
    let end = createdOf(packet);
    for (let waits = numbers.number(); waits > 0; --waits) {
      const wait = { cause: causes[numbers.number()], node: numbers.number() };
      wait.from = end + numbers.number();
      wait.to = end = wait.from + numbers.number();
      wait.link = numbers.number() - 1;
      wait.behind = [];
      for (let others = numbers.number(); others > 0; --others) wait.behind.push(packet + numbers.difference());
      history.waits.push(wait);
    }
    histories.set(packet, history);
  }
  return histories;
}

// [[cause, duration]], the longest first.
export function sumsByCause(history) {
  const sums = new Map();
  for (const wait of history.waits) sums.set(wait.cause, (sums.get(wait.cause) ?? 0) + wait.to - wait.from);
  return [...sums].sort((a, b) => b[1] - a[1]);
}
