#pragma once
/// \file Sliding diagonals in one node.
#include <array>
#include <cstdint>
#include <vector>

#include <starloom/controllers/links/controller.hpp>
#include <starloom/controllers/links/sliding_diagonals/ring_census.hpp>
#include <starloom/controllers/links/sliding_diagonals/timetable.hpp>

namespace starloom::links {

/// What all nodes know.
struct DiagonalProgram {
  DiagonalTimetable timetable;
  bool intermediate = false;    ///< every worm goes to a random node first, and from there to its destination
  std::int32_t clean_ups = 50;  ///< most passes over worms that failed, of a run to one place
};

/// What happened to worms in one node.
struct DiagonalTally {
  std::int32_t pass_1 = 0;    ///< turned outside their block of columns
  std::int32_t phase_2 = 0;   ///< stored at the end of a stage: never reached their column
  std::int32_t overflow = 0;  ///< stored at the top of a full reservoir
  std::int32_t no_place = 0;  ///< stored where they waited for a place on a diagonal
  std::int32_t stored = 0;    ///< worms stored for the first time
  std::int32_t fullest = 0;   ///< most worms of a reservoir that fills from here
};

/// What has been begun so far; the same in every node that has heard of it.
struct DiagonalProgress {
  std::int64_t pass_batches = 0;
  std::int64_t batches = 0;           ///< of all passes
  std::int64_t clean_up_batches = 0;  ///< of those over worms that failed
};

/// Heads decide by the common timetable, by their own target and by what is in the node in this step. A node remembers
/// the worms in its processor, how many have gone down past it in the stage, and how many a reservoir has admitted.
class alignas(64) SlidingDiagonalsController final : public WormController {
 public:
  SlidingDiagonalsController(const DiagonalProgram& program, const Grid& grid);

  void step(WormView& view) override;
  void publish(std::uint32_t* values) const override;

  const DiagonalTally& tally() const { return tally_; }
  const DiagonalProgress& progress() const { return progress_; }
  /// The step in which the latest pass that this node has heard of begins.
  Step pass_begins() const { return pass_begins_; }

 private:
  /// A worm in this processor.
  struct Lodger {
    enum class State : std::uint8_t { due, failed, arrived };  ///< arrived: at its random node, for the second run
    PacketId packet;
    NodeId target;
    State state;
    bool was_stored;
  };
  /// A pass that has been decided and not begun.
  struct Plan {
    Step begins = no_step;
    std::int64_t batches = 0;
    std::int32_t first = 0;  ///< number of this node's first worm in its ring
    bool clean_up = false;
  };
  enum class Event : std::uint8_t { none, entered, straight, turned, turned_late, refused, admitted, parked, failed };

  // The run as a whole.
  void attend(WormView& view);
  void plan_wake_up(WormView& view);
  void wake_up(WormView& view);
  void follow(WormView& view);
  void conclude(const WormView& view);
  void begin_pass(const WormView& view);
  Step pass_ends() const;
  void count_worms(WormView& view);

  // Heads.
  bool is_row(int axis) const { return ((axis - now_.slot) & 1) == 0; }
  bool is_final(int axis) const { return axis == timetable().dimensions() - 1 && is_row(axis); }
  void decide(WormView& view, Port in);
  void count_anew();
  void climb(WormView& view, Port in);
  void sink(WormView& view, Port in);
  void run_row(WormView& view, Port in);
  void turn_or_run(WormView& view, Port in);
  void go_home(WormView& view, Port in);
  void send_on(WormView& view, Port in, Port out);
  void absorb(WormView& view, Port in, Lodger::State state);

  // Worms that wait.
  void serve_parked(WormView& view, Port in);
  void enter_from_park(WormView& view, Port in, int axis);
  void hear_ranks(WormView& view);
  void start_lodger(WormView& view);
  void plan_entry(const WormView& view, Step from);
  std::int32_t due_in(std::int64_t batch) const;
  std::int64_t next_due(std::int64_t batch) const;

  const DiagonalTimetable& timetable() const { return program_->timetable; }
  std::int32_t here(const View& view, int axis) const { return view.grid().coordinate(view.node(), axis); }
  static NodeId target_of(const Flit& head) { return static_cast<NodeId>(head.header[0]); }
  bool is_free(Port out) const { return (claimed_ >> out & 1) == 0; }
  void need(Step step) {
    if (need_ == no_step || step < need_) need_ = step;
  }
  Step at(std::int64_t slot, std::int32_t tau) const { return pass_begins_ + timetable().slot_start(slot) + tau; }

  // What a passing head asks for and leaves stands first, in one line of the cache.
  const DiagonalProgram* program_;
  Step attend_at_ = 0;  ///< before this step only heads and words want anything of this node
  Step pass_begins_ = 0;
  Moment now_;            ///< of the step
  Step need_ = no_step;   ///< when it has to be woken, as far as this step knows
  PortMask claimed_ = 0;  ///< links that have a flit in this step
  bool lodges_ = false;   ///< a worm has come into this processor in this step
  Event event_ = Event::none;

  bool second_run_ = false;  ///< to the destination, after the one to a random node; or the only one
  bool counts_all_ = false;  ///< the census counts the worms for the second run
  Step asked_ = no_step;     ///< when it will be woken, as it last asked
  Step entry_at_ = no_step;  ///< when the next of its worms tries
  DiagonalProgress progress_;
  RingCensus census_;
  Plan plan_;
  DiagonalTally tally_;
  std::int32_t clean_ups_ = 0;  ///< passes over failed worms in this run
  std::vector<Lodger> lodgers_;
  std::int32_t first_ = 0, count_ = 0;  ///< numbers in their ring of the worms of this node in this pass
  std::int64_t started_batch_ = -1;
  std::int32_t started_ = 0;        ///< worms started in that batch
  std::vector<std::int32_t> rank_;  ///< [axis] level B: number of the worm parked here

  // Of the stage: per dimension of its columns.
  std::int64_t counted_slot_ = -1;
  std::array<std::uint16_t, max_ports / 2> sunk_{}, admitted_{};
};

}  // namespace starloom::links
