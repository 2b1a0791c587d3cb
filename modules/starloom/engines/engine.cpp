// SPDX-License-Identifier: Apache-2.0
#include <starloom/engines/engine.hpp>

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <type_traits>
#include <utility>

#include <starloom/engines/permuted_order.hpp>
#include <starloom/engines/store_and_forward_engine.hpp>
#include <starloom/engines/worm_engine.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

/// Number of steps for which packets are generated at once.
constexpr Step chunk = 256;

/// Least number of nodes per thread in a step that several threads share: waking a thread takes as long as running some
/// hundreds of nodes. With the thread sanitizer it is small, so that small networks use threads.
#ifdef __SANITIZE_THREAD__
constexpr std::int64_t min_nodes_per_thread = 0;
#else
constexpr std::int64_t min_nodes_per_thread = 256;
#endif

constexpr PacketId most_packets = std::numeric_limits<PacketId>::max();

std::int32_t longest_latency(const Wiring& wiring) {
  return *std::max_element(wiring.latency.begin(), wiring.latency.end());
}

}  // namespace

std::unique_ptr<Engine> Engine::make(EngineSetup setup) {
  const Declaration& declaration = *setup.declaration;
  if (declaration.make_engine != nullptr) return declaration.make_engine(setup);
  const bool many = setup.wiring.ports > ports_per_word;
  if (many && (moves_worms(declaration.storage) || declaration.reverse_wire || declaration.forward_wire))
    throw std::invalid_argument("nodes of more than " + std::to_string(ports_per_word) +
                                " ports have neither side wires nor worms that move as units");
  if (moves_worms(declaration.storage)) return std::make_unique<WormEngine>(setup);
  if (declaration.storage == StorageModel::store_and_forward) {
    if (many) return std::make_unique<StoreAndForwardEngine<ManyPorts>>(setup);
    return std::make_unique<StoreAndForwardEngine<PortMask>>(setup);
  }
  throw std::invalid_argument(
      "an algorithm with virtual channels declares no engine: begin its declaration with router_declaration()");
}

Engine::Engine(EngineSetup& setup, std::int32_t reach)
    : graph_(setup.network->graph),
      grid_(setup.network->as<Grid>()),
      declaration_(*setup.declaration),
      wiring_(std::move(setup.wiring)),
      controllers_(std::move(setup.controllers)),
      seed_(setup.seed),
      count_memory_(setup.count_memory),
      shuffle_(setup.shuffle),
      wake_all_(setup.wake_all),
      partition_(wiring_, setup.threads, setup.step_sink != nullptr),
      memory_(wiring_.nodes, declaration_.source_queues()),
      fresh_(static_cast<std::size_t>(wiring_.nodes), 0),
      calendar_(partition_.lanes(), reach + (wiring_.out.empty() ? 1 : longest_latency(wiring_)), partition_.size()),
      step_sink_(setup.step_sink),
      counts_(setup.count_events ? partition_.size() : 0, EventCounts(wiring_.out.size(), controllers_.size())),
      unreachable_(setup.unreachable),
      known_(setup.unreachable) {
  choose_records();
  if (unreachable_ != nullptr && unreachable_->timeline() != nullptr) {
    hardware_.emplace(unreachable_->faults());
    timeline_ = *unreachable_->timeline();
  }
  if (controllers_.size() != static_cast<std::size_t>(wiring_.nodes))
    throw std::invalid_argument("a fabric of " + std::to_string(wiring_.nodes) + " nodes got " +
                                std::to_string(controllers_.size()) + " controllers");
  if (!wiring_.interval.empty()) free_from_.assign(wiring_.out.size(), 0);
  record_.link_load.assign(wiring_.out.size(), 0);
  record_.class_flits_delivered.assign(declaration_.classes.size(), 0);
  for (Words* words :
       {declaration_.reverse_wire ? &reverse_ : nullptr, declaration_.forward_wire ? &forward_ : nullptr}) {
    if (words == nullptr) continue;
    words->word.assign(calendar_.phases() * wiring_.out.size(), 0);
    words->arrived.assign(calendar_.phases() * partition_.lanes(), 0);
    words->stride = calendar_.phases() + cache_line;
    words->any.assign(partition_.size() * words->stride, 0);
  }
  if (partition_.size() > 1) pool_ = std::make_unique<ThreadPool>(static_cast<int>(partition_.size()));
}

