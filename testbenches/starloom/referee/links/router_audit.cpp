// SPDX-License-Identifier: Apache-2.0
#include <starloom/referee/links/router_audit.hpp>

#include <algorithm>
#include <string>

namespace starloom::links {
namespace {

// The pipeline, stated independently of the program that simulates it (modules/starloom/control/links/pipeline.hpp).
// A flit that the processor sends in s is readable in s + 2. With a crossbar of X steps, a flit that leaves its buffer
// in t enters its link in t + X + 1, or is consumed in t + X + 2.
constexpr Step injection = 2, link_register = 1, exit_register = 2;
// The credit of a flit that leaves in step t is a word on the side wire in t + 1; the processor may use it
// in the step after.
constexpr Step word = 1, source_credit = 1;
// A flit that a terminal sends in s enters its link in s + 1; the credit of a channel towards a terminal is available
// two steps after the flit.
constexpr Step onto_link = 1, exit_credit = 2;

}  // namespace

RouterAudit::RouterAudit(const CheckContext& context)
    : context_(context),
      rules_(*context.rules().router),
      to_link_(rules_.crossbar_steps + link_register),
      request_to_link_(to_link_ + rules_.flit_steps - 1),
      to_processor_(rules_.crossbar_steps + exit_register),
      buffers_((context.link_slots() + static_cast<std::size_t>(context.graph().nodes())) *
               static_cast<std::size_t>(context.rules().channels)),
      terminals_(static_cast<std::size_t>(context.graph().nodes())) {
  for (NodeId node = 0; node < context.graph().nodes(); ++node)
    terminals_[static_cast<std::size_t>(node)] = context.graph().is_terminal(node);
}

std::size_t RouterAudit::buffer_of(const TraceRow& row, std::size_t location) const {
  const std::int32_t channels = context_.rules().channels;
  if (row.channel < 0 || row.channel >= channels)
    context_.reject(row,
                    "is in channel " + std::to_string(row.channel) + ", but there are " + std::to_string(channels));
  return location * static_cast<std::size_t>(channels) + static_cast<std::size_t>(row.channel);
}

std::string RouterAudit::name(std::size_t buffer) const {
  const auto channels = static_cast<std::size_t>(context_.rules().channels);
  const std::string channel = "channel " + std::to_string(buffer % channels) + " of ";
  const std::size_t location = buffer / channels;
  if (location >= context_.link_slots())
    return channel + "the local in-port of " +
           context_.node_name(static_cast<NodeId>(location - context_.link_slots()));
  return channel + context_.link_name(static_cast<LinkId>(location));
}

void RouterAudit::check_slots(const TraceRow& row, std::size_t buffer) const {
  const auto& flits = buffers_[buffer].flits;
  // A flit counts until this row even if its crossbar takes longer than one step.
  const Step step = row.step - (rules_.crossbar_steps - 1);
  const auto there = std::count_if(flits.begin(), flits.end(), [&](const Entry& e) { return e.readable <= step; });
  if (there > context_.rules().capacity)
    context_.reject(row, "finds " + std::to_string(there) + " flits in " + name(buffer) + ", which has room for " +
                             std::to_string(context_.rules().capacity));
}

NodeId RouterAudit::node_of(std::size_t buffer) const {
  const std::size_t location = buffer / static_cast<std::size_t>(context_.rules().channels);
  return location >= context_.link_slots() ? static_cast<NodeId>(location - context_.link_slots())
                                           : context_.far_end(static_cast<LinkId>(location));
}

void RouterAudit::open_channel(const TraceRow& row, std::size_t buffer) {
  Buffer& b = buffers_[buffer];
  if (row.flit == 0 && b.open != no_packet)
    context_.reject(row, "enters " + name(buffer) + " before the tail of packet " + std::to_string(b.open));
  if (row.flit != 0 && b.open != row.packet)
    context_.reject(row, "enters " + name(buffer) + ", which does not carry its packet");
  b.open = is_tail(row) ? no_packet : row.packet;
}

/// \param sent the last step in which a credit that is used can have been returned.
void RouterAudit::spend_credit(const TraceRow& row, std::size_t buffer, Step sent) {
  Buffer& b = buffers_[buffer];
  while (!b.returning.empty() && b.returning.front() <= sent) {
    b.returning.pop_front();
    --b.spent;
  }
  if (rules_.waits_for_tail_credit && row.flit == 0 && b.spent > 0)
    context_.reject(row, "enters " + name(buffer) + " before the credit of the tail before it is back");
  if (++b.spent > context_.rules().capacity) context_.reject(row, "enters " + name(buffer) + " without a credit");
}

void RouterAudit::enter(const TraceRow& row, std::size_t buffer, Step readable, Step sent) {
  open_channel(row, buffer);
  buffers_[buffer].flits.push_back({row.packet, row.flit, readable});
  check_slots(row, buffer);
  if (rules_.credits) spend_credit(row, buffer, sent);
}

/// \param after_switch steps from leaving the buffer to this row.
void RouterAudit::leave(const TraceRow& row, Step after_switch) {
  Worm& worm = worms_.at(row.packet);
  const std::size_t buffer = worm.path[worm.at[static_cast<std::size_t>(row.flit)]];
  Buffer& b = buffers_[buffer];
  check_slots(row, buffer);
  const Entry& front = b.flits.front();
  if (front.packet != row.packet || front.flit != row.flit)
    context_.reject(row, "leaves " + name(buffer) + " before flit " + std::to_string(front.flit) + " of packet " +
                             std::to_string(front.packet));
  const Step stay = row.flit == 0 ? rules_.head_steps : rules_.flit_steps;
  const Step least = std::max(front.readable, b.left + 1) + stay - 1 + after_switch;
  if (row.step < least)
    context_.reject(row, "moves before step " + std::to_string(least) + ", faster than the pipeline of its router");
  if (rules_.credits && front.credited == no_step)
    context_.reject(row, "leaves " + name(buffer) + ", but no credit is returned for it");
  if (rules_.credits && row.step != front.credited + after_switch - word)
    context_.reject(row, "moves in another step than its credit of step " + std::to_string(front.credited) + " says");
  b.left = row.step - after_switch;
  b.flits.pop_front();
}

void RouterAudit::inject(const TraceRow& row) {
  const std::size_t buffer = buffer_of(row, local(row.node));
  Worm& worm = worms_[row.packet];
  if (row.flit == 0)
    worm = {{buffer}, std::vector<std::size_t>(static_cast<std::size_t>(context_.packet(row.packet).flits))};
  if (is_terminal(row.node)) leaving_[row.node].push_back({row.packet, row.flit, row.channel, row.step + onto_link});
  else enter(row, buffer, row.step + injection, row.step);
}

void RouterAudit::end_step() {
  // A flit that is consumed in a step has passed the switch before one that enters a link in it.
  for (const auto& [row, link] : hops_) cross(row, link);
  hops_.clear();
}

void RouterAudit::leave_terminal(const TraceRow& row) {
  std::deque<InTransit>& leaving = leaving_[row.node];
  if (leaving.empty() || leaving.front().packet != row.packet || leaving.front().flit != row.flit)
    context_.reject(row, "leaves a terminal, which does not forward packets, but was not injected there");
  const InTransit flit = leaving.front();
  leaving.pop_front();
  if (flit.step != row.step)
    context_.reject(row, "enters the link of its terminal in another step than " + std::to_string(flit.step) +
                             ", the one after its injection");
  if (flit.channel != row.channel)
    context_.reject(row, "enters channel " + std::to_string(row.channel) + ", but was injected for channel " +
                             std::to_string(flit.channel));
}

void RouterAudit::enter_terminal(const TraceRow& row, std::size_t buffer, LinkId link) {
  if (row.to != context_.packet(row.packet).destination)
    context_.reject(row, "goes to a terminal, which does not forward packets, and is not its destination");
  open_channel(row, buffer);
  spend_credit(row, buffer, row.step - request_to_link_);
  const Step arrival = row.step + context_.latency(link);
  buffers_[buffer].returning.push_back(arrival + exit_credit + rules_.credit_extra);
  arriving_[row.to].push_back({row.packet, row.flit, row.channel, arrival});
}

void RouterAudit::cross(const TraceRow& row, LinkId link) {
  const std::size_t buffer = buffer_of(row, behind(link));
  const bool injected = is_terminal(row.node);
  if (injected) leave_terminal(row);
  else leave(row, to_link_);
  Worm& worm = worms_.at(row.packet);
  if (row.flit == 0) worm.path.push_back(buffer);
  const std::size_t location = ++worm.at[static_cast<std::size_t>(row.flit)];
  if (worm.path[location] != buffer)
    context_.reject(row, "enters " + name(buffer) + ", but its head took " + name(worm.path[location]));
  if (is_terminal(row.to)) enter_terminal(row, buffer, link);
  else enter(row, buffer, row.step + context_.latency(link), row.step - (injected ? onto_link : request_to_link_));
}

void RouterAudit::consume(const TraceRow& row) {
  if (is_terminal(row.node)) {
    std::deque<InTransit>& arriving = arriving_[row.node];
    const InTransit flit = arriving.empty() ? InTransit{no_packet, 0, 0, no_step} : arriving.front();
    if (flit.packet != row.packet || flit.flit != row.flit || flit.step != row.step)
      context_.reject(row, "is consumed at a terminal in another step than that in which it arrives there");
    arriving.pop_front();
  } else {
    leave(row, to_processor_);
  }
  if (is_tail(row)) worms_.erase(row.packet);
}

void RouterAudit::credits(const std::vector<CreditRow>& of_one_step) {
  for (const CreditRow& row : of_one_step) {
    const auto reject = [&row, this](const std::string& text) {
      CheckContext::reject(row.step, row.node,
                           context_.has_node(row.node) ? context_.node_name(row.node) : "the network", text);
    };
    if (!(last_credit_ < row) ||
        (row.step == last_credit_.step && row.node == last_credit_.node && row.port == last_credit_.port))
      reject("a credit is out of order, or the second of its in-port in one step");
    last_credit_ = row;
    if (!context_.has_node(row.node) || row.port < 0 || row.port > context_.graph().ports() || row.channel < 0 ||
        row.channel >= context_.rules().channels)
      reject("a credit is for a node, port or channel that does not exist");
    const bool is_local = row.port == context_.graph().ports();
    const LinkEnd from = is_local ? LinkEnd{row.node, 0} : context_.graph().near_end(row.node, row.port);
    if (!from.connected()) reject("a credit comes from an in-port that has no link");
    if (is_terminal(row.node)) reject("a credit comes from a terminal, which has no buffers");
    const bool is_source = is_local || is_terminal(from.node);
    const LinkId link = is_local ? -1 : context_.link(from.node, from.port);
    const std::size_t location = is_local ? local(row.node) : behind(link);
    const std::size_t buffer =
        location * static_cast<std::size_t>(context_.rules().channels) + static_cast<std::size_t>(row.channel);
    Buffer& b = buffers_[buffer];
    const auto flit =
        std::find_if(b.flits.begin(), b.flits.end(), [](const Entry& e) { return e.credited == no_step; });
    if (flit == b.flits.end() || flit->readable > row.step - word)
      reject("a credit is returned by " + name(buffer) + ", but no flit has left it");
    flit->credited = row.step;
    b.returning.push_back(row.step + (is_local ? source_credit : context_.latency(link)) +
                          (is_source ? 0 : rules_.credit_extra));
  }
}

void RouterAudit::finish(Step last) const {
  for (const auto* in_flight : {&leaving_, &arriving_})
    for (const auto& [terminal, flits] : *in_flight)
      if (!flits.empty() && flits.front().step < last)
        context_.reject(flits.front().step, terminal, flits.front().packet, flits.front().flit,
                        in_flight == &leaving_ ? "is injected at a terminal, but does not enter its link"
                                               : "arrives at a terminal, but is not consumed");
  for (std::size_t buffer = 0; buffer < buffers_.size(); ++buffer)
    for (const Entry& entry : buffers_[buffer].flits)
      if (entry.credited != no_step && entry.credited + to_processor_ - word < last)
        context_.reject(entry.credited, node_of(buffer), entry.packet, entry.flit,
                        "has a credit for leaving " + name(buffer) + ", but it does not leave");
}

}  // namespace starloom::links
