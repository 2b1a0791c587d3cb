// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/referee.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <starloom/referee/links/attempt_audit.hpp>
#include <starloom/referee/links/check_context.hpp>
#include <starloom/referee/links/fault_audit.hpp>
#include <starloom/referee/links/order_audit.hpp>
#include <starloom/referee/links/reply_audit.hpp>
#include <starloom/referee/links/router_audit.hpp>
#include <starloom/referee/links/server_audit.hpp>
#include <starloom/referee/links/storage_checker.hpp>

namespace starloom::links {

/// Checks the rules that do not depend on the storage model, row by row, and passes valid rows on.
class Referee::Replay {
 public:
  Replay(const NetworkGraph& graph, RefereeRules rules)
      : context_(graph, std::move(rules)),
        storage_(StorageChecker::make(context_)),
        has_hosts_(graph.has_hosts()),
        used_in_(context_.link_slots(), 0) {
    if (graph.greatest_interval() > 1) free_from_.resize(context_.link_slots(), 0);
    if (context_.rules().faults != nullptr) faults_.emplace(context_);
    if (context_.rules().router) router_.emplace(context_);
    if (context_.rules().any_replies()) replies_.emplace(context_);
    if (context_.rules().closed_loop) servers_.emplace(context_);
    if (repetition_of_packets(context_.rules().errors.get()) != nullptr) attempts_.emplace(context_);
  }

  void packets(const std::vector<Packet>& next) {
    context_.expect(next.size());
    storage_->expect(next.size());
    for (const Packet& packet : next) {
      if (!packet.exists()) continue;
      const PacketId number = context_.announce(packet);
      storage_->announce(number);
      if (replies_) replies_->announce(number);
      if (order_) order_->announce(number);
      if (servers_) servers_->announce(number);
    }
  }

  void rows(const std::vector<TraceRow>& batch) {
    const Step step = batch.front().step;
    if (step < 0 || step <= step_)
      context_.reject(batch.front(), "has a row after the rows of step " + std::to_string(step_));
    step_ = step;
    if (++batches_ == 0) {  // all numbers have been used
      std::fill(used_in_.begin(), used_in_.end(), 0);
      batches_ = 1;
    }
    storage_->begin_step(step);
    if (faults_) begin_step(step);
    if (router_) router_->begin_step(step);
    const auto first_drop =
        std::find_if(batch.begin(), batch.end(), [](const TraceRow& row) { return row.event == TraceEvent::drop; });
    if (first_drop != batch.end()) drops(first_drop, batch.end());
    if (faults_) {
      end_deaths();
      faults_->end_drops(step);
      if (faults_->requires_paths(step))
        storage_->for_each_in_network([this, step](PacketId packet, const auto& /*state*/) {
          faults_->check_path(step, packet, storage_->location(packet));
        });
    }
    const TraceRow* previous = nullptr;
    for (const TraceRow& row : batch) {
      if (previous != nullptr && !(*previous < row))
        context_.reject(row, *previous == row ? "has the same row twice" : "has a row that is out of order");
      previous = &row;
      one(row);
      ++seen_;
    }
    storage_->end_step(step);
    if (router_) router_->end_step();
  }

  void credits(const std::vector<CreditRow>& batch) {
    if (faults_) begin_step(batch.front().step);
    if (router_) router_->credits(batch);
  }

  void remove_before(PacketId first, const std::vector<Step>& delivered, const Losses& lost) {
    begin_last_loss(lost);
    judge(first, delivered, lost, true);
    if (order_) order_->remove_before(first);
    context_.remove_before(first);
    storage_->forget();
  }

  void finish(const std::vector<Step>& delivered, bool complete, const Losses& lost) {
    if (router_) router_->begin_step(step_ + 1);
    if (router_) router_->finish(step_);
    if (replies_) replies_->finish(step_);
    if (order_) order_->finish();
    if (servers_) servers_->finish(step_);
    const std::size_t packets = context_.at(context_.packets());
    if (delivered.size() != packets)
      reject_end("the network", std::to_string(delivered.size()) + " packets are reported, " + std::to_string(packets) +
                                    " were created");
    if (attempts_) attempts_->finish(complete ? std::numeric_limits<Step>::max() : step_, lost);
    begin_last_loss(lost);
    judge(context_.packets(), delivered, lost, complete);
  }

