// SPDX-License-Identifier: Apache-2.0
// The power of routers and links in windows of steps, in nW. No drawing.
import { countUpTo } from "./order.js";

const NW_PER_MW = 1e6;

export class Power {
  constructor(content, nodes, links) {
    const count = content.facts.power, numbers = content.section("power");
    [this.from, this.to, this.network, this.routers, this.links] = [[], [], [], [], []];
    [this.mostRouter, this.mostLink] = [0, 0];
    let end = 0;
    const values = (before, length) => Float64Array.from({ length }, (_, i) => numbers.difference() + (before?.[i] ?? 0));
    const most = (list) => list.reduce((a, b) => Math.max(a, b), 0);
    for (let window = 0; window < count; ++window) {
      this.from.push(end + numbers.number());
      this.to.push((end = this.from[window] + numbers.number()));
      this.routers.push(values(this.routers[window - 1], nodes));
      this.links.push(values(this.links[window - 1], links));
      const sum = (list) => list.reduce((a, b) => a + b, 0);
      this.network.push(sum(this.routers[window]) + sum(this.links[window]));
      this.mostRouter = Math.max(this.mostRouter, most(this.routers[window]));
      this.mostLink = Math.max(this.mostLink, most(this.links[window]));
    }
  }
  // The window of a time; -1: its step is not measured.
  windowAt(time) {
    const window = countUpTo((i) => this.from[i], 0, this.from.length, Math.floor(time)) - 1;
    return window >= 0 && time < this.to[window] ? window : -1;
  }
  // Levels 0 to 7 of routers and links in a window: equal parts of the greatest power of the run.
  routerLevel(window, node) {
    return level(this.routers[window][node], this.mostRouter);
  }
  linkLevel(window, link) {
    return level(this.links[window][link], this.mostLink);
  }
}

const level = (value, most) => (value <= 0 ? 0 : Math.min(7, Math.max(1, Math.ceil((7 * value) / most))));

// Four significant digits.
export const milliwatts = (nanowatts) => Number((nanowatts / NW_PER_MW).toPrecision(4));
