// SPDX-License-Identifier: Apache-2.0
// State fields of controllers and tags of flits, by step, if the run wrote waves.
import { countUpTo } from "./order.js";

// The changes of a variable, as add_wave_values writes them.
function changesOf(numbers) {
  const steps = [], values = [];
  for (let left = numbers.number(), step = 0; left > 0; --left) {
    steps.push((step += numbers.difference()));
    values.push(numbers.number());
  }
  return { steps, values };
}
// The value in a step; undefined before the first.
function valueAt({ steps, values }, time) {
  return values[countUpTo((i) => steps[i], 0, steps.length, Math.floor(time)) - 1];
}

export class States {
  constructor(content) {
    const { state, no_state: missing, tagged = [] } = content.facts;
    this.missing = missing ?? "";
    this.byNode = new Map();
    this.tags = new Map();
    if (!state) return;
    this.values = state.values;
    const numbers = content.section("state");
    for (const { node, name, names } of state.fields) {
      if (!this.byNode.has(node)) this.byNode.set(node, []);
      this.byNode.get(node).push({ name, names, ...changesOf(numbers) });
    }
    if (!tagged.length) return;
    const tags = content.section("tags");
    for (const link of tagged) this.tags.set(link, changesOf(tags));
  }

  // [[name, value]] in a step; values by name if they have one.
  of(node, time) {
    return (this.byNode.get(node) ?? []).map((field) => {
      const value = valueAt(field, time);
      return [field.name, value === undefined ? "" : this.values[field.names]?.[value] ?? String(value)];
    });
  }
  // The tag of the flit that entered a link in a step; undefined if the waves do not contain it.
  tagOf(link, step) {
    return this.tags.has(link) ? valueAt(this.tags.get(link), step) : undefined;
  }
}
