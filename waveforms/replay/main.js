// SPDX-License-Identifier: Apache-2.0
// The page: reads its data, and connects model, scene, panel, time and user input.
import { contentOf, unzipped } from "./decode.js";
import { Lanes } from "./lanes.js";
import { LinksModel } from "./links_model.js";
import { LinksPanel } from "./links_panel.js";
import { LinksScene } from "./links_scene.js";
import { CLASSES, paletteOf } from "./palette.js";
import { element, keysPanel } from "./panel.js";
import { Player } from "./player.js";
import { PopsModel } from "./pops_model.js";
import { PopsPanel } from "./pops_panel.js";
import { PopsScene } from "./pops_scene.js";
import { Timeline } from "./timeline.js";

const KINDS = { links: [LinksModel, LinksScene, LinksPanel], pops: [PopsModel, PopsScene, PopsPanel] };
const GOOD = ["completed", "saturated"];
const byId = (id) => document.getElementById(id);

// Events on the time line, by time: those of the run, and the first and last delivery.
function eventsOf(model) {
  const delivered = Array.from(model.delivered.subarray(0, model.packets)).filter((at) => at >= model.from && at <= model.to);
  const events = model.facts.events.map((event) => ({ ...event, alarm: true }));
  if (delivered.length) {
    events.push({ step: delivered.reduce((a, b) => Math.min(a, b)), kind: "first", text: "first delivery" });
    events.push({ step: delivered.reduce((a, b) => Math.max(a, b)), kind: "last", text: "last delivery" });
  }
  return events.sort((a, b) => a.step - b.step);
}

class Page {
  constructor(content) {
    const [Model, Scene, Panel] = KINDS[content.facts.kind];
    this.model = new Model(content);
    this.scene = new Scene(this.model);
    this.player = new Player(this.model);
    this.events = eventsOf(this.model);
    this.timeline = new Timeline(this.model, this.events);
    this.lanes = this.model.workload ? new Lanes(this.model.workload, this.timeline) : null;
    this.panel = new Panel(this);
    this.selected = null;
    this.colour = this.scene.colours[0];
    this.layer = this.scene.layers[0];
    this.oldest = 1;
    for (let p = 0; p < this.model.packets; ++p)
      this.oldest = Math.max(this.oldest, this.model.delivered[p] - this.model.created[p]);
    this.night = matchMedia("(prefers-color-scheme: dark)");
    this.palette = paletteOf(this.night.matches);
    this.shownStep = null;
    this.dirty = true;
    this.frames = 0;
  }

  get time() {
    return this.player.time;
  }
  packetNumber(index) {
    return this.model.id ? this.model.id[index] : index;
  }
  packetIndex(number) {
    if (this.model.packetIndices) return this.model.packetIndices.get(number);
    return number < this.model.packets ? number : undefined;
  }

  // The number of a thing in the run.
  numberOf({ kind, id }) {
    return kind === "packet" ? this.packetNumber(id) : kind === "message" ? this.model.workload.number[id] : id;
  }

  select(thing) {
    this.selected = thing;
    this.showPanel();
    this.changed();
  }
  seek(time) {
    this.player.playing = false;
    this.player.seek(time);
    this.changed();
  }
  changed() {
    this.dirty = true;
    this.writeLink();
  }

  // #step=120&packet=17: the current step, the selection, and the layer if it is not the first.
  writeLink() {
    const parts = [`${this.model.facts.clock}=${Math.floor(this.time)}`];
    if (this.selected) parts.push(`${this.selected.kind}=${this.numberOf(this.selected)}`);
    if (this.layer !== this.scene.layers[0]) parts.push(`layer=${this.layer}`);
    const link = "#" + parts.join("&");
    if (!this.player.playing && link !== location.hash) history.replaceState(null, "", link);
  }
  readLink() {
    const asked = new URLSearchParams(location.hash.slice(1));
    const number = (name) => (/^\d+$/.test(asked.get(name) ?? "") ? Number(asked.get(name)) : null);
    const time = number("step") ?? number("slot");
    if (time !== null) this.player.seek(time);
    const packet = number("packet"), node = number("node"), link = number("link");
    const index = packet === null ? undefined : this.packetIndex(packet);
    const { workload } = this.model, message = workload?.indices.get(number("message")), operation = number("operation");
    if (index !== undefined) this.selected = { kind: "packet", id: index };
    else if (node !== null && node < this.model.nodes) this.selected = { kind: "node", id: node };
    else if (message !== undefined) this.selected = { kind: "message", id: message };
    else if (operation !== null && operation < (workload?.operations.length ?? 0)) this.selected = { kind: "operation", id: operation };
    else if (link !== null && link < (this.model.links ?? this.model.groups ** 2)) this.selected = { kind: "link", id: link };
    if (this.scene.layers.includes(asked.get("layer"))) this.layer = byId("layer").value = asked.get("layer");
    this.showPanel();
    this.dirty = true;
  }

