#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Draws docs/topologies.svg, a small network of each family, as `starloom draw` shows them, in rows of three.
# Called from anywhere, after ./run.sh has built the program.
set -eu
cd "$(dirname "$0")/.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cell=300 label=24 columns=3
rows=0 count=0
: >"$work/cells"
while IFS=';' read -r title network; do
  printf 'schema: 1\nnetwork: {%s}\nrouting: {algorithm: vc-wormhole, function: shortest}\ntraffic: {pattern: identity}\n' \
    "$network" >"$work/network.yaml"
  ./run.sh draw "$work/network.yaml" >"$work/network.svg"
  x=$((count % columns * cell)) y=$((count / columns * (cell + label)))
  {
    printf '<text class="text mid" x="%d" y="%d">%s</text>\n' \
      $((x + cell / 2)) $((y + 17)) "$title"
    # The picture keeps its coordinates (viewBox) and is scaled into the cell; identifiers must differ between pictures.
    sed "s/\(id=\"\|href=\"#\)s/\1p${count}_s/g; 1s|<svg [^>]*viewBox=\"\([^\"]*\)\"[^>]*>|<svg x=\"$x\" y=\"$((y + label))\" width=\"$cell\" height=\"$cell\" viewBox=\"\1\">|" \
      "$work/network.svg"
  } >>"$work/cells"
  count=$((count + 1)) rows=$(((count + columns - 1) / columns))
done <<E
mesh, shape: [3, 4];topology: mesh, shape: [3, 4]
torus, shape: [4, 3];topology: torus, shape: [4, 3]
express-mesh, shape: [4, 4], skip: 2;topology: express-mesh, shape: [4, 4], skip: 2
ring, nodes: 8;topology: ring, nodes: 8
hypercube, dimensions: 3;topology: hypercube, dimensions: 3
concentrated-mesh, [2, 2], concentration: 2;topology: concentrated-mesh, shape: [2, 2], concentration: 2
fat-tree, arity: 2, levels: 3;topology: fat-tree, arity: 2, levels: 3
leaf-spine, leaves: 3, spines: 2, hosts: 2;topology: leaf-spine, leaves: 3, spines: 2, hosts: 2
clos, pods: 2, leaves: 2, spines: 2, cores: 2;topology: clos, pods: 2, leaves: 2, spines: 2, cores: 2, hosts: 2
butterfly, arity: 2, stages: 3;topology: butterfly, arity: 2, stages: 3
flattened-butterfly, [3, 3], concentration: 1;topology: flattened-butterfly, shape: [3, 3], concentration: 1
dragonfly, groups: 3, routers: 2, terminals: 1;topology: dragonfly, groups: 3, routers: 2, terminals: 1
E
width=$((columns * cell)) height=$((rows * (cell + label)))
{
  printf '<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d">\n' $width $height $width $height
  printf '<rect class="paper" width="%d" height="%d"/>\n' $width $height
  cat "$work/cells"
  echo '</svg>'
} >docs/topologies.svg
