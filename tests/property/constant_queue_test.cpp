// What the constant-queue router promises, on traffic that is made to break it. Two packets for one link among those that
// are never queued, and more stored packets than declared, end a run as a violation.
#include "controllers/constant_queue/levels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "controllers/constant_queue/packet_class.hpp"
#include "support/list_source.hpp"
#include "support/named_algorithm.hpp"
#include "support/stepper.hpp"
#include "unit/traffic_support.hpp"

namespace starloom {
namespace {

using Keys = std::map<std::string, KeyValue>;

std::vector<Packet> packets_of_pattern(const std::string& pattern, const Topology& mesh, std::uint64_t seed = 1) {
  std::vector<Packet> packets;
  const std::vector<NodeId> to = destinations_of(pattern, mesh, {}, seed);
  for (NodeId node = 0; node < mesh.nodes(); ++node)
    if (const NodeId destination = to[static_cast<std::size_t>(node)]; destination != no_node)
      packets.push_back({node, destination, 1, 0});
  return packets;
}

/// A run of the router on an n x n mesh, and what its rows say.
class Routed {
 public:
  Routed(std::int32_t n, const std::vector<Packet>& packets, const Keys& keys = {})
      : mesh_(Topology::mesh({n, n})), levels_(constant_queue_levels(n, 16, 0)), packets_(packets) {
    const auto algorithm = named_algorithm("constant-queue", mesh_, keys, &packets_);
    ListSource source(packets_);
    result_ = run_stepper(mesh_, *algorithm, source);
    bounds_ = algorithm->bounds(packets_);
  }

  const StepperResult& result() const { return result_; }
  const Level& level() const { return levels_.front(); }
  Step steps() const {
    Step last = 0;
    for (const Step step : result_.record.delivered) last = std::max(last, step);
    return last;
  }
  PacketClass packet_class(PacketId p) const {
    return classify(level(), place(packet(p).source), place(packet(p).destination));
  }
  const Packet& packet(PacketId p) const { return result_.record.packets[static_cast<std::size_t>(p)]; }
  PacketId packets() const { return static_cast<PacketId>(result_.record.packets.size()); }
  Local place(NodeId node) const { return {mesh_.coordinate(node, 0), mesh_.coordinate(node, 1)}; }
  const Topology& mesh() const { return mesh_; }

  /// [packet] where it is after `steps` steps.
  std::vector<NodeId> places_at(Step steps) const {
    std::vector<NodeId> at;
    for (const Packet& packet : result_.record.packets) at.push_back(packet.source);
    for (const TraceRow& row : result_.rows)
      if (row.event == TraceEvent::hop && row.step < steps) at[static_cast<std::size_t>(row.packet)] = row.to;
    return at;
  }

  void expect_sound() const {
    ASSERT_FALSE(result_.violation) << "step " << result_.violation->step << ": " << result_.violation->text;
    ASSERT_EQ(result_.end, StepperEnd::all_delivered);
    EXPECT_LE(steps(), 2 * level().side - 2);
    EXPECT_LE(result_.record.queue.max, bounds_.at("queue"));
    expect_axes();
    expect_rows_in_time();
    expect_critical_in_place();
    expect_evacuated();
  }

