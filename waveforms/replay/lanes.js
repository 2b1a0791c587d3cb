// SPDX-License-Identifier: Apache-2.0
// The lanes below the curves: the critical path, and a row for each rank or source with its operations or messages.
import { CLASSES } from "./palette.js";
import { Backdrop } from "./timeline.js";

const CRITICAL = 18, TOP = 2; // pixels of the first row, and above it

// The parts of a link of the critical path, each with its colour.
export const splitColours = (palette) => [["compute", palette.line], ["ideal", CLASSES[0]], ["contention", CLASSES[5]]];
// The colour of a bar; -1: a computation.
export const barColour = (colour, palette) => (colour < 0 ? palette.line : CLASSES[colour % CLASSES.length]);

export class Lanes {
  constructor(workload, timeline) {
    this.workload = workload;
    this.timeline = timeline;
    this.backdrop = new Backdrop();
    const lanes = workload.rows.length * workload.lanes;
    this.laneHeight = Math.max(2, Math.min(7, Math.floor(150 / Math.max(1, lanes))));
    this.rowHeight = workload.lanes * this.laneHeight + 2;
    this.height = CRITICAL + TOP + workload.rows.length * this.rowHeight + 2;
  }
  top(row) {
    return CRITICAL + TOP + row * this.rowHeight;
  }

  draw(context, size, ratio, time, look) {
    const { width, height } = size;
    this.backdrop.draw(context, size, ratio, look.palette, (own) => this.drawRows(own, size, look.palette));
    this.drawSelected(context, width, look);
    context.fillStyle = look.palette.accent;
    context.fillRect(this.timeline.xOf(time, width) - 1, 0, 2, height);
  }

  // All bars, which do not move.
  drawRows(context, { width, height }, palette) {
    context.save();
    context.beginPath();
    const { model } = this.timeline, left = this.timeline.xOf(model.from, width);
    context.rect(left, 0, this.timeline.xOf(model.to, width) - left, height);
    context.clip();
    const bar = (from, to, top, high, colour) => {
      const x = this.timeline.xOf(from, width);
      context.fillStyle = colour;
      context.fillRect(x, top, Math.max(1, this.timeline.xOf(to, width) - x), high);
    };
    this.drawChain(bar, palette);
    this.drawBars(bar, palette);
    context.restore();
    this.drawNames(context, palette);
  }
  drawChain(bar, palette) {
    const { workload } = this;
    for (const entry of workload.chain) {
      let at = workload.created[entry.message] - entry.compute;
      for (const [part, colour] of splitColours(palette)) {
        if (entry[part] > 0) bar(at, at + entry[part], TOP + 2, CRITICAL - 8, colour);
        at += entry[part];
      }
    }
  }
  drawBars(bar, palette) {
    const { workload, laneHeight } = this, high = laneHeight > 3 ? laneHeight - 1 : laneHeight;
    for (const { row, lane, from, to, colour } of workload.bars)
      bar(from, to, this.top(row) + lane * laneHeight, high, barColour(colour, palette));
    // Overdue messages are above the bars of their source.
    for (let m = 0; m < workload.messages; ++m) {
      const overdue = workload.overdue(m), row = overdue > 0 ? workload.rowAt.get(workload.source[m]) : undefined;
      if (row === undefined) continue;
      const end = workload.delivered[m] < 0 ? workload.to : workload.delivered[m];
      bar(end - overdue, end, this.top(row), Math.max(2, laneHeight - 4), palette.alarm);
    }
  }
  drawNames(context, palette) {
    context.fillStyle = palette.dim;
    context.font = "11px sans-serif";
    context.textAlign = "left";
    context.fillText("critical path", 0, CRITICAL - 6);
    context.font = "10px sans-serif";
    const every = Math.ceil(11 / this.rowHeight);
    this.workload.rows.forEach(([name], row) => {
      if (row % every === 0) context.fillText(name, 0, this.top(row) + Math.max(8, this.rowHeight / 2 + 3), 118);
    });
  }

  // The chain that ends with the selected message, or the frame of the selected operation.
  drawSelected(context, width, { palette, selected }) {
    const { workload, timeline } = this;
    context.strokeStyle = palette.text;
    context.lineWidth = 1.5;
    if (selected?.kind === "operation") {
      const { row, lane, from, to } = workload.bars[selected.id];
      const x = timeline.xOf(from, width);
      context.strokeRect(x, this.top(row) + lane * this.laneHeight, Math.max(2, timeline.xOf(to, width) - x), this.laneHeight);
    }
    if (selected?.kind !== "message") return;
    const middle = (node) => this.top(workload.rowAt.get(node)) + this.rowHeight / 2;
    context.beginPath();
    for (const m of workload.chainOf(selected.id)) {
      const source = workload.source[m], end = workload.delivered[m] < 0 ? workload.to : workload.delivered[m];
      context.lineTo(timeline.xOf(workload.created[m], width), middle(source));
      // A node that sends no message has no row.
      context.lineTo(timeline.xOf(end, width), middle(workload.rowAt.has(workload.destination[m]) ? workload.destination[m] : source));
    }
    context.stroke();
  }

  // The message or operation at a position, as {kind, id}, or null.
  pick(x, y, width) {
    const { workload } = this, time = this.timeline.timeAt(x, width);
    const near = (this.timeline.timeAt(x + 2, width) - this.timeline.timeAt(x - 2, width)) / 2;
    if (y < CRITICAL) {
      const found = workload.chain.find(({ message, compute }) =>
        time >= workload.created[message] - compute - near && time <= workload.delivered[message] + near);
      return found ? { kind: "message", id: found.message } : null;
    }
    const row = Math.floor((y - CRITICAL - TOP) / this.rowHeight), lane = Math.floor((y - this.top(row)) / this.laneHeight);
    const found = workload.bars.find((bar) => bar.row === row && bar.lane === lane && bar.from - near <= time && time <= bar.to + near);
    return found?.thing ?? null;
  }
}
