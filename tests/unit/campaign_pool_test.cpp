// SPDX-License-Identifier: Apache-2.0
// Worker processes that end, hang and throw: the other runs continue.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <thread>

#include <starloom/campaign/pool.hpp>
#include <starloom/support/error.hpp>

namespace {

/// In a worker: it is killed as soon as it has sent something.
bool ends_when_sent = false;

}  // namespace

/// Replaces the function of the C library, and calls it.
extern "C" ssize_t send(int socket, const void* bytes, size_t size, int flags) {
  static auto* const real = reinterpret_cast<ssize_t (*)(int, const void*, size_t, int)>(::dlsym(RTLD_NEXT, "send"));
  const ssize_t sent = real(socket, bytes, size, flags);
  if (ends_when_sent) ::raise(SIGKILL);
  return sent;
}

namespace starloom {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

/// Rows and failures, by point and index.
struct Collected final : RowSink {
  void row(std::int32_t point, const RunRow& row) override {
    EXPECT_TRUE(metrics.emplace(std::pair(point, row.index), row.metrics).second) << "twice: " << row.index;
  }
  void failure(std::int32_t point, std::int64_t index, const std::string& reason) override {
    EXPECT_TRUE(reasons.emplace(std::pair(point, index), reason).second) << "twice: " << index;
  }
  std::map<std::pair<std::int32_t, std::int64_t>, std::string> metrics, reasons;
};

/// Calls a function for every run.
class FunctionRunner final : public Runner {
 public:
  explicit FunctionRunner(std::function<void(std::int64_t)> run) : run_(std::move(run)) {}
  void run(std::int64_t index, RunRow& row) override {
    run_(index);
    row.metrics = "[" + std::to_string(index * index) + "]";
  }
  bool spent() const override { return spends; }
  bool spends = false;

 private:
  std::function<void(std::int64_t)> run_;
};

class PoolTest : public testing::Test {
 protected:
  PoolReport run(std::int64_t runs, const std::function<void(std::int64_t)>& function, bool spends = false) {
    WorkList work(options_.jobs);
    work.add(0, {0, runs});
    work.add(1, {0, 10});
    const PoolReport report = run_pool(
        work,
        [&](std::int32_t) {
          auto runner = std::make_unique<FunctionRunner>(function);
          runner->spends = spends;
          return runner;
        },
        options_, collected_);
    return report;
  }
  /// All runs but these have a row.
  void all_but(std::int64_t runs, const std::vector<std::int64_t>& without) const {
    EXPECT_EQ(collected_.metrics.size() + without.size(), static_cast<std::size_t>(runs) + 10);
    for (const std::int64_t index : without) EXPECT_EQ(collected_.metrics.count({0, index}), 0U);
  }

