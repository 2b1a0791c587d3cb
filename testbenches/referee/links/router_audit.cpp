#include <starloom/referee/links/router_audit.hpp>

#include <algorithm>
#include <string>

namespace starloom::links {
namespace {

// Of a flit that wins the switch in step t: the credit of its place is a word on the side wire in t + 1, the flit enters its
// link in t + 2 or is consumed in t + 3.
constexpr Step to_link = 2, to_processor = 3;
constexpr Step word = 1;
// A flit that the processor sends in s is readable in s + 2; it may use a credit in the step behind its word.
constexpr Step injection = 2, source_credit = 1;

}  // namespace

RouterAudit::RouterAudit(const Scene& scene)
    : scene_(scene),
      rules_(*scene.rules().router),
      buffers_((scene.places() + static_cast<std::size_t>(scene.graph().nodes())) *
               static_cast<std::size_t>(scene.rules().channels)) {}

std::size_t RouterAudit::buffer_of(const TraceRow& row, std::size_t place) const {
  const std::int32_t channels = scene_.rules().channels;
  if (row.channel < 0 || row.channel >= channels)
    scene_.reject(row, "is in channel " + std::to_string(row.channel) + ", but there are " + std::to_string(channels));
  return place * static_cast<std::size_t>(channels) + static_cast<std::size_t>(row.channel);
}

std::string RouterAudit::name(std::size_t buffer) const {
  const auto channels = static_cast<std::size_t>(scene_.rules().channels);
  const std::string channel = "channel " + std::to_string(buffer % channels) + " of ";
  const std::size_t place = buffer / channels;
  if (place >= scene_.places())
    return channel + "the local in-port of " + scene_.node_name(static_cast<NodeId>(place - scene_.places()));
  return channel + scene_.link_name(static_cast<LinkId>(place));
}

void RouterAudit::check_places(const TraceRow& row, std::size_t buffer) const {
  const auto& flits = buffers_[buffer].flits;
  const auto there = std::count_if(flits.begin(), flits.end(), [&](const Entry& e) { return e.readable <= row.step; });
  if (there > scene_.rules().capacity)
    scene_.reject(row, "finds " + std::to_string(there) + " flits in the " + std::to_string(scene_.rules().capacity) +
                           " places of " + name(buffer));
}

NodeId RouterAudit::node_of(std::size_t buffer) const {
  const std::size_t place = buffer / static_cast<std::size_t>(scene_.rules().channels);
  return place >= scene_.places() ? static_cast<NodeId>(place - scene_.places())
                                  : scene_.far_end(static_cast<LinkId>(place));
}

/// \param sent the last step in which a credit that is used can have come back.
void RouterAudit::enter(const TraceRow& row, std::size_t buffer, Step readable, Step sent) {
  Buffer& b = buffers_[buffer];
  const std::int32_t capacity = scene_.rules().capacity;
  if (row.flit == 0 && b.open != no_packet)
    scene_.reject(row, "enters " + name(buffer) + " before the tail of packet " + std::to_string(b.open));
  if (row.flit != 0 && b.open != row.packet)
    scene_.reject(row, "enters " + name(buffer) + ", which does not carry its packet");
  b.open = is_tail(row) ? no_packet : row.packet;
  b.flits.push_back({row.packet, row.flit, readable});
  check_places(row, buffer);
  if (!rules_.credits) return;
  while (!b.returning.empty() && b.returning.front() <= sent) {
    b.returning.pop_front();
    --b.spent;
  }
  if (++b.spent > capacity) scene_.reject(row, "enters " + name(buffer) + " without a credit");
}

/// \param after_switch steps from the switch to this row.
void RouterAudit::leave(const TraceRow& row, Step after_switch) {
  Worm& worm = worms_.at(row.packet);
  const std::size_t buffer = worm.path[worm.at[static_cast<std::size_t>(row.flit)]];
  Buffer& b = buffers_[buffer];
  check_places(row, buffer);
  const Entry& front = b.flits.front();
  if (front.packet != row.packet || front.flit != row.flit)
    scene_.reject(row, "leaves " + name(buffer) + " before flit " + std::to_string(front.flit) + " of packet " +
                           std::to_string(front.packet));
  const Step least = front.readable + after_switch + (row.flit == 0 ? rules_.head_steps - 1 : 0);
  if (row.step < least)
    scene_.reject(row, "moves before step " + std::to_string(least) + ", faster than the pipeline of its router");
  if (rules_.credits && front.credited == no_step)
    scene_.reject(row, "leaves " + name(buffer) + ", but no credit goes back for it");
  if (rules_.credits && row.step != front.credited + after_switch - word)
    scene_.reject(row, "moves in another step than its credit of step " + std::to_string(front.credited) + " says");
  b.flits.pop_front();
}

void RouterAudit::inject(const TraceRow& row) {
  const std::size_t buffer = buffer_of(row, local(row.node));
  Worm& worm = worms_[row.packet];
  if (row.flit == 0)
    worm = {{buffer}, std::vector<std::size_t>(static_cast<std::size_t>(scene_.packet(row.packet).flits))};
  enter(row, buffer, row.step + injection, row.step);
}

void RouterAudit::end_step() {
  // What is consumed in a step has passed the switch before what enters a link in it.
  for (const auto& [row, link] : hops_) cross(row, link);
  hops_.clear();
}

void RouterAudit::cross(const TraceRow& row, LinkId link) {
  const std::size_t buffer = buffer_of(row, behind(link));
  leave(row, to_link);
  Worm& worm = worms_.at(row.packet);
  if (row.flit == 0) worm.path.push_back(buffer);
  const std::size_t place = ++worm.at[static_cast<std::size_t>(row.flit)];
  if (worm.path[place] != buffer)
    scene_.reject(row, "enters " + name(buffer) + ", but its head took " + name(worm.path[place]));
  enter(row, buffer, row.step + scene_.latency(link), row.step - to_link);
}

void RouterAudit::consume(const TraceRow& row) {
  leave(row, to_processor);
  if (is_tail(row)) worms_.erase(row.packet);
}

void RouterAudit::credits(const std::vector<CreditRow>& of_one_step) {
  for (const CreditRow& row : of_one_step) {
    const auto reject = [&row, this](const std::string& text) {
      Scene::reject(row.step, row.node, scene_.has_node(row.node) ? scene_.node_name(row.node) : "the network", text);
    };
    if (!(last_credit_ < row) ||
        (row.step == last_credit_.step && row.node == last_credit_.node && row.port == last_credit_.port))
      reject("a credit is out of order, or the second of its in-port in one step");
    last_credit_ = row;
    if (!scene_.has_node(row.node) || row.port < 0 || row.port > scene_.graph().ports() || row.channel < 0 ||
        row.channel >= scene_.rules().channels)
      reject("a credit names what is not there");
    const bool is_local = row.port == scene_.graph().ports();
    const LinkEnd from = is_local ? LinkEnd{row.node, 0} : scene_.graph().near_end(row.node, row.port);
    if (!from.connected()) reject("a credit comes from an in-port that has no link");
    const LinkId link = is_local ? -1 : scene_.link(from.node, from.port);
    const std::size_t place = is_local ? local(row.node) : behind(link);
    const std::size_t buffer =
        place * static_cast<std::size_t>(scene_.rules().channels) + static_cast<std::size_t>(row.channel);
    Buffer& b = buffers_[buffer];
    const auto flit =
        std::find_if(b.flits.begin(), b.flits.end(), [](const Entry& e) { return e.credited == no_step; });
    if (flit == b.flits.end() || flit->readable > row.step - word)
      reject("a credit goes back from " + name(buffer) + ", but no flit has left it");
    flit->credited = row.step;
    b.returning.push_back(row.step + (is_local ? source_credit : scene_.latency(link) + rules_.credit_extra));
  }
}

void RouterAudit::finish(Step last) const {
  for (std::size_t buffer = 0; buffer < buffers_.size(); ++buffer)
    for (const Entry& entry : buffers_[buffer].flits)
      if (entry.credited != no_step && entry.credited + to_processor - word < last)
        scene_.reject(entry.credited, node_of(buffer), entry.packet, entry.flit,
                      "has a credit for leaving " + name(buffer) + ", but it stays");
}

}  // namespace starloom::links
