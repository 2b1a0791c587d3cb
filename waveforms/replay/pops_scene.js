// SPDX-License-Identifier: Apache-2.0
// Draws a run on a POPS network: couplers as a matrix, the groups that drive them on the left, those that sample them
// below.
import { Camera } from "./camera.js";
import { CLASSES } from "./palette.js";

const CELL = 60;

export class PopsScene {
  constructor(model) {
    this.model = model;
    this.colours = ["packet", "destination", "kind"];
    this.layers = [];
    this.matrix = { left: 150, top: 50 };
    const side = model.groups * CELL;
    this.camera = new Camera(side + 200, side + 180);
  }
  cell(coupler) {
    const { groups } = this.model;
    return [this.matrix.left + ((coupler % groups) + 0.5) * CELL, this.matrix.top + (Math.floor(coupler / groups) + 0.5) * CELL];
  }
  // A processor is drawn twice: where it drives, and where it samples.
  spot(node, drives) {
    const { groupSize } = this.model;
    const across = Math.ceil(Math.sqrt(groupSize)), index = node % groupSize, group = this.model.groupOf(node);
    const span = (CELL - 8) / across;
    const u = ((index % across) + 0.5) * span, v = (Math.floor(index / across) + 0.5) * span;
    const side = this.model.groups * CELL;
    return drives ? [60 + u, this.matrix.top + group * CELL + 4 + v] : [this.matrix.left + group * CELL + 4 + u, this.matrix.top + side + 34 + v];
  }

  colourOf(row, look) {
    const { model } = this;
    const packet = model.rowPacket[row];
    if (look.colour === "kind") return CLASSES[model.rowAck[row] ? 1 : 0];
    if (look.colour === "destination")
      return CLASSES[Math.max(0, model.groupOf(model.destination[packet])) % CLASSES.length];
    return CLASSES[packet % CLASSES.length];
  }

  draw(context, size, ratio, time, look) {
    const { model } = this;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.fillStyle = look.palette.paper;
    context.fillRect(0, 0, size.width, size.height);
    this.camera.applyTo(context, ratio);
    const slot = Math.floor(time), share = time - slot;
    const couplers = model.slot(slot);
    this.drawFrame(context, look);
    this.drawCouplers(context, couplers, look);
    this.drawProcessors(context, time, look);
    this.drawLight(context, couplers, share, look);
    this.drawNumbers(context, couplers, look);
    if (look.selected) this.drawSelection(context, slot, look);
  }

  // The packet that a coupler carries, or its acknowledgement (a).
  drawNumbers(context, couplers, look) {
    const { model } = this;
    context.font = "bold 13px sans-serif";
    context.textAlign = "center";
    for (const [coupler, now] of couplers) {
      if (!now.carries) continue;
      const [x, y] = this.cell(coupler);
      const text = (model.rowAck[now.drivers[0]] ? "a" : "") + model.rowPacket[now.drivers[0]];
      context.fillStyle = look.palette.paper;
      context.fillRect(x - 4 * text.length - 3, y - 8, 8 * text.length + 6, 17);
      context.fillStyle = look.palette.text;
      context.fillText(text, x, y + 5);
    }
  }

  drawFrame(context, look) {
    const { model } = this;
    context.fillStyle = look.palette.dim;
    context.font = "13px sans-serif";
    context.textAlign = "center";
    const side = model.groups * CELL;
    context.fillText("drive", 60 + CELL / 2, this.matrix.top - 8);
    context.textAlign = "left";
    context.fillText("couplers, from the group of the row to that of the column", this.matrix.left, this.matrix.top - 30);
    context.textAlign = "center";
    context.fillText("sample", this.matrix.left - 40, this.matrix.top + side + 60);
    for (let group = 0; group < model.groups; ++group) {
      context.fillText(`g${group}`, 40, this.matrix.top + (group + 0.55) * CELL);
      context.fillText(`g${group}`, this.matrix.left + (group + 0.5) * CELL, this.matrix.top - 8);
    }
  }

  // Outlined: driven; crossed: collision or dead; filled: it carries.
  drawCouplers(context, couplers, look) {
    const { model } = this;
    const half = CELL / 2 - 4;
    for (let coupler = 0; coupler < model.groups * model.groups; ++coupler) {
      const [x, y] = this.cell(coupler), now = couplers.get(coupler);
      context.lineWidth = 1;
      context.strokeStyle = look.palette.line;
      context.strokeRect(x - half, y - half, 2 * half, 2 * half);
      if (now?.carries) {
        context.fillStyle = this.colourOf(now.drivers[0], look);
        context.globalAlpha = model.rowAck[now.drivers[0]] ? 0.35 : 0.8;
        context.fillRect(x - half, y - half, 2 * half, 2 * half);
        context.globalAlpha = 1;
      }
      if (now?.collides || model.dead.has(coupler)) this.cross(context, x, y, half - 3, now?.collides ? look.palette.alarm : look.palette.dim);
      if (now?.collides) {
        context.fillStyle = look.palette.alarm;
        context.font = "12px sans-serif";
        context.fillText(`${now.drivers.length}`, x + half - 8, y - half + 13);
      }
    }
  }
  cross(context, x, y, half, colour) {
    context.strokeStyle = colour;
    context.lineWidth = 4;
    context.beginPath();
    context.moveTo(x - half, y - half);
    context.lineTo(x + half, y + half);
    context.moveTo(x + half, y - half);
    context.lineTo(x - half, y + half);
    context.stroke();
  }