  showPanel() {
    const { selected, panel } = this;
    byId("panel").replaceChildren(...(selected ? panel[selected.kind](selected.id) : panel.run()));
    this.shownStep = Math.floor(this.time);
  }

  canvasSize(canvas) {
    const ratio = Math.min(2, devicePixelRatio || 1);
    const width = canvas.clientWidth, height = canvas.clientHeight;
    const pixels = [Math.round(width * ratio), Math.round(height * ratio)];
    return { width, height, ratio, pixels, fits: canvas.width === pixels[0] && canvas.height === pixels[1] };
  }
  // Sets the size of a canvas to its pixels in the layout.
  fitCanvas(canvas) {
    const size = this.canvasSize(canvas);
    if (size.fits) return size;
    [canvas.width, canvas.height] = size.pixels;
    if (canvas.id === "scene" && this.scene.camera.fitted) this.scene.camera.fit(size.width, size.height);
    return size;
  }

  draw() {
    const scene = byId("scene"), line = byId("timeline");
    const size = this.fitCanvas(scene);
    this.scene.draw(scene.getContext("2d"), size, size.ratio, this.time, {
      palette: this.palette, colour: this.colour, layer: this.layer, selected: this.selected, oldest: this.oldest, end: this.model.to,
      playing: this.player.playing
    });
    const strip = this.fitCanvas(line);
    this.timeline.draw(line.getContext("2d"), strip, strip.ratio, this.time, { palette: this.palette, classes: CLASSES });
    if (this.lanes) {
      const lanes = byId("lanes"), part = this.fitCanvas(lanes);
      this.lanes.draw(lanes.getContext("2d"), part, part.ratio, this.time, { palette: this.palette, selected: this.selected });
    }
    byId("play").textContent = this.player.playing ? "Pause" : "Play";
    byId("now").textContent = `${this.model.facts.clock} ${Math.floor(this.time)} of ${this.model.from} to ${this.model.to}`;
    byId("rate").textContent = `${this.player.rate} ${this.model.facts.clock}s per second`;
    line.setAttribute("aria-valuenow", Math.floor(this.time));
    line.setAttribute("aria-valuemax", this.model.to);
    if (this.shownStep !== Math.floor(this.time) && (!this.player.playing || performance.now() - (this.panelAt ?? 0) > 200)) {
      this.panelAt = performance.now();
      this.showPanel();
    }
    ++this.frames;
  }

