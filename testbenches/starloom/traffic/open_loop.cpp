// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/open_loop.hpp>

#include <algorithm>

namespace starloom {
namespace {

constexpr NodeId nodes_per_word = 64;  ///< of bit sets

/// From this number of packets of 64 nodes on, computing the words of all 64 costs less than computing those of the
/// creators one by one.
constexpr int batch_from = 4;

}  // namespace

double Injection::dispersion() const {
  const double reply = replies ? replies->flits : 0, total = lengths.mean() + reply;
  const double packets = (lengths.mean_square() + 2 * reply * lengths.mean() + reply * reply) / total;
  if (!on_off) return packets;
  const double while_on = rate / on_off->share_on() * total / lengths.mean();
  const double time_constant = on_off->on * on_off->off / (on_off->on + on_off->off);
  return packets + 2 * while_on * (1 - on_off->share_on()) * time_constant;
}

OpenLoop::OpenLoop(std::uint64_t seed, NodeId nodes, Injection injection, const Phases& phases,
                   Destinations destinations, std::uint32_t first_word, std::optional<HotSpotShare> share,
                   bool to_itself)
    : seed_(seed),
      first_word_(first_word),
      nodes_(nodes),
      injection_(std::move(injection)),
      phases_(phases),
      destinations_(std::move(destinations)),
      share_(share),
      to_itself_(to_itself),
      threshold_(bernoulli_threshold(injection_.probability())) {
  const std::size_t words = static_cast<std::size_t>(nodes + nodes_per_word - 1) / nodes_per_word;
  senders_.assign(words, 0);
  for (NodeId node = 0; node < nodes; ++node)
    if (destinations_.empty() || destinations_[node] != no_node)
      senders_[node / nodes_per_word] |= std::uint64_t{1} << node % nodes_per_word;
  creators_.assign(words, 0);
  if (injection_.on_off) on_ = turned_on_ = turned_off_ = creators_;
  silent_ = threshold_ == 0 || std::all_of(senders_.begin(), senders_.end(), [](std::uint64_t w) { return w == 0; });
}

std::vector<PacketStream> OpenLoop::streams() const {
  PacketStream stream;
  stream.rate = injection_.rate;
  stream.uniform_share = destinations_.empty() ? 1 : share_ ? 1 - share_->share() : 0;
  stream.to_itself = to_itself_;
  stream.lengths = injection_.lengths;
  const double fixed = injection_.rate * (share_ ? share_->share() : 1);
  if (stream.uniform_share == 1) return {stream};
  for (NodeId node = 0; node < static_cast<NodeId>(destinations_.size()); ++node)
    if (destinations_[node] != no_node) stream.pairs.push_back({node, destinations_[node], fixed});
  return {stream};
}

void OpenLoop::generate(Step from, Step to, std::vector<Packet>& out) {
  if (silent_) return;
  for (Step step = from; step < to; ++step) generate_step(step, out);
}

void OpenLoop::generate_step(Step step, std::vector<Packet>& out) {
  draw(InjectionWord::creation, step, threshold_, creators_);
  if (injection_.on_off) turn_sources(step);
  for (std::size_t w = 0; w < creators_.size(); ++w) {
    const std::uint64_t creators = creators_[w] & senders_[w] & (injection_.on_off ? on_[w] : ~std::uint64_t{0});
    if (creators != 0) create(w, creators, step, out);
  }
}

void OpenLoop::turn_sources(Step step) {
  const OnOff& times = *injection_.on_off;
  if (step == 0) return draw(InjectionWord::first_state, step, bernoulli_threshold(times.share_on()), on_);
  draw(InjectionWord::turn, step, bernoulli_threshold(1 / times.off), turned_on_);
  draw(InjectionWord::turn, step, bernoulli_threshold(1 / times.on), turned_off_);
  for (std::size_t w = 0; w < on_.size(); ++w) on_[w] = (on_[w] & ~turned_off_[w]) | (~on_[w] & turned_on_[w]);
}

void OpenLoop::draw(InjectionWord word, Step step, std::uint64_t threshold, Bits& bits) const {
  random_below(seed_, Purpose::injection, nodes_, step, first_word_ + static_cast<std::uint32_t>(word), threshold,
               bits.data());
}

void OpenLoop::create(std::size_t word, std::uint64_t creators, Step step, std::vector<Packet>& out) const {
  const NodeId first = static_cast<NodeId>(word) * nodes_per_word;
  const auto n = static_cast<std::uint32_t>(nodes_ - (to_itself_ ? 0 : 1));
  std::uint32_t words[nodes_per_word];
  const bool batched = destinations_.empty() && __builtin_popcountll(creators) >= batch_from;
  if (batched)
    random_words(seed_, Purpose::destination, static_cast<std::uint32_t>(first) / 4,
                 (static_cast<std::size_t>(std::min(nodes_per_word, nodes_ - first)) + 3) / 4, step, first_word_,
                 words);
  for (; creators != 0; creators &= creators - 1) {
    const int bit = __builtin_ctzll(creators);
    const NodeId node = first + bit;
    // bounded(n) with a known first word; a word that may be rejected restarts the stream.
    const std::uint64_t product = batched ? std::uint64_t{words[bit]} * n : 0;
    const bool accepted = static_cast<std::uint32_t>(product) >= n;
    RandomStream lengths = length_words(seed_, node, step, first_word_);
    out.push_back({node, accepted ? numbered(node, static_cast<NodeId>(product >> 32)) : destination(node, step),
                   injection_.lengths.draw(lengths), step});
  }
}

NodeId OpenLoop::destination(NodeId node, Step step) const {
  const auto words = [&] { return RandomStream(seed_, Purpose::destination, node, step, first_word_); };
  if (destinations_.empty())
    return numbered(node,
                    static_cast<NodeId>(words().bounded(static_cast<std::uint32_t>(nodes_ - (to_itself_ ? 0 : 1)))));
  return share_ ? share_->destination(destinations_[node], nodes_, words()) : destinations_[node];
}

}  // namespace starloom
