// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `trace.csv`, or a file beside it, while the run writes it.
#include <exception>
#include <filesystem>
#include <functional>
#include <starloom/support/error.hpp>
#include <starloom/trace_io/trace_window.hpp>
#include <utility>
#include <vector>

namespace starloom {

/// A failed write ends the run early: its exception must not pass through the SystemC kernel, which would convert it
/// into a report. `Sink` takes rows of type `Row`, a `Writer` writes them.
template <class Writer, class Sink, class Row>
class TraceFile final : public Sink {
 public:
  /// `stop`: called once if the file cannot be written. `more`: for the writer. \throws OutputError
  template <class... More>
  TraceFile(const std::filesystem::path& file, TraceWindow window, std::function<void()> stop, More... more)
      : writer_(file, window, more...), stop_(std::move(stop)) {}
  void rows(const std::vector<Row>& together) override {
    if (error_ != nullptr) return;
    try {
      writer_.rows(together);
    } catch (const OutputError&) {
      error_ = std::current_exception();
      stop_();
    }
  }
  /// \throws OutputError for this write or an earlier one.
  void close() {
    if (error_ != nullptr) std::rethrow_exception(error_);
    writer_.close();
  }

 private:
  Writer writer_;
  std::function<void()> stop_;
  std::exception_ptr error_;
};

}  // namespace starloom
