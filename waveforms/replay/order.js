// Sorting and searching numbers, fast enough for a million rows.

// The places 0 .. count-1 by ascending key, equal ones in the order of `places` (else by number). Keys are from 0 on.
export function orderBy(key, count, places = null) {
  let from = places ? Int32Array.from(places) : Int32Array.from({ length: count }, (_, i) => i);
  let to = new Int32Array(count);
  let greatest = 0;
  for (let i = 0; i < count; ++i) greatest = Math.max(greatest, key[i]);
  for (let shift = 0; shift === 0 || greatest >= 2 ** shift; shift += 16) {
    const starts = new Int32Array(65537);
    const digit = (i) => Math.floor(key[i] / 2 ** shift) % 65536;
    for (let i = 0; i < count; ++i) ++starts[digit(from[i]) + 1];
    for (let d = 0; d < 65536; ++d) starts[d + 1] += starts[d];
    for (let i = 0; i < count; ++i) to[starts[digit(from[i])]++] = from[i];
    [from, to] = [to, from];
  }
  return from;
}

// How many of at(begin) <= .. <= at(end - 1) are at most `value`, counted from 0: the place behind the last of them.
export function countUpTo(at, begin, end, value) {
  while (begin < end) {
    const middle = (begin + end) >> 1;
    if (at(middle) <= value) begin = middle + 1;
    else end = middle;
  }
  return begin;
}

// Where the entries of each group begin, if they stand by ascending group.
export function startsOf(groupAt, count, groups) {
  const starts = new Int32Array(groups + 1);
  for (let i = 0; i < count; ++i) ++starts[groupAt(i) + 1];
  for (let g = 0; g < groups; ++g) starts[g + 1] += starts[g];
  return starts;
}
