// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A routing algorithm of POPS networks as a value.
///
/// An algorithm has a folder in `algorithms`: its controller, this value, its entry. Its message-level model is in
/// `tlm/starloom/message`, with a line in the table there.
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/control/pops/controller.hpp>
#include <starloom/control/pops/cost.hpp>
#include <starloom/core/packets.hpp>
#include <starloom/core/pops/run_record.hpp>
#include <starloom/support/error.hpp>
#include <starloom/topology/pops/dead_couplers.hpp>
#include <starloom/topology/pops/pops.hpp>

namespace starloom::pops {

/// Packets that the algorithm does not support; the traffic has to change.
class UnservedPackets : public InputError {
 public:
  using InputError::InputError;
};

/// The network and packets for which an algorithm of a POPS network is made.
struct AlgorithmContext {
  Pops pops;
  std::uint64_t seed = 1;
  Packets packets;  ///< all packets of the run
  std::optional<DeadCouplers> dead{};
};

/// The program that the processors of a netlist run, and their controllers.
struct ControllerSetup {
  Program program;
  std::unique_ptr<ControllerArray> controllers;
  std::shared_ptr<const void> shared{};  ///< objects that the controllers refer to, kept as long as the controllers
};

/// An algorithm with its parameters, for one network and the packets of one run. Immutable.
class Algorithm {
 public:
  virtual ~Algorithm() = default;
  Algorithm(const Algorithm&) = delete;
  Algorithm& operator=(const Algorithm&) = delete;

  const Pops& pops() const { return pops_; }
  /// Controllers for the processors of a netlist; may be called any number of times. They refer to the algorithm.
  virtual ControllerSetup make_controllers() const = 0;
  /// Bytes of the tables that such controllers share, and of the referee's records of a program with many copies.
  virtual double table_bytes() const { return 0; }
  /// Couplers that are out of service, or null.
  virtual const DeadCouplers* dead() const { return nullptr; }
  /// Adds the results of the controllers to the record of a netlist that ran to its end.
  virtual void read_out(const ControllerArray& /*controllers*/, RunRecord& /*record*/) const {}
  /// The schedule of a run that ended regularly.
  virtual Schedule schedule(const RunRecord& run) const { return {run.units, "slot", run.units, 1}; }
  /// [slot of a cycle] true if the slot carries acknowledgements; slots of the drain carry none.
  virtual std::vector<bool> acks_in_cycle() const { return {false}; }
  /// [slot of the run] true if the slot carried acknowledgements, which are shorter (docs/optics.md).
  std::vector<bool> ack_slots(const RunRecord& run) const;
  /// Theoretical bounds for this run: name and value.
  virtual std::map<std::string, double> bounds() const { return {}; }
  /// The algorithm's own metrics of a run: name and value.
  virtual std::map<std::string, double> metrics(const RunRecord& run) const;
  static std::vector<MetricSpec> declared_metrics();
  /// The expected cost of a run, for estimates; empty if it is not known before.
  virtual std::optional<Cost> expected_cost() const { return std::nullopt; }
  /// A sentence with advice on a run that no longer delivers packets, if the algorithm has better advice than the
  /// general one.
  virtual std::string livelock_advice() const { return ""; }
  /// A sentence about these sizes if the algorithm runs on them in another way than its name promises; else empty.
  virtual std::string remark() const { return ""; }

 protected:
  explicit Algorithm(const Pops& pops) : pops_(pops) {}

 private:
  Pops pops_;
};

/// The metric `bounds.slots`, for programs with a length that follows from the sizes of the network.
std::vector<MetricSpec> slots_bound();

/// A row of the table for an algorithm that is made from the context only.
template <class T>
AlgorithmEntry entry_of(std::string name, std::string meaning, DeclareRules rules,
                        std::vector<MetricSpec> bounds = {}) {
  AlgorithmEntry entry{};
  entry.name = std::move(name);
  entry.meaning = std::move(meaning);
  entry.audience = Audience::theory;
  entry.needs = {"pops"};
  entry.bounds = std::move(bounds);
  entry.metrics = T::declared_metrics();
  entry.message_model = true;
  entry.make = [](const AlgorithmContext& context, const KeyValues& /*keys*/) -> std::unique_ptr<Algorithm> {
    return std::make_unique<T>(context);
  };
  entry.rules = std::move(rules);
  return entry;
}

/// The beginning of a sentence about a packet.
std::string packet_text(const AlgorithmContext& context, std::size_t packet);
/// \throws UnservedPackets if one is created after slot 0.
void require_packets_at_once(const AlgorithmContext& context);

}  // namespace starloom::pops
