// SPDX-License-Identifier: Apache-2.0
#include <starloom/planning/pops/mean_field.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace starloom::pops {
namespace {

constexpr int most_cycles = 1 << 20;
/// Values below these are neglected: a probability that a run is not over yet, and a weight.
constexpr double nothing = 1e-9, no_weight = 1e-15;

/// A number of packets that a set of sources has for a set of destinations of the same size, and its probability.
struct Share {
  double packets = 0;
  double probability = 0;
};

/// In a random permutation of n packets, with k sources and k destinations: hypergeometric, from the most likely
/// number outwards.
std::vector<Share> shares(double n, double k) {
  const double most_likely = std::floor((k + 1) * (k + 1) / (n + 2));
  std::vector<Share> found = {{most_likely, 1}};
  double weight = 1;
  for (double x = most_likely; x < k; ++x) {
    weight *= (k - x) * (k - x) / ((x + 1) * (n - 2 * k + x + 1));
    if (weight < no_weight) break;
    found.push_back({x + 1, weight});
  }
  weight = 1;
  for (double x = most_likely; x > 0; --x) {
    weight *= x * (n - 2 * k + x) / ((k - x + 1) * (k - x + 1));
    if (weight < no_weight) break;
    found.push_back({x - 1, weight});
  }
  double sum = 0;
  for (const Share& share : found) sum += share.probability;
  for (Share& share : found) share.probability /= sum;
  return found;
}

/// The probability that at least one of `count` independent events of probability p happens.
double some_of(double p, double count) { return p < 1 ? -std::expm1(count * std::log1p(-p)) : count > 0 ? 1 : 0; }

/// The packets of one block of d groups for another, turn by turn. A packet's rivals are the others that share its
/// source group or its temporary group: only these can meet it. A remaining packet has met a rival, which remains as
/// well; so rivals do not become fewer as the packets do, and in the end the remaining packets are pairs, each of
/// which a turn separates with probability 1 - 1/d.
class PairOfBlocks {
 public:
  PairOfBlocks(std::int32_t d, double packets)
      : d_(d), packets_(packets), rivals_(std::max(0.0, packets - 1) * common(d)) {}

  /// One turn. Returns its drives of couplers.
  double turn() {
    if (packets_ == 0) return 0;
    // The probability that none of all rivals meets it, or of all but one; first that none does in slot 1.
    double others_heard = 0, others_missed = 0;
    const double s = common(d_);
    const auto missed_by_all = [&](double meets, double& all_but_one) {
      if (!began_) {
        // Each of the other packets is a rival with probability s.
        const double missed = 1 - s * meets;
        all_but_one = packets_ >= 2 ? std::pow(missed, packets_ - 2) : 1;
        return packets_ >= 2 ? all_but_one * missed : 1;
      }
      // One rival is certain, the others are scattered.
      all_but_one = std::exp(-std::max(0.0, rivals_ - 1) * meets);
      return all_but_one * (1 - std::min(1.0, rivals_) * meets);
    };
    const double heard = missed_by_all(0.5 / d_, others_heard);
    // Half of the rivals share the temporary group, and these meet it only if they were heard in slot 1.
    const double meets = (1 + others_heard) / (2 * d_);
    const double left = 1 - missed_by_all(meets, others_missed);
    const double drives = packets_ * left_ * (1 + heard);
    began_ = true;
    left_ *= left;
    if (left <= 0) {
      met_ = rivals_ = 0;
      return drives;
    }
    const double others_left = 1 - others_missed;
    met_ = rivals_ * meets / left;
    rivals_ = met_ + rivals_ * (1 - meets) * others_left * others_left / left;
    return drives;
  }

  /// The probability that some packets remain: they remain in clusters that have met each other.
  double unfinished() const { return some_of(left_, packets_ / (1 + met_)); }

 private:
  /// The probability that two packets share their source group or their temporary group: of the d^2 - 1 others of a
  /// block, d - 1 are in the same group.
  static double common(double d) { return (2 * d + 1) / ((d + 1) * (d + 1)); }

  double d_;
  double packets_;
  double rivals_;    ///< of a remaining packet, expected
  double left_ = 1;  ///< fraction of the packets
  double met_ = 0;   ///< rivals that a remaining packet met in the last turn, expected
  bool began_ = false;
};

/// The packets of couplers with the same initial number of packets, cycle by cycle. The packets of one coupler are
/// assumed to be independent of each other, given how many remain: each has had a number of tries, with a common
/// probability distribution.
class CouplersOf {
 public:
  CouplersOf(std::size_t packets, std::size_t most_halvings)
      : halvings_(most_halvings),
        left_(packets + 1, 0.0),
        tries_(packets + 1, std::vector<double>(most_halvings + 1, 0.0)) {
    left_[packets] = 1;
    if (packets > 0) tries_[packets][0] = 1;
  }

  /// The probability that some packets remain.
  double unfinished() const { return std::accumulate(left_.begin() + 1, left_.end(), 0.0); }

