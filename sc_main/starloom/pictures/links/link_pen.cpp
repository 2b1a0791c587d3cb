// SPDX-License-Identifier: Apache-2.0
#include <starloom/pictures/links/link_pen.hpp>

#include <fmt/format.h>

namespace starloom::links {

/// The barb is as long, and as wide, as the distance between the link and its centre line. `from`: on the centre
/// line.
std::string LinkPen::line(PaperPoint direction, PaperPoint from, int length, bool head) const {
  const PaperPoint right{-direction.y, direction.x};
  const PaperPoint begin{from.x + right.x * beside_, from.y + right.y * beside_};
  std::string path = fmt::format("M{} {}l{} {}", begin.x, begin.y, direction.x * length, direction.y * length);
  if (head) path += fmt::format("l{} {}", beside_ * (right.x - direction.x), beside_ * (right.y - direction.y));
  return path;
}

std::string LinkPen::loose_end(PaperPoint direction) const {
  return line(direction, {direction.x * border_, direction.y * border_}, pitch_ / 2 - border_, false);
}

std::string LinkPen::path(PaperPoint direction, PaperPoint to, bool in_plane) const {
  const int ahead = to.x * direction.x + to.y * direction.y;
  if (in_plane && ahead == pitch_)
    return line(direction, {direction.x * border_, direction.y * border_}, pitch_ - 2 * border_, true);
  const int half = pitch_ / 2;
  if (in_plane)
    return loose_end(direction) +
           line(direction, {to.x - direction.x * half, to.y - direction.y * half}, half - border_, true);
  // From corner to corner, bent to the right.
  const PaperPoint on{ahead > 0 ? direction.x : -direction.x, ahead > 0 ? direction.y : -direction.y};
  const PaperPoint right{-on.y, on.x};
  const int bend = 2 * pitch_ / 3;
  const PaperPoint begin{(on.x + right.x) * border_, (on.y + right.y) * border_};
  const PaperPoint end{to.x + (right.x - on.x) * border_, to.y + (right.y - on.y) * border_};
  return fmt::format("M{} {}Q{} {} {} {}l{} {}", begin.x, begin.y, (begin.x + end.x) / 2 + right.x * bend,
                     (begin.y + end.y) / 2 + right.y * bend, end.x, end.y, beside_ * (right.x - on.x),
                     beside_ * (right.y - on.y));
}

}  // namespace starloom::links