  PoolOptions options_ = [] {
    PoolOptions options;
    options.jobs = 3;
    return options;
  }();
  Collected collected_;
};

TEST_F(PoolTest, EveryRunOnce) {
  const PoolReport report = run(5000, [](std::int64_t) {});
  EXPECT_EQ(report.rows, 5010);
  EXPECT_EQ(report.workers, 3);
  all_but(5000, {});
  EXPECT_EQ(collected_.metrics.at({0, 77}), "[5929]");
  EXPECT_THAT(collected_.reasons, IsEmpty());
}

TEST_F(PoolTest, AKilledWorkerCostsOneRun) {
  const PoolReport report = run(2000, [](std::int64_t i) {
    if (i == 700 || i == 1900) ::raise(SIGKILL);
  });
  all_but(2000, {700, 1900});
  EXPECT_EQ(report.failures, 2);
  EXPECT_EQ(collected_.reasons.at({0, 700}), "the worker process was killed by signal 9 (Killed)");
  EXPECT_EQ(collected_.reasons.size(), 2U);
  EXPECT_GE(report.workers, 4);
}

TEST_F(PoolTest, AWorkerThatLeavesCostsOneRun) {
  run(300, [](std::int64_t i) {
    if (i == 15) ::_exit(3);
    if (i == 16) ::_exit(0);
    if (i == 17) std::abort();
  });
  all_but(300, {15, 16, 17});
  EXPECT_EQ(collected_.reasons.at({0, 15}), "the worker process exited with status 3");
  EXPECT_EQ(collected_.reasons.at({0, 16}), "the worker process ended without a result");
  EXPECT_THAT(collected_.reasons.at({0, 17}), HasSubstr("signal 6"));
}

// A received row is done, even if its worker ends before it begins the next run.
TEST_F(PoolTest, AWorkerThatEndsBehindItsRowCostsNoRun) {
  const PoolReport report = run(30, [](std::int64_t i) {
    if (i != 20) return;
    ::usleep(100'000);  // rows are not kept back for so long
    ends_when_sent = true;
  });
  all_but(30, {});
  EXPECT_EQ(report.failures, 0);
  EXPECT_THAT(collected_.reasons, IsEmpty());
}

TEST_F(PoolTest, AnExceptionCostsOneRunAndNoWorker) {
  const PoolReport report = run(300, [](std::int64_t i) {
    if (i % 100 == 50) throw std::runtime_error("no good");
  });
  all_but(300, {50, 150, 250});
  EXPECT_EQ(collected_.reasons.at({0, 150}), "no good");
  EXPECT_EQ(report.workers, 3);
}

TEST_F(PoolTest, ARunThatNeverEndsIsGivenUp) {
  options_.seconds = 1;
  run(200, [](std::int64_t i) {
    while (i == 20) ::usleep(1000);
  });
  all_but(200, {20});
  EXPECT_EQ(collected_.reasons.at({0, 20}), "it took longer than 1 s (limits.seconds)");
}

TEST_F(PoolTest, SpentWorkersAreReplaced) {
  const PoolReport report = run(
      20, [](std::int64_t) {}, true);
  all_but(20, {});
  EXPECT_EQ(report.workers, 30);
}

// Memory that a run does not give back ends with its worker.
TEST_F(PoolTest, GrownWorkersAreReplaced) {
  options_.jobs = 1;
  const PoolReport report = run(200, [](std::int64_t) {
    auto* const lost = static_cast<volatile char*>(std::malloc(1 << 20));
    for (int i = 0; i < 1 << 20; i += 4096) lost[i] = 1;
    ::usleep(20'000);  // batches of a few
  });
  all_but(200, {});
  EXPECT_GE(report.workers, 8);
  EXPECT_LE(report.workers, 24);
}

TEST_F(PoolTest, InterruptFinishesWhatIsInFlight) {
  StopFlag interrupt;
  options_.interrupt = &interrupt;
  options_.jobs = 1;
  struct Stopper final : RowSink {
    void row(std::int32_t, const RunRow&) override { ++rows; }
    void failure(std::int32_t, std::int64_t, const std::string&) override { ++failures; }
    void pause() override {
      if (rows > 0) flag->request();
    }
    StopFlag* flag = nullptr;
    int rows = 0, failures = 0;
  } stopper;
  stopper.flag = &interrupt;
  WorkList work(1);
  work.add(0, {0, 1'000'000});
  const PoolReport report = run_pool(
      work, [](std::int32_t) { return std::make_unique<FunctionRunner>([](std::int64_t) { ::usleep(1000); }); },
      options_, stopper);
  EXPECT_GT(report.rows, 0);
  EXPECT_LT(report.rows, 100'000);
  EXPECT_EQ(report.rows, stopper.rows);
  EXPECT_EQ(stopper.failures, 0);
  EXPECT_EQ(work.left(), 1'000'000 - report.rows);
}

TEST_F(PoolTest, AFaultOfTheSinkEndsAllWorkers) {
  struct Full final : RowSink {
    void row(std::int32_t, const RunRow&) override { throw OutputError("full"); }
    void failure(std::int32_t, std::int64_t, const std::string&) override {}
  } full;
  WorkList work(3);
  work.add(0, {0, 1000});
  EXPECT_THROW(
      run_pool(
          work, [](std::int32_t) { return std::make_unique<FunctionRunner>([](std::int64_t) {}); }, options_, full),
      OutputError);
}

}  // namespace
}  // namespace starloom
