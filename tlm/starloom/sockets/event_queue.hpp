// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A queue of entries by time, in the order of planning for equal times.
#include <cstdint>
#include <queue>
#include <systemc>
#include <utility>
#include <vector>

namespace starloom {

template <class Entry>
class EventQueue {
 public:
  /// Plans an entry for a time that is not in the past, and notifies `due` for the first entry.
  void plan(const sc_core::sc_time& time, Entry entry, sc_core::sc_event& due) {
    const bool first = entries_.empty() || time < entries_.top().time;
    entries_.push({time, planned_++, std::move(entry)});
    if (first) notify(due);
  }
  /// Takes the next entry that is due; else notifies `due` for the next one and returns false.
  bool take(Entry& entry, sc_core::sc_event& due) {
    if (entries_.empty()) return false;
    if (entries_.top().time > sc_core::sc_time_stamp()) {
      notify(due);
      return false;
    }
    entry = entries_.top().entry;
    entries_.pop();
    return true;
  }

 private:
  struct Item {
    sc_core::sc_time time;
    std::uint64_t number;
    Entry entry;
    bool operator<(const Item& other) const {  // the greatest is taken first
      return time > other.time || (time == other.time && number > other.number);
    }
  };
  void notify(sc_core::sc_event& due) { due.notify(entries_.top().time - sc_core::sc_time_stamp()); }

  std::priority_queue<Item> entries_;
  std::uint64_t planned_ = 0;
};

}  // namespace starloom
