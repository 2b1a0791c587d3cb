// SPDX-License-Identifier: Apache-2.0
#include <starloom/sockets/fabric_carrier.hpp>

#include <algorithm>

namespace starloom::links {

FabricCarrier::FabricCarrier(const sc_core::sc_module_name& name, Network& network, bool removes_arrived,
                             FlitContents* contents, std::function<void(const Arrival&)> arrived)
    : sc_module(name),
      network_(network),
      removes_arrived_(removes_arrived),
      arrived_(std::move(arrived)),
      contents_(contents),
      waiting_(static_cast<std::size_t>(network.fabric.network().graph.nodes())) {
  network.fabric.on_created([this](const std::vector<Packet>& packets) { created(packets); });
  network.fabric.on_delivered([this](PacketId packet) {
    if (summary_.empty()) step_over_.notify(sc_core::SC_ZERO_TIME);
    summary_.push_back(packet);
  });
  SC_METHOD(notify);
  dont_initialize();
  sensitive << step_over_;
}

void FabricCarrier::send(const Packet& packet, Tag tag, std::vector<std::uint8_t> content) {
  waiting_[static_cast<std::size_t>(packet.source)].push_back({tag, std::move(content)});
  network_.fabric.create_packet(packet);
}

void FabricCarrier::created(const std::vector<Packet>& packets) {
  // Packets of one source are created in the order of the requests.
  for (const Packet& packet : packets) {
    std::deque<Requested>& waiting = waiting_[static_cast<std::size_t>(packet.source)];
    if (contents_ != nullptr)
      contents_->add(first_ + static_cast<PacketId>(sent_.size()), std::move(waiting.front().content));
    sent_.push_back({waiting.front().tag});
    waiting.pop_front();
  }
}

void FabricCarrier::notify() {
  std::sort(summary_.begin(), summary_.end());
  Engine& engine = network_.fabric.engine();
  const RunRecord& record = engine.record();
  for (const PacketId packet : summary_) {
    Sent& sent = sent_[static_cast<std::size_t>(packet - first_)];
    sent.arrived = true;
    arrived_({sent.tag, record.packets[record.at(packet)], network_.fabric.step()});
  }
  summary_.clear();
  for (; !sent_.empty() && sent_.front().arrived; ++first_) sent_.pop_front();
  if (removes_arrived_) forget(engine);
}

void FabricCarrier::forget(Engine& engine) {
  if (engine.record().packets.size() < remove_at_) return;
  engine.remove_before(first_);
  remove_at_ = std::max<std::size_t>(4096, 2 * engine.record().packets.size());
}

}  // namespace starloom::links
