// SPDX-License-Identifier: Apache-2.0
// Draws a run on a network of links: nodes, links by load, moving flits, queues, and the selection.
import { Camera } from "./camera.js";
import { HOP } from "./links_model.js";
import { CLASSES, heatLevel } from "./palette.js";

const PITCH = 100; // from cell to cell, in units of the drawing
const BESIDE = 7; // a link from its centre line
const HEAT_WINDOW = 32; // steps over which the load of a link is shown
const BACKDROP_EVERY = 100; // milliseconds
const BOW = 1; // the shape of links that go round others (inspection/links/replay_network.cpp)
const MOST_PALE = 3; // the greatest level on whose colour text is readable in that of the text
const MOST_STACKED = 6; // packets that a queue shows one by one

// Points of a curve with four handles.
function along(curve, share) {
  const [a, b, c, d] = curve, rest = 1 - share;
  const weigh = (i) => rest ** 3 * a[i] + 3 * rest * rest * share * b[i] + 3 * rest * share * share * c[i] + share ** 3 * d[i];
  return [weigh(0), weigh(1)];
}
const line = (a, b) => {
  const between = (share) => [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share];
  return [a, between(1 / 3), between(2 / 3), b];
};

export class LinksScene {
  constructor(model) {
    this.model = model;
    this.colours = ["direction", "packet", "destination", "age", ...(model.facts.channels > 0 ? ["channel"] : []), ...(model.states.tags.size ? ["tag"] : [])];
    const least = (list) => list.reduce((a, b) => Math.min(a, b), Infinity);
    const most = (list) => list.reduce((a, b) => Math.max(a, b), -Infinity);
    const left = least(model.x), top = least(model.y);
    this.layers = model.power ? ["load", "power"] : [];
    this.closest = this.closestNodes();
    this.radius = Math.min(26, PITCH * this.closest * 0.26);
    const border = 0.8;
    this.at = Array.from({ length: model.nodes }, (_, n) =>
      [(model.x[n] - left + border) * PITCH, (model.y[n] - top + border) * PITCH]);
    this.camera = new Camera((most(model.x) - left + 2 * border) * PITCH, (most(model.y) - top + 2 * border) * PITCH);
    this.parallels = this.parallelLinks();
    this.paths = Array.from({ length: model.links }, (_, link) => this.pathOf(link));
  }

  // The least distance between two nodes, in cells.
  closestNodes() {
    const { x, y, nodes } = this.model;
    if (nodes > 1500) return 1;
    let least = 1;
    for (let a = 0; a < nodes; ++a)
      for (let b = 0; b < a; ++b) {
        const apart = Math.hypot(x[a] - x[b], y[a] - y[b]);
        if (apart > 0) least = Math.min(least, apart);
      }
    return least;
  }

  // For each link its number among those between the same nodes in the same direction, and how many these are. Links
  // that leave a plane of a grid are drawn alone.
  parallelLinks() {
    const { linkFrom, linkTo, linkShape } = this.model, counts = new Map();
    const links = Array.from(linkFrom, (from, link) => {
      const ends = linkShape[link] >= 2 ? `${link}` : `${from} ${linkTo[link]}`, number = counts.get(ends) ?? 0;
      counts.set(ends, number + 1);
      return { ends, number };
    });
    return links.map(({ ends, number }) => [number, counts.get(ends)]);
  }

  // The parts of a link: curves of four points. It is shifted to the right, as in `starloom draw`; parallel links are
  // side by side.
  pathOf(link) {
    const { model, radius } = this;
    const a = this.at[model.linkFrom[link]], b = this.at[model.linkTo[link]];
    const [number, count] = this.parallels[link];
    const beside = Math.min(BESIDE, radius / 2) * (2 * number + 1) / count;
    const shape = model.linkShape[link];
    if (shape >= 2) { // out at one edge, back at the other
      const [ux, uy] = [[1, 0], [-1, 0], [0, 1], [0, -1]][shape - 2];
      const reach = PITCH / 2 + radius / 2;
      const edge = (p, sign) => [p[0] + sign * ux * radius - uy * beside, p[1] + sign * uy * radius + ux * beside];
      const far = (p, sign) => [p[0] + sign * ux * reach - uy * beside, p[1] + sign * uy * reach + ux * beside];
      return [line(edge(a, 1), far(a, 1)), line(far(b, -1), edge(b, -1))];
    }
    const length = Math.hypot(b[0] - a[0], b[1] - a[1]) || 1;
    const [ux, uy] = [(b[0] - a[0]) / length, (b[1] - a[1]) / length];
    if (shape === 0) {
      const shift = [-uy * beside, ux * beside];
      return [line([a[0] + ux * radius + shift[0], a[1] + uy * radius + shift[1]],
                   [b[0] - ux * radius + shift[0], b[1] - uy * radius + shift[1]])];
    }
    const out = PITCH * 0.5 * (1 + 0.4 * number / count), forth = length / 5;
    const begin = [a[0] - uy * radius, a[1] + ux * radius], end = [b[0] - uy * radius, b[1] + ux * radius];
    return [[begin, [begin[0] - uy * out + ux * forth, begin[1] + ux * out + uy * forth],
             [end[0] - uy * out - ux * forth, end[1] + ux * out - uy * forth], end]];
  }
  pointOn(link, share) {
    const paths = this.paths[link];
    const part = Math.min(paths.length - 1, Math.floor(share * paths.length));
    return along(paths[part], share * paths.length - part);
  }

