// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/pool.hpp>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <list>
#include <new>
#include <system_error>
#include <vector>

#include <starloom/campaign/channel.hpp>
#include <starloom/campaign/worker.hpp>
#include <starloom/support/error.hpp>

namespace starloom {
namespace {

using std::chrono::steady_clock;

constexpr int poll_ms = 50;
/// For runs in flight when the campaign is to stop.
constexpr auto longest_last_run = std::chrono::milliseconds(600);
/// Limit of successive workers that end without having begun a run: the runs are not the cause.
constexpr int most_vain_workers = 10;

[[noreturn]] void fail(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// A slot in memory that outlives its worker.
class SharedSlot {
 public:
  SharedSlot() {
    void* const memory = ::mmap(nullptr, sizeof(WorkerSlot), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) fail("memory shared with a worker");
    slot_ = new (memory) WorkerSlot;
  }
  ~SharedSlot() { ::munmap(slot_, sizeof(WorkerSlot)); }
  SharedSlot(const SharedSlot&) = delete;
  SharedSlot& operator=(const SharedSlot&) = delete;
  WorkerSlot& operator*() const { return *slot_; }
  WorkerSlot* operator->() const { return slot_; }

 private:
  WorkerSlot* slot_;
};

/// A worker process, in the parent.
class WorkerProcess {
 public:
  explicit WorkerProcess(const RunnerFactory& make) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) fail("a channel to a worker");
    const pid_t parent = ::getpid();
    pid_ = ::fork();
    if (pid_ < 0) {
      ::close(ends[0]);
      ::close(ends[1]);
      fail("a worker process cannot be started");
    }
    if (pid_ == 0) {
      ::close(ends[0]);
      live(ends[1], parent, make);
    }
    ::close(ends[1]);
    socket_ = ends[0];
    ::fcntl(socket_, F_SETFL, O_NONBLOCK);
  }
  ~WorkerProcess() {
    if (pid_ > 0) {
      ::kill(pid_, SIGKILL);
      wait();
    }
    ::close(socket_);
  }
  WorkerProcess(const WorkerProcess&) = delete;
  WorkerProcess& operator=(const WorkerProcess&) = delete;

  int socket() const { return socket_; }
  WorkerSlot& slot() const { return *slot_; }
  bool busy() const { return batch_.count > 0; }
  const Batch& batch() const { return batch_; }

  void give(const Batch& batch) {
    batch_ = batch;
    received_ = {};
    begun_ = steady_clock::now();
    current_seen_ = -1;
    current_since_ = begun_;
    // If the worker has ended, the end of its stream reports it.
    send_all(socket_, &batch, sizeof batch);
  }
  void received(std::int64_t index) { append(received_, index); }
  /// Runs of the batch that have come back.
  const Intervals& received() const { return received_; }
  double batch_seconds() const { return std::chrono::duration<double>(steady_clock::now() - begun_).count(); }
  void end_batch() { batch_ = {}; }

  /// Kills the worker if its run takes too long.
  void enforce(double seconds) {
    const std::int64_t current = slot_->current.load(std::memory_order_acquire);
    const auto now = steady_clock::now();
    if (current != current_seen_ || current < 0) {
      current_seen_ = current;
      current_since_ = now;
    } else if (!overdue_ && std::chrono::duration<double>(now - current_since_).count() > seconds) {
      overdue_ = true;
      ::kill(pid_, SIGKILL);
    }
  }

  void hang_up() const { ::shutdown(socket_, SHUT_WR); }

  /// Waits for the end of the process; returns the cause as part of a sentence, empty for a regular end.
  std::string end(const std::optional<double>& seconds) {
    const int state = wait();
    if (overdue_) return fmt::format("it took longer than {} s (limits.seconds)", seconds.value_or(0));
    if (WIFSIGNALED(state))
      return fmt::format("the worker process was killed by signal {} ({})", WTERMSIG(state),
                         ::strsignal(WTERMSIG(state)));
    if (WEXITSTATUS(state) != 0) return fmt::format("the worker process exited with status {}", WEXITSTATUS(state));
    return "";
  }

  RowUnpacker unpacker;

 private:
  [[noreturn]] void live(int socket, pid_t parent, const RunnerFactory& make) {
    // These signals reach the whole group, from a terminal or a batch system; the parent handles them.
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_IGN);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    work(socket, *slot_, make);
    ::_exit(0);  // files that the parent had open are not closed here
  }
  int wait() {
    int state = 0;
    while (::waitpid(pid_, &state, 0) < 0 && errno == EINTR) continue;
    pid_ = 0;
    return state;
  }

  SharedSlot slot_;
  pid_t pid_ = 0;
  int socket_ = -1;
  Batch batch_;
  Intervals received_;
  steady_clock::time_point begun_, current_since_;
  std::int64_t current_seen_ = -1;
  bool overdue_ = false;
};

/// Distributes batches, receives rows, replaces workers.
class Pool {
 public:
  Pool(WorkList& work, const RunnerFactory& make, const PoolOptions& options, RowSink& sink)
      : work_(work), make_(make), options_(options), sink_(sink) {}

  PoolReport run() {
    while (true) {
      if (stopping() && !is_stopping_) stop_workers();
      hand_out();
      if (busy() == 0) break;
      if (is_stopping_ && steady_clock::now() - stopped_at_ > longest_last_run) {
        workers_.clear();  // kills them; their current runs are repeated when the campaign continues
        break;
      }
      listen();
      if (options_.seconds)
        for (WorkerProcess& worker : workers_)
          if (worker.busy()) worker.enforce(*options_.seconds);
      sink_.pause();
    }
    for (WorkerProcess& worker : workers_) worker.hang_up();
    for (WorkerProcess& worker : workers_) worker.end(options_.seconds);
    return report_;
  }