  /// One cycle. Returns its drives of couplers with data.
  double cycle() {
    double drives = 0;
    std::vector<double> left(left_.size(), 0.0);
    std::vector<std::vector<double>> tries(tries_.size(), std::vector<double>(halvings_ + 1, 0.0));
    left[0] = left_[0];
    // The tries of one packet, and the probabilities that it stays out or takes part.
    std::vector<double> out(halvings_ + 1), in(halvings_ + 1);
    for (std::size_t packets = 1; packets < left_.size(); ++packets) {
      const double weight = left_[packets];
      if (weight < no_weight) continue;
      double takes_part = 0;
      for (std::size_t t = 0; t <= halvings_; ++t) {
        in[t] = std::ldexp(tries_[packets][t], -static_cast<int>(t));
        out[t] = tries_[packets][t] - in[t];
        takes_part += in[t];
      }
      const auto count = static_cast<double>(packets);
      drives += weight * count * takes_part;
      const double stays_out = std::max(0.0, 1 - takes_part);
      const double none = std::pow(stays_out, count);
      const double one = count * takes_part * std::pow(stays_out, count - 1);
      const double more = packets == 1 ? 0 : std::max(0.0, 1 - none - one);
      const auto add = [&](std::size_t to, double probability, double part_in) {
        // The remaining packets: with probability part_in one that took part, else one that stayed out.
        left[to] += weight * probability;
        for (std::size_t t = 0; t <= halvings_; ++t) {
          if (stays_out > 0) tries[to][t] += weight * probability * (1 - part_in) * out[t] / stays_out;
          if (takes_part > 0)
            tries[to][std::min(t + 1, halvings_)] += weight * probability * part_in * in[t] / takes_part;
        }
      };
      add(packets, none, 0);
      add(packets - 1, one, 0);
      if (more > 0) add(packets, more, (count * takes_part - one) / (more * count));
    }
    for (std::size_t packets = 1; packets < left.size(); ++packets)
      for (double& part : tries[packets])
        if (left[packets] > 0) part /= left[packets];
    left_.swap(left);
    tries_.swap(tries);
    return drives;
  }

 private:
  std::size_t halvings_;
  std::vector<double> left_;  ///< [packets] the probability that this number remains
  /// [packets][tries] the probability that one of them has had this number of tries
  std::vector<std::vector<double>> tries_;
};

/// The probability that some of the parts, weighted by their shares, have packets left.
template <class Part>
double some_left(const std::vector<Share>& numbers, const std::vector<Part>& parts) {
  double sum = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) sum += numbers[i].probability * parts[i].unfinished();
  return std::min(1.0, sum);
}

}  // namespace

std::optional<MeanField> blocks_mean_field(const Pops& pops) {
  const double d = pops.group_size(), blocks = pops.groups() / pops.group_size();
  std::vector<Share> numbers = shares(pops.nodes(), d * d);
  std::vector<PairOfBlocks> pairs;
  for (const Share& number : numbers) pairs.emplace_back(pops.group_size(), number.packets);
  MeanField found;
  double unfinished = some_left(numbers, pairs);
  for (int turns = 0; turns < most_cycles && some_of(unfinished, blocks * blocks) > nothing; ++turns) {
    for (std::size_t i = 0; i < pairs.size(); ++i)
      found.drives += numbers[i].probability * pairs[i].turn() * blocks * blocks / pops.nodes();
    const double after = some_left(numbers, pairs);
    // In cycle r of a turn, r distances are one turn ahead of the others; each has `blocks` pairs. The probabilities
    // that all pairs are finished are a geometric series.
    const double begin = blocks * blocks * std::log1p(-unfinished), end = blocks * blocks * std::log1p(-after);
    const double ratio = std::expm1((end - begin) / blocks);
    found.cycles += blocks - (ratio > 0 ? (std::exp(end) - std::exp(begin)) / ratio : blocks * std::exp(end));
    unfinished = after;
    if (found.cycles > most_cycles) return std::nullopt;
  }
  return found;
}

std::optional<MeanField> classes_mean_field(const Pops& pops, double C) {
  // If x packets per group and coupler take part, a copy is alone in slot 1 with probability exp(-x), and then in
  // slot 2 with exp(-x exp(-x)). If m packets are expected to remain, some do with probability 1 - exp(-m); the mean
  // number of cycles is the sum of these.
  const double d = pops.group_size(), g = pops.groups();
  MeanField found;
  double left = d;
  for (int cycle = 0; cycle < most_cycles; ++cycle) {
    const double unfinished = -std::expm1(-left * g);
    found.cycles += unfinished;
    if (unfinished < nothing) {
      found.drives /= d;
      return found;
    }
    const double expected = d - cycle * g / C;
    const double sent = expected > g ? left * g / expected : left, x = sent / g, heard = sent * std::exp(-x);
    left -= heard * std::exp(-x * std::exp(-x));
    found.drives += sent + heard;
  }
  return std::nullopt;
}

std::optional<MeanField> couplers_mean_field(const Pops& pops) {
  constexpr double most_packets = 64;
  const std::vector<Share> numbers = shares(pops.nodes(), pops.group_size());
  std::size_t halvings = 0;
  while ((std::int64_t{1} << halvings) < pops.group_size()) ++halvings;
  std::vector<CouplersOf> couplers;
  for (const Share& number : numbers) {
    if (number.packets > most_packets) return std::nullopt;
    couplers.emplace_back(static_cast<std::size_t>(number.packets), halvings);
  }
  MeanField found;
  for (int cycle = 0; cycle < most_cycles; ++cycle) {
    const double unfinished = some_of(some_left(numbers, couplers), static_cast<double>(pops.couplers()));
    found.cycles += unfinished;
    if (unfinished < nothing) return found;
    for (std::size_t i = 0; i < couplers.size(); ++i)
      found.drives +=
          numbers[i].probability * couplers[i].cycle() * static_cast<double>(pops.couplers()) / pops.nodes();
  }
  return std::nullopt;
}

}  // namespace starloom::pops