void Engine::set_up(Part& part, std::size_t number) {
  part.number = number;
  part.nodes = partition_[number];
  part.class_flits_delivered.assign(declaration_.classes.size(), 0);
  if (counting()) part.counts = &counts_[number];
  if (shuffle_ == 0) return;
  for (const NodeId node : permuted_order(wiring_.nodes, shuffle_, evaluation_order))
    if (part.nodes.has(node)) part.order.push_back(node);
}

void Engine::choose_records() {
  tracing_ = !sinks_.empty() || step_sink_ != nullptr;
  tracing_credits_ =
      !credit_sinks_.empty() || (step_sink_ != nullptr && declaration_.storage == StorageModel::virtual_channels);
  noting_ = tracing_ || counting();
}

void Engine::count(EventCounts& counts, TraceEvent event, std::int32_t flit, NodeId node, Port port) const {
  const auto n = static_cast<std::size_t>(node);
  switch (event) {
    case TraceEvent::inject: ++counts.injected[n]; return;
    case TraceEvent::hop: counts.heads[n] += flit == 0 ? 1 : 0; return;  // flits are in the load of links
    case TraceEvent::eject:
    case TraceEvent::store:
      ++(event == TraceEvent::eject ? counts.ejected : counts.stored)[n];
      if (!moves_worms(declaration_.storage)) counts.heads[n] += flit == 0 ? 1 : 0;
      return;
    case TraceEvent::key:
    case TraceEvent::token:
    case TraceEvent::resend: ++counts.others[wiring_.index(node, port)]; return;
    case TraceEvent::discard:
    case TraceEvent::drop: return;
  }
}

EventCounts Engine::events_before(Step /*step*/) const {
  EventCounts events(wiring_.out.size(), controllers_.size());
  for (const EventCounts& counts : counts_) events += counts;
  events.flits = record_.link_load;
  return events;
}

void Engine::read_events(EventReader& reader, Step next) const {
  for (Step due = reader.due(); due != no_step && due <= next; due = reader.due()) reader.read(events_before(due));
}

void Engine::join(Part& part) {
  ejected_in_step_ |= std::exchange(part.ejected, false);
  hops_in_step_ += std::exchange(part.hops, 0);
  controls_in_step_ += std::exchange(part.controls, 0);
  resends_in_step_ += std::exchange(part.resends, 0);
  record_.delivered_count += std::exchange(part.delivered_packets, 0);
  record_.flits_delivered += std::exchange(part.flits_delivered, 0);
  for (std::size_t i = 0; i < part.class_flits_delivered.size(); ++i)
    record_.class_flits_delivered[i] += std::exchange(part.class_flits_delivered[i], 0);
  record_.activations += std::exchange(part.activations, 0);
  record_.queue.update(part.queue.max, part.queue.node, part.queue.step);
  if (part.stopped()) stop(part.violation);
  for (const NodeId node : part.touched) mark(touched_, partition_[partition_.part_of(node)].lane(node));
  part.touched.clear();
  for (const PacketId packet : part.delivered) on_delivered_(packet);
  part.delivered.clear();
  for (const PacketId packet : part.arrived_corrupt) lose(record_.packets[record_.at(packet)], LossCause::corrupt);
  part.arrived_corrupt.clear();
  corrupt_.insert(part.corrupted.begin(), part.corrupted.end());
  part.corrupted.clear();
  for (const PacketId packet : part.copies) deliver_copy(packet);
  part.copies.clear();
  const auto append = [](auto& list, auto& more) {
    if (list.empty()) list.swap(more);
    else list.insert(list.end(), more.begin(), more.end());
    more.clear();
  };
  for (std::size_t event = 0; event < std::size(rows_); ++event) append(rows_[event], part.rows[event]);
  append(credits_, part.credits);
}