 private:
  bool stopping() const { return options_.interrupt != nullptr && options_.interrupt->requested(); }
  void stop_workers() {
    is_stopping_ = true;
    stopped_at_ = steady_clock::now();
    for (WorkerProcess& worker : workers_) worker.slot().stop = true;
  }
  std::size_t busy() const {
    std::size_t count = 0;
    for (const WorkerProcess& worker : workers_) count += worker.busy() ? 1 : 0;
    return count;
  }

  void hand_out() {
    if (stopping()) return;
    for (WorkerProcess& worker : workers_)
      if (!worker.busy()) give(worker);
    while (workers_.size() < static_cast<std::size_t>(options_.jobs) && work_.left() > 0) {
      workers_.emplace_back(make_);
      ++report_.workers;
      give(workers_.back());
    }
  }
  void give(WorkerProcess& worker) {
    if (const auto batch = work_.take()) worker.give(*batch);
  }

  void listen() {
    std::vector<pollfd> polled;
    for (const WorkerProcess& worker : workers_) polled.push_back({worker.socket(), POLLIN, 0});
    const int ready = ::poll(polled.data(), polled.size(), poll_ms);
    if (ready < 0 && errno != EINTR) fail("waiting for workers");
    if (ready <= 0) return;
    auto worker = workers_.begin();
    for (const pollfd& one : polled) {
      const auto next = std::next(worker);
      if (one.revents != 0 && !take_rows(*worker)) {
        bury(*worker);
        workers_.erase(worker);
      }
      worker = next;
    }
  }

  /// False at the end of the stream.
  bool take_rows(WorkerProcess& worker) {
    const ssize_t count = ::recv(worker.socket(), buffer_.data(), buffer_.size(), 0);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    if (count == 0) return false;
    worker.unpacker.feed(buffer_.data(), static_cast<std::size_t>(count));
    while (worker.unpacker.next(message_)) {
      if (message_.kind == WorkerMessage::Kind::row) take_row(worker);
      else if (!end_batch(worker)) return false;
    }
    return true;
  }

  void take_row(WorkerProcess& worker) {
    const RunRow& row = message_.row.row;
    worker.received(row.index);
    vain_ = 0;
    if (message_.row.error.empty()) {
      sink_.row(worker.batch().point, row);
      ++report_.rows;
    } else {
      fail_run(worker, row.index, message_.row.error);
    }
  }
  void fail_run(WorkerProcess& worker, std::int64_t index, const std::string& reason) {
    sink_.failure(worker.batch().point, index, reason);
    ++report_.failures;
  }

  /// False if the worker leaves.
  bool end_batch(WorkerProcess& worker) {
    work_.learn(worker.batch().point, size(worker.received()), worker.batch_seconds());
    report_.cpu_microseconds += message_.cpu_microseconds;
    give_back(worker);
    worker.end_batch();
    return !message_.retires;
  }

  /// Runs of the batch that were not done are returned for other workers.
  void give_back(const WorkerProcess& worker) {
    const Batch& batch = worker.batch();
    for (const Interval& rest : difference({{batch.first, batch.first + batch.count}}, worker.received()))
      work_.give_back(batch.point, rest);
  }

  /// The worker's stream has ended: because it retires, or because it was ended.
  void bury(WorkerProcess& worker) {
    if (!worker.busy()) {
      worker.hang_up();
      worker.end(options_.seconds);
      return;
    }
    const std::int64_t current = worker.slot().current.load(std::memory_order_acquire);
    const Interval batch{worker.batch().first, worker.batch().first + worker.batch().count};
    std::string reason = worker.end(options_.seconds);
    if (reason.empty()) reason = "the worker process ended without a result";
    // Runs whose rows had not been sent yet are repeated; only the one in flight can be the cause.
    if (current >= batch.first && current < batch.end && !contains(worker.received(), current)) {
      vain_ = 0;
      fail_run(worker, current, reason);
      const Intervals known = worker.received();
      for (const Interval& rest : difference(difference({batch}, known), {{current, current + 1}}))
        work_.give_back(worker.batch().point, rest);
    } else {
      if (++vain_ > most_vain_workers)
        throw Error(ExitStatus::unexpected,
                    fmt::format("worker processes end before they start a run; the last: {}", reason));
      give_back(worker);
    }
    worker.end_batch();
  }
  static bool contains(const Intervals& intervals, std::int64_t number) {
    return std::any_of(intervals.begin(), intervals.end(), [number](const Interval& interval) {
      return number >= interval.first && number < interval.end;
    });
  }

  WorkList& work_;
  const RunnerFactory& make_;
  const PoolOptions& options_;
  RowSink& sink_;
  std::list<WorkerProcess> workers_;
  std::vector<char> buffer_ = std::vector<char>(1 << 18);
  WorkerMessage message_;
  PoolReport report_;
  int vain_ = 0;
  bool is_stopping_ = false;
  steady_clock::time_point stopped_at_;
};

}  // namespace

PoolReport run_pool(WorkList& work, const RunnerFactory& make, const PoolOptions& options, RowSink& sink) {
  return Pool(work, make, options, sink).run();
}

}  // namespace starloom
