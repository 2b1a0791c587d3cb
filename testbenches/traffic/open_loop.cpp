#include <starloom/traffic/open_loop.hpp>

#include <algorithm>
#include <array>

namespace starloom {
OpenLoop::OpenLoop(std::uint64_t seed, NodeId nodes, const OpenLoopRate& rate, Destinations destinations)
    : seed_(seed), nodes_(nodes), rate_(rate), destinations_(std::move(destinations)) {
  const std::uint64_t threshold = bernoulli_threshold(rate_.rate / rate_.flits);
  const bool nobody = !destinations_.empty() &&
                      std::all_of(destinations_.begin(), destinations_.end(), [](NodeId to) { return to == no_node; });
  silent_ = threshold == 0 || nobody;
  if (!silent_) greatest_word_ = static_cast<std::uint32_t>(threshold - 1);
}

void OpenLoop::generate(Step from, Step to, std::vector<Packet>& out) {
  if (silent_) return;
  for (Step step = from; step < to; ++step) generate_step(step, out);
}

void OpenLoop::generate_step(Step step, std::vector<Packet>& out) const {
  std::array<NodeId, chunk> creators;
  std::array<Packet, chunk> packets;
  Words words;
  for (NodeId first = 0; first < nodes_; first += chunk) {
    const NodeId count = std::min(chunk, nodes_ - first);
    draw_words(Purpose::injection, first, count, step, words);
    // Without a branch: whether a node creates a packet cannot be predicted.
    NodeId created = 0;
    for (NodeId i = 0; i < count; ++i) {
      creators[created] = first + i;
      created += words[i] <= greatest_word_ ? 1 : 0;
    }
    NodeId kept = 0;
    if (destinations_.empty()) {
      // Words of all nodes at once cost as much as those of a few nodes one by one.
      const bool many = created > chunk / 16;
      if (many) draw_words(Purpose::destination, first, count, step, words);
      for (; kept < created; ++kept) {
        const NodeId node = creators[kept];
        const std::uint32_t word = many ? words[node - first] : random_word(seed_, Purpose::destination, node, step, 0);
        packets[kept] = {node, uniform_destination(node, step, word), rate_.flits, step};
      }
    } else {
      for (NodeId c = 0; c < created; ++c) {
        const NodeId node = creators[c];
        packets[kept] = {node, destinations_[node], rate_.flits, step};
        kept += destinations_[node] != no_node ? 1 : 0;
      }
    }
    out.insert(out.end(), packets.begin(), packets.begin() + kept);
  }
}

void OpenLoop::draw_words(Purpose purpose, NodeId first, NodeId count, Step step, Words& words) const {
  random_words(seed_, purpose, static_cast<std::uint32_t>(first) / 4, (static_cast<std::size_t>(count) + 3) / 4, step,
               0, words.data());
}

NodeId OpenLoop::uniform_destination(NodeId node, Step step, std::uint32_t first_word) const {
  const auto n = static_cast<std::uint32_t>(nodes_);
  const std::uint64_t product = std::uint64_t{first_word} * n;
  if (static_cast<std::uint32_t>(product) >= n) return static_cast<NodeId>(product >> 32);
  return static_cast<NodeId>(RandomStream(seed_, Purpose::destination, node, step).bounded(n));
}

}  // namespace starloom
