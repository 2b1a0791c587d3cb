// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The reference engine of virtual channels, including a second implementation of the router: lists, loops, and
/// tables of future events by step. Of modules/starloom/router and the controller it shares only the routing
/// function.
#include <map>
#include <optional>
#include <set>
#include <vector>

#include "support/plain_engine.hpp"
#include "support/plain_replay.hpp"

namespace starloom::links {

class PlainChannels final : public PlainEngine {
 public:
  PlainChannels(const LinkNetwork& network, const Algorithm& algorithm, PacketSource& source,
                const StepperOptions& options);

 private:
  enum class State { idle, routing, waiting, active };
  struct Stored : Flit {
    Step injected = no_step, readable = no_step;
    std::int64_t sequence = 0;   ///< of its packet in its source
    int switches = 0;            ///< passed
    std::vector<NodeId> left{};  ///< the destinations of this copy, if its packet has several
  };
  /// Flits of a packet to several destinations that leave over one output channel.
  struct Branch {
    int out;
    std::size_t next;  ///< position in the buffer of the flit that leaves next
    std::vector<NodeId> left;
  };
  // Times within a router are rounds, numbered over all steps: a step has one, or with internal speed-up several.
  struct Input {
    std::vector<Stored> buffer;
    State state = State::idle;
    Step since = no_step;              ///< in `routing` or `waiting`
    const Algorithm* asked = nullptr;  ///< whose routing function the head asks since it began
    int output = -1;                   ///< of an active one
    Step asks_since = no_step;         ///< for the switch
    std::optional<int> promised{};     ///< of an allocation that takes longer: the output channel, or the out-port
    Step due = no_step;                ///< the last round of that allocation
    // A packet to several destinations: `output` is that of the branch that may ask for the switch in this step.
    bool forks = false;
    std::map<int, std::vector<NodeId>> open{};  ///< by out-port: the destinations there, without an output channel
    std::vector<Branch> branches{};             ///< those with one
    std::size_t served = 0;                     ///< the branch that asked last
  };
  struct Output {
    int owner = -1;
    int credits = 0;
    PacketId carries = no_packet;  ///< the packet whose head has passed, until its tail has
    int capacity = 0;              ///< of the buffer behind it
    bool dead = false;
    int taken() const { return capacity - credits; }
  };
  /// Channels have the number: index of their port * channels + number within the port.
  struct Router {
    /// \param behind [index of an out-port] slots of each buffer behind it. \param matched ports that allocators match.
    /// \param behind_source slots of each buffer that the processor sends into.
    Router(const PlainRules& rules, const router::Pipeline& stages, const std::vector<int>& behind, int matched,
           int channels, int behind_source);

    const router::Pipeline pipeline;
    std::vector<Input> inputs;
    std::vector<Output> outputs;
    PlainAllocator for_channels, for_switch;
    std::optional<PlainAllocator> for_guesses;
    std::vector<PlainArbiter> speakers;  ///< [in-line] picks one of its channels
    std::vector<int> piggyback;          ///< [out-port] where the search for a free channel begins
    /// [input channel] output channels that its head asks for in this step, with the priorities of their choices
    std::vector<std::map<int, int>> requested;
    std::map<int, int> held;  ///< by in-line: the input channel that holds it and its out-line
    struct Queued {
      int out;
      Stored flit;
      Step from;  ///< the first round in which it is in the FIFO
    };
    std::map<int, std::vector<Queued>> fifos;  ///< by out-port: flits that have passed the switch
    struct Word {
      Step round;
      std::set<int> inputs;
    };
    std::map<int, std::vector<Word>> words;  ///< by in-port: credits that are not on their wire yet
    std::map<int, PacketId> passed;          ///< by out-port: who passed the switch in this step
    std::map<int, PacketId> crossbar;        ///< of the previous step
    // For the processor:
    std::vector<int> room;  ///< [channel of the local in-port]
    int most_room;          ///< of each
    int source_channel;     ///< used last
    std::int64_t sequence = -1;
    // The same with classes of traffic:
    int sent_class = 0;
    std::map<int, int> class_channel;          ///< by class: used last
    std::map<PacketId, std::int64_t> came_up;  ///< packets that have come to the fronts of their queues, numbered
    // For a processor with few places for requests:
    struct AtExit {
      Stored flit;
      NodeId node;  ///< the router that it comes from, over the output channel `out`
      int out;
    };
    std::map<int, std::vector<AtExit>> exit;  ///< by channel: flits that have not been consumed
    int exit_turn = 0;                        ///< the channel that is looked at first
    std::map<int, int> accepted;              ///< by class: requests whose replies have not left
  };
  struct Move {
    NodeId node;
    int channel;
    Stored flit;
    NodeId from = no_node;  ///< of a flit to a processor: its last router
    LinkEnd link{};         ///< of a flit that leaves a link
  };
  using Credit = std::pair<NodeId, int>;

  void execute_step() override;
  bool in_motion() const override;
  std::int64_t queued(NodeId node) const override;
  void publish(NodeId node, std::uint32_t* values) override;

