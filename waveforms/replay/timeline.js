// SPDX-License-Identifier: Apache-2.0
// The scrubber: a row of curves over time, marks for events, and the current step.

const LABEL = 124; // pixels left of the curves
const DASHES = [[], [6, 2], [2, 2], [8, 2, 2, 2], [1, 3]]; // beside colours

// The part of a canvas that does not move: painted again only where its size or the paper changes.
export class Backdrop {
  draw(context, { width, height }, ratio, palette, paint) {
    const view = [width, height, ratio, palette.paper].join();
    if (view !== this.view) {
      this.view = view;
      this.canvas ??= document.createElement("canvas");
      this.canvas.width = Math.round(width * ratio);
      this.canvas.height = Math.round(height * ratio);
      const own = this.canvas.getContext("2d");
      own.setTransform(ratio, 0, 0, ratio, 0, 0);
      own.fillStyle = palette.paper;
      own.fillRect(0, 0, width, height);
      paint(own);
    }
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.canvas, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
  }
}

export class Timeline {
  constructor(model, events) {
    this.model = model;
    this.events = events;
    this.backdrop = new Backdrop();
  }
  share(time) {
    return (time - this.model.from) / Math.max(1, this.model.to - this.model.from);
  }
  timeAt(x, width) {
    const share = Math.min(1, Math.max(0, (x - LABEL) / Math.max(1, width - LABEL - 8)));
    return this.model.from + share * (this.model.to - this.model.from);
  }
  xOf(time, width) {
    return LABEL + this.share(time) * (width - LABEL - 8);
  }

  draw(context, size, ratio, time, look) {
    const { width, height } = size;
    this.backdrop.draw(context, size, ratio, look.palette, (own) => this.drawCurves(own, size, look));
    context.fillStyle = look.palette.accent;
    context.fillRect(this.xOf(time, width) - 1, 0, 2, height);
  }

  // Curves and marks, which do not move.
  drawCurves(context, { width, height }, { palette, classes }) {
    const names = Object.keys(this.model.curves);
    const high = (height - 14) / names.length;
    context.font = "11px sans-serif";
    names.forEach((name, i) => this.drawCurve(context, name, 12 + i * high, high - 3, width, palette, classes[i], DASHES[i]));
    for (const event of this.events) {
      const x = this.xOf(event.step, width);
      context.fillStyle = event.kind === "first" || event.kind === "last" ? palette.dim : palette.alarm;
      context.beginPath();
      context.moveTo(x, 11);
      context.lineTo(x - 5, 1);
      context.lineTo(x + 5, 1);
      context.fill();
    }
  }

  drawCurve(context, name, top, high, width, palette, colour, dash) {
    const values = this.model.curves[name];
    const most = values.reduce((a, b) => Math.max(a, b), 0);
    context.fillStyle = palette.dim;
    context.textAlign = "left";
    context.fillText(`${name} ${most}`, 0, top + high * 0.8);
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.setLineDash(dash);
    context.beginPath();
    values.forEach((value, bin) => {
      const x = LABEL + ((bin + 0.5) / values.length) * (width - LABEL - 8);
      context.lineTo(x, top + high - (most ? value / most : 0) * high);
    });
    context.stroke();
    context.setLineDash([]);
  }
}
