// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Threads that share the work of a step.
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace starloom {

/// Cores that this process may use, at least 1: those that it may run on, but no more than its CPU quota, rounded up
/// (control_group.hpp). The same throughout the process.
int usable_cores();

/// Threads that share pieces of work; the caller is one of them. A piece has a part for each thread. A thread that
/// has done its part takes over parts that no thread has begun, so a thread without a core does not delay the others.
///
/// Between two pieces the others spin for a while, then they sleep; if there are fewer cores than threads they sleep
/// immediately. While other programs use the cores, the caller does whole pieces alone. A clock decides that, but the
/// results of the work cannot depend on it: they do not depend on the thread that does a part.
class ThreadPool {
 public:
  /// \param threads at least 1. If the system refuses to start some of them, the others do their parts.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(parts_.size()); }

  /// Calls `work(i)` once for every i from 0 to threads() - 1, 0 in the caller's thread, the others in any, and
  /// returns when all have returned. The caller then sees what they have written, and they saw what the caller had
  /// written. The calls are concurrent or sequential: none may wait for another.
  /// \throws the exception of the lowest i.
  template <class Work>
  void run(Work&& work) {
    run_piece({[](void* context, int i) { (*static_cast<std::remove_reference_t<Work>*>(context))(i); }, &work});
  }

 private:
  using Clock = std::chrono::steady_clock;

  /// Decides whether the next piece is shared, from the time that the caller has wasted by sharing: waiting for a
  /// thread that has lost its core in the middle of a part, or after losing its own.
  class SharingPolicy {
   public:
    bool should_share(Clock::time_point now) const { return now >= alone_until_; }
    /// Called after a shared piece. \param begin, done, end when the caller began it, had no part left to do, and saw
    /// all done.
    void account(Clock::time_point begin, Clock::time_point done, Clock::time_point end, int threads);

   private:
    /// How often another thread has taken the core of this one.
    static long involuntary_switches();
    void count_switches(Clock::time_point now);
    void stop_sharing(Clock::time_point now);

    Clock::duration wasted_{};         ///< since the caller last worked alone, less what it may waste
    Clock::duration alone_{};          ///< length of the period in which it last worked alone
    Clock::time_point alone_until_{};  ///< end of that period
    Clock::time_point counted_at_{};   ///< when the switches were last counted; zero: not since that period
    long switches_ = 0;                ///< their count at that time
  };

  struct Piece {
    void (*call)(void* context, int i) = nullptr;
    void* context = nullptr;
  };
  struct alignas(64) Part {
    std::atomic<std::uint64_t> begun{0};  ///< number of the last piece of which a thread has begun this part
    std::exception_ptr thrown;
  };
  struct alignas(64) WaitQueue {
    std::atomic<int> sleepers{0};  ///< above 0 if a thread sleeps; `wake_all` sets it to 0
    std::condition_variable condition;
  };

  void run_piece(Piece piece);
  void run_shared(Piece piece, Clock::time_point begin);
  void work_for(int own);
  void do_parts(int own, std::uint64_t number);
  void do_part(Piece piece, int i);
  void rethrow_lowest();
  /// Spins until `reached()`, for a while; then sleeps until `wake_all(queue)`.
  template <class Reached>
  void wait(WaitQueue& queue, Reached&& reached);
  void wake_all(WaitQueue& queue);

  const int spins_;  ///< before a thread sleeps
  SharingPolicy policy_;
  std::vector<Part> parts_;
  std::atomic<bool> over_{false};
  alignas(64) std::atomic<std::uint64_t> number_{0};  ///< of the shared piece
  Piece piece_;                                       ///< that one
  alignas(64) std::atomic<int> left_{0};              ///< parts of it that have not been done
  std::mutex mutex_;                                  ///< of threads that sleep and those that wake them
  WaitQueue begin_, end_;
  std::vector<std::thread> workers_;
};

}  // namespace starloom
