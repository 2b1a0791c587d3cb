#pragma once
/// \file Threads that share the work of a step.
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace starloom {

/// Cores that this process may use, at least 1.
int usable_cores();

/// So many threads, of which the caller is one. Between two pieces of work the others look out for the next one for a
/// while, then they sleep; where there are fewer cores than threads they sleep at once. What the system refuses to start,
/// for want of memory or of processes, the caller does in its stead.
class ThreadPool {
 public:
  /// \param threads at least 1.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(thrown_.size()); }

  /// Calls `work(i)` for every i from 0 to threads() - 1, each in a thread of its own, 0 in the caller's, and returns when all
  /// have. What they have written is then seen by the caller, and what the caller has written was seen by them.
  /// \throws what the lowest of them has thrown.
  template <class Work>
  void run(Work&& work) {
    start([](void* context, int i) { (*static_cast<std::remove_reference_t<Work>*>(context))(i); }, &work);
  }

 private:
  using Call = void (*)(void* context, int i);
  void start(Call call, void* context);
  void work_for(int i);
  void carry_out(int i);
  /// Waits until `reached()`, awake for a while, then asleep until `bell` rings.
  template <class Reached>
  void wait(std::condition_variable& bell, Reached&& reached);

  const int looks_;  ///< before a thread sleeps
  Call call_ = nullptr;
  void* context_ = nullptr;
  std::vector<std::exception_ptr> thrown_;  ///< [thread]
  bool over_ = false;
  alignas(64) std::atomic<std::uint64_t> begun_{0};  ///< pieces of work
  alignas(64) std::atomic<int> left_{0};             ///< threads that have not done the present one
  alignas(64) std::atomic<int> sleepers_{0};
  std::mutex mutex_;  ///< of those who sleep and those who wake them
  std::condition_variable begin_, end_;
  std::vector<std::thread> workers_;
};

}  // namespace starloom