  void act_on_faults(const std::vector<FaultEvent>& events) override;
  bool is_empty() const override { return under_way().empty(); }
  void flush() override { purge(under_way(), LossCause::flush); }
  void lose_heads() override;
  std::set<PacketId> cut_by(const FaultEvent& event) const;
  int place_behind(const FaultEvent& event) const;
  void kill(const FaultEvent& event);
  void repair(const FaultEvent& event);
  std::set<PacketId> without_way(bool begun) const;
  std::set<PacketId> under_way() const;
  void purge(const std::set<PacketId>& packets, LossCause cause);
  void begin_step();
  void take_arrivals();
  void consume(NodeId node);
  void count_use(Step from, Step to);
  int period(NodeId node) const { return graph_.period(node); }
  void run_again(NodeId node) { again_at_.insert(now_ + period(node)); }
  void read_fifos();
  bool is_crossing_full(const LinkEnd& link) const;
  Step at_sender(const LinkEnd& link, Step step) const;
  void run_router(NodeId node, PacketId sending);
  void run_round(NodeId node, Router& router, PacketId sending, bool& acted);
  void drain(NodeId node, Router& router);
  int in_line(int input) const;
  int out_line(int in_place, int out_place) const;
  bool is_full(const Router& router, int out_place) const;
  struct Pick {
    NodeId queue;
    int channel;
    std::int64_t sequence;
  };
  bool run_processor(NodeId node);
  std::optional<Pick> pick_next(NodeId node);
  void note_fronts(NodeId node);
  std::optional<Pick> pick_class(NodeId node);
  std::optional<int> class_channel(NodeId node, int number) const;
  bool has_packets(NodeId node) const;
  void begin_turns(NodeId node, Router& router);
  void fork(NodeId node, int number, Input& input) const;
  void choose_branches(Router& router) const;
  bool waits_for_credit(const Router& router, const Input& input) const;
  static void take_branch(Input& input, int out, int place, bool has_credit);
  void pass_copy(NodeId node, Router& router, int in);
  void decide(NodeId node, Router& router, int input) const;
  bool may_enter(NodeId node, const Packet& packet, int channel) const;
  std::set<int> next_hop_channels(NodeId node, const Packet& packet, int last) const;
  Port port_of(int channel) const;
  std::vector<int> open_channels(const Router& router, NodeId node, int input, const routing::Choice& choice,
                                 const Packet& facts) const;
  void select_outputs(NodeId node, Router& router) const;
  int free_places(const std::vector<int>& taken, int channel, int in_use, int capacity) const;
  int room(const Router& router, int out) const;
  int room_at_source(NodeId node, int channel) const;
  bool is_open_at_source(NodeId node, int channel, const Packet& head) const;
  int room_for_packet(NodeId node, int input, int output, const Packet& facts) const;
  bool available(const Output& output) const;
  bool may_take(const Router& router, int input, int output) const;
  std::int64_t priority_of(const Router& router, int input) const;
  std::vector<int> allocate_channels(NodeId node, Router& router) const;
  struct Speaker {
    int input;
    int out_place;
    bool nonspeculative;
  };
  std::vector<Speaker> allocate_switch(NodeId node, Router& router, bool& acted) const;
  void ask_for_switch(NodeId node, Router& router) const;
  bool asks(const Router& router, int input) const;
  std::vector<int> granted_before(NodeId node, Router& router) const;
  bool is_held(const Router& router, int input, int out_place) const;
  std::vector<int> leaving_held(NodeId node, const Router& router) const;
  int brought_channel(Router& router, int input, int out_place, const std::vector<int>& won) const;
  bool speaks(const Router& router, int input, int out_place, bool nonspeculative) const;
  bool stalled(NodeId node, int out_place) const;
  bool is_replay_full(const LinkEnd& link) const;
  void receive_links();
  void run_links();
  bool is_free(const LinkEnd& link, Step step) const;
  int place_of(Port port) const;
  void pass(NodeId node, Router& router, int input);
  void leave(NodeId node, Router& router, int in, const Stored& flit);
  void depart(NodeId node, int out, const Stored& flit, Step in_register);
  void give_credit(NodeId node, int input);
  void begin_turn(NodeId node, const Router& router, RouterTurn& turn) const;
  RouterTurn::Passing passing_of(const Router& router, int channel) const;

  const int places_;
  const int matched_;  ///< ports without the local one, if no processor of the network has a router
  const int channels_;
  const int count_;  ///< channels of a side
  std::vector<Router> routers_;
  std::map<Step, std::vector<Move>> arrivals_, crossings_, consumptions_;
  std::map<Step, std::vector<Credit>> credits_, source_credits_, credit_words_;
  std::map<Step, std::vector<std::pair<NodeId, int>>> answered_;  ///< nodes and classes whose places are free again
  struct ByPlace {
    bool operator()(const LinkEnd& a, const LinkEnd& b) const {
      return std::pair(a.node, a.port) < std::pair(b.node, b.port);
    }
  };
  struct Entry {
    Step step;
    PacketId packet;
  };
  std::map<LinkEnd, Entry, ByPlace> entered_;  ///< by out-port: the last flit, and the step in which it enters the link
  struct Crossed {
    Step arrived;
    Move move;
  };
  std::map<LinkEnd, std::vector<Crossed>, ByPlace> crossed_;  ///< by out-port: flits between two clocks
  std::map<LinkEnd, PlainReplay<Move>, ByPlace> replays_;     ///< by out-port, of links that repeat corrupt flits
  std::vector<Move> discarded_;                               ///< in this step, by their receivers
  std::map<LinkEnd, int, ByPlace> sent_;                      ///< by out-port: all flits
  std::map<LinkEnd, std::vector<Step>, ByPlace> left_;        ///< by out-port: steps in which they left that FIFO
  Step executed_ = no_step;                                   ///< the last step that was
  Step round_ = 0;                                            ///< that runs
  std::set<Step> again_at_;                                   ///< in which nodes that hold something run
};

}  // namespace starloom::links
