// SPDX-License-Identifier: Apache-2.0
/// \file The classic style of a SystemC network model: one process per node, one `sc_signal` per link, a clock. In a
/// second version a link has two signals, as in most published models: the flit, and a valid bit.
#include <deque>
#include <memory>
#include <ostream>
#include <systemc>

#include "bench/child.hpp"
#include "bench/workload.hpp"

namespace starloom::bench {
namespace {

struct Item {
  PacketId packet = no_packet;
  std::int16_t row = 0, column = 0;
  Step created = 0;
  bool operator==(const Item& other) const { return packet == other.packet; }
};
std::ostream& operator<<(std::ostream& out, const Item& item) { return out << item.packet; }
[[maybe_unused]] void sc_trace(sc_core::sc_trace_file*, const Item&, const std::string&) {}

template <bool with_valid>
struct Router final : sc_core::sc_module {
  sc_core::sc_in<bool> clock{"clock"};
  std::vector<std::unique_ptr<sc_core::sc_in<Item>>> in;
  std::vector<std::unique_ptr<sc_core::sc_out<Item>>> out;
  std::vector<std::unique_ptr<sc_core::sc_in<bool>>> in_valid;  ///< with_valid only
  std::vector<std::unique_ptr<sc_core::sc_out<bool>>> out_valid;
  std::vector<std::pair<Step, Item>> sources;  ///< own packets by step

  SC_HAS_PROCESS(Router);
  Router(const sc_core::sc_module_name& name, int row, int column, Tally& tally)
      : sc_module(name), row_(row), column_(column), tally_(tally), in_use_(4, false) {
    for (int port = 0; port < 4; ++port) {
      in.push_back(std::make_unique<sc_core::sc_in<Item>>());
      out.push_back(std::make_unique<sc_core::sc_out<Item>>());
      if (!with_valid) continue;
      in_valid.push_back(std::make_unique<sc_core::sc_in<bool>>());
      out_valid.push_back(std::make_unique<sc_core::sc_out<bool>>());
    }
    SC_METHOD(step);
    sensitive << clock.pos();
    dont_initialize();
  }

 private:
  void step() {
    Item arrived[5];
    int count = 0;
    for (int port = 0; port < 4; ++port) {
      if (with_valid && !in_valid[static_cast<std::size_t>(port)]->read()) continue;
      const Item item = in[static_cast<std::size_t>(port)]->read();
      if (item.packet != no_packet) arrived[count++] = item;
    }
    if (next_ < sources.size() && sources[next_].first == now_) arrived[count++] = sources[next_++].second;
    for (int i = 1; i < count; ++i)
      for (int j = i; j > 0 && arrived[j].packet < arrived[j - 1].packet; --j) std::swap(arrived[j], arrived[j - 1]);
    for (int i = 0; i < count; ++i) {
      const Item& item = arrived[i];
      if (item.column != column_) queue_[item.column > column_ ? 1 : 3].push_back(item);
      else if (item.row != row_) queue_[item.row > row_ ? 2 : 0].push_back(item);
      else tally_.deliver(item.packet, item.created, now_);
    }
    for (std::size_t port = 0; port < 4; ++port) {
      if (!queue_[port].empty()) {
        out[port]->write(queue_[port].front());
        queue_[port].pop_front();
        if (with_valid) out_valid[port]->write(true);
        in_use_[port] = true;
        ++tally_.hops;
      } else if (in_use_[port]) {
        if (with_valid) out_valid[port]->write(false);
        else out[port]->write(Item{});
        in_use_[port] = false;
      }
    }
    ++now_;
  }

  int row_, column_;
  Tally& tally_;
  std::deque<Item> queue_[4];
  std::vector<bool> in_use_;
  std::size_t next_ = 0;
  Step now_ = 0;
};

template <bool with_valid>
Timed run(const Workload& workload) {
  Timed timed;
  const double begin = cpu_seconds();
  const std::int32_t n = workload.side;
  sc_core::sc_clock clock("clock", 1, sc_core::SC_NS);
  std::vector<std::unique_ptr<Router<with_valid>>> routers;
  std::vector<std::unique_ptr<sc_core::sc_signal<Item>>> links;
  std::vector<std::unique_ptr<sc_core::sc_signal<bool>>> valid;
  for (std::int32_t node = 0; node < n * n; ++node) {
    routers.push_back(std::make_unique<Router<with_valid>>(("router_" + std::to_string(node)).c_str(), node / n,
                                                           node % n, timed.tally));
    routers.back()->clock(clock);
    for (int port = 0; port < 4; ++port) {
      links.push_back(std::make_unique<sc_core::sc_signal<Item>>());
      if (with_valid) valid.push_back(std::make_unique<sc_core::sc_signal<bool>>());
    }
  }
  sc_core::sc_signal<Item> nowhere;  // read by the in-ports at the border
  sc_core::sc_signal<bool> never;
  const std::int32_t step_to[4] = {-n, 1, n, -1};
  for (std::int32_t node = 0; node < n * n; ++node)
    for (int port = 0; port < 4; ++port) {
      Router<with_valid>& router = *routers[static_cast<std::size_t>(node)];
      const auto q = static_cast<std::size_t>(port);
      const auto own = static_cast<std::size_t>(node * 4 + port);
      router.out[q]->bind(*links[own]);
      if (with_valid) router.out_valid[q]->bind(*valid[own]);
      const int row = node / n + (port == 2) - (port == 0);
      const int column = node % n + (port == 1) - (port == 3);
      const bool inside = row >= 0 && row < n && column >= 0 && column < n;
      const auto from = static_cast<std::size_t>((node + step_to[port]) * 4 + (port ^ 2));
      router.in[q]->bind(inside ? *links[from] : nowhere);
      if (with_valid) router.in_valid[q]->bind(inside ? *valid[from] : never);
    }
  for (std::size_t p = 0; p < workload.packets.size(); ++p) {
    const Packet& packet = workload.packets[p];
    Item item;
    item.packet = static_cast<PacketId>(p);
    item.created = packet.created;
    item.row = static_cast<std::int16_t>(packet.destination / n);
    item.column = static_cast<std::int16_t>(packet.destination % n);
    routers[static_cast<std::size_t>(packet.source)]->sources.emplace_back(packet.created, item);
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaboration
  timed.build_seconds = cpu_seconds() - begin;
  const double start = cpu_seconds();
  sc_core::sc_start(static_cast<double>(workload.steps), sc_core::SC_NS);  // the edges at 0 .. steps-1
  timed.seconds = cpu_seconds() - start;
  return timed;
}

}  // namespace

Timed run_classic(const Workload& workload) { return run<false>(workload); }
Timed run_classic_valid(const Workload& workload) { return run<true>(workload); }

}  // namespace starloom::bench
