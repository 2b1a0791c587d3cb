// SPDX-License-Identifier: Apache-2.0
#include "support/plain_channels.hpp"

#include <algorithm>
#include <functional>

#include <starloom/core/random.hpp>

namespace starloom::links {
namespace {

template <class Entry>
std::vector<Entry> due(std::map<Step, std::vector<Entry>>& table, Step now) {
  const auto at = table.find(now);
  if (at == table.end()) return {};
  std::vector<Entry> entries = std::move(at->second);
  table.erase(at);
  return entries;
}

bool all_terminals(const NetworkGraph& graph) {
  int others = 0;
  for (NodeId node = 0; node < graph.nodes(); ++node)
    others += graph.role(node) != NodeRole::switch_node && !graph.is_terminal(node) ? 1 : 0;
  return others == 0;
}

}  // namespace

PlainChannels::Router::Router(const PlainRules& rules, const router::Pipeline& stages, const std::vector<int>& behind,
                              int matched, int channels, int behind_source)
    : pipeline(stages),
      inputs(behind.size() * static_cast<std::size_t>(channels)),
      for_channels(rules.channel_allocator, rules.arbiter, matched * channels, matched * channels),
      for_switch(rules.switch_allocator, rules.arbiter, matched * rules.input, matched * rules.output),
      speakers(behind.size() * static_cast<std::size_t>(rules.input),
               PlainArbiter(rules.arbiter, channels, rules.input)),
      piggyback(behind.size(), channels - 1),
      room(static_cast<std::size_t>(channels), behind_source),
      most_room(behind_source),
      source_channel(channels - 1) {
  for (const int capacity : behind)
    outputs.insert(outputs.end(), static_cast<std::size_t>(channels), Output{-1, capacity, no_packet, capacity});
  if (rules.speculation_allocator)
    for_guesses.emplace(*rules.speculation_allocator, rules.arbiter, matched * rules.input, matched * rules.output);
}

PlainChannels::PlainChannels(const LinkNetwork& network, const Algorithm& algorithm, PacketSource& source,
                             const StepperOptions& options)
    : PlainEngine(network, algorithm, source, options),
      places_(static_cast<int>(declaration_.port_order.size()) + 1),
      matched_(places_ - (all_terminals(graph_) ? 1 : 0)),
      channels_(declaration_.channels),
      count_(places_ * channels_) {
  for (NodeId node = 0; node < graph_.nodes(); ++node) {
    const auto at = [&](NodeId other) {
      const std::vector<std::int32_t>& of_nodes = declaration_.capacities;
      return of_nodes.empty() ? declaration_.capacity : of_nodes[static_cast<std::size_t>(other) % of_nodes.size()];
    };
    std::vector<int> behind;
    int behind_source = at(node);
    for (int place = 0; place < places_; ++place) {
      const LinkEnd to = place == places_ - 1
                             ? LinkEnd{}
                             : graph_.far_end(node, declaration_.port_order[static_cast<std::size_t>(place)]);
      behind.push_back(at(to.connected() ? to.node : node));
      if (graph_.is_terminal(node) && to.connected()) behind_source = behind.back();
    }
    const std::vector<router::Pipeline>& of_nodes = declaration_.pipelines.of_nodes;
    const router::Pipeline& pipeline =
        of_nodes.empty() ? declaration_.pipelines.common : of_nodes[static_cast<std::size_t>(node) % of_nodes.size()];
    routers_.emplace_back(options.rules, pipeline, behind, matched_, channels_, behind_source);
    for (int place = 0; declaration_.faults != nullptr && place + 1 < places_; ++place)
      for (int channel = 0; channel < channels_; ++channel) {
        Output& output = routers_.back().outputs[static_cast<std::size_t>(place * channels_ + channel)];
        output.capacity -=
            declaration_.faults->dead_places(node, declaration_.port_order[static_cast<std::size_t>(place)], channel);
        output.credits = output.capacity;
      }
    const std::vector<std::int32_t>& channels = declaration_.channels_of_nodes;
    if (channels.empty()) continue;
    const NodeId there = graph_.is_terminal(node) ? graph_.far_end(node, graph_.out_ports(node).lowest()).node : node;
    for (int channel = channels[static_cast<std::size_t>(there) % channels.size()]; channel < channels_; ++channel)
      routers_.back().room[static_cast<std::size_t>(channel)] = 0;
  }
  record().use.emplace().buffers.resize(routers_.size() * static_cast<std::size_t>(count_));
  if (!repeats_flits(options.errors)) return;
  for (NodeId node = 0; node < graph_.nodes(); ++node)
    for (const Port port : graph_.out_ports(node)) {
      const int latency = graph_.latency(node, port);
      const int entry =
          graph_.is_terminal(node) ? 1 : routers_[static_cast<std::size_t>(node)].pipeline.crossbar_steps + 1;
      replays_.emplace(LinkEnd{node, port}, PlainReplay<Move>(options.errors->places(entry, latency), latency));
    }
}

bool PlainChannels::is_replay_full(const LinkEnd& link) const {
  const auto replay = replays_.find(link);
  return replay != replays_.end() && replay->second.is_full();
}

/// The flits that arrive over links which repeat corrupt ones.
void PlainChannels::receive_links() {
  for (auto& [link, replay] : replays_) {
    const auto arrival = replay.receive(now_);
    if (!arrival || arrival->blank) continue;
    if (!arrival->accepted) discarded_.push_back(arrival->object);
    else (graph_.is_terminal(arrival->object.node) ? consumptions_ : arrivals_)[now_].push_back(arrival->object);
  }
}

void PlainChannels::run_links() {
  receive_links();
  for (const Move& move : discarded_) {
    const LinkEnd to = graph_.far_end(move.link.node, move.link.port);
    row(TraceEvent::discard, move.flit, {to.node, to.port}, no_node);
    ++record().errors.discards;
  }
  discarded_.clear();
  for (auto& [link, replay] : replays_) {
    const auto [node, port] = link;
    const auto entry =
        replay.send(now_, [&, node = node, port = port] { return options_.errors->corrupts(node, port, now_); });
    if (!entry || entry->blank) continue;
    record().errors.corrupt += entry->corrupt ? 1 : 0;
    record().errors.nacks += entry->asks_again ? 1 : 0;
    if (entry->repeated) {
      ++record().errors.resends;
      row(TraceEvent::resend, entry->object.flit, {node, port}, graph_.far_end(node, port).node);
    } else {
      cross({node, port}, entry->object.flit);
    }
  }
}

bool PlainChannels::in_motion() const {
  return !(again_at_.empty() && arrivals_.empty() && crossings_.empty() && consumptions_.empty() && credits_.empty() &&
           source_credits_.empty() && answered_.empty()) ||
         std::any_of(replays_.begin(), replays_.end(), [](const auto& replay) { return replay.second.is_busy(); }) ||
         std::any_of(crossed_.begin(), crossed_.end(), [](const auto& fifo) { return !fifo.second.empty(); });
}

void PlainChannels::execute_step() {
  record().injected.resize(record().packets.size(), no_step);
  again_at_.erase(again_at_.begin(), again_at_.upper_bound(now_));
  // In skipped steps, the state was that at their beginning.
  count_use(executed_ + 1, now_);
  executed_ = now_;
  begin_step();
  count_use(now_, now_ + 1);
  for (NodeId node = 0; node < graph_.nodes(); ++node) {
    if (const Step since_edge = now_ % period(node); since_edge != 0) {
      if (awake(node)) again_at_.insert(now_ - since_edge + period(node));  // a packet has been created
      if (options_.keep_turns) keep_again(graph_.nodes());
      continue;
    }
    const PacketId sending = memory_.queues() > 1 ? no_packet : memory_.front(node);
    if (run_processor(node)) run_again(node);
    run_router(node, sending);
  }
}

void PlainChannels::begin_step() {
  for (const Move& m : due(crossings_, now_))
    cross({m.node, declaration_.port_order[static_cast<std::size_t>(m.channel / channels_)]}, m.flit);
  run_links();
  for (const auto& [node, request_class] : due(answered_, now_))
    --routers_[static_cast<std::size_t>(node)].accepted[request_class];
  read_fifos();
  for (const Move& m : due(consumptions_, now_))
    routers_[static_cast<std::size_t>(m.node)].exit[m.channel % channels_].push_back({m.flit, m.from, m.channel});
  for (NodeId node = 0; node < graph_.nodes(); ++node)
    if (now_ % period(node) == 0) consume(node);
  take_arrivals();
  for (const auto& [node, output] : due(credits_, now_))
    ++routers_[static_cast<std::size_t>(node)].outputs[static_cast<std::size_t>(output)].credits;
  for (const auto& [node, channel] : due(source_credits_, now_))
    ++routers_[static_cast<std::size_t>(node)].room[static_cast<std::size_t>(channel)];
  for (const auto& [node, input] : due(credit_words_, now_)) {
    const auto place = static_cast<std::size_t>(input / channels_);
    const bool local = input / channels_ == places_ - 1;
    credit_row(node, local ? graph_.ports() : declaration_.port_order[place], input % channels_);
  }
}

void PlainChannels::take_arrivals() {
  for (Move& m : due(arrivals_, now_)) {
    m.flit.readable = now_;
    routers_[static_cast<std::size_t>(m.node)].inputs[static_cast<std::size_t>(m.channel)].buffer.push_back(m.flit);
  }
}

/// Flits that leave a link wait in a FIFO for an edge of the receiver, which takes one.
void PlainChannels::read_fifos() {
  if (!graph_.has_clocks()) return;
  for (auto* table : {&arrivals_, &consumptions_}) {
    std::vector<Move> direct;
    for (const Move& m : due(*table, now_)) {
      if (m.link.connected()) crossed_[m.link].push_back({now_, m});
      else direct.push_back(m);
    }
    if (!direct.empty()) (*table)[now_] = direct;
  }
  for (auto& [link, fifo] : crossed_) {
    if (fifo.empty()) continue;
    const NodeId to = graph_.far_end(link.node, link.port).node;
    Step readable = fifo.front().arrived;
    while (readable % period(to) != 0) ++readable;
    if (now_ % period(to) != 0 || now_ < readable + graph_.crossing(link.node, link.port).synchroniser * period(to))
      continue;
    (graph_.is_terminal(to) ? consumptions_ : arrivals_)[now_].push_back(fifo.front().move);
    left_[link].push_back(now_);
    fifo.erase(fifo.begin());
  }
}

/// True if the sender of a link sees as many flits on it and in its FIFO as may be there.
bool PlainChannels::is_crossing_full(const LinkEnd& link) const {
  if (!graph_.has_clocks()) return false;
  const ClockCrossing crossing = graph_.crossing(link.node, link.port);
  if (crossing.fifo == 0) return false;
  const auto sent = sent_.find(link);
  if (sent == sent_.end()) return false;
  int there = sent->second;
  if (const auto left = left_.find(link); left != left_.end())
    for (const Step step : left->second) there -= now_ >= step + crossing.synchroniser * period(link.node) ? 1 : 0;
  return there >= crossing.fifo;
}

/// The step in which a credit is available that reaches the sender of a link in this one.
Step PlainChannels::at_sender(const LinkEnd& link, Step step) const {
  while (step % period(link.node) != 0) ++step;
  return step + graph_.crossing(link.node, link.port).synchroniser * period(link.node);
}

/// A processor consumes one flit in a step. It accepts the head of a request only if it has few others to answer.
void PlainChannels::consume(NodeId node) {
  Router& router = routers_[static_cast<std::size_t>(node)];
  for (int k = 0; k < channels_; ++k) {
    const int channel = (router.exit_turn + k) % channels_;
    std::vector<Router::AtExit>& exit = router.exit[channel];
    if (exit.empty()) continue;
    const Router::AtExit front = exit.front();
    const Packet& facts = packet(front.flit.packet);
    const int places =
        facts.reply || options_.rules.classes.empty() ? 0 : options_.rules.classes[facts.traffic_class].places;
    if (places > 0 && front.flit.index == 0) {
      if (router.accepted[facts.traffic_class] >= places) continue;
      ++router.accepted[facts.traffic_class];
    }
    exit.erase(exit.begin());
    router.exit_turn = channel + 1;
    eject(front.flit, node);
    const Step credit = now_ + period(node) + (1 + declaration_.credit_extra) * period(front.node);
    const LinkEnd link{front.node, front.node == node ? no_port : port_of(front.out)};
    credits_[front.node == node ? credit : at_sender(link, credit)].push_back({front.node, front.out});
    for (const auto& [other, flits] : router.exit)
      if (!flits.empty()) run_again(node);
    return;
  }
}

/// Counts what the allocators find, in steps that are all alike. Those in which a node runs count for a cycle.
void PlainChannels::count_use(Step from, Step to) {
  ChannelUse& use = *record().use;
  use.steps += to - from;
  for (std::size_t node = 0; node < routers_.size(); ++node) {
    const int cycle = period(static_cast<NodeId>(node));
    Step steps = 0;
    for (Step step = from; step < to; ++step) steps += step % cycle == 0 ? cycle : 0;
    for (int channel = 0; channel < count_; ++channel) {
      const int place = channel / channels_;
      const Port port =
          place == places_ - 1 ? graph_.ports() : declaration_.port_order[static_cast<std::size_t>(place)];
      const Input& input = routers_[node].inputs[static_cast<std::size_t>(channel)];
      BufferUse& buffer = use.buffers[(node * static_cast<std::size_t>(places_) + static_cast<std::size_t>(port)) *
                                          static_cast<std::size_t>(channels_) +
                                      static_cast<std::size_t>(channel % channels_)];
      const auto flits = static_cast<std::int32_t>(input.buffer.size());
      buffer.flit_steps += steps * flits;
      buffer.most_flits = std::max(buffer.most_flits, flits);
      if (waits_for_credit(routers_[node], input)) buffer.credit_stalls += steps;
    }
  }
}

/// True if an input channel has a flit for an output channel, but no credit there.
bool PlainChannels::waits_for_credit(const Router& router, const Input& input) const {
  if (input.buffer.empty()) return false;
  if (!input.forks) return input.state == State::active && room(router, input.output) == 0;
  int with_credit = 0, without = 0;
  for (const Branch& branch : input.branches)
    if (branch.next < input.buffer.size()) ++(room(router, branch.out) > 0 ? with_credit : without);
  return without > 0 && with_credit == 0;
}

/// True if the processor can go on in the next cycle.
bool PlainChannels::run_processor(NodeId node) {
  if (!has_packets(node)) return false;
  note_fronts(node);
  const LinkEnd path{node, graph_.is_terminal(node) ? graph_.out_ports(node).lowest() : no_port};
  const int cycle = period(node);
  if (path.port != no_port && (!is_free(path, now_ + cycle) || is_crossing_full(path) || is_replay_full(path)))
    return true;
  const std::optional<Pick> pick = options_.rules.classes.empty() ? pick_next(node) : pick_class(node);
  if (!pick) return false;
  --routers_[static_cast<std::size_t>(node)].room[static_cast<std::size_t>(pick->channel)];
  const bool starts = memory_.flits_sent(pick->queue) == 0;
  const PacketId packet = memory_.front(pick->queue);
  if (starts) record().injected[static_cast<std::size_t>(packet)] = now_;
  Stored flit;
  static_cast<Flit&>(flit) = memory_.take_flit(pick->queue, this->packet(packet));
  flit.injected = now_;
  flit.sequence = pick->sequence;
  if (is_group(flit.destination)) flit.left = declaration_.tree_of(flit.destination).group.destinations;
  const routing::RoutingFunction& function = *algorithm().function_of(this->packet(packet));
  if (starts && function.random_choices() > 1) {
    const std::uint32_t number = RandomStream(options_.seed, Purpose::algorithm, node, now_, options_.first_word)
                                     .bounded(function.random_choices_between(node, flit.destination));
    flit.header[0] = function.random_choice_between(node, flit.destination, number);
  }
  flit.channel = static_cast<std::uint8_t>(pick->channel);
  row(TraceEvent::inject, flit, node);
  const Packet& facts = this->packet(packet);
  if (is_tail(flit.kind) && facts.reply && !options_.rules.classes.empty() &&
      options_.rules.classes[facts.request_class].places > 0)
    answered_[now_ + 1].push_back({node, facts.request_class});
  if (path.port == no_port) {
    arrivals_[now_ + 2 * cycle].push_back({node, (places_ - 1) * channels_ + pick->channel, flit});
  } else {  // over the link, into the local port of the switch
    const LinkEnd to = graph_.far_end(node, path.port);
    const Move move = {to.node, place_of(to.port) * channels_ + pick->channel, flit, no_node, path};
    if (const auto replay = replays_.find(path); replay != replays_.end()) {
      replay->second.grant(move, now_ + cycle);
      return has_packets(node);
    }
    ++sent_[path];
    entered_[path] = {now_ + cycle, flit.packet};
    crossings_[now_ + cycle].push_back({node, place_of(path.port) * channels_ + pick->channel, flit});
    arrivals_[now_ + cycle + graph_.latency(node, path.port)].push_back(move);
  }
  return has_packets(node);
}

/// The next flit of the only queue, if it can leave.
std::optional<PlainChannels::Pick> PlainChannels::pick_next(NodeId node) {
  Router& router = routers_[static_cast<std::size_t>(node)];
  if (memory_.flits_sent(node) == 0) {
    const Packet& packet = this->packet(memory_.front(node));
    const std::set<int> allowed = next_hop_channels(node, packet, router.source_channel);
    int channel = -1;
    for (int k = 1; k <= channels_ && channel < 0; ++k) {
      const int next = (router.source_channel + k) % channels_;
      if (is_open_at_source(node, next, packet) && may_enter(node, packet, next) && allowed.count(next) != 0)
        channel = next;
    }
    if (channel < 0) return std::nullopt;
    router.source_channel = channel;
    ++router.sequence;
  }
  if (room_at_source(node, router.source_channel) == 0) return std::nullopt;
  return Pick{node, router.source_channel, router.sequence};
}

/// The channels of the local in-port that are left to a packet, by its out-port there.
std::set<int> PlainChannels::next_hop_channels(NodeId node, const Packet& packet, int last) const {
  std::set<int> all, part;
  for (int channel = 0; channel < channels_; ++channel) all.insert(channel);
  if (!options_.rules.next_hop_channels) return all;
  routing::Choices choices;
  algorithm().function_of(packet)->route({node, graph_.ports(), 0, packet.destination, 0}, choices);
  const int size = channels_ / places_;
  const int first = (choices.begin()->port == graph_.ports() ? places_ - 1 : place_of(choices.begin()->port)) * size;
  for (int channel = first; channel < first + size; ++channel) part.insert(channel);
  return part.count(last) != 0 ? part : std::set<int>{first};
}

/// If channels are reserved for replies, a packet also uses only its own channels at its destination.
bool PlainChannels::may_enter(NodeId node, const Packet& packet, int channel) const {
  if (algorithm().class_count() == 1) return true;
  const NodeId at = graph_.is_terminal(node) ? packet.destination : node;
  routing::Choices choices;
  algorithm().function_of(packet)->route({at, graph_.ports(), 0, at, static_cast<std::uint32_t>(at)}, choices);
  return channel >= choices.begin()->first && channel < choices.begin()->first + choices.begin()->count;
}

void PlainChannels::begin_turns(NodeId node, Router& router) {
  const int steps = router.pipeline.routing_steps;
  for (int number = 0; number < count_; ++number) {
    Input& input = router.inputs[static_cast<std::size_t>(number)];
    if (input.state == State::idle && !input.buffer.empty()) {
      input.state = State::routing;
      input.asked = &algorithm();
      input.since = round_;
    }
    if (input.state == State::routing && round_ == input.since + std::max(steps, 1) - 1) decide(node, router, number);
    if (input.state != State::routing || round_ < input.since + steps) continue;
    input.state = State::waiting;
    input.since = round_;
    if (!input.buffer.front().left.empty()) fork(node, number, input);
  }
}

/// The destinations that are left are divided among the out-ports on the paths to them.
void PlainChannels::fork(NodeId node, int number, Input& input) const {
  input.forks = true;
  const Flit& head = input.buffer.front();
  for (const NodeId destination : input.buffer.front().left) {
    routing::Choices choices;
    algorithm()
        .function_of(packet(head.packet))
        ->route({node, port_of(number), number % channels_, destination, 0}, choices);
    const Port port = choices.begin()->port;
    input.open[port == graph_.ports() ? places_ - 1 : place_of(port)].push_back(destination);
  }
}

/// One branch of each fork may ask for the switch, in turn among those that can send.
void PlainChannels::choose_branches(Router& router) const {
  for (Input& input : router.inputs) {
    if (!input.forks) continue;
    input.output = -1;
    const std::size_t count = input.branches.size(), before = input.served;
    for (std::size_t turn = 1; turn <= count && input.output < 0; ++turn) {
      const std::size_t number = (before + turn) % count;
      const Branch& branch = input.branches[number];
      if (branch.next >= input.buffer.size() || room(router, branch.out) == 0) continue;
      input.output = branch.out;
      input.served = number;
    }
  }
}

/// A fork gets an output channel. The head may go over it in this step if no other branch asks.
void PlainChannels::take_branch(Input& input, int out, int place, bool has_credit) {
  input.branches.push_back({out, 0, input.open.at(place)});
  input.open.erase(place);
  input.state = input.open.empty() ? State::active : State::waiting;
  if (input.output >= 0 || !has_credit) return;
  input.output = out;
  input.served = input.branches.size() - 1;
}

/// The router of its source may change the random choice of a head.
void PlainChannels::decide(NodeId node, Router& router, int input) const {
  class Load final : public routing::PortLoad {
   public:
    Load(const PlainChannels& engine, const Router& router) : engine_(engine), router_(router) {}
    int used_places(Port port) const override {
      int used = 0;
      for (int out = 0; out < engine_.count_; ++out)
        if (engine_.port_of(out) == port) used += router_.outputs[static_cast<std::size_t>(out)].taken();
      return used;
    }

   private:
    const PlainChannels& engine_;
    const Router& router_;
  };
  Flit& head = router.inputs[static_cast<std::size_t>(input)].buffer.front();
  const routing::RoutingFunction& function = *algorithm().function_of(packet(head.packet));
  if (function.decides())
    head.header[0] = function.decision({node, port_of(input), input % channels_, head.destination, head.header[0]},
                                       Load(*this, router));
}

Port PlainChannels::port_of(int channel) const {
  const int place = channel / channels_;
  return place == places_ - 1 ? graph_.ports() : declaration_.port_order[static_cast<std::size_t>(place)];
}

/// The output channels of a choice that a packet may have at once.
std::vector<int> PlainChannels::open_channels(const Router& router, NodeId node, int input,
                                              const routing::Choice& choice, const Packet& facts) const {
  std::vector<int> open;
  for (int out = 0; out < count_; ++out) {
    const int number = out % channels_;
    if (port_of(out) != choice.port || number < choice.first || number >= choice.first + choice.count) continue;
    const Output& output = router.outputs[static_cast<std::size_t>(out)];
    const bool fits =
        options_.selection == "all" || output.taken() == 0 ||
        (options_.rules.places == 0 ? output.credits : options_.rules.own_places - output.taken()) >= facts.flits;
    if (available(output) && (choice.priority == 0 || fits) &&
        (output.credits >= room_for_packet(node, input, out, facts)))
      open.push_back(out);
  }
  return open;
}

/// Slots that flow control wants behind an output channel.
int PlainChannels::room_for_packet(NodeId node, int input, int output, const Packet& facts) const {
  const int in = input / channels_, out = output / channels_;
  if (options_.rules.flow == "wormhole" || out == places_ - 1) return 0;
  if (options_.rules.flow == "cut-through") return facts.flits;
  // Straight on, the nodes before and behind differ from this one in the same coordinate.
  const auto coordinate = [&](NodeId other) {
    const Grid& grid = *network_.as<Grid>();
    for (std::size_t axis = 0; axis < grid.shape().size(); ++axis)
      if (grid.coordinate(node, static_cast<int>(axis)) != grid.coordinate(other, static_cast<int>(axis)))
        return static_cast<int>(axis);
    return -1;
  };
  const auto port = [&](int place) { return declaration_.port_order[static_cast<std::size_t>(place)]; };
  const bool straight = in < places_ - 1 && coordinate(graph_.near_end(node, port(in)).node) ==
                                                coordinate(graph_.far_end(node, port(out)).node);
  const int longest = options_.rules.longest > 0 ? options_.rules.longest : declaration_.least_capacity() / 2;
  return (straight ? 1 : 2) * longest;
}

/// [input channel] the output channels that its head asks for in this step.
void PlainChannels::select_outputs(NodeId node, Router& router) const {
  router.requested.assign(static_cast<std::size_t>(count_), {});
  for (int input = 0; input < count_; ++input) {
    const Input& in = router.inputs[static_cast<std::size_t>(input)];
    if (in.state != State::waiting) continue;
    if (in.forks) {
      for (int out = 0; out < count_; ++out) {
        const Output& output = router.outputs[static_cast<std::size_t>(out)];
        const int whole =
            options_.rules.copies_whole && out / channels_ < places_ - 1 ? packet(in.buffer.front().packet).flits : 0;
        if (in.open.count(out / channels_) != 0 && available(output) && output.credits >= whole)
          router.requested[static_cast<std::size_t>(input)][out] = 0;
      }
      continue;
    }
    const Flit& head = in.buffer.front();
    const Packet& facts = packet(head.packet);
    const routing::RoutingFunction& function = *in.asked->function_of(facts);
    routing::Choices choices;
    function.route({node, port_of(input), input % channels_, facts.destination, head.header[0]}, choices);
    auto& requested = router.requested[static_cast<std::size_t>(input)];
    std::map<int, std::vector<routing::Choice>, std::greater<>> by_priority;
    for (const routing::Choice& choice : choices) {
      const std::vector<int> open = open_channels(router, node, input, choice, facts);
      if (!function.adaptive() || options_.selection == "all")
        for (const int out : open) requested[out] = choice.priority;
      else if (!open.empty()) by_priority[choice.priority].push_back(choice);
    }
    if (by_priority.empty()) continue;
    const std::vector<routing::Choice>& best = by_priority.begin()->second;
    std::size_t selected = 0;
    if (options_.selection == "random" && best.size() > 1) {
      const std::uint32_t word = random_word(options_.seed, Purpose::algorithm, node, now_,
                                             options_.first_word + 65536 + static_cast<std::uint32_t>(input));
      selected = static_cast<std::size_t>(std::uint64_t{word} * best.size() >> 32);
    } else if (options_.selection == "least-occupied") {
      const auto credits = [&](const routing::Choice& choice) {
        int sum = 0;
        for (int out = 0; out < count_; ++out)
          if (port_of(out) == choice.port && out % channels_ >= choice.first &&
              out % channels_ < choice.first + choice.count)
            sum += router.outputs[static_cast<std::size_t>(out)].credits;
        return sum;
      };
      int most = 0;
      for (const routing::Choice& choice : best) most = std::max(most, credits(choice));
      while (credits(best[selected]) + choices.tolerance() < most || 2 * credits(best[selected]) < most) ++selected;
    }
    for (const int out : open_channels(router, node, input, best[selected], facts))
      requested[out] = best[selected].priority;
  }
}

/// The places of a port that a channel may take.
/// \param taken [channel] by its flits. \param in_use channels of packets.
int PlainChannels::free_places(const std::vector<int>& taken, int channel, int in_use, int capacity) const {
  const PlainRules& rules = options_.rules;
  const int own = taken[static_cast<std::size_t>(channel)];
  if (rules.places == 0) return capacity - own;
  int free = rules.places;
  for (int other = 0; other < channels_; ++other)
    free -= std::max(taken[static_cast<std::size_t>(other)], other == channel ? 0 : rules.own_places);
  if (rules.limit > 0) free = std::min(free, rules.limit - own);
  if (rules.dynamic) free = std::min(free, rules.places / std::max(in_use, 1) - own);
  return std::max(free, 0);
}

/// Flits that the buffer behind an output channel can take.
int PlainChannels::room(const Router& router, int out) const {
  std::vector<int> taken;
  int in_use = 0;
  const int first = out / channels_ * channels_;
  for (int channel = first; channel < first + channels_; ++channel) {
    const Output& output = router.outputs[static_cast<std::size_t>(channel)];
    taken.push_back(output.taken());
    in_use += output.owner < 0 ? 0 : 1;
  }
  return free_places(taken, out % channels_, in_use, router.outputs[static_cast<std::size_t>(out)].capacity);
}

/// The same for the processor.
int PlainChannels::room_at_source(NodeId node, int channel) const {
  const Router& router = routers_[static_cast<std::size_t>(node)];
  std::vector<int> taken;
  for (const int room : router.room) taken.push_back(router.most_room - room);
  int in_use = 0;
  for (int queue = 0; queue < memory_.queues(); ++queue)
    in_use += memory_.flits_sent(memory_.queue_of(node, queue)) > 0 ? 1 : 0;
  return free_places(taken, channel, in_use, router.most_room);
}

/// True if the rules for channels leave one to a new packet.
bool PlainChannels::is_open_at_source(NodeId node, int channel, const Packet& head) const {
  const int room = routers_[static_cast<std::size_t>(node)].room[static_cast<std::size_t>(channel)];
  return may_begin_packets() && room_at_source(node, channel) > 0 &&
         (options_.rules.flow != "cut-through" || room >= head.flits) &&
         (!options_.rules.wait_for_tail_credit || room == routers_[static_cast<std::size_t>(node)].most_room);
}

/// True if a head may get an output channel.
bool PlainChannels::available(const Output& output) const {
  return output.owner < 0 && !output.dead && (!options_.rules.wait_for_tail_credit || output.taken() == 0);
}

bool PlainChannels::may_take(const Router& router, int input, int output) const {
  return router.requested[static_cast<std::size_t>(input)].count(output) != 0;
}

std::int64_t PlainChannels::priority_of(const Router& router, int input) const {
  const std::string& rule = options_.rules.priority;
  if (rule == "none" || (rule == "class" && options_.rules.classes.empty())) return 0;
  const std::vector<Stored>& buffer = router.inputs[static_cast<std::size_t>(input)].buffer;
  if (rule == "queue-length") return static_cast<std::int64_t>(buffer.size());
  std::vector<std::int64_t> priorities;
  for (const Stored& flit : buffer)
    priorities.push_back(rule == "class"         ? options_.rules.classes.at(packet(flit.packet).traffic_class).priority
                         : rule == "age"         ? -packet(flit.packet).created
                         : rule == "network-age" ? -flit.injected
                         : rule == "local-age"   ? -flit.readable
                         : rule == "hop-count"   ? flit.switches
                         : rule == "sequence"    ? -flit.sequence
                                                 : 0);
  const bool all = options_.rules.donate && rule != "local-age";
  return all ? *std::max_element(priorities.begin(), priorities.end()) : priorities.front();
}

/// A channel asks when it has a flit and owns an output channel. If it also has a credit, a link that accepts no flit
/// makes it begin anew.
void PlainChannels::ask_for_switch(NodeId node, Router& router) const {
  for (Input& input : router.inputs) {
    if (input.state != State::active) input.asks_since = no_step;
    if (input.state != State::active || input.promised) continue;
    const bool has_credit = room(router, input.output) > 0;
    const bool waits = !input.buffer.empty() && !(has_credit && stalled(node, input.output / channels_));
    if (!waits) input.asks_since = no_step;
    else if (input.asks_since == no_step) input.asks_since = round_;
  }
}

/// True if a channel asks an allocation of several steps in this one.
bool PlainChannels::asks(const Router& router, int input) const {
  const Input& in = router.inputs[static_cast<std::size_t>(input)];
  if (in.promised) return false;
  if (in.state == State::waiting) return (round_ - in.since) % router.pipeline.channel_steps == 0;
  const int steps = router.pipeline.switch_steps;
  return steps == 1 || (in.asks_since != no_step && (round_ - in.asks_since) % steps == 0);
}

/// [input channel] the output channel that an allocation of several steps gives it at its end, or -1.
std::vector<int> PlainChannels::granted_before(NodeId node, Router& router) const {
  std::vector<int> won(static_cast<std::size_t>(count_), -1);
  for (int in = 0; in < count_; ++in) {
    Input& input = router.inputs[static_cast<std::size_t>(in)];
    if (input.state != State::waiting || !input.promised || input.due != round_) continue;
    const Output& output = router.outputs[static_cast<std::size_t>(*input.promised)];
    const bool has_room =
        output.credits >= room_for_packet(node, in, *input.promised, packet(input.buffer.front().packet));
    if (available(output) && has_room && (!options_.rules.busy_when_full || room(router, *input.promised) > 0))
      won[static_cast<std::size_t>(in)] = *input.promised;
    input.promised.reset();
  }
  return won;
}

/// [input channel] the output channel that it wins, or -1.
std::vector<int> PlainChannels::allocate_channels(NodeId node, Router& router) const {
  PlainAllocator::Requests requests;
  for (int in = 0; in < count_; ++in)
    for (const auto& [out, choice_priority] : router.requested[static_cast<std::size_t>(in)])
      if (const Output& output = router.outputs[static_cast<std::size_t>(out)];
          available(output) && asks(router, in) && (!options_.rules.busy_when_full || room(router, out) > 0)) {
        const int line = options_.rules.shuffle_requests ? in % channels_ * matched_ + in / channels_ : in;
        const bool avoided = options_.rules.prefer_empty && router.outputs[static_cast<std::size_t>(out)].taken() > 0;
        requests[{line, out}] = {choice_priority - (avoided ? 2147483648 : 0), priority_of(router, in)};
      }
  const int steps = router.pipeline.channel_steps;
  std::vector<int> won = granted_before(node, router);
  for (const auto& [line, out] : router.for_channels.match(requests)) {
    const int in = options_.rules.shuffle_requests ? line % matched_ * channels_ + line / matched_ : line;
    Input& input = router.inputs[static_cast<std::size_t>(in)];
    if (steps == 1) won[static_cast<std::size_t>(in)] = out;
    else input.promised = out, input.due = round_ + steps - 1;
  }
  return won;
}

/// True if a channel requests an out-port.
bool PlainChannels::speaks(const Router& router, int input, int out_place, bool nonspeculative) const {
  const Input& in = router.inputs[static_cast<std::size_t>(input)];
  if (nonspeculative)
    return asks(router, input) && (in.state == State::active || in.forks) && !in.buffer.empty() && in.output >= 0 &&
           in.output / channels_ == out_place && room(router, in.output) > 0;
  if (!router.pipeline.speculative || (in.forks && in.output >= 0)) return false;
  for (int out = out_place * channels_; out < (out_place + 1) * channels_; ++out) {
    const Output& output = router.outputs[static_cast<std::size_t>(out)];
    if (available(output) && (room(router, out) > 0 || !options_.rules.check_credit) && may_take(router, input, out))
      return true;
  }
  return false;
}

/// True if a link accepts a flit in `step`, because its interval is over.
bool PlainChannels::is_free(const LinkEnd& link, Step step) const {
  const auto last = entered_.find(link);
  return last == entered_.end() || step >= last->second.step + graph_.interval(link.node, link.port);
}

int PlainChannels::place_of(Port port) const {
  const auto& order = declaration_.port_order;
  return static_cast<int>(std::find(order.begin(), order.end(), port) - order.begin());
}

bool PlainChannels::stalled(NodeId node, int out_place) const {
  if (out_place == places_ - 1) return false;
  const Port port = declaration_.port_order[static_cast<std::size_t>(out_place)];
  const LinkEnd to = graph_.far_end(node, port);
  if (!to.connected()) return false;
  const router::Pipeline& pipeline = routers_[static_cast<std::size_t>(node)].pipeline;
  const bool free = is_free({node, port}, now_ + period(node) * (pipeline.switch_steps + pipeline.crossbar_steps)) &&
                    !is_crossing_full({node, port});
  if (!free && !options_.rules.has_fifo()) return true;
  if (is_replay_full({node, port})) return true;
  if (options_.stall_rate == 0 || graph_.is_terminal(to.node)) return false;
  const std::uint32_t word = random_word(options_.seed, Purpose::stalls, node, now_, static_cast<std::uint32_t>(port));
  return word < bernoulli_threshold(options_.stall_rate);
}

/// The channels that win the switch, each with its out-port.
std::vector<PlainChannels::Speaker> PlainChannels::allocate_switch(NodeId node, Router& router, bool& acted) const {
  const auto requests_of = [&](bool nonspeculative) {
    PlainAllocator::Requests requests;
    const std::int64_t less = nonspeculative ? 0 : 2147483648;
    const State speaking = nonspeculative ? State::active : State::waiting;
    const auto may_speak = [&](const Input& input) {
      if (!input.forks) return input.state == speaking;
      return nonspeculative ? input.output >= 0 : input.state == State::waiting && input.output < 0;
    };
    for (int in = 0; in < count_; ++in)
      for (int out = 0; out < places_ && may_speak(router.inputs[static_cast<std::size_t>(in)]); ++out) {
        if (!speaks(router, in, out, nonspeculative) || is_held(router, in, out)) continue;
        if (stalled(node, out) || is_full(router, out)) {
          acted = true;  // it asks again
          continue;
        }
        const std::int64_t priority = priority_of(router, in) - less;
        const auto [pair, fresh] =
            requests.insert({{in_line(in), out_line(in / channels_, out)}, {priority, priority}});
        if (!fresh && priority > pair->second.in) pair->second = {priority, priority};
      }
    return requests;
  };
  std::vector<Speaker> passing;
  const auto grant = [&](int line, int line_out, bool nonspeculative) {
    const int in = line / options_.rules.input, out = line_out / options_.rules.output;
    std::map<std::int64_t, std::set<int>> by_priority;
    for (int v = line % options_.rules.input; v < channels_; v += options_.rules.input)
      if (const int input = in * channels_ + v; speaks(router, input, out, nonspeculative))
        by_priority[priority_of(router, input)].insert(v);
    PlainArbiter& arbiter = router.speakers[static_cast<std::size_t>(line)];
    const int number = arbiter.pick(by_priority.rbegin()->second);
    arbiter.granted(number);
    acted = true;
    passing.push_back({in * channels_ + number, out, nonspeculative});
  };
  const PlainAllocator::Requests firm = requests_of(true), guesses = requests_of(false);
  if (!guesses.empty()) acted = true;
  if (!router.for_guesses) {
    PlainAllocator::Requests all = guesses;
    for (const auto& [pair, priorities] : firm) all[pair] = priorities;
    for (const auto& [in, out] : router.for_switch.match(all)) grant(in, out, firm.count({in, out}) != 0);
    return passing;
  }
  std::set<int> ins, outs;
  for (const auto& [in, out] : router.for_switch.match(firm)) {
    grant(in, out, true);
    ins.insert(in);
    outs.insert(out);
  }
  if (options_.rules.mask_requests)
    for (const auto& [pair, priorities] : firm) outs.insert(pair.second);
  for (const auto& [in, out] : router.for_guesses->match(guesses))
    if (ins.count(in) == 0 && outs.count(out) == 0) grant(in, out, false);
  return passing;
}

/// Lines of the switch: flits of different remainders of channels leave an in-port over different ones, flits of
/// different remainders of in-ports reach an out-port over different ones.
int PlainChannels::in_line(int input) const {
  return input / channels_ * options_.rules.input + input % channels_ % options_.rules.input;
}

int PlainChannels::out_line(int in_place, int out_place) const {
  return out_place * options_.rules.output + in_place % options_.rules.output;
}

/// True if a packet holds the line of the input channel or the one to the out-port.
bool PlainChannels::is_held(const Router& router, int input, int out_place) const {
  for (const auto& [line, holder] : router.held) {
    const int held_out = router.inputs[static_cast<std::size_t>(holder)].output / channels_;
    if (line == in_line(input) || out_line(holder / channels_, held_out) == out_line(input / channels_, out_place))
      return true;
  }
  return false;
}

bool PlainChannels::is_full(const Router& router, int out_place) const {
  const auto fifo = router.fifos.find(out_place);
  if (options_.rules.fifo == 0 || fifo == router.fifos.end()) return false;
  int flits = 0;
  for (const Router::Queued& queued : fifo->second) flits += queued.from < round_ ? 1 : 0;
  return flits >= options_.rules.fifo;
}

/// The channels that send over the ports that they hold.
std::vector<int> PlainChannels::leaving_held(NodeId node, const Router& router) const {
  std::vector<int> passing;
  for (const auto& [place, in] : router.held) {
    const int output = router.inputs[static_cast<std::size_t>(in)].output;
    const bool has_credit = room(router, output) > 0;
    if (has_credit && !stalled(node, output / channels_) && !is_full(router, output / channels_)) passing.push_back(in);
  }
  return passing;
}

/// The channel that a guess for an out-port gets with the switch, or -1.
int PlainChannels::brought_channel(Router& router, int input, int out_place, const std::vector<int>& won) const {
  int& first = router.piggyback[static_cast<std::size_t>(out_place)];
  for (int k = options_.rules.prefer_empty ? 0 : channels_; k < 2 * channels_; ++k) {
    const int number = (first + k) % channels_, out = out_place * channels_ + number;
    const Output& output = router.outputs[static_cast<std::size_t>(out)];
    if (k < channels_ && output.taken() > 0) continue;  // empty ones come first
    const bool taken = std::find(won.begin(), won.end(), out) != won.end();
    if (taken || !available(output) || room(router, out) == 0 || !may_take(router, input, out)) continue;
    first = (number + 1) % channels_;
    return out;
  }
  return -1;
}

void PlainChannels::run_router(NodeId node, PacketId sending) {
  Router& router = routers_[static_cast<std::size_t>(node)];
  router.crossbar = std::exchange(router.passed, {});
  bool acted = false;
  for (int round = 0; round < options_.rules.internal; ++round) {
    round_ = now_ / period(node) * options_.rules.internal + round;
    run_round(node, router, sending, acted);
  }
  drain(node, router);
  const bool holds =
      std::any_of(router.inputs.begin(), router.inputs.end(), [](const Input& input) { return !input.buffer.empty(); });
  if (acted && (holds || has_packets(node))) run_again(node);
}

void PlainChannels::run_round(NodeId node, Router& router, PacketId sending, bool& acted) {
  const bool idle = std::all_of(router.inputs.begin(), router.inputs.end(),
                                [](const Input& input) { return input.state == State::idle && input.buffer.empty(); });
  if (idle && !options_.keep_turns) return;
  RouterTurn turn;
  if (options_.keep_turns) begin_turn(node, router, turn);
  begin_turns(node, router);
  choose_branches(router);
  select_outputs(node, router);
  ask_for_switch(node, router);
  const router::Pipeline& pipeline = router.pipeline;
  acted = acted || std::any_of(router.inputs.begin(), router.inputs.end(), [&](const Input& input) {
            const bool may_leave =
                input.state == State::active && !input.buffer.empty() && !input.forks && room(router, input.output) > 0;
            return input.state == State::routing || (pipeline.switch_steps > 1 && may_leave);
          });
  for (const std::map<int, int>& requested : router.requested)
    for (const auto& [out, choice_priority] : requested)
      acted = acted || !options_.rules.busy_when_full || room(router, out) > 0;

  // Both allocations look at the same state: what this one decides is entered below, after the other.
  std::vector<int> won = allocate_channels(node, router);

  std::vector<int> passing = leaving_held(node, router);
  std::vector<LinkEnd> lost;  // of flits that are granted the switch, but not sent
  acted = acted || !router.held.empty();
  for (int in = 0; in < count_; ++in) {
    Input& input = router.inputs[static_cast<std::size_t>(in)];
    if (input.state != State::active || !input.promised || input.due != round_) continue;
    if (room(router, input.output) > 0) passing.push_back(in);
    else if (input.output / channels_ < places_ - 1) lost.push_back({node, port_of(input.output)});
    input.promised.reset();
    input.asks_since = no_step;
  }
  for (const auto& [in, out, nonspeculative] : allocate_switch(node, router, acted)) {
    const int input = in;
    if (nonspeculative && pipeline.switch_steps > 1) {
      router.inputs[static_cast<std::size_t>(input)].promised = out;
      router.inputs[static_cast<std::size_t>(input)].due = round_ + pipeline.switch_steps - 1;
      if (out < places_ - 1) {
        const LinkEnd link{node, declaration_.port_order[static_cast<std::size_t>(out)]};
        if (!options_.rules.has_fifo()) ++sent_[link];
        if (!options_.rules.has_fifo()) {
          const Input& sender = router.inputs[static_cast<std::size_t>(input)];
          entered_[link] = {now_ + period(node) * (pipeline.switch_steps + pipeline.crossbar_steps),
                            sender.buffer.front().packet};
        }
      }
      continue;
    }
    if (nonspeculative) {
      passing.push_back(input);
      continue;
    }
    int& new_output = won[static_cast<std::size_t>(input)];
    if (options_.rules.channel_allocator.name == "piggyback") new_output = brought_channel(router, input, out, won);
    if (new_output >= 0 && new_output / channels_ == out && room(router, new_output) > 0) passing.push_back(input);
  }

  for (int in = 0; in < count_; ++in) {
    const int out = won[static_cast<std::size_t>(in)];
    if (out < 0) continue;
    acted = true;
    Input& input = router.inputs[static_cast<std::size_t>(in)];
    router.outputs[static_cast<std::size_t>(out)].owner = in;
    if (input.forks) {
      take_branch(input, out, out / channels_, room(router, out) > 0);
      continue;
    }
    input.state = State::active;
    input.output = out;
  }
  router.held.clear();
  if (options_.rules.hold_switch)
    for (const int in : passing) {
      const Input& input = router.inputs[static_cast<std::size_t>(in)];
      if (input.buffer.size() > 1 && !is_tail(input.buffer.front().kind)) router.held[in_line(in)] = in;
    }
  if (options_.keep_turns) {
    for (const int channel : passing) turn.passed.push_back(passing_of(router, channel));
    turn.sending = sending;
    keep(std::move(turn));
  }
  std::sort(passing.begin(), passing.end());
  for (const int input : passing) {
    if (router.inputs[static_cast<std::size_t>(input)].forks) pass_copy(node, router, input);
    else pass(node, router, input);
  }
  for (Input& input : router.inputs)
    if (input.forks) input.output = -1;
  for (const LinkEnd& link : lost)
    if (!options_.rules.has_fifo()) --sent_[link];
  for (const Input& input : router.inputs) acted = acted || input.promised;
}

/// At the end of a step, each FIFO sends a flit to its link, if that is free, and each in-port a credit word.
void PlainChannels::drain(NodeId node, Router& router) {
  for (auto& [place, fifo] : router.fifos) {
    const bool local = place == places_ - 1;
    const LinkEnd link{node, local ? no_port : declaration_.port_order[static_cast<std::size_t>(place)]};
    if (fifo.empty() || fifo.front().from > round_ ||
        (!local && (!is_free(link, now_ + period(node)) || is_crossing_full(link))))
      continue;
    depart(node, fifo.front().out, fifo.front().flit, now_);
    fifo.erase(fifo.begin());
  }
  for (auto& [place, words] : router.words) {
    if (words.empty()) continue;
    for (const int input : words.front().inputs) give_credit(node, input);
    words.erase(words.begin());
  }
  for (const auto& [place, fifo] : router.fifos)
    if (!fifo.empty()) run_again(node);
  for (const auto& [place, words] : router.words)
    if (!words.empty()) run_again(node);
}

RouterTurn::Passing PlainChannels::passing_of(const Router& router, int channel) const {
  const Input& input = router.inputs[static_cast<std::size_t>(channel)];
  const bool empty = input.buffer.empty();
  return {port_of(channel),
          port_of(input.output),
          channel % channels_,
          input.output % channels_,
          empty ? no_packet : input.buffer.front().packet,
          empty ? -1 : input.buffer.front().index};
}

/// The state before the allocators choose.
void PlainChannels::begin_turn(NodeId node, const Router& router, RouterTurn& turn) const {
  const auto count = static_cast<std::size_t>((graph_.ports() + 1) * channels_);
  turn.front.assign(count, no_packet);
  turn.carries.assign(count, no_packet);
  turn.credits.assign(count, 0);
  turn.priorities.assign(count, 0);
  for (int channel = 0; channel < count_; ++channel) {
    const auto at = static_cast<std::size_t>(port_of(channel) * channels_ + channel % channels_);
    const Input& input = router.inputs[static_cast<std::size_t>(channel)];
    const Output& output = router.outputs[static_cast<std::size_t>(channel)];
    if (!input.buffer.empty()) {
      turn.front[at] = input.buffer.front().packet;
      turn.priorities[at] = priority_of(router, channel);
    }
    turn.carries[at] = output.carries;
    turn.credits[at] = output.credits;
  }
  for (const auto& [line, channel] : router.held) turn.held.push_back(passing_of(router, channel));
  for (const auto& [place, fifo] : router.fifos)
    for (const Router::Queued& queued : fifo)
      turn.in_fifo[port_of(queued.out)].push_back({queued.flit.packet, queued.flit.index, queued.from});
  for (const Port port : declaration_.port_order) {
    const LinkEnd link{node, port};
    if (!graph_.far_end(node, port).connected()) continue;
    const int cycles = options_.rules.has_fifo() ? 1 : router.pipeline.switch_steps + router.pipeline.crossbar_steps;
    if (is_crossing_full(link)) turn.full_links.insert(port);
    if (is_replay_full(link)) turn.full_replays.insert(port);
    if (!is_free(link, now_ + period(node) * cycles)) turn.busy_links[port] = entered_.at(link).packet;
  }
}

/// A flit stays in the buffer until all branches have sent it.
void PlainChannels::pass_copy(NodeId node, Router& router, int in) {
  Input& input = router.inputs[static_cast<std::size_t>(in)];
  Branch& branch = input.branches[input.served];
  Stored copy = input.buffer[branch.next++];
  copy.left = branch.left;
  leave(node, router, in, copy);
  if (is_tail(copy.kind)) {
    input.branches.erase(input.branches.begin() + static_cast<std::ptrdiff_t>(input.served));
    if (input.served > 0) --input.served;
  }
  const bool all_have_it = input.open.empty() && std::all_of(input.branches.begin(), input.branches.end(),
                                                             [](const Branch& other) { return other.next > 0; });
  if (all_have_it) {
    input.buffer.erase(input.buffer.begin());
    give_credit(node, in);
    for (Branch& other : input.branches) --other.next;
  }
  if (!input.open.empty() || !input.branches.empty()) return;
  input.forks = false;
  input.state = State::idle;
  input.output = -1;
}

void PlainChannels::pass(NodeId node, Router& router, int in) {
  Input& input = router.inputs[static_cast<std::size_t>(in)];
  const Stored flit = input.buffer.front();
  input.buffer.erase(input.buffer.begin());
  if (options_.rules.internal == 1) {
    give_credit(node, in);
  } else {
    std::vector<Router::Word>& words = router.words[in / channels_];
    if (words.empty() || words.back().round != round_) words.push_back({round_, {}});
    words.back().inputs.insert(in);
  }
  leave(node, router, in, flit);
  if (!is_tail(flit.kind)) return;
  input.state = State::idle;
  input.output = -1;
}

/// A flit passes the switch to the output channel of its input channel; a tail frees that.
void PlainChannels::leave(NodeId node, Router& router, int in, const Stored& sent) {
  const int out = router.inputs[static_cast<std::size_t>(in)].output;
  Output& output = router.outputs[static_cast<std::size_t>(out)];
  Stored flit = sent;
  ++flit.switches;
  router.passed[out / channels_] = flit.packet;
  --output.credits;
  output.carries = is_tail(flit.kind) ? no_packet : flit.packet;
  flit.channel = static_cast<std::uint8_t>(out % channels_);
  const int crossbar = router.pipeline.crossbar_steps;
  if (options_.rules.has_fifo()) router.fifos[out / channels_].push_back({out, flit, round_ + crossbar});
  else depart(node, out, flit, now_ + period(node) * crossbar);
  if (is_tail(flit.kind)) output.owner = -1;
}

/// \param in_register the step in which the flit is in the register behind the crossbar.
void PlainChannels::depart(NodeId node, int out, const Stored& flit, Step in_register) {
  const int cycle = period(node);
  if (out / channels_ == places_ - 1) {
    consumptions_[in_register + 2 * cycle].push_back({node, out, flit, node});
    return;
  }
  const Port port = declaration_.port_order[static_cast<std::size_t>(out / channels_)];
  const LinkEnd to = graph_.far_end(node, port);
  const LinkEnd link{node, port};
  const Step arrival = in_register + cycle + graph_.latency(node, port);
  if (const auto replay = replays_.find(link); replay != replays_.end())
    return replay->second.grant(
        {to.node, graph_.is_terminal(to.node) ? out : place_of(to.port) * channels_ + out % channels_, flit, node,
         link},
        in_register + cycle);
  const bool reserved = routers_[static_cast<std::size_t>(node)].pipeline.switch_steps > 1;
  if (!reserved || options_.rules.has_fifo()) {
    entered_[link] = {in_register + cycle, flit.packet};
    ++sent_[link];
  }
  crossings_[in_register + cycle].push_back({node, out, flit});
  if (graph_.is_terminal(to.node)) {
    consumptions_[arrival].push_back({to.node, out, flit, node, link});
  } else {
    arrivals_[arrival].push_back({to.node, place_of(to.port) * channels_ + out % channels_, flit, no_node, link});
  }
}

/// The credit of a flit is on its wire in the next cycle.
void PlainChannels::give_credit(NodeId node, int in) {
  if (is_dead({node, no_port})) return;
  if (in / channels_ < places_ - 1)
    if (const LinkEnd over = graph_.near_end(node, port_of(in)); is_dead({over.node, over.port})) return;
  credit_words_[now_ + period(node)].push_back({node, in});
  if (in / channels_ == places_ - 1) {
    source_credits_[now_ + 2 * period(node)].push_back({node, in % channels_});
    return;
  }
  const LinkEnd from = graph_.near_end(node, declaration_.port_order[static_cast<std::size_t>(in / channels_)]);
  const Step word = now_ + period(node) + graph_.wire_latency(from.node, from.port);
  if (graph_.is_terminal(from.node)) {
    source_credits_[at_sender(from, word)].push_back({from.node, in % channels_});
  } else {
    const Step credit = at_sender(from, word + declaration_.credit_extra * period(from.node));
    credits_[credit].push_back({from.node, place_of(from.port) * channels_ + in % channels_});
  }
}

std::int64_t PlainChannels::queued(NodeId node) const {
  std::set<PacketId> packets;
  for (const Input& input : routers_[static_cast<std::size_t>(node)].inputs)
    for (const Flit& flit : input.buffer) packets.insert(flit.packet);
  return static_cast<std::int64_t>(packets.size());
}

void PlainChannels::publish(NodeId node, std::uint32_t* values) {
  const Router& router = routers_[static_cast<std::size_t>(node)];
  for (const Input& input : router.inputs) *values++ = static_cast<std::uint32_t>(input.state);
  for (const Input& input : router.inputs) *values++ = static_cast<std::uint32_t>(input.output + 1);
  for (const Output& output : router.outputs) *values++ = static_cast<std::uint32_t>(output.credits);
  for (const Output& output : router.outputs) *values++ = static_cast<std::uint32_t>(output.owner + 1);
  for (int place = 0; place < places_; ++place) {
    const auto at = router.crossbar.find(place);
    *values++ = at == router.crossbar.end() ? 0 : static_cast<std::uint32_t>(at->second) + 1;
  }
  for (int place = 0; place < places_ && options_.rules.has_fifo(); ++place) {
    const auto fifo = router.fifos.find(place);
    const auto joined = [&](const Router::Queued& queued) {
      return queued.from < (now_ / period(node) + 1) * options_.rules.internal;
    };
    *values++ = fifo == router.fifos.end()
                    ? 0
                    : static_cast<std::uint32_t>(std::count_if(fifo->second.begin(), fifo->second.end(), joined));
  }
  for (int place = 0; place < places_ && options_.rules.places > 0; ++place) {
    std::size_t flits = 0;
    for (int channel = 0; channel < channels_; ++channel)
      flits += router.inputs[static_cast<std::size_t>(place * channels_ + channel)].buffer.size();
    *values++ = static_cast<std::uint32_t>(flits);
  }
  for (int place = 0; place < places_ && options_.rules.hold_switch; ++place)
    *values++ = std::any_of(router.held.begin(), router.held.end(), [&](const auto& held) {
      return router.inputs[static_cast<std::size_t>(held.second)].output / channels_ == place;
    });
  const std::set<std::string> counts = {"class", "hop-count", "queue-length"};
  for (int in = 0; in < count_ && options_.rules.priority != "none"; ++in) {
    const bool empty = router.inputs[static_cast<std::size_t>(in)].buffer.empty();
    const std::int64_t priority = empty ? 0 : priority_of(router, in);
    *values++ = static_cast<std::uint32_t>(counts.count(options_.rules.priority) != 0 ? priority : -priority);
  }
}

}  // namespace starloom::links