void Engine::set_source(PacketSource* source, Step horizon) {
  source_ = source;
  horizon_ = horizon;
  fill_pending();
}

void Engine::set_observer(StepObserver* observer) {
  observer_ = observer;
  observed_.assign((controllers_.size() + 63) / 64, 0);
  touched_nodes_ = observed_;
  touched_.assign((partition_.lanes() + 63) / 64, 0);
  touch_next_ = touched_;
  if (observer == nullptr) return;
  for (std::size_t node = 0; node < controllers_.size(); ++node)
    if (observer->observes(static_cast<NodeId>(node))) observed_[node >> 6] |= std::uint64_t{1} << (node & 63);
}

void Engine::fill_pending() {
  if (pending_at_ < pending_.size()) return;
  pending_.clear();
  pending_at_ = 0;
  while (pending_.empty() && source_ != nullptr) {
    const Step from = source_->next_creation(generated_until_);
    if (from == no_step || (horizon_ != no_step && from >= horizon_)) {
      source_ = nullptr;
      source_cut_ = from != no_step;
      return;
    }
    // The source is given adjoining intervals; those before its next creation are empty and cost nothing.
    const Step to = horizon_ == no_step ? from + chunk : std::min(from + chunk, horizon_);
    source_->generate(generated_until_, to, pending_);
    generated_until_ = to;
  }
}

bool Engine::source_exhausted() const {
  return source_ == nullptr && pending_at_ == pending_.size() && outside_.empty();
}

Step Engine::next_step() const {
  if (!outside_.empty()) return next_;
  Step next = calendar_.next(next_);
  if (pending_at_ < pending_.size()) {
    const Step created = pending_[pending_at_].created;
    if (next == no_step || created < next) next = created;
  }
  if (const Step change = next_change(next); change != no_step && (next == no_step || change < next)) next = change;
  if (wake_all_ && next != no_step) return next_;
  return next;
}

/// The packet is not stored, because the run ends here.
void Engine::stop_at_switch(const Packet& packet, NodeId node) {
  stop(now_, packet.source,
       node == packet.source ? "is a switch, but a packet is created there"
                             : "gets a packet for " + graph_.node_name(node) + ", which is a switch");
}

/// A class without a subnet of its own: bounded(n) of word(seed, 3, source, created, 65536 class + 32768..), of which
/// the packets of the class that are created together take the first, second, ... draw.
int Engine::subnet_of(const Packet& packet) const {
  if (packet.subnet >= 0) return packet.subnet;
  if (declaration_.classes.empty()) return 0;
  if (const auto& fixed = declaration_.classes[packet.traffic_class].subnet) return *fixed;
  constexpr std::uint32_t words_of_class = 1 << 16, first_word = 1 << 15;
  RandomStream words(seed_, Purpose::destination, packet.source, packet.created,
                     packet.traffic_class * words_of_class + first_word);
  const auto draw = [&] { return static_cast<int>(words.bounded(static_cast<std::uint32_t>(graph_.subnets()))); };
  for (auto earlier = created_.rbegin(); earlier != created_.rend() && earlier->source == packet.source; ++earlier)
    if (earlier->traffic_class == packet.traffic_class) draw();
  return draw();
}

/// A packet without a number gets the next one.
void Engine::list_packet(Packet& packet) {
  if (packet.number != no_packet) return list_record(packet);
  packet.number = static_cast<PacketId>(record_.end());
  record_.packets.push_back(packet);
  record_.delivered.push_back(no_step);
  record_.hops.push_back(0);
  flits_left_.push_back(packet.flits * copies_of(packet));
}

