// SPDX-License-Identifier: Apache-2.0
#include <starloom/pictures/pops/couplers_picture.hpp>

#include <fmt/format.h>

#include <algorithm>

#include <starloom/pictures/svg.hpp>

namespace starloom::pops {
namespace {

constexpr int margin = 20, header = 92, gap = 20, label = 32;
constexpr int matrix_side = 128;  ///< approximately, of a slot; the matrix of the whole run has twice the size
constexpr int most_tile = 16;
constexpr std::size_t slots_in_a_row = 5;  ///< if the algorithm has no cycles

constexpr const char* style =
    ".frame{fill:none;stroke:#8b939d}.data{fill:#0072b2}.ack{fill:#56b4e9}.collision{fill:#d55e00}"
    ".dead{stroke:#8b939d;fill:none}.heat use{fill:currentColor}.small{font-size:10px}";

class Drawing {
 public:
  Drawing(const Pops& pops, const DeadCouplers* dead, const std::string& title)
      : pops_(pops),
        dead_(dead),
        block_(couplers_per_tile(pops)),
        across_((pops.groups() + block_ - 1) / block_),
        tile_(std::clamp(matrix_side / across_, 2, most_tile)),
        svg_(title, style) {
    svg_.text(margin, 24, title, "text big");
    svg_.text(margin, 44,
              fmt::format("rows: source groups, columns: destination groups{}",
                          block_ > 1 ? fmt::format("; each tile: {0} x {0} couplers", block_) : ""),
              "dim");
    int x = margin;
    for (const auto& [its_class, words] :
         {std::pair{"data", "a packet"}, {"ack", "an acknowledgement"}, {"collision", "a collision"}}) {
      svg_.add(fmt::format("<rect class=\"{}\" x=\"{}\" y=\"55\" width=\"14\" height=\"10\"/>\n", its_class, x));
      svg_.text(x + 18, 64, words);
      x += 40 + 7 * static_cast<int>(std::string(words).size());
    }
    wide_ = std::max(x, 8 * static_cast<int>(title.size()));
  }

  std::string draw(const std::vector<CouplerFrame>& film, const std::vector<std::int64_t>& load) {
    int y = header;
    const std::size_t columns = in_a_row(film);
    for (std::size_t first = 0; first < film.size(); first += columns) {
      for (std::size_t i = first; i < std::min(first + columns, film.size()); ++i)
        draw_slot(film[i], margin + static_cast<int>(i - first) * (std::max(side(tile_), matrix_side) + gap), y);
      y += side(tile_) + label + gap;
    }
    const int bottom = draw_load(load, y);
    return svg_.str(wide_ + 2 * margin, bottom + margin);
  }

 private:
  int side(int tile) const { return tile * across_; }
  /// The slots of a cycle; several cycles if they are short.
  static std::size_t in_a_row(const std::vector<CouplerFrame>& film) {
    std::size_t cycle = 1;
    while (cycle < film.size() && film[cycle].slot_of_cycle > 0) ++cycle;
    return cycle * std::max<std::size_t>(1, slots_in_a_row / cycle);
  }
  std::string square(int tile) { return svg_.shape(fmt::format("M0 0h{0}v{0}h-{0}z", tile > 4 ? tile - 1 : tile)); }
  std::string name(std::int32_t to, std::int32_t from) const { return pops_.coupler_name(to, from); }

  void frame(int x, int y, int tile) {
    svg_.add(fmt::format("<rect class=\"frame\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>\n", x - 1, y - 1,
                         side(tile) + 2, side(tile) + 2));
    wide_ = std::max(wide_, x + side(tile) - margin);
    if (dead_ == nullptr || block_ > 1) return;
    const std::string cross = svg_.shape(fmt::format("M2 2l{0} {0}m0 -{0}l-{0} {0}", tile - 4));
    for (std::int32_t from = 0; tile > 6 && from < pops_.groups(); ++from)
      for (std::int32_t to = 0; to < pops_.groups(); ++to)
        if (dead_->contains(to, from))
          svg_.use(cross, x + to * tile, y + from * tile, name(to, from) + " dead", "dead");
  }

  void draw_slot(const CouplerFrame& slot, int x, int y) {
    svg_.text(x, y + 12, fmt::format("slot {}", slot.slot));
    svg_.text(x, y + 26, fmt::format("{} carry, {} collide", slot.carrying, slot.collisions), "dim small");
    y += label;
    frame(x, y, tile_);
    for (const CouplerTile& tile : slot.busy) {
      const bool collision = tile.state == CouplerState::collision, ack = tile.message.kind == MessageKind::ack;
      const std::string what = collision ? "collision"
                               : ack     ? fmt::format("acknowledgement of packet {}", tile.message.packet)
                                         : fmt::format("packet {}", tile.message.packet);
      svg_.use(square(tile_), x + tile.across * tile_, y + tile.down * tile_,
               fmt::format("slot {}, {}: {}", slot.slot, name(tile.to, tile.from), what),
               collision ? "collision"
               : ack     ? "ack"
                         : "data");
    }
  }

  /// The busiest coupler of each tile.
  int draw_load(const std::vector<std::int64_t>& load, int y) {
    const int tile = 2 * tile_;
    const std::int64_t most = *std::max_element(load.begin(), load.end());
    svg_.text(margin, y + 12, "the whole run: packets driven into each coupler");
    wide_ = std::max(wide_, svg_.legend(margin, y + 30, heat_ranges(most)));
    y += label + 8;
    frame(margin, y, tile);
    svg_.add("<g class=\"heat\">\n");
    for (std::int32_t down = 0; down < across_; ++down)
      for (std::int32_t across = 0; across < across_; ++across) {
        std::int32_t to = across * block_, from = down * block_;
        const auto of = [&](std::int32_t t, std::int32_t f) {
          return load[static_cast<std::size_t>(pops_.coupler(t, f))];
        };
        for (std::int32_t f = down * block_; f < std::min((down + 1) * block_, pops_.groups()); ++f)
          for (std::int32_t t = across * block_; t < std::min((across + 1) * block_, pops_.groups()); ++t)
            if (of(t, f) > of(to, from)) to = t, from = f;
        if (of(to, from) == 0) continue;
        svg_.use(square(tile), margin + across * tile, y + down * tile,
                 fmt::format("{} {}", name(to, from), of(to, from)),
                 fmt::format("h{}", heat_level(of(to, from), most)));
      }
    svg_.add("</g>\n");
    return y + side(tile);
  }

  const Pops& pops_;
  const DeadCouplers* dead_;
  std::int32_t block_;  ///< couplers of a tile, in each direction
  int across_;          ///< tiles of a matrix, in each direction
  int tile_;            ///< pixels
  Svg svg_;
  int wide_ = 0;  ///< pixels between the margins
};

}  // namespace

std::string couplers_picture(const Pops& pops, const DeadCouplers* dead, const std::vector<CouplerFrame>& film,
                             const std::vector<std::int64_t>& load, const std::string& title) {
  return Drawing(pops, dead, title).draw(film, load);
}

}  // namespace starloom::pops
