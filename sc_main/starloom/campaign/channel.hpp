// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The messages between the parent of a campaign and its workers: batches in one direction, packed rows in the
/// other.
#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <starloom/campaign/run_row.hpp>
#include <starloom/campaign/work.hpp>

namespace starloom {

/// Shared memory of parent and worker: shows what a worker was doing when it ended without a message.
struct WorkerSlot {
  std::atomic<std::int64_t> current{-1};  ///< the current run; -1: none
  std::atomic<bool> stop{false};          ///< end the batch after this run
};
static_assert(std::atomic<std::int64_t>::is_always_lock_free);

/// A row, or the reason why there is none.
struct RowMessage {
  RunRow row;
  std::string error;  ///< not empty: the run failed with an exception
};

/// Packs rows for the parent.
class RowPacker {
 public:
  void add(const RowMessage& message);
  /// The last message of a batch.
  void end_batch(bool retires, std::int64_t cpu_microseconds);
  std::string& bytes() { return bytes_; }

 private:
  std::string bytes_;
};

/// A message unpacked by the parent.
struct WorkerMessage {
  enum class Kind : std::uint8_t { row, end_of_batch };
  Kind kind = Kind::row;
  RowMessage row;
  bool retires = false;               ///< end_of_batch: the worker ends now
  std::int64_t cpu_microseconds = 0;  ///< end_of_batch: inside the runs
};

/// Unpacks messages from pieces of a stream; incomplete ones are kept.
class RowUnpacker {
 public:
  void feed(const char* bytes, std::size_t count) { bytes_.append(bytes, count); }
  /// Sets `message` to the next complete one, if there is one.
  bool next(WorkerMessage& message);

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

/// Writes all bytes to a socket. False if the other end is gone.
bool send_all(int socket, const void* bytes, std::size_t count);
/// Reads exactly `count` bytes. False at the end of the stream.
bool receive_all(int socket, void* bytes, std::size_t count);

}  // namespace starloom
