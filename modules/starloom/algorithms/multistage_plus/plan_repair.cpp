// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/multistage_plus/plan_repair.hpp>

#include <algorithm>
#include <limits>

namespace starloom::links {

template <class Visit>
bool PlanRepair::along(PacketId packet, Choice choice, const Visit& visit) {
  const Packet& of = (*packets_)[static_cast<std::size_t>(packet)];
  NodeId node = of.source;
  std::size_t stage = static_cast<std::size_t>(choice.start);
  const auto nodes = static_cast<std::size_t>(mesh_.nodes());
  const int horizontal = 1;
  for (const int axis : {choice.first == FirstSegment::horizontal ? horizontal : 0,
                         choice.first == FirstSegment::horizontal ? 0 : horizontal}) {
    const std::int32_t offset = mesh_.offset(of.source, of.destination, axis);
    const Port port = mesh_.port_along(axis, offset);
    const std::int32_t stride = (axis == horizontal ? 1 : mesh_.side(horizontal)) * (offset > 0 ? 1 : -1);
    for (std::int32_t link = offset > 0 ? offset : -offset; link > 0; --link) {
      if (!visit(users_[(stage * nodes + static_cast<std::size_t>(node)) * 4 + static_cast<std::size_t>(port)]))
        return false;
      ++stage;
      node += stride;
    }
  }
  return true;
}

std::vector<PlanRepair::Choice> PlanRepair::choices(PacketId packet) const {
  const Packet& of = (*packets_)[static_cast<std::size_t>(packet)];
  const bool bends = mesh_.offset(of.source, of.destination, 0) != 0 && mesh_.offset(of.source, of.destination, 1) != 0;
  std::vector<Choice> all;
  for (std::int32_t start = 0; start + mesh_.distance(of.source, of.destination) <= length_; ++start) {
    all.push_back({start, FirstSegment::horizontal});
    if (bends) all.push_back({start, FirstSegment::vertical});
  }
  return all;
}

bool PlanRepair::is_open(PacketId packet, Choice choice) {
  return along(packet, choice, [this](PacketId user) {
    return user == no_packet || states_[static_cast<std::size_t>(user)] == PacketState::movable;
  });
}

void PlanRepair::set_users(PacketId packet, PacketId user) {
  along(packet, taken_[static_cast<std::size_t>(packet)], [user](PacketId& entry) {
    entry = user;
    return true;
  });
}

bool PlanRepair::place(PacketId packet, Choice choice) {
  const std::size_t waiting = waiting_.size();
  const auto p = static_cast<std::size_t>(packet);
  along(packet, choice, [this](PacketId user) {
    if (user == no_packet) return true;
    set_users(user, no_packet);
    waiting_.push_back(user);
    return true;
  });
  taken_[p] = choice;
  states_[p] = PacketState::fixed;
  set_users(packet, packet);
  // After a failure the waiting packets are the same, in another order.
  std::vector<PacketId> yielded(waiting_.begin() + static_cast<std::ptrdiff_t>(waiting), waiting_.end());
  std::vector<Choice> residents;
  for (const PacketId other : yielded) residents.push_back(taken_[static_cast<std::size_t>(other)]);
  if (place_all()) return true;
  set_users(packet, no_packet);
  states_[p] = PacketState::movable;
  for (std::size_t i = 0; i < yielded.size(); ++i) {
    taken_[static_cast<std::size_t>(yielded[i])] = residents[i];
    set_users(yielded[i], yielded[i]);
    waiting_.erase(std::find(waiting_.begin(), waiting_.end(), yielded[i]));
  }
  return false;
}

bool PlanRepair::place_all() {
  if (waiting_.empty()) return true;
  if (steps_left_ <= 0) return false;
  --steps_left_;
  // The packet with the fewest choices comes first.
  std::size_t next = 0;
  std::vector<Choice> open;
  std::size_t fewest = std::numeric_limits<std::size_t>::max();
  for (std::size_t i = 0; i < waiting_.size() && fewest > 0; ++i) {
    std::vector<Choice> of_packet = choices(waiting_[i]);
    of_packet.erase(std::remove_if(of_packet.begin(), of_packet.end(),
                                   [&](Choice choice) { return !is_open(waiting_[i], choice); }),
                    of_packet.end());
    if (of_packet.size() >= fewest) continue;
    fewest = of_packet.size();
    next = i;
    open.swap(of_packet);
  }
  if (open.empty()) return false;
  const PacketId packet = waiting_[next];
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(next));
  // First the choice that displaces the fewest packets.
  std::vector<std::pair<std::int32_t, Choice>> tries;
  for (const Choice choice : open) {
    std::int32_t disturbed = 0;
    PacketId last = no_packet;
    along(packet, choice, [&](PacketId user) {
      if (user != no_packet && user != last) ++disturbed;
      last = user;
      return true;
    });
    tries.emplace_back(disturbed, choice);
  }
  std::stable_sort(tries.begin(), tries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  for (const auto& [disturbed, choice] : tries) {
    if (place(packet, choice)) return true;
    if (steps_left_ <= 0) break;
  }
  waiting_.push_back(packet);
  return false;
}

Answer PlanRepair::shorten(const std::vector<Packet>& packets, OneBendPlan& plan, Step length, std::int64_t steps) {
  packets_ = &packets;
  length_ = static_cast<std::int32_t>(length);
  steps_left_ = steps;
  users_.assign(static_cast<std::size_t>(length) * static_cast<std::size_t>(mesh_.nodes()) * 4, no_packet);
  taken_.clear();
  states_.assign(packets.size(), PacketState::movable);
  waiting_.clear();
  for (std::size_t p = 0; p < packets.size(); ++p) {
    taken_.push_back({plan.starts[p], plan.first[p]});
    if (plan.starts[p] + mesh_.distance(packets[p].source, packets[p].destination) > length)
      waiting_.push_back(static_cast<PacketId>(p));
    else set_users(static_cast<PacketId>(p), static_cast<PacketId>(p));
  }
  if (!place_all()) return steps_left_ > 0 ? Answer::no : Answer::unknown;
  plan.length = 0;
  for (std::size_t p = 0; p < packets.size(); ++p) {
    plan.starts[p] = taken_[p].start;
    plan.first[p] = taken_[p].first;
    const std::int32_t distance = mesh_.distance(packets[p].source, packets[p].destination);
    if (distance > 0) plan.length = std::max(plan.length, taken_[p].start + distance);
  }
  return Answer::yes;
}

}  // namespace starloom::links
