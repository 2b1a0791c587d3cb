// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A queue for tables of many queues, most of them empty.
#include <cstddef>
#include <vector>

namespace starloom {

/// First in, first out. In contrast to std::deque, an empty queue that was never used takes no memory of its own, where
/// the deque of libstdc++ takes more than 500 bytes. Members are contiguous.
template <class T>
class Queue {
 public:
  using iterator = typename std::vector<T>::iterator;
  using const_iterator = typename std::vector<T>::const_iterator;

  bool empty() const { return first_ == members_.size(); }
  std::size_t size() const { return members_.size() - first_; }
  iterator begin() { return members_.begin() + static_cast<std::ptrdiff_t>(first_); }
  iterator end() { return members_.end(); }
  const_iterator begin() const { return members_.begin() + static_cast<std::ptrdiff_t>(first_); }
  const_iterator end() const { return members_.end(); }
  /// The member behind `i` others.
  const T& operator[](std::size_t i) const { return members_[first_ + i]; }
  /// The queue is not empty.
  T& front() { return members_[first_]; }
  const T& front() const { return members_[first_]; }
  T& back() { return members_.back(); }
  const T& back() const { return members_.back(); }

  void push_back(const T& member) { members_.push_back(member); }
  /// Takes constant time on average.
  void pop_front() {
    ++first_;
    // As many members as remain, at most, are moved, so each is moved about once.
    if (2 * first_ >= members_.size()) remove_taken();
  }
  void erase(iterator at) {
    if (at == begin()) pop_front();
    else members_.erase(at);
  }
  void clear() {
    members_.clear();
    first_ = 0;
  }

 private:
  void remove_taken() {
    members_.erase(members_.begin(), begin());
    first_ = 0;
  }

  std::vector<T> members_;  ///< those before `first_` have been taken
  std::size_t first_ = 0;
};

}  // namespace starloom
