// SPDX-License-Identifier: Apache-2.0
// Time: the current step, playback and its speed. Idle steps are skipped.

const IDLE = 2; // steps of rest that are played before a jump

export class Player {
  constructor(model) {
    this.model = model;
    this.time = model.from;
    this.playing = false;
    this.speed = 2; // 2^speed steps per second
  }
  get end() {
    return this.model.to;
  }
  get rate() {
    return 2 ** this.speed;
  }
  seek(time) {
    this.time = Math.min(this.end, Math.max(this.model.from, time));
  }
  step(count) {
    this.playing = false;
    this.seek(count > 0 ? Math.floor(this.time) + count : Math.ceil(this.time) + count);
  }
  toggle() {
    if (!this.playing && this.time >= this.end) this.seek(this.model.from);
    this.playing = !this.playing;
  }
  // Advances by `seconds`.
  advance(seconds) {
    if (!this.playing) return;
    this.seek(this.time + Math.min(seconds, 0.25) * this.rate);
    const next = this.model.nextEvent(this.time);
    const rest = Number.isFinite(next) ? next : this.end;
    if (rest - this.time > 100 * IDLE) this.seek(rest - IDLE);
    if (this.time >= this.end) this.playing = false;
  }
}
