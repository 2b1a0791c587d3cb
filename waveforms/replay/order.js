// SPDX-License-Identifier: Apache-2.0
// Sorting and searching numbers, fast enough for a million rows.

// The indices 0 .. count-1 by ascending key, equal ones by number. Keys are integers from 0 below 2^31.
export function orderBy(key, count) {
  let from = new Int32Array(count), to = new Int32Array(count);
  let greatest = 0;
  for (let i = 0; i < count; ++i) {
    from[i] = i;
    if (key[i] > greatest) greatest = key[i];
  }
  for (let shift = 0; shift === 0 || (shift < 32 && greatest >> shift > 0); shift += 16) {
    const starts = new Int32Array(65537);
    for (let i = 0; i < count; ++i) ++starts[((key[i] >> shift) & 65535) + 1];
    for (let digit = 0; digit < 65536; ++digit) starts[digit + 1] += starts[digit];
    for (let i = 0; i < count; ++i) {
      const index = from[i];
      to[starts[(key[index] >> shift) & 65535]++] = index;
    }
    [from, to] = [to, from];
  }
  return from;
}

// The index after the last of at(begin) <= .. <= at(end - 1) that is at most `value`.
export function countUpTo(at, begin, end, value) {
  while (begin < end) {
    const middle = (begin + end) >> 1;
    if (at(middle) <= value) begin = middle + 1;
    else end = middle;
  }
  return begin;
}

// The first index of each group, for entries in ascending order of groups.
export function startsOf(groupAt, count, groups) {
  const starts = new Int32Array(groups + 1);
  for (let i = 0; i < count; ++i) ++starts[groupAt(i) + 1];
  for (let g = 0; g < groups; ++g) starts[g + 1] += starts[g];
  return starts;
}