  /// Compares the reported deliveries of packets below `end` with the rows; `complete`: all of them must have
  /// arrived.
  void judge(PacketId end, const std::vector<Step>& delivered, const Losses& lost, bool complete) const {
    for (PacketId packet = context_.first(); packet < end; ++packet) {
      if (!context_.packet(packet).exists()) continue;
      const Step reported = delivered[context_.at(packet)];
      if (faults_) {
        const auto found = lost.find(packet);
        faults_->judge(packet, found == lost.end() ? nullptr : &found->second, reported);
        if (found != lost.end()) continue;
      }
      const bool home = context_.stays_home(packet);
      Step seen = home ? context_.packet(packet).created : context_.delivered(packet);
      if (home && context_.rules().of_netrace && reported == seen + 1) seen = reported;
      if (reported != seen) reject_end(packet, report(packet, reported, seen));
      if (complete && seen == no_step)
        reject_end(packet, "never arrives; it remains in " + context_.node_name(storage_->location(packet)));
    }
  }

  std::optional<std::int64_t> nacks() const { return router_ ? router_->nacks() : std::nullopt; }
  Changes changes(Step last) {
    if (!faults_) return {};
    begin_step(last);
    return {faults_->drains(), faults_->reroutes()};
  }

  void attempt(PacketId attempt, PacketId first) {
    if (attempts_) attempts_->declare(attempt, first);
  }
  OrderAudit& order() { return order_ ? *order_ : order_.emplace(context_); }

  void note(const Violation& violation) { violation_ = violation; }
  bool ok() const { return violation_.text.empty(); }
  const Violation& violation() const { return violation_; }
  std::int64_t seen() const { return seen_; }

 private:
  using Rows = std::vector<TraceRow>::const_iterator;

  /// Hardware dies and is repaired at the beginning of this step, and of steps before it that had no rows.
  void begin_step(Step step) {
    while (const FaultEvent* const event = faults_->next_event(step)) {
      if (!deaths_.empty() && deaths_.front().step < event->step) end_deaths();
      faults_->change_routing(event->step - 1);
      faults_->apply(*event);
      if (router_) router_->change(*event);
      if (event->dies) deaths_.push_back(*event);
    }
    if (!deaths_.empty() && deaths_.front().step < step) end_deaths();
    faults_->change_routing(step);
  }
  /// Packets may be lost in a step after the last row.
  void begin_last_loss(const Losses& lost) {
    Step last = step_;
    for (const auto& [packet, loss] : lost) last = std::max(last, loss.at);
    if (faults_) begin_step(last);
  }
  /// The flits that use hardware which has died have vanished.
  void end_deaths() {
    if (!router_)
      for (const FaultEvent& death : deaths_) storage_->check_death(death);
    if (router_ && !deaths_.empty()) {
      for (const FaultEvent& death : deaths_) router_->check_death(death);
      for (const PacketId packet : faults_->interrupted())
        if (router_->uses(packet, deaths_)) faults_->cut(packet, deaths_.front().step);
    }
    deaths_.clear();
  }
  /// Flits vanish before anything else happens in a step.
  void drops(Rows first, Rows last) {
    if (!context_.rules().hardware_changes()) context_.reject(*first, "vanishes, but no hardware dies in this run");
    for (Rows row = first; row != last; ++row) {
      if (row->event != TraceEvent::drop) context_.reject(*row, "has a row that is out of order");
      check_flit(*row);
      if (!context_.has_node(row->node)) return;  // the rows are checked below
      check_drop(*row);
      if (router_ && router_->refutes(*row)) storage_->repeat(*row);
      const bool is_cut = router_ ? router_->uses(*row, deaths_) : storage_->uses(*row, deaths_);
      storage_->drop(*row);
      faults_->drop(*row, is_cut);
    }
    for (Rows row = first; row != last && router_; ++row) router_->drop(*row);
    storage_->end_drops();
  }

  // The code that every row needs is inline, the rest is out of line: the compiler does not know which is which.
  [[gnu::always_inline]] void one(const TraceRow& row) {
    if (row.step != step_) context_.reject(row, "is among the rows of step " + std::to_string(step_));
    if (!context_.has_node(row.node))
      context_.reject(row, "names node " + std::to_string(row.node) + ", which is not in the network");
    switch (row.event) {
      case TraceEvent::inject:
        check_flit(row);
        check_no_link(row);
        check_processor(row);
        if (faults_) faults_->inject(row);
        if (attempts_) attempts_->inject(row);
        storage_->inject(row);
        if (router_) router_->inject(row);
        if (replies_) replies_->inject(row);
        if (order_) order_->inject(row);
        if (servers_) servers_->inject(row);
        return;
      case TraceEvent::hop: {
        check_flit(row);
        const LinkId link = check_link(row);
        if (has_hosts_) check_source(row);
        if (faults_) faults_->hop(row);
        storage_->hop(row, link);
        if (router_ && !router_->cross(row, link)) storage_->repeat(row);
        return;
      }
      case TraceEvent::eject:
      case TraceEvent::store:
        check_flit(row);
        check_no_link(row);
        check_processor(row);
        check_end(row);
        if (faults_) faults_->consume(row);
        storage_->consume(row);
        if (router_) router_->consume(row);
        if (replies_) replies_->consume(row);
        if (servers_) servers_->consume(row);
        return;
      case TraceEvent::key:
      case TraceEvent::token:
        if (row.packet != no_packet || row.flit != -1) context_.reject(row, "names a packet");
        return storage_->control(row, check_link(row));
      case TraceEvent::resend: {
        check_repeats(row);
        check_flit(row);
        const LinkId link = check_link(row);
        if (faults_) faults_->hop(row);
        if (router_->cross(row, link)) storage_->accept(row, link);
        else storage_->repeat(row);
        return;
      }
      case TraceEvent::discard:
        check_repeats(row);
        check_flit(row);
        if (!context_.has_port(row.port) || row.to != no_node)
          context_.reject(row, "is discarded, but names another port than one of its node, or a far node");
        if (router_->discard(row)) storage_->repeat(row);
        return;
      case TraceEvent::drop: return;  // see drops
    }
    context_.reject(row, "has an unknown event");
  }