  draw(context, size, ratio, time, look) {
    this.model.goTo(time);
    this.freshenBackdrop(size, ratio, time, look);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.backdrop, 0, 0);
    this.camera.applyTo(context, ratio);
    if (look.selected) this.drawSelection(context, time, look);
    this.drawFlits(context, time, look);
    if (this.model.facts.cycle.length && time >= look.end - 1) this.drawCycle(context, look);
  }

  // Links and nodes change only from step to step; in fast playback they are redrawn a few times per second.
  freshenBackdrop(size, ratio, time, look) {
    const { camera } = this;
    const view = [size.width, size.height, ratio, camera.scale, camera.left, camera.top, look.palette.paper, look.layer].join();
    const step = Math.floor(time);
    const soon = look.playing && performance.now() - this.backdropAt < BACKDROP_EVERY;
    if (view === this.backdropView && (step === this.backdropStep || soon)) return;
    this.backdrop ??= document.createElement("canvas");
    this.backdrop.width = Math.round(size.width * ratio);
    this.backdrop.height = Math.round(size.height * ratio);
    const context = this.backdrop.getContext("2d");
    context.fillStyle = look.palette.paper;
    context.fillRect(0, 0, this.backdrop.width, this.backdrop.height);
    camera.applyTo(context, ratio);
    this.drawLinks(context, time, look);
    this.drawNodes(context, time, look);
    this.crossOut(context, time, look);
    [this.backdropView, this.backdropStep, this.backdropAt] = [view, step, performance.now()];
  }

  trace(context, link) {
    for (const [a, b, c, d] of this.paths[link]) {
      context.moveTo(a[0], a[1]);
      if (this.model.linkShape[link] === BOW) context.bezierCurveTo(b[0], b[1], c[0], c[1], d[0], d[1]);
      else context.lineTo(d[0], d[1]);
    }
  }

  drawLinks(context, time, look) {
    const { model } = this;
    const levels = Array.from({ length: 8 }, () => []);
    const levelOf = look.layer === "power" ? this.powerLevels(time) : this.loadLevels(time);
    const dead = [];
    for (let link = 0; link < model.links; ++link)
      (model.isDead(model.deadLinks, link, time) ? dead : levels[levelOf(link)]).push(link);
    levels.forEach((links, level) => {
      context.strokeStyle = look.palette.heat[level];
      context.lineWidth = 1.5 + level / 3;
      // Bows cross many parts, so they are fainter.
      for (const bows of [true, false]) {
        context.globalAlpha = bows ? 0.3 : 1;
        context.beginPath();
        for (const link of links) if ((model.linkShape[link] === BOW) === bows) this.trace(context, link);
        context.stroke();
      }
    });
    context.globalAlpha = 1;
    if (!dead.length) return;
    context.strokeStyle = look.palette.dim;
    context.lineWidth = 1.5;
    context.setLineDash([4, 4]);
    context.beginPath();
    for (const link of dead) this.trace(context, link);
    context.stroke();
    context.setLineDash([]);
  }

  // Levels of links by their load in the last steps, or by their power in the window.
  loadLevels(time) {
    const { model } = this;
    const from = Math.max(model.from - 1, Math.floor(time) - HEAT_WINDOW);
    const steps = Math.max(1, Math.floor(time) - from);
    return (link) => heatLevel(model.crossings(link, from, Math.floor(time)) / steps);
  }
  powerLevels(time) {
    const { power } = this.model, window = power.windowAt(time);
    return (link) => (window < 0 ? 0 : power.linkLevel(window, link));
  }

  // A square for a processor, a disc for a switch; in it packets in buffers as filled boxes, packets in memory as
  // hollow ones. In the layer of power it has the colour of its router.
  drawNodes(context, time, look) {
    const { model, radius } = this, { palette } = look;
    const small = radius * this.camera.scale < 7;
    const levels = this.routerLevels(time, look), shapes = new Map();
    for (let node = 0; node < model.nodes; ++node) {
      const [x, y] = this.at[node];
      if (!shapes.has(levels[node])) shapes.set(levels[node], new Path2D());
      const lines = shapes.get(levels[node]);
      if (model.facts.roles[node]) lines.rect(x - radius, y - radius, 2 * radius, 2 * radius);
      else {
        lines.moveTo(x + radius, y);
        lines.arc(x, y, radius, 0, 7);
      }
    }
    context.strokeStyle = palette.dim;
    context.lineWidth = 1;
    for (const [level, lines] of shapes) {
      context.fillStyle = level < 0 ? palette.soft : palette.heat[level];
      context.fill(lines);
      context.stroke(lines);
    }
    context.textAlign = "center";
    context.font = `${radius * 0.6}px sans-serif`;
    for (let node = 0; node < model.nodes; ++node) {
      const [x, y] = this.at[node];
      const ink = levels[node] > MOST_PALE ? palette.paper : palette.text;
      if (!small) {
        context.fillStyle = levels[node] < 0 ? palette.dim : ink;
        context.fillText(String(node), x, y - radius * 0.4);
      }
      this.drawQueue(context, x, y, model.inside[node], model.memory[node], small, ink);
    }
  }
  // [node] -1: it has no colour.
  routerLevels(time, look) {
    const { model } = this, { power } = model, window = look.layer === "power" ? power.windowAt(time) : -1;
    return Array.from({ length: model.nodes }, (_, node) => (window < 0 || model.isTerminal[node] ? -1 : power.routerLevel(window, node)));
  }
  // Dead routers have a cross, dead processors of others a stroke.
  crossOut(context, time, look) {
    const { model, radius } = this;
    context.strokeStyle = look.palette.alarm;
    context.lineWidth = 3;
    context.beginPath();
    for (const [dead, sides] of [[model.deadRouters, [1, -1]], [model.deadProcessors, [1]]])
      for (const node of dead.keys())
        if (model.isDead(dead, node, time))
          for (const side of sides) {
            const [x, y] = this.at[node];
            context.moveTo(x - radius, y - side * radius);
            context.lineTo(x + radius, y + side * radius);
          }
    context.stroke();
  }
  drawQueue(context, x, y, inside, memory, small, ink) {
    const { radius } = this;
    context.fillStyle = ink;
    if (small) {
      const high = (2 * radius * Math.min(inside + memory, MOST_STACKED)) / MOST_STACKED;
      if (high) context.fillRect(x - radius, y + radius - high, 2 * radius, high);
      return;
    }
    const cell = (1.7 * radius) / MOST_STACKED, left = x - 0.85 * radius;
    const row = (count, top, high, draw) => {
      const many = count > MOST_STACKED;
      for (let i = 0; i < (many ? 2 : count); ++i) draw(left + i * cell, top, cell * 0.72, high);
      if (many) context.fillText(String(count), x + radius * 0.3, top + high);
    };
    context.strokeStyle = ink;
    row(memory, y - radius * 0.1, radius * 0.38, (...box) => context.strokeRect(...box));
    row(inside, y + radius * 0.48, radius * 0.4, (...box) => context.fillRect(...box));
  }

  colourOf(row, time, look) {
    const { model } = this;
    const packet = model.flitPacket[model.rowFlit[row]];
    switch (look.colour) {
      case "packet": return CLASSES[model.id[packet] % CLASSES.length];
      case "destination": return CLASSES[Math.floor((model.destination[packet] * CLASSES.length) / model.nodes)] ?? look.palette.dim;
      case "channel": return CLASSES[Math.max(0, model.rowChannel[row]) % CLASSES.length];
      case "tag": return CLASSES[model.tagOf(row) % CLASSES.length] ?? look.palette.dim;
      case "age": return look.palette.heat[heatLevel(Math.max(0.001, (time - model.created[packet]) / look.oldest))];
      default: return CLASSES[(model.rowToken[row] - HOP) % CLASSES.length];
    }
  }

  // Heads are discs, flits behind them squares, keys and tokens of the algorithm diamonds.
  drawFlits(context, time, look) {
    const { model } = this;
    const heads = new Map(), bodies = new Map();
    const dot = Math.max(this.radius * 0.27, 2 / this.camera.scale);
    const control = [];
    this.shown = [];
    for (let link = 0; link < model.links; ++link) {
      model.onLink(link, time, (row, share) => {
        const [x, y] = this.pointOn(link, share);
        const flit = model.rowFlit[row];
        this.shown.push({ packet: model.flitPacket[flit], flit: model.flitNumber[flit], link, x, y });
        const kind = model.flitNumber[flit] === 0 ? heads : bodies;
        const colour = this.colourOf(row, time, look);
        if (!kind.has(colour)) kind.set(colour, new Path2D());
        if (kind === bodies) kind.get(colour).rect(x - dot * 0.75, y - dot * 0.75, dot * 1.5, dot * 1.5);
        else {
          kind.get(colour).moveTo(x + dot, y);
          kind.get(colour).arc(x, y, dot, 0, 7);
        }
      });
      const share = model.controlOnLink(link, time);
      if (share >= 0) control.push(this.pointOn(link, share));
    }
    for (const [colour, path] of [...bodies, ...heads]) {
      context.fillStyle = colour;
      context.fill(path);
    }
    context.strokeStyle = look.palette.dim;
    for (const [x, y] of control) context.strokeRect(x - dot / 2, y - dot / 2, dot, dot);
  }

  // The path of a packet, or of those of a message, and its flits; the outline of a node or link.
  drawSelection(context, time, look) {
    const { model } = this;
    const { kind, id } = look.selected;
    context.strokeStyle = look.palette.accent;
    context.lineWidth = 5;
    if (kind === "link") {
      context.beginPath();
      this.trace(context, id);
      context.stroke();
    } else if (kind === "node") {
      this.ring(context, this.at[id], this.radius + 5);
    } else if (kind === "operation") {
      this.ring(context, this.at[model.workload.nodeOf(id)], this.radius + 5);
    } else {
      for (const packet of kind === "message" ? model.packetsOf(id) : [id]) this.drawPath(context, packet, time);
    }
  }
  drawPath(context, packet, time) {
    const { model } = this, [begin, end] = model.headRows(packet);
    context.lineWidth = 5;
    context.globalAlpha = 0.45;
    context.beginPath();
    for (let row = begin; row < end; ++row) if (model.rowLink[row] >= 0) this.trace(context, model.rowLink[row]);
    context.stroke();
    context.globalAlpha = 1;
    context.lineWidth = 3;
    for (const where of model.whereIs(packet, time))
      this.ring(context, where.link >= 0 ? this.pointOn(where.link, where.share) : this.at[where.node],
                where.link >= 0 ? this.radius * 0.5 : this.radius + 5);
  }
  ring(context, [x, y], radius) {
    context.beginPath();
    context.arc(x, y, radius, 0, 7);
    context.stroke();
  }

  // Each packet of a deadlock waits for a link that the next one holds.
  drawCycle(context, look) {
    context.strokeStyle = look.palette.alarm;
    context.fillStyle = look.palette.alarm;
    context.lineWidth = 4;
    context.setLineDash([10, 5]);
    context.beginPath();
    const { model } = this;
    for (const entry of model.facts.cycle) {
      const link = model.linkAt[entry.node * model.facts.stride + entry.port];
      if (link !== undefined && link >= 0) this.trace(context, link);
    }
    context.stroke();
    context.setLineDash([]);
    context.font = `bold ${this.radius * 0.55}px sans-serif`;
    const packetsAt = new Map(); // several may wait for one link
    for (const { node, packet } of model.facts.cycle) packetsAt.set(node, [...(packetsAt.get(node) ?? []), `p${packet}`]);
    for (const [node, packets] of packetsAt) {
      this.ring(context, this.at[node], this.radius + 3);
      packets.forEach((text, i) => {
        const above = (packets.length - 1) / 2 - i;
        context.fillText(text, this.at[node][0] + this.radius + 6, this.at[node][1] + this.radius * (0.25 - 0.6 * above));
      });
    }
  }

  // The part under a point of the canvas: {kind, id}, or null.
  pick(x, y) {
    const { model, radius } = this;
    const [wx, wy] = this.camera.toWorld(x, y);
    const near = Math.max(radius * 0.45, 6 / this.camera.scale);
    const flit = (this.shown ?? []).find((one) => Math.hypot(one.x - wx, one.y - wy) < near);
    if (flit) return { kind: "packet", id: flit.packet };
    for (let node = 0; node < model.nodes; ++node)
      if (Math.abs(this.at[node][0] - wx) <= radius && Math.abs(this.at[node][1] - wy) <= radius) return { kind: "node", id: node };
    let best = null, least = near;
    for (let link = 0; link < model.links; ++link)
      for (let share = 0.05; share < 1; share += 0.1) {
        const [px, py] = this.pointOn(link, share);
        const apart = Math.hypot(px - wx, py - wy);
        if (apart < least) [best, least] = [{ kind: "link", id: link }, apart];
      }
    return best;
  }
}
