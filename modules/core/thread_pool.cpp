#include <starloom/core/thread_pool.hpp>

#include <sched.h>

#include <algorithm>
#include <new>
#include <system_error>

namespace starloom {
namespace {

void rest() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#endif
}

}  // namespace

int usable_cores() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

ThreadPool::ThreadPool(int threads)
    : looks_(threads <= usable_cores() ? 10000 : 0), thrown_(static_cast<std::size_t>(threads)) {
  workers_.reserve(thrown_.size());
  // Those that can be had suffice: `start` does the rest.
  try {
    for (int i = 1; i < threads; ++i) workers_.emplace_back([this, i] { work_for(i); });
  } catch (const std::system_error&) {
  } catch (const std::bad_alloc&) {
  }
}

ThreadPool::~ThreadPool() {
  over_ = true;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++begun_;
  }
  begin_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

template <class Reached>
void ThreadPool::wait(std::condition_variable& bell, Reached&& reached) {
  for (int look = 0; look < looks_; ++look) {
    if (reached()) return;
    rest();
  }
  std::unique_lock<std::mutex> lock(mutex_);
  // Whoever changes what is waited for looks at the sleepers afterwards: one of both sees the other.
  ++sleepers_;
  bell.wait(lock, reached);
  --sleepers_;
}

void ThreadPool::carry_out(int i) {
  try {
    call_(context_, i);
  } catch (...) {
    thrown_[static_cast<std::size_t>(i)] = std::current_exception();
  }
}

void ThreadPool::work_for(int i) {
  for (std::uint64_t done = 0;; ++done) {
    wait(begin_, [&] { return begun_.load() != done; });
    if (over_) return;
    carry_out(i);
    if (left_.fetch_sub(1) == 1 && sleepers_.load() > 0) {
      const std::lock_guard<std::mutex> lock(mutex_);
      end_.notify_one();
    }
  }
}

void ThreadPool::start(Call call, void* context) {
  call_ = call;
  context_ = context;
  left_.store(static_cast<int>(workers_.size()));
  ++begun_;
  if (sleepers_.load() > 0) {
    const std::lock_guard<std::mutex> lock(mutex_);
    begin_.notify_all();
  }
  carry_out(0);
  for (int i = static_cast<int>(workers_.size()) + 1; i < threads(); ++i) carry_out(i);
  wait(end_, [this] { return left_.load() == 0; });
  for (std::exception_ptr& thrown : thrown_)
    if (thrown != nullptr) {
      std::exception_ptr first;
      std::swap(first, thrown);
      std::fill(thrown_.begin(), thrown_.end(), nullptr);
      std::rethrow_exception(first);
    }
}

}  // namespace starloom