  [[gnu::always_inline]] void check_flit(const TraceRow& row) const {
    if (row.packet < 0 || row.packet >= context_.packets()) context_.reject(row, "is unknown");
    if (row.packet < context_.first()) context_.reject(row, "appears after its packet was delivered");
    if (row.flit < 0 || row.flit >= context_.packet(row.packet).flits)
      context_.reject(row,
                      "is unknown: its packet has " + std::to_string(context_.packet(row.packet).flits) + " flits");
    if (context_.stays_home(row.packet))
      context_.reject(row, "appears in the trace, but source and destination are the same node");
  }

  void check_repeats(const TraceRow& row) const {
    if (!router_ || !repeats_flits(context_.rules().errors.get()))
      context_.reject(row, "is sent again or discarded, but the links of this run do not repeat flits");
  }

  void check_no_link(const TraceRow& row) const {
    if (row.port != no_port || row.to != no_node)
      context_.reject(row, "has a port or a far node, but does not cross a link");
  }

  /// If links repeat flits, the row of a flit that has passed the switch names the link that it was on the way to.
  void check_drop(const TraceRow& row) const {
    const bool names_link = row.port != no_port && repeats_flits(context_.rules().errors.get());
    if (!names_link) return check_no_link(row);
    if (!context_.has_port(row.port) || !context_.graph().far_end(row.node, row.port).connected() ||
        context_.graph().far_end(row.node, row.port).node != row.to)
      context_.reject(row, "vanishes, but names a link that its node does not have");
  }

  [[gnu::always_inline]] LinkId check_link(const TraceRow& row) {
    if (!context_.has_port(row.port))
      context_.reject(row, "uses port " + std::to_string(row.port) + ", which the node does not have");
    const LinkId link = context_.link(row.node, row.port);
    const NodeId far = context_.far_end(link);
    if (far == no_node) context_.reject(row, "leaves through a port that has no link");
    if (far != row.to)
      context_.reject(row,
                      "goes to node " + std::to_string(row.to) + ", but the link leads to " + context_.node_name(far));
    std::uint32_t& used = used_in_[static_cast<std::size_t>(link)];
    if (used == batches_) context_.reject(row, "is the second object on the link in this step");
    used = batches_;
    if (!free_from_.empty()) check_interval(row, link);
    return link;
  }

  [[gnu::noinline]] void check_interval(const TraceRow& row, LinkId link) {
    Step& free_from = free_from_[static_cast<std::size_t>(link)];
    if (row.step < free_from)
      context_.reject(row, "crosses a link that carries one object per " + std::to_string(context_.interval(link)) +
                               " steps, before step " + std::to_string(free_from));
    free_from = row.step + context_.interval(link);
  }

  void check_processor(const TraceRow& row) const {
    if (context_.is_switch(row.node)) reject_memory_of_switch(row);
  }
  [[noreturn, gnu::noinline]] void reject_memory_of_switch(const TraceRow& row) const {
    context_.reject(row, "is injected, ejected or stored by a switch, which only a processor can do");
  }

  /// A host sends its own packets only.
  [[gnu::noinline]] void check_source(const TraceRow& row) const {
    const NetworkGraph& graph = context_.graph();
    if (graph.is_host(row.node) && graph.home(row.node) != graph.home(context_.packet(row.packet).source))
      context_.reject(row, "leaves a host, which does not forward packets, and is not its source");
  }