/// The flits of a packet are consumed this number of times.
std::int32_t Engine::copies_of(const Packet& packet) const {
  return is_group(packet.destination)
             ? static_cast<std::int32_t>(declaration_.tree_of(packet.destination).group.destinations.size())
             : 1;
}

/// The numbers between those that are listed and this one get their packets later, or never.
void Engine::list_record(const Packet& packet) {
  const std::size_t at = record_.at(packet.number), end = record_.packets.size();
  if (at < end) --record_.missing;
  else {
    record_.missing += static_cast<std::int64_t>(at - end);
    record_.packets.resize(at + 1, missing_packet);
    record_.delivered.resize(at + 1, no_step);
    record_.hops.resize(at + 1, 0);
    flits_left_.resize(at + 1, 0);
  }
  record_.packets[at] = packet;
  flits_left_[at] = packet.flits;
}

void Engine::add_packet(Packet& packet) {
  if (graph_.subnets() > 1) packet.subnet = static_cast<std::int8_t>(subnet_of(packet));
  if (packet.number == no_packet && record_.end() == most_packets)
    return stop(now_, packet.source,
                "creates one packet more than " + std::to_string(most_packets) +
                    ", which is the limit; shorten the run, or lower its rate");
  if (is_group(packet.destination) && declaration_.multicast == nullptr)
    return stop(now_, packet.source,
                "gets a packet to several destinations, but its algorithm has only packets to one");
  list_packet(packet);
  record_.flits_created += packet.flits;
  created_.push_back(packet);
  long_packets_ |= packet.flits > 1;
  if (declaration_.most_flits != 0 && packet.flits > declaration_.most_flits)
    stop(now_, packet.source,
         "gets a packet of " + std::to_string(packet.flits) + " flits, but its algorithm carries packets of " +
             (declaration_.most_flits == 1 ? "one flit"
                                           : "at most " + std::to_string(declaration_.most_flits) + " flits"));
  for (const NodeId node : {packet.source, packet.destination})
    if (!is_group(node) && wiring_.is_switch(node)) return stop_at_switch(packet, node);
  if (unreachable_ != nullptr)
    if (const auto cause = cause_of_loss(packet)) return lose(packet, *cause);
  if (packet.source == packet.destination && !declaration_.routes_own) {
    record_.delivered[record_.at(packet.number)] = now_;
    flits_left_[record_.at(packet.number)] = 0;
    ++record_.delivered_count;
    ++record_.own_count;
    record_.flits_delivered += packet.flits;
    return;
  }
  memory_.add(memory_.queue_of(packet.source, memory_.queues() > 1 ? packet.traffic_class : 0), packet.number);
  ++fresh_[packet.source];
  const std::size_t part = partition_.part_of(packet.source);
  calendar_.wake_near(partition_[part].lane(packet.source), now_, part);
}

/// Why a new packet is not sent.
std::optional<LossCause> Engine::cause_of_loss(const Packet& packet) const {
  const bool source_is_dead =
      hardware_ ? hardware_->processor_is_dead(packet.source) : unreachable_->faults().processor_is_dead(packet.source);
  return known_->cause(packet.source, packet.destination, source_is_dead);
}

Step Engine::next_change_of_hardware(Step next) const {
  const bool is_due = due_ != nullptr && !(draining_ && !is_empty());
  const Step change = is_due ? std::max(next_, due_->reroute.due) : no_step;
  const Step last = next != no_step ? next : std::max(timeline_->last_scheduled(), change);
  const FaultEvent* const event = timeline_->find(next_event_, last);
  if (event == nullptr) return change;
  return is_due ? std::min(event->step, change) : event->step;
}

