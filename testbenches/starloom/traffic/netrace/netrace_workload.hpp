// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The workload of a netrace file, which is read as the run goes on.
#include <functional>
#include <memory>
#include <optional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <vector>

#include <starloom/traffic/netrace/netrace_check.hpp>
#include <starloom/traffic/workloads/workload.hpp>

namespace starloom {

/// The step in which the packet of a record is created.
enum class NetracePace {
  dependencies,  ///< by the rule of Workload; `cycle` and `delay` as those of a packet file
  timestamps,    ///< its cycle; records wait for none
  throttled,     ///< by the same rule, but without its cycle: as soon as it is read (docs/workloads.md)
};

/// The input of a run of a netrace file. Immutable.
struct NetraceInput {
  std::filesystem::path path;
  std::string name;  ///< of the file, as the user wrote it
  NetraceExtent extent;
  std::vector<NodeId> node;  ///< [node of the trace]
  NetracePace pace = NetracePace::dependencies;
  Step delay = 0;          ///< of each record that waits for others
  std::int32_t flits = 0;  ///< of each packet; 0: as its bytes need
  std::int64_t flit_bytes = 16;
  std::int64_t window = 1;  ///< the most records in memory that are not delivered

  std::int32_t flits_of(int bytes) const {
    return flits > 0 ? flits : static_cast<std::int32_t>((bytes + flit_bytes - 1) / flit_bytes);
  }
};

/// Each record is a packet: its number is that of the record among those of the run. In memory are the records that are
/// due and not delivered, the one after them, and the ids that they name.
class NetraceWorkload final : public Workload {
 public:
  explicit NetraceWorkload(std::shared_ptr<const NetraceInput> input);

  Step next_creation() const override;
  void create(Step step, std::vector<NewMessage>& out) override;
  void delivered(MessageNumber message, Step step) override;
  std::int32_t longest_packet() const override { return 0; }
  std::int32_t longest_message() const override { return input_->flits_of(input_->extent.longest); }
  std::optional<std::int64_t> message_count() const override { return input_->extent.count; }
  std::int64_t depth() const override;
  Step last_event() const override { return 0; }
  Step paused() const override { return paused_; }
  std::string flow(const Item& item) const override;
  void dependants(std::int64_t item, std::vector<std::int64_t>& out) const override;
  std::vector<std::int64_t> take_events() override { return {}; }
  std::vector<std::string> waiting(std::size_t most) const override;

 private:
  using Id = std::uint32_t;

  /// A record that is in memory, or named by one that is.
  struct Entry {
    MessageNumber number = -1;  ///< -1: it has not been read
    Item facts{};
    Step earliest = 0;               ///< the step of its creation if it waits for none
    Step created = 0;                ///< the step of its creation, once it is known
    std::uint32_t waits_for = 0;     ///< records that are not delivered
    Step ready = no_step;            ///< the last delivery of a record for which it waited; no_step: there was none
    MessageNumber released_by = -1;  ///< the first record that was delivered then
    std::vector<Id> dependants{};
  };
  using Due = std::tuple<Step, NodeId, MessageNumber, Id>;

  void begin();
  /// Reads the record after those in memory.
  void read_ahead();
  bool is_full() const { return in_memory_ >= input_->window; }
  /// The next record may be read before a further delivery, as far as the window does not prevent it.
  bool may_read() const { return ahead_ && (!throttled() || read_ <= limit_); }
  /// The first step in which the next record is taken into memory; no_step: there is none, or a delivery comes before.
  Step next_read() const;
  /// Takes the next record into memory, between two steps.
  void take_next(Step step);
  /// The record waits for none. \param from the first step in which it may enter the memory of its processor.
  void release(Id id, Entry& entry, Step from);
  bool throttled() const { return input_->pace == NetracePace::throttled; }
  Step cycle_of(const NetraceRecord& record) const { return static_cast<Step>(record.cycle) - input_->extent.start; }
  std::string name(Id id) const;

  std::shared_ptr<const NetraceInput> input_;
  std::unique_ptr<NetraceFile> file_;                ///< null: the run has not begun
  std::optional<NetraceRecord> ahead_;               ///< the record after those in memory; empty: there is none
  MessageNumber next_number_ = 0;                    ///< of that record
  std::unordered_map<Id, Entry> entries_;            ///< looked up, never iterated
  std::unordered_map<MessageNumber, Id> under_way_;  ///< created, not delivered; `waiting` sorts them
  std::priority_queue<Due, std::vector<Due>, std::greater<>> due_;
  std::int64_t in_memory_ = 0;  ///< records
  Step resume_ = 0;             ///< the first step after the last delivery that let the reader go on
  Step read_ = 0;               ///< throttled: the cycle of the record that was read last
  Step limit_ = 0;              ///< throttled: records are read up to the first one with a greater cycle
  Step pause_from_ = no_step;   ///< the step in which the full window stops the reading; no_step: it is not full
  Step paused_ = 0;
};

}  // namespace starloom
