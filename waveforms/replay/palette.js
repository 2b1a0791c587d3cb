// SPDX-License-Identifier: Apache-2.0
// Colours that remain distinct with any kind of colour blindness.

// M. Okabe and K. Ito, Color Universal Design, 2008; without black, which is the background of the dark theme.
export const CLASSES = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#b5a800", "#8d6fd1"];

// Viridis (S. van der Walt and N. Smith, 2015) in steps of lightness, away from the background.
const HEAT_DAY = ["#c3c9d0", "#9ad941", "#4bbf6c", "#289e85", "#297c8d", "#37588a", "#44327c", "#440759"];
const HEAT_NIGHT = ["#4d555f", "#3c4d87", "#2f6c8e", "#238b8c", "#2ea980", "#5ac463", "#a1da3f", "#f6e627"];

const SHARES = [0.02, 0.05, 0.1, 0.25, 0.5, 0.75]; // as in links.svg

// The level of a link utilisation: 0 for none, up to 7.
export function heatLevel(share) {
  if (share <= 0) return 0;
  let level = 1;
  while (level < 7 && share > SHARES[level - 1]) ++level;
  return level;
}

export function paletteOf(night) {
  const style = getComputedStyle(document.documentElement);
  const own = (name) => style.getPropertyValue(name).trim();
  return {
    paper: own("--paper"), text: own("--text"), dim: own("--dim"), line: own("--line"), soft: own("--soft"),
    accent: own("--accent"), alarm: own("--alarm"), heat: night ? HEAT_NIGHT : HEAT_DAY
  };
}