  void check_end(const TraceRow& row) const {
    const NodeId destination = context_.packet(row.packet).destination;
    if (is_group(destination)) {
      const std::vector<NodeId>& all = (*context_.rules().trees)[group_index(destination)].group.destinations;
      if (row.event == TraceEvent::store || !std::binary_search(all.begin(), all.end(), row.node))
        context_.reject(row, "is consumed in a node that is not one of its destinations");
      return;
    }
    if (row.event == TraceEvent::eject && row.node != destination)
      context_.reject(row, "is ejected, but its destination is " + context_.node_name(destination));
    if (row.event == TraceEvent::store && row.node == destination)
      context_.reject(row, "is stored, but it is at its destination");
  }

  std::string report(PacketId packet, Step reported, Step seen) const {
    const std::string said = reported == no_step ? "undelivered" : "delivered in step " + std::to_string(reported);
    if (context_.stays_home(packet))
      return "is reported " + said +
             ", but source and destination are the same node, so it is delivered at its creation, in step " +
             std::to_string(seen);
    if (seen_ == 0) return "is reported " + said + ", but the trace is empty";
    return "is reported " + said + ", but by the rows it " +
           (seen == no_step ? "has not arrived" : "arrives in step " + std::to_string(seen));
  }

  [[noreturn]] void reject_end(const std::string& location, const std::string& text) const {
    CheckContext::reject(std::max<Step>(step_, 0), no_node, location, text);
  }
  [[noreturn]] void reject_end(PacketId packet, const std::string& text) const {
    const Packet& facts = context_.packet(packet);
    const NodeId node = is_group(facts.destination) ? facts.source : facts.destination;
    context_.reject(std::max<Step>(step_, facts.created), node, packet, facts.flits - 1, text);
  }

  CheckContext context_;
  std::unique_ptr<StorageChecker> storage_;
  std::optional<FaultAudit> faults_;
  std::optional<RouterAudit> router_;
  std::optional<ReplyAudit> replies_;
  std::optional<OrderAudit> order_;     ///< of a workload
  std::optional<ServerAudit> servers_;  ///< of a closed loop
  std::optional<AttemptAudit> attempts_;
  const bool has_hosts_;
  std::vector<std::uint32_t> used_in_;  ///< [link] last batch that used it, counted from 1
  std::vector<FaultEvent> deaths_;      ///< of this step, before its flits that vanish have been seen
  std::vector<Step> free_from_;         ///< [link] the first step in which it accepts a flit; empty: intervals are 1
  std::uint32_t batches_ = 0;
  Step step_ = no_step;  ///< of the last batch
  std::int64_t seen_ = 0;
  Violation violation_;
};

Referee::Referee(const NetworkGraph& graph, RefereeRules rules)
    : checker_(std::make_unique<Replay>(graph, std::move(rules))) {}

Referee::~Referee() = default;

void Referee::message(std::int64_t item, std::int64_t packets, std::vector<std::int64_t> dependants) {
  checker_->order().declare(item, packets, std::move(dependants));
}

void Referee::attempt(PacketId attempt, PacketId first) try {
  if (ok()) checker_->attempt(attempt, first);
} catch (const Breach& breach) {
  checker_->note(breach.violation);
}

void Referee::packets(const std::vector<Packet>& next) try {
  if (ok()) checker_->packets(next);
} catch (const Breach& breach) {
  checker_->note(breach.violation);
}

void Referee::rows(const std::vector<TraceRow>& of_one_step) try {
  if (ok() && !of_one_step.empty()) checker_->rows(of_one_step);
} catch (const Breach& breach) {
  checker_->note(breach.violation);
}

void Referee::rows(const std::vector<CreditRow>& of_one_step) try {
  if (ok() && !of_one_step.empty()) checker_->credits(of_one_step);
} catch (const Breach& breach) {
  checker_->note(breach.violation);
}

void Referee::remove_before(PacketId first, const std::vector<Step>& delivered, const Losses& lost) try {
  if (ok()) checker_->remove_before(first, delivered, lost);
} catch (const Breach& breach) {
  checker_->note(breach.violation);
}

void Referee::finish(const std::vector<Step>& delivered, bool complete, const Losses& lost) try {
  if (ok()) checker_->finish(delivered, complete, lost);
} catch (const Breach& breach) {
  checker_->note(breach.violation);
}

Referee::Changes Referee::changes(Step last) try {
  return ok() ? checker_->changes(last) : Changes();
} catch (const Breach& breach) {
  checker_->note(breach.violation);
  return {};
}

std::optional<std::int64_t> Referee::nacks() const { return checker_->nacks(); }
bool Referee::ok() const { return checker_->ok(); }
const Violation& Referee::violation() const { return checker_->violation(); }
std::int64_t Referee::rows_seen() const { return checker_->seen(); }

}  // namespace starloom::links