  run() {
    let last = performance.now();
    const frame = (now) => {
      const was = this.player.playing;
      this.player.advance((now - last) / 1000);
      last = now;
      if (was && !this.player.playing) this.changed();
      if (this.dirty || was) this.draw();
      this.dirty = false;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }

  // Next or previous event.
  toEvent(sign) {
    const now = Math.floor(this.time);
    const ahead = this.events.filter((event) => (sign > 0 ? event.step > now : event.step < now));
    if (ahead.length) this.seek(sign > 0 ? ahead[0].step : ahead[ahead.length - 1].step);
  }
  nextColour() {
    const { colours } = this.scene;
    this.setColour(colours[(colours.indexOf(this.colour) + 1) % colours.length]);
  }
  setColour(name) {
    this.colour = byId("colour").value = name;
    this.dirty = true;
  }
  nextLayer() {
    const { layers } = this.scene;
    if (layers.length) this.setLayer(layers[(layers.indexOf(this.layer) + 1) % layers.length]);
  }
  setLayer(name) {
    this.layer = byId("layer").value = name;
    this.showPanel();
    this.changed();
  }
  setSpeed(speed) {
    this.player.speed = Math.max(-3, Math.min(8, speed));
    byId("speed").value = this.player.speed;
    this.dirty = true;
  }
  fit() {
    const scene = byId("scene");
    this.scene.camera.fit(scene.clientWidth, scene.clientHeight);
    this.dirty = true;
  }
  zoom(factor) {
    const scene = byId("scene");
    this.scene.camera.zoom(factor, scene.clientWidth / 2, scene.clientHeight / 2);
    this.dirty = true;
  }
  move(dx, dy) {
    this.scene.camera.move(dx, dy);
    this.dirty = true;
  }
  step(count) {
    this.player.step(count);
    this.changed();
  }
  toggle() {
    this.player.toggle();
    this.changed();
  }

  showFound() {
    const text = byId("search").value.trim();
    const found = text ? this.panel.search(text) : [];
    byId("found").replaceChildren(...found.map(({ text: name, thing }) => element("li", {}, element("button", {
      type: "button", onclick: () => {
        this.select(thing);
        byId("found").replaceChildren();
      } }, name))));
    return found;
  }

  listenToButtons() {
    const click = (id, action) => byId(id).addEventListener("click", action);
    click("play", () => this.toggle());
    click("first", () => this.seek(this.model.from));
    click("last", () => this.seek(this.model.to));
    click("back", () => this.step(-1));
    click("on", () => this.step(1));
    click("fit", () => this.fit());
    click("keys", () => byId("panel").replaceChildren(...keysPanel()));
    byId("speed").addEventListener("input", (event) => this.setSpeed(Number(event.target.value)));
    byId("colour").append(...this.scene.colours.map((name) => element("option", {}, name)));
    byId("colour").addEventListener("change", (event) => this.setColour(event.target.value));
    byId("layer").append(...this.scene.layers.map((name) => element("option", {}, name)));
    byId("layer").addEventListener("change", (event) => this.setLayer(event.target.value));
    byId("layers").hidden = !this.scene.layers.length;
    byId("search").addEventListener("input", () => this.showFound());
    byId("search").addEventListener("keydown", (event) => {
      event.stopPropagation();
      const found = event.key === "Enter" ? this.showFound() : [];
      if (found.length) this.select(found[0].thing);
      if (found.length || event.key === "Escape") {
        byId("found").replaceChildren();
        byId("scene").focus();
      }
    });
    addEventListener("hashchange", () => this.readLink());
    // The browser calls after the layout and before it shows the frame: drawn later, the old pixels would be stretched.
    const observer = new ResizeObserver((entries) => {
      if (entries.some((entry) => !this.canvasSize(entry.target).fits)) this.draw();
    });
    for (const canvas of ["scene", "timeline", "lanes"]) observer.observe(byId(canvas));
    this.night.addEventListener("change", () => {
      this.palette = paletteOf(this.night.matches);
      this.dirty = true;
    });
  }

  listenToKeys() {
    const keys = {
      " ": () => this.toggle(), Home: () => this.seek(this.model.from), End: () => this.seek(this.model.to),
      "[": () => this.setSpeed(this.player.speed - 1), "]": () => this.setSpeed(this.player.speed + 1),
      n: () => this.toEvent(1), p: () => this.toEvent(-1), c: () => this.nextColour(), l: () => this.nextLayer(),
      w: () => this.move(0, 40), s: () => this.move(0, -40), a: () => this.move(40, 0), d: () => this.move(-40, 0),
      "+": () => this.zoom(1.25), "=": () => this.zoom(1.25), "-": () => this.zoom(0.8), 0: () => this.fit(),
      "/": () => byId("search").focus(), Escape: () => this.select(null),
      "?": () => byId("panel").replaceChildren(...keysPanel())
    };
    addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || ["SELECT", "INPUT"].includes(event.target.tagName)) return;
      if (event.key === " " && event.target.tagName === "BUTTON") return; // the button's own
      const far = event.shiftKey ? 10 : 1;
      const action = event.key === "ArrowRight" ? () => this.step(far) : event.key === "ArrowLeft" ? () => this.step(-far) : keys[event.key];
      if (!action) return;
      event.preventDefault();
      action();
    });
  }

  listenToPointer() {
    const scene = byId("scene"), line = byId("timeline");
    let drag = null;
    scene.addEventListener("pointerdown", (event) => {
      drag = { x: event.clientX, y: event.clientY, moved: false };
      scene.setPointerCapture(event.pointerId);
    });
    scene.addEventListener("pointermove", (event) => {
      if (!drag) return;
      const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
      if (!drag.moved && Math.hypot(dx, dy) < 4) return;
      this.move(dx, dy);
      drag = { x: event.clientX, y: event.clientY, moved: true };
    });
    scene.addEventListener("pointerup", (event) => {
      if (drag && !drag.moved) this.select(this.scene.pick(event.offsetX, event.offsetY));
      drag = null;
    });
    scene.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.scene.camera.zoom(event.deltaY < 0 ? 1.15 : 1 / 1.15, event.offsetX, event.offsetY);
      this.dirty = true;
    }, { passive: false });
    const scrub = (event) => this.seek(Math.floor(this.timeline.timeAt(event.offsetX, line.clientWidth)));
    line.addEventListener("pointerdown", (event) => {
      line.setPointerCapture(event.pointerId);
      scrub(event);
    });
    line.addEventListener("pointermove", (event) => event.buttons && scrub(event));
    const lanes = byId("lanes");
    lanes.addEventListener("click", (event) => this.select(this.lanes.pick(event.offsetX, event.offsetY, lanes.clientWidth)));
  }

  start() {
    const { facts } = this.model;
    byId("title").textContent = document.title;
    const outcome = byId("outcome");
    outcome.textContent = facts.outcome;
    if (!GOOD.includes(facts.outcome)) outcome.classList.add("bad");
    if (facts.window) byId("note").textContent = `${facts.clock}s ${facts.from} to ${facts.to - 1} only: a window ${facts.window}`;
    if (this.lanes) {
      byId("lanes").style.height = `${this.lanes.height}px`;
      byId("below").hidden = false;
    }
    this.listenToButtons();
    this.listenToKeys();
    this.listenToPointer();
    this.readLink();
    this.run();
  }
}

async function open() {
  try {
    const page = new Page(contentOf(await unzipped(byId("data").textContent)));
    globalThis.replay = page; // for the console, and for tests
    page.start();
  } catch (error) {
    byId("panel").replaceChildren(element("h2", { class: "alarm" }, "This page cannot be shown"), element("p", {}, String(error)));
    throw error;
  }
}
open();
