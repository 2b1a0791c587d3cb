// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The packets of a run, by number.
#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include <starloom/core/packet.hpp>

namespace starloom {

/// All packets of a run, in the order of their numbers. Immutable; copies share the data. A list takes 32 bytes per
/// packet. If packet i is of node i, has one flit and is created in step 0, only destinations are stored, 4 bytes each.
class Packets {
 public:
  /// [node] destination of its packet.
  using Destinations = std::vector<NodeId>;

  Packets() = default;
  Packets(std::vector<Packet> list)  // NOLINT(google-explicit-constructor): a list is what most have
      : list_(std::make_shared<const std::vector<Packet>>(std::move(list))), size_(list_->size()) {}
  /// Packet i from node i, of one flit, created in step 0.
  static Packets one_each(Destinations destinations) {
    Packets packets;
    packets.size_ = destinations.size();
    packets.destinations_ = std::make_shared<const Destinations>(std::move(destinations));
    return packets;
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  Packet operator[](std::size_t packet) const {
    if (list_ != nullptr) return (*list_)[packet];
    return {static_cast<NodeId>(packet), (*destinations_)[packet]};
  }
  /// The argument of `one_each`; null if the packets are a list.
  const std::shared_ptr<const Destinations>& destinations() const { return destinations_; }
  /// A copy, packet by packet.
  std::vector<Packet> list() const { return {begin(), end()}; }

  /// Random-access iterator over the packets.
  class Iterator {
   public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = Packet;
    using difference_type = std::ptrdiff_t;
    using pointer = const Packet*;
    using reference = Packet;

    Iterator() = default;
    Iterator(const Packets& packets, std::ptrdiff_t at) : packets_(&packets), at_(at) {}
    Packet operator*() const { return (*packets_)[static_cast<std::size_t>(at_)]; }
    Packet operator[](std::ptrdiff_t by) const { return *(*this + by); }
    Iterator& operator+=(std::ptrdiff_t by) {
      at_ += by;
      return *this;
    }
    Iterator& operator-=(std::ptrdiff_t by) { return *this += -by; }
    Iterator& operator++() { return *this += 1; }
    Iterator& operator--() { return *this -= 1; }
    Iterator operator++(int) { return std::exchange(*this, *this + 1); }
    Iterator operator--(int) { return std::exchange(*this, *this - 1); }
    friend Iterator operator+(Iterator a, std::ptrdiff_t by) { return a += by; }
    friend Iterator operator+(std::ptrdiff_t by, Iterator a) { return a += by; }
    friend Iterator operator-(Iterator a, std::ptrdiff_t by) { return a -= by; }
    friend std::ptrdiff_t operator-(Iterator a, Iterator b) { return a.at_ - b.at_; }
    friend bool operator==(Iterator a, Iterator b) { return a.at_ == b.at_; }
    friend bool operator!=(Iterator a, Iterator b) { return a.at_ != b.at_; }
    friend bool operator<(Iterator a, Iterator b) { return a.at_ < b.at_; }

   private:
    const Packets* packets_ = nullptr;
    std::ptrdiff_t at_ = 0;
  };
  Iterator begin() const { return {*this, 0}; }
  Iterator end() const { return {*this, static_cast<std::ptrdiff_t>(size_)}; }

 private:
  std::shared_ptr<const std::vector<Packet>> list_;
  std::shared_ptr<const Destinations> destinations_;
  std::size_t size_ = 0;
};

}  // namespace starloom