void Engine::change_hardware() {
  const bool may_change = unreachable_->reroutes() != nullptr && next_change_of_hardware(now_) == now_;
  const bool was_empty = may_change && is_empty();
  std::vector<FaultEvent> events;
  for (; const FaultEvent* const event = timeline_->find(next_event_, now_); ++next_event_) {
    hardware_->apply(*event);
    events.push_back(*event);
    // Observers see it in this step.
    if (observed()) mark(touch_next_, partition_[partition_.part_of(event->node)].lane(event->node));
  }
  act_on_faults(events);
  if (may_change) change_routing(events, was_empty);
  lose_heads();
}

/// \param events hardware has died or been repaired in this step, which postpones a change that is due.
void Engine::change_routing(const std::vector<FaultEvent>& events, bool was_empty) {
  const Reroutes& reroutes = *unreachable_->reroutes();
  if (!events.empty()) {
    try {
      due_ = reroutes.after(events, *hardware_);
    } catch (const InputError&) {
      failure_ = std::current_exception();
      return stop(now_, events.front().node, "has routing functions that cannot learn of dead hardware");
    }
  }
  if (due_ == nullptr || now_ < due_->reroute.due) return;
  if (reroutes.rules().transition == Transition::drain) {
    if (!std::exchange(draining_, true)) record_.drains.push_back(now_);
    if (!was_empty) return;
  }
  if (reroutes.rules().transition == Transition::flush) flush();
  draining_ = false;
  const std::shared_ptr<const RerouteKnowledge> before = std::exchange(latest_, std::exchange(due_, nullptr));
  known_ = &latest_->unreachable;
  rerouted_ = latest_->algorithm.get();
  record_.reroutes.push_back(now_);
  reroute(*rerouted_);
  lose_unreachable();
}

/// The packets that processors have not begun to send, and never will.
void Engine::lose_unreachable() {
  for (NodeId node = 0; node < wiring_.nodes; ++node)
    for (int queue = 0; queue < memory_.queues(); ++queue) {
      const NodeId number = memory_.queue_of(node, queue);
      PacketId packet = memory_.front(number);
      if (memory_.flits_sent(number) > 0) packet = memory_.after(packet);
      while (packet != no_packet) {
        const Packet& facts = record_.packets[record_.at(packet)];
        const PacketId next = memory_.after(packet);
        if (const auto cause = cause_of_loss(facts)) {
          memory_.take_packet(number, packet);
          lose(facts, *cause);
        }
        packet = next;
      }
    }
}

void Engine::lose(const Packet& packet, LossCause cause) {
  record_.lost.emplace(packet.number, Loss{cause, now_});
  ++record_.lost_by_cause[static_cast<std::size_t>(cause)];
  ++record_.lost_count;
  record_.flits_lost += std::exchange(flits_left_[record_.at(packet.number)], 0);
  corrupt_.erase(packet.number);
}

void Engine::give_up_memory(NodeId node) {
  for (int queue = 0; queue < memory_.queues(); ++queue)
    for (const NodeId number = memory_.queue_of(node, queue); memory_.front(number) != no_packet;)
      lose(record_.packets[record_.at(memory_.take_packet(number))], LossCause::dead_source);
}

void Engine::create_packets(Step step) {
  created_.clear();
  if (outside_.empty() && (pending_at_ == pending_.size() || pending_[pending_at_].created != step)) return;
  // Calls from outside join the packets of the same step in the order of their sources.
  for (Packet& packet : outside_)
    if (packet.number == no_packet) packet.created = step;
  const auto by_source = [](const Packet& a, const Packet& b) { return a.source < b.source; };
  if (!std::is_sorted(outside_.begin(), outside_.end(), by_source))
    std::stable_sort(outside_.begin(), outside_.end(), by_source);
  std::size_t next_outside = 0;
  for (; pending_at_ < pending_.size() && pending_[pending_at_].created == step; ++pending_at_) {
    while (next_outside < outside_.size() && outside_[next_outside].source < pending_[pending_at_].source)
      add_packet(outside_[next_outside++]);
    add_packet(pending_[pending_at_]);
  }
  while (next_outside < outside_.size()) add_packet(outside_[next_outside++]);
  outside_.clear();
  fill_pending();
  if (on_created_ && !created_.empty()) on_created_(created_);
  if (step_sink_ != nullptr) report_.created = created_;
}

