// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/worker.hpp>

#include <sys/resource.h>

#include <chrono>
#include <ctime>
#include <exception>
#include <memory>
#include <optional>

namespace starloom {
namespace {

using std::chrono::steady_clock;

/// SystemC keeps memory for every simulation. A process that has grown by this amount since its first run is
/// replaced.
constexpr std::int64_t most_growth_kilobytes = std::int64_t{16} * 1024;
constexpr std::size_t most_bytes_kept_back = 1 << 18;
constexpr auto longest_silence = std::chrono::milliseconds(50);

std::int64_t cpu_microseconds() {
  timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return std::int64_t{time.tv_sec} * 1'000'000 + time.tv_nsec / 1000;
}

std::int64_t peak_kilobytes() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

/// Does the runs of batches.
class Worker {
 public:
  Worker(int socket, WorkerSlot& slot, const RunnerFactory& make) : socket_(socket), slot_(slot), make_(make) {}

  /// False when the process should end.
  bool run(const Batch& batch) {
    const std::int64_t begun = cpu_microseconds();
    cpu_ = begun;
    last_sent_ = steady_clock::now();
    for (std::int64_t i = 0; i < batch.count && !spent_ && !slot_.stop.load(std::memory_order_relaxed); ++i)
      run(batch.point, batch.first + i);
    slot_.current.store(-1, std::memory_order_release);
    const bool grown = peak_of_first_ && peak_kilobytes() - *peak_of_first_ > most_growth_kilobytes;
    const bool retires = spent_ || grown;
    packer_.end_batch(retires, cpu_ - begun);
    return send() && !retires;
  }

 private:
  void run(std::int32_t point, std::int64_t index) {
    slot_.current.store(index, std::memory_order_release);
    RunRow& row = message_.row;
    row.index = index;
    row.metrics.clear();
    row.result.clear();
    message_.error.clear();
    try {
      if (!runner_ || point_ != point) runner_ = make_(point);
      point_ = point;
      runner_->run(index, row);
    } catch (const std::exception& error) {
      message_.error = *error.what() == '\0' ? "an exception without a message" : error.what();
    }
    spent_ = spent_ || (runner_ && runner_->spent());
    if (!peak_of_first_) peak_of_first_ = peak_kilobytes();
    const std::int64_t now = cpu_microseconds();
    row.cpu_microseconds = now - cpu_;
    cpu_ = now;
    packer_.add(message_);
    if (packer_.bytes().size() > most_bytes_kept_back || steady_clock::now() - last_sent_ > longest_silence) send();
  }

  bool send() {
    const bool sent = send_all(socket_, packer_.bytes().data(), packer_.bytes().size());
    packer_.bytes().clear();
    last_sent_ = steady_clock::now();
    return sent;
  }

  int socket_;
  WorkerSlot& slot_;
  const RunnerFactory& make_;
  std::optional<std::int64_t> peak_of_first_;  ///< kilobytes in memory after the first run
  std::unique_ptr<Runner> runner_;
  std::int32_t point_ = -1;
  RowMessage message_;
  RowPacker packer_;
  bool spent_ = false;
  std::int64_t cpu_ = 0;
  steady_clock::time_point last_sent_;
};

}  // namespace

void work(int socket, WorkerSlot& slot, const RunnerFactory& make) {
  Worker worker(socket, slot, make);
  Batch batch;
  while (receive_all(socket, &batch, sizeof batch) && worker.run(batch)) continue;
}

}  // namespace starloom