 private:
  /// While subsquares are sorted, keys and ordinary packets use one axis, critical packets the other.
  void expect_axes() const {
    for (const TraceRow& row : result_.rows) {
      if (row.step >= level().m) return;
      if (row.event != TraceEvent::hop && row.event != TraceEvent::key) continue;
      const bool is_critical = row.event == TraceEvent::hop && packet_class(row.packet) == PacketClass::critical;
      ASSERT_TRUE(is_critical || row.step < level().sort.steps()) << "step " << row.step;
      const bool vertical = mesh_.axis_of(row.port) == 0;
      ASSERT_EQ(vertical, is_critical ? level().vertical_first(row.step) : level().sort.phase(row.step).axis == 0);
    }
  }
  /// Rows end by 9m - 1 for type II and by 8 2/3 m for type I.
  void expect_rows_in_time() const {
    const std::int32_t m = level().m;
    for (const TraceRow& row : result_.rows) {
      if (row.event != TraceEvent::hop || mesh_.axis_of(row.port) == 0 || row.step < m) continue;
      const PacketClass c = packet_class(row.packet);
      if (c == PacketClass::critical) continue;
      ASSERT_LT(row.step, c == PacketClass::type_two ? 9 * m - 1 : (26 * m + 2) / 3) << "packet " << row.packet;
    }
  }
  void expect_critical_in_place() const {
    const std::int32_t m = level().m;
    const std::vector<NodeId> down = places_at(level().descent()), up = places_at(level().ascent());
    for (PacketId p = 0; p < packets(); ++p) {
      if (packet_class(p) != PacketClass::critical) continue;
      const Local from = place(packet(p).source), to = place(packet(p).destination);
      const std::int32_t left = from.column < m ? 4 * m : 3 * m, top = from.row < m ? 7 * m : 0;
      const auto in_region = [&](Local at) { return (top + at.row % m) * level().side + left + at.column % m; };
      ASSERT_EQ(down[static_cast<std::size_t>(p)], in_region(from)) << "packet " << p;
      ASSERT_EQ(up[static_cast<std::size_t>(p)], in_region(to)) << "packet " << p;
      ASSERT_EQ(result_.record.delivered[static_cast<std::size_t>(p)], 2 * level().side - 2) << "packet " << p;
    }
  }
  /// Only critical packets are in the regions of the next level while it runs.
  void expect_evacuated() const {
    const auto in_region = [this](NodeId node) {
      const Local at = place(node);
      const std::int32_t R = at.row / level().m, C = at.column / level().m;
      return (R == 0 || R == 7) && (C == 3 || C == 4);
    };
    const std::vector<NodeId> places = places_at(level().descent());
    for (PacketId p = 0; p < packets(); ++p) {
      const Step delivered = result_.record.delivered[static_cast<std::size_t>(p)];
      ASSERT_FALSE(packet_class(p) != PacketClass::critical && delivered > level().descent() &&
                   in_region(places[static_cast<std::size_t>(p)]))
          << "packet " << p;
    }
    for (const TraceRow& row : result_.rows)
      ASSERT_FALSE(row.event == TraceEvent::hop && row.step >= level().descent() && row.step + 1 < level().ascent() &&
                   packet_class(row.packet) != PacketClass::critical && in_region(row.to))
          << "packet " << row.packet << " in step " << row.step;
  }

  Topology mesh_;
  std::vector<Level> levels_;
  std::vector<Packet> packets_;
  StepperResult result_;
  std::map<std::string, double> bounds_;
};

const char* const named[] = {
    "random-permutation", "transpose", "reversal", "quarter-turn", "corner", "cornershift", "cross",     "cross2",
    "specials",           "intoI",     "advI",     "advII",        "advIs",  "advRow",      "greedykill"};

class ConstantQueue : public testing::TestWithParam<std::int32_t> {};

TEST_P(ConstantQueue, KeepsItsPromisesOnAllNamedInputs) {
  const Topology mesh = Topology::mesh({GetParam(), GetParam()});
  for (const char* pattern : named) {
    SCOPED_TRACE(pattern);
    const std::vector<Packet> packets = packets_of_pattern(pattern, mesh);
    const Routed asap(GetParam(), packets), frozen(GetParam(), packets, {{"column", std::string("frozen")}});
    asap.expect_sound();
    frozen.expect_sound();
    if (HasFatalFailure()) return;
    EXPECT_LE(asap.steps(), frozen.steps());
    const std::string name = pattern;
    if (name == "transpose" || name == "reversal" || name == "corner") {
      EXPECT_EQ(asap.steps(), 2 * GetParam() - 2);
    }
  }
}

TEST_P(ConstantQueue, KeepsItsPromisesOnStructuredInputs) {
  const Topology mesh = Topology::mesh({GetParam(), GetParam()});
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const std::vector<Packet> packets = packets_of_pattern("structured", mesh, seed);
    const Routed asap(GetParam(), packets), frozen(GetParam(), packets, {{"column", std::string("frozen")}});
    asap.expect_sound();
    frozen.expect_sound();
    if (HasFatalFailure()) return;
    EXPECT_LE(asap.steps(), frozen.steps());
  }
}

INSTANTIATE_TEST_SUITE_P(Sides, ConstantQueue, testing::Values(24, 32, 40, 48, 64));

}  // namespace
}  // namespace starloom
