// State fields of controllers, by node and step, where the run wrote waves.
import { countUpTo } from "./order.js";

export class States {
  constructor(content) {
    const { state, no_state: missing } = content.facts;
    this.missing = missing ?? "";
    this.byNode = new Map();
    if (!state) return;
    this.values = state.values;
    const numbers = content.section("state");
    for (const { node, name } of state.fields) {
      const field = { name, steps: [], values: [] };
      let step = 0;
      for (let left = numbers.number(); left > 0; --left) {
        step += numbers.difference();
        field.steps.push(step);
        field.values.push(numbers.number());
      }
      if (!this.byNode.has(node)) this.byNode.set(node, []);
      this.byNode.get(node).push(field);
    }
  }

  // [[name, value]] as of a step; values by name where they have one.
  of(node, time) {
    return (this.byNode.get(node) ?? []).map(({ name, steps, values }) => {
      const at = countUpTo((i) => steps[i], 0, steps.length, Math.floor(time)) - 1;
      return [name, at < 0 ? "" : this.values[name]?.[values[at]] ?? String(values[at])];
    });
  }
}