/// A flit that a node sends in this step is not on its link in the next one, so the node is touched in the step after
/// it has run, too.
void Engine::touch_running(const Part& part, const WakeCalendar::Bitmap& running) {
  for (std::size_t w = part.nodes.first_word(); w < part.nodes.last_word(); ++w) {
    const std::uint64_t now = wake_all_ ? ~std::uint64_t{0} : running[w];
    touched_[w] |= now;
    touch_next_[w] |= now;
  }
}

void Engine::show(Step from, Step to) {
  if (partition_.size() > 1) {
    std::fill(touched_nodes_.begin(), touched_nodes_.end(), 0);
    for (std::size_t p = 0; p < partition_.size(); ++p)
      for (NodeId node = partition_[p].first; node < partition_[p].last; ++node) {
        const NodeId lane = partition_[p].lane(node);
        if ((touched_[static_cast<std::size_t>(lane) >> 6] >> (lane & 63) & 1) != 0) mark(touched_nodes_, node);
      }
  }
  observer_->show(from, to, partition_.size() > 1 ? touched_nodes_ : touched_, *this);
}

void Engine::show_idle_steps(Step until) {
  now_ = next_;
  touched_.swap(touch_next_);
  std::fill(touch_next_.begin(), touch_next_.end(), 0);
  show(next_, until);
}

void Engine::run_step(Step step) {
  if (observed() && step > next_) show_idle_steps(step);
  now_ = step;
  ejected_in_step_ = false;
  hops_in_step_ = controls_in_step_ = resends_in_step_ = 0;
  if (hardware_) change_hardware();
  create_packets(step);
  WakeCalendar::Bitmap& awake = calendar_.take(step);
  if (observed()) {
    touched_.swap(touch_next_);
    std::fill(touch_next_.begin(), touch_next_.end(), 0);
  }
  const std::int64_t activations = record_.activations;
  if (pool_ != nullptr && long_packets_) flits_stored_.resize(record_.packets.size(), 0);
  run_nodes(step, awake);
  for (const Packet& packet : created_) fresh_[packet.source] = 0;
  report_step();  // unless a thread has done so
  // About the same number of nodes runs in the next step.
  parallel_ = pool_ != nullptr &&
              record_.activations - activations >= min_nodes_per_thread * static_cast<std::int64_t>(partition_.size());
  for (Words* words : {&reverse_, &forward_})
    for (std::size_t at = calendar_.phase(step); at < words->any.size(); at += words->stride) words->any[at] = 0;
  record_.flit_hops += hops_in_step_;
  record_.control_hops += controls_in_step_;
  next_ = step + 1;
  record_.steps_run = next_;
  if (tracing_credits()) flush_credits();
  if (tracing()) flush_rows();
  std::swap(report_, pending_report_);
  if (!reports_one_step_late()) report_step();
  if (observed()) show(step, next_);
}

Flit Engine::stored(NodeId /*node*/, std::int32_t /*buffer*/, std::int32_t /*i*/) const {
  throw std::logic_error("worms that move as units are in no buffer");
}

void Engine::remove_before(PacketId first) {
  const std::size_t count = record_.at(first);
  const auto remove = [count](auto& list) {
    list.erase(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(std::min(count, list.size())));
  };
  remove(record_.packets);
  remove(record_.delivered);
  remove(record_.hops);
  remove(record_.injected);
  remove(flits_left_);
  remove(flits_stored_);
  memory_.remove_before(first);
  record_.lost.erase(record_.lost.begin(), record_.lost.lower_bound(first));
  record_.first = first;
}

void Engine::finish(Step end) {
  if (observed() && end > next_) show_idle_steps(end);
  record_.steps_run = next_ = std::max(next_, end);
  close_record(next_ - 1);
  report_step();
}