  // Filled on the left: it still holds its own packet; filled below: its packet has arrived.
  drawProcessors(context, time, look) {
    const { model } = this;
    const radius = Math.max(2, ((CELL - 8) / Math.ceil(Math.sqrt(model.groupSize))) * 0.32);
    this.radius = radius;
    if (!this.bySource) {
      this.bySource = new Map();
      this.byDestination = new Map();
      for (let p = 0; p < model.packets; ++p) {
        this.bySource.set(model.source[p], p);
        this.byDestination.set(model.destination[p], p);
      }
    }
    const waits = (packet) => packet !== undefined && !(model.delivered[packet] >= 0 && model.delivered[packet] <= time);
    for (let node = 0; node < model.nodes; ++node)
      for (const drives of [true, false]) {
        const [x, y] = this.spot(node, drives);
        const packet = (drives ? this.bySource : this.byDestination).get(node);
        const full = packet !== undefined && waits(packet) === drives;
        context.beginPath();
        context.arc(x, y, radius, 0, 7);
        context.fillStyle = full ? look.palette.dim : look.palette.soft;
        context.fill();
        context.lineWidth = 1;
        context.strokeStyle = look.palette.dim;
        context.stroke();
      }
  }

  // In the first half of a slot light goes from drivers to couplers, in the second from couplers to the processors that
  // sample them.
  drawLight(context, couplers, share, look) {
    const { model } = this;
    const beam = (from, to, part, colour, width) => {
      context.strokeStyle = colour;
      context.lineWidth = width;
      context.beginPath();
      context.moveTo(from[0], from[1]);
      context.lineTo(from[0] + (to[0] - from[0]) * part, from[1] + (to[1] - from[1]) * part);
      context.stroke();
    };
    for (const [coupler, now] of couplers) {
      const middle = this.cell(coupler);
      for (const row of now.drivers)
        beam(this.spot(model.rowNode[row], true), middle, Math.min(1, share * 2), now.collides ? look.palette.alarm : this.colourOf(row, look), 2);
      for (const row of now.listeners) {
        const spot = this.spot(model.rowNode[row], false);
        if (now.carries && share > 0.5) beam(middle, spot, share * 2 - 1, this.colourOf(now.drivers[0], look), 2);
        context.beginPath(); // who listens
        context.arc(spot[0], spot[1], this.radius + 3, 0, 7);
        context.strokeStyle = now.carries ? look.palette.accent : look.palette.line;
        context.lineWidth = now.carries ? 2 : 1;
        context.stroke();
      }
    }
  }

  drawSelection(context, slot, look) {
    const { model } = this;
    const { kind, id } = look.selected;
    context.strokeStyle = look.palette.accent;
    context.lineWidth = 4;
    const ring = ([x, y]) => {
      context.beginPath();
      context.arc(x, y, this.radius + 6, 0, 7);
      context.stroke();
    };
    if (kind === "node") {
      ring(this.spot(id, true));
      ring(this.spot(id, false));
    } else if (kind === "link") {
      const [x, y] = this.cell(id);
      context.strokeRect(x - CELL / 2 + 1, y - CELL / 2 + 1, CELL - 2, CELL - 2);
    } else {
      ring(this.spot(model.source[id], true));
      if (model.destination[id] >= 0) ring(this.spot(model.destination[id], false));
      for (const row of model.rowsOfPacket(id).filter((one) => model.rowSlot[one] === slot && model.rowDrives[one])) {
        const [x, y] = this.cell(model.rowCoupler[row]);
        context.strokeRect(x - CELL / 2 + 1, y - CELL / 2 + 1, CELL - 2, CELL - 2);
      }
    }
  }

  pick(x, y) {
    const { model } = this;
    const [wx, wy] = this.camera.toWorld(x, y);
    for (let node = 0; node < model.nodes; ++node)
      for (const drives of [true, false]) {
        const [px, py] = this.spot(node, drives);
        if (Math.hypot(px - wx, py - wy) <= this.radius + 2) return { kind: "node", id: node };
      }
    const column = Math.floor((wx - this.matrix.left) / CELL), row = Math.floor((wy - this.matrix.top) / CELL);
    const inside = column >= 0 && row >= 0 && column < model.groups && row < model.groups;
    return inside ? { kind: "link", id: row * model.groups + column } : null;
  }
}
