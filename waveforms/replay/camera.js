// SPDX-License-Identifier: Apache-2.0
// The visible part of a drawing and its scale.

export class Camera {
  constructor(width, height) {
    this.world = { width, height };
    this.scale = 1;
    this.left = 0;
    this.top = 0;
    this.fitted = true;
  }
  // Fits the whole drawing into the middle of a canvas of this size in pixels.
  fit(width, height) {
    this.scale = Math.min(width / this.world.width, height / this.world.height);
    this.left = (width - this.world.width * this.scale) / 2;
    this.top = (height - this.world.height * this.scale) / 2;
    this.fitted = true;
  }
  move(dx, dy) {
    this.left += dx;
    this.top += dy;
    this.fitted = false;
  }
  // Zooms around the point (x, y), which does not move.
  zoom(factor, x, y) {
    const next = Math.min(60, Math.max(0.02, this.scale * factor));
    this.left = x - ((x - this.left) * next) / this.scale;
    this.top = y - ((y - this.top) * next) / this.scale;
    this.scale = next;
    this.fitted = false;
  }
  toWorld(x, y) {
    return [(x - this.left) / this.scale, (y - this.top) / this.scale];
  }
  toScreen(x, y) {
    return [this.left + x * this.scale, this.top + y * this.scale];
  }
  // Sets the units of the drawing for later calls.
  applyTo(context, ratio) {
    context.setTransform(ratio * this.scale, 0, 0, ratio * this.scale, ratio * this.left, ratio * this.top);
  }
}