void Engine::report_step() {
  if (pending_report_.empty()) return;
  step_sink_->step(pending_report_.created, pending_report_.credits, pending_report_.rows);
  pending_report_.clear();
}

void Engine::flush_credits() {
  if (credits_.empty()) return;
  std::sort(credits_.begin(), credits_.end());
  for (CreditSink* sink : credit_sinks_) sink->rows(credits_);
  if (step_sink_ != nullptr) report_.credits.swap(credits_);
  credits_.clear();
}

void Engine::flush_rows() {
  sorted_.clear();
  for (std::vector<TraceRow>& rows : rows_) {
    // Rows of one event are in node order unless nodes ran in another order.
    if (!std::is_sorted(rows.begin(), rows.end())) std::sort(rows.begin(), rows.end());
    sorted_.insert(sorted_.end(), rows.begin(), rows.end());
    rows.clear();
  }
  if (sorted_.empty()) return;
  for (TraceSink* sink : sinks_) sink->rows(sorted_);
  if (step_sink_ != nullptr) report_.rows.swap(sorted_);
}

void Engine::stop(const Violation& violation) { keep_first(violation_, violation); }

void Engine::write_word(const Part& part, Words& words, const Wiring::End& to, Step step, std::uint32_t word) {
  const std::size_t phase = calendar_.phase(step);
  const NodeId lane = partition_.lane(part.nodes, to.node);
  words.word[phase * wiring_.out.size() + wiring_.index(to.node, to.port)] = word;
  words.arrived[phase * partition_.lanes() + static_cast<std::size_t>(lane)] |= PortMask{1} << to.port;
  words.any[part.number * words.stride + phase] = 1;
  calendar_.wake_near(lane, step, part.number);
}

PortMask Engine::read_words(const Part& part, Words& words, NodeId node, const std::uint32_t*& base) {
  const std::size_t phase = calendar_.phase(now_);
  if (!words.any_in(phase)) return 0;
  base = &words.word[phase * wiring_.out.size() + wiring_.index(node, 0)];
  return std::exchange(words.arrived[phase * partition_.lanes() + static_cast<std::size_t>(part.lane(node))], 0);
}

void Engine::take_mirrored_words(NodeId mirror, NodeId lane) {
  for (Words* words : {&reverse_, &forward_}) {
    if (words->any.empty()) continue;
    PortMask* const arrived = &words->arrived[calendar_.phase(now_) * partition_.lanes()];
    arrived[lane] |= std::exchange(arrived[mirror], 0);
  }
}

template <class Ports>
void Engine::gather_extras(const Part& part, FrameOf<Ports>& frame) {
  if constexpr (std::is_same_v<Ports, PortMask>) {  // `make` refuses side wires of other frames
    if (declaration_.reverse_wire) frame.reverse_arrived = read_words(part, reverse_, frame.node, frame.reverse_words);
    if (declaration_.forward_wire) frame.forward_arrived = read_words(part, forward_, frame.node, frame.forward_words);
  }
  if (!has_intervals()) return;
  frame.withheld = Ports{};
  for_each_port(frame.out_ports, [&](Port port) {
    if (free_from_[wiring_.index(frame.node, port)] > now_) add_port(frame.withheld, port);
  });
  frame.out_ports = without(frame.out_ports, frame.withheld);
}

