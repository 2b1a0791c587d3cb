// SPDX-License-Identifier: Apache-2.0
#include <starloom/support/thread_pool.hpp>

#include <sched.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <new>
#include <system_error>
#include <utility>

#include <starloom/support/control_group.hpp>

namespace starloom {
namespace {

using namespace std::chrono_literals;

/// The caller works alone for this many times the time that it has wasted; this fraction (one over it) of the shared
/// time may be wasted.
constexpr int times_wasted = 20;
/// A further allowance. The kernel takes about as long to move a woken thread from the caller's core to a free one.
constexpr std::chrono::steady_clock::duration waste_limit = 10ms;
constexpr std::chrono::steady_clock::duration longest_alone = 1s;
/// Approximate time that a thread that has lost its core waits for the next one.
constexpr std::chrono::steady_clock::duration time_slice = 4ms;
/// Counting the switches takes a system call of half a microsecond.
constexpr std::chrono::steady_clock::duration count_interval = 1ms;

void pause_cpu() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

int usable_cores() {
  static const int cores = [] {
    cpu_set_t set;
    const bool known = sched_getaffinity(0, sizeof set, &set) == 0;
    const int all = known ? CPU_COUNT(&set) : static_cast<int>(std::thread::hardware_concurrency());
    const double quota = std::ceil(cpu_quota().value_or(all));
    return std::max(1, static_cast<int>(std::min<double>(all, quota)));
  }();
  return cores;
}

void ThreadPool::SharingPolicy::account(Clock::time_point begin, Clock::time_point done, Clock::time_point end,
                                        int threads) {
  // The parts of a piece take about the same time, so a thread that needs this long has lost its core.
  if (end - done > threads * (done - begin)) wasted_ += end - done;
  if (end - counted_at_ > count_interval) count_switches(end);
  if (wasted_ > waste_limit) stop_sharing(end);
}

long ThreadPool::SharingPolicy::involuntary_switches() {
  rusage usage{};
  getrusage(RUSAGE_THREAD, &usage);
  return usage.ru_nivcsw;
}

void ThreadPool::SharingPolicy::count_switches(Clock::time_point now) {
  const long before = std::exchange(switches_, involuntary_switches());
  const Clock::time_point counted_at = std::exchange(counted_at_, now);
  if (counted_at == Clock::time_point{}) return;
  const long switches = switches_ - before;
  const Clock::duration since = now - counted_at;
  wasted_ = std::max(Clock::duration::zero(), wasted_ + std::min(since, switches * time_slice) - since / times_wasted);
}

/// If the caller has shared for a shorter time than it had worked alone before, the machine is still busy, so the next
/// trial comes later.
void ThreadPool::SharingPolicy::stop_sharing(Clock::time_point now) {
  const bool still_busy = now - alone_until_ < alone_;
  alone_ = std::max(times_wasted * wasted_, still_busy ? std::min(2 * alone_, longest_alone) : Clock::duration::zero());
  alone_until_ = now + alone_;
  wasted_ = Clock::duration::zero();
  counted_at_ = {};
}

ThreadPool::ThreadPool(int threads)
    : spins_(threads <= usable_cores() ? 10000 : 0), parts_(static_cast<std::size_t>(threads)) {
  workers_.reserve(parts_.size());
  try {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work_for(i); });
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
}

ThreadPool::~ThreadPool() {
  over_ = true;
  ++number_;
  wake_all(begin_);
  for (std::thread& worker : workers_) worker.join();
}

template <class Reached>
void ThreadPool::wait(WaitQueue& queue, Reached&& reached) {
  for (int spin = 0; spin < spins_; ++spin) {
    if (reached()) return;
    pause_cpu();
  }
  std::unique_lock<std::mutex> lock(mutex_);
  // A sleeper counts itself before it checks the condition, and the thread that calls wake_all has made the condition
  // true before it reads the count, so one of them sees the other. A sleeper that wakes too early counts itself again,
  // because a late call, for a condition reached long ago, has set the count to 0.
  do {
    ++queue.sleepers;
    if (reached()) return;
    queue.condition.wait(lock);
  } while (!reached());
}

void ThreadPool::wake_all(WaitQueue& queue) {
  if (queue.sleepers.load() == 0) return;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    queue.sleepers.store(0);
  }
  queue.condition.notify_all();
}

void ThreadPool::work_for(int own) {
  for (std::uint64_t seen = 0;;) {
    wait(begin_, [&] { return number_.load() != seen; });
    seen = number_.load();
    if (over_) return;
    do_parts(own, seen);
  }
}

/// Does the thread's own part of a piece, then all parts that no thread has begun.
void ThreadPool::do_parts(int own, std::uint64_t number) {
  for (int k = 0; k < threads(); ++k) {
    const int i = (own + k) % threads();
    // This fails for an earlier piece than the one that is shared now, because all its parts have been begun.
    std::uint64_t before = number - 1;
    if (!parts_[static_cast<std::size_t>(i)].begun.compare_exchange_strong(before, number)) continue;
    do_part(piece_, i);
    if (left_.fetch_sub(1) == 1) wake_all(end_);
  }
}

void ThreadPool::do_part(Piece piece, int i) {
  try {
    piece.call(piece.context, i);
  } catch (...) {
    parts_[static_cast<std::size_t>(i)].thrown = std::current_exception();
  }
}

void ThreadPool::run_shared(Piece piece, Clock::time_point begin) {
  piece_ = piece;
  left_.store(threads());
  const std::uint64_t number = number_.load() + 1;
  parts_[0].begun.store(number);
  number_.store(number);
  wake_all(begin_);
  do_part(piece, 0);
  left_.fetch_sub(1);
  do_parts(0, number);
  const Clock::time_point done = Clock::now();
  const auto all_done = [this] { return left_.load() == 0; };
  if (all_done()) return policy_.account(begin, done, done, threads());
  wait(end_, all_done);
  policy_.account(begin, done, Clock::now(), threads());
}

void ThreadPool::run_piece(Piece piece) {
  const Clock::time_point now = Clock::now();
  if (!workers_.empty() && policy_.should_share(now)) {
    run_shared(piece, now);
  } else {
    for (int i = 0; i < threads(); ++i) do_part(piece, i);
  }
  rethrow_lowest();
}

void ThreadPool::rethrow_lowest() {
  std::exception_ptr lowest;
  for (Part& part : parts_) {
    if (lowest == nullptr) lowest = part.thrown;
    part.thrown = nullptr;
  }
  if (lowest != nullptr) std::rethrow_exception(lowest);
}

}  // namespace starloom
