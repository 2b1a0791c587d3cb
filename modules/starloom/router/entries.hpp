// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Lists with an entry for each channel, or for each port, of a router.
#include <array>
#include <cstddef>
#include <vector>

namespace starloom::router {

/// A list of `capacity` entries, of which a router may use fewer. Without initial values, they are uninitialised:
/// a step uses only a small part of them.
template <class T, int capacity>
class Entries {
 public:
  Entries() {}
  explicit Entries(int /*count*/) {}
  Entries(int /*count*/, const T& value) { list_.fill(value); }

  int size() const { return capacity; }
  T* data() { return list_.data(); }
  const T* data() const { return list_.data(); }
  T& operator[](int i) { return list_[static_cast<std::size_t>(i)]; }
  const T& operator[](int i) const { return list_[static_cast<std::size_t>(i)]; }

 private:
  std::array<T, static_cast<std::size_t>(capacity)> list_;
};

/// Of capacity 0: as many entries as given, all initialised.
template <class T>
class Entries<T, 0> {
 public:
  Entries() = default;
  explicit Entries(int count) : list_(static_cast<std::size_t>(count)) {}
  Entries(int count, const T& value) : list_(static_cast<std::size_t>(count), value) {}

  int size() const { return static_cast<int>(list_.size()); }
  T* data() { return list_.data(); }
  const T* data() const { return list_.data(); }
  T& operator[](int i) { return list_[static_cast<std::size_t>(i)]; }
  const T& operator[](int i) const { return list_[static_cast<std::size_t>(i)]; }

 private:
  std::vector<T> list_;
};

}  // namespace starloom::router