template <class Ports>
void Engine::commit_extras(Part& part, const FrameOf<Ports>& frame) {
  if (has_intervals())
    for_each_port(frame.sent, [&](Port port) { occupy_link(wiring_.index(frame.node, port), now_); });
  if (!has_none(frame.reverse_written) && !declaration_.reverse_wire)
    return part.stop(now_, frame.node, "writes a reverse side wire that its algorithm did not declare");
  if (!has_none(frame.forward_written) && !declaration_.forward_wire)
    return part.stop(now_, frame.node, "writes a forward side wire that its algorithm did not declare");
  for_each_port(frame.reverse_written, [&](Port port) {
    const Wiring::End from = wiring_.in[wiring_.index(frame.node, port)];
    write_word(part, reverse_, from, now_ + wiring_.wire_latency(wiring_.index(from.node, from.port)),
               frame.reverse_out[port]);
  });
  for_each_port(frame.forward_written, [&](Port port) {
    const std::size_t index = wiring_.index(frame.node, port);
    write_word(part, forward_, wiring_.out[index], now_ + wiring_.wire_latency(index), frame.forward_out[port]);
  });
}

template void Engine::gather_extras(const Part&, FrameOf<PortMask>&);
template void Engine::gather_extras(const Part&, FrameOf<ManyPorts>&);
template void Engine::commit_extras(Part&, const FrameOf<PortMask>&);
template void Engine::commit_extras(Part&, const FrameOf<ManyPorts>&);

void Engine::deliver_flit(Part& part, const Flit& flit, NodeId node) {
  part.ejected = true;
  if (noting()) note(part, TraceEvent::eject, flit.packet, flit.index, node);
  if (is_group(flit.destination)) return part.copies.push_back(flit.packet);
  ++part.flits_delivered;
  const std::size_t packet = record_.at(flit.packet);
  if (!part.class_flits_delivered.empty()) ++part.class_flits_delivered[record_.packets[packet].traffic_class];
  if (flit.index == 0) record_.hops[packet] += flit.hops;
  if (--flits_left_[packet] != 0) return;
  if (!corrupt_.empty() && corrupt_.count(flit.packet) != 0) return part.arrived_corrupt.push_back(flit.packet);
  record_.delivered[packet] = now_;
  ++part.delivered_packets;
  if (on_delivered_) part.delivered.push_back(flit.packet);
}

/// A flit of a packet to several destinations was consumed at one of them. Other parts may consume copies of it in the
/// same step, so the parts are joined first.
void Engine::deliver_copy(PacketId id) {
  const std::size_t at = record_.at(id);
  if (--flits_left_[at] != 0) return;
  const Packet& packet = record_.packets[at];
  record_.flits_delivered += packet.flits;
  record_.hops[at] = declaration_.tree_of(packet.destination).links;
  record_.delivered[at] = now_;
  ++record_.delivered_count;
  if (on_delivered_) on_delivered_(id);
}

void Engine::store_flit(Part& part, const Flit& flit, NodeId node) {
  part.ejected = true;
  if (noting()) note(part, TraceEvent::store, flit.packet, flit.index, node);
  const std::size_t packet = record_.at(flit.packet);
  if (flit.index == 0) record_.hops[packet] += flit.hops;
  const std::int32_t flits = record_.packets[packet].flits;
  if (flits > 1) {
    if (flits_stored_.size() <= packet) flits_stored_.resize(packet + 1, 0);
    if (++flits_stored_[packet] < flits) return;
    flits_stored_[packet] = 0;
  }
  memory_.add(node, flit.packet);
  // The packet is complete in the memory at the end of this step: its node may use it in the next one.
  wake_node(part, node, now_ + 1);
}

std::vector<Engine::Waiting> Engine::waiting_in_memories(const Algorithm& algorithm, std::size_t most) const {
  std::vector<Waiting> list;
  for (NodeId node = 0; node < wiring_.nodes; ++node)
    for (int queue = 0; queue < memory_.queues(); ++queue) {
      PacketId packet = memory_.front(memory_.queue_of(node, queue));
      for (; packet != no_packet; packet = memory_.after(packet)) {
        if (list.size() >= most) return list;
        Flit head;
        head.packet = packet;
        head.destination = record_.packets[record_.at(packet)].destination;
        list.push_back({packet, node, algorithm.next_port(node, head), true});
      }
    }
  return list;
}

}  // namespace starloom::links
