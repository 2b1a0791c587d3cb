// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Writing `trace.csv` of a POPS network (docs/pops.md).
#include <filesystem>
#include <string_view>

#include <starloom/core/pops/trace.hpp>
#include <starloom/support/text_writer.hpp>
#include <starloom/trace_io/trace_window.hpp>

namespace starloom::pops {

inline constexpr std::string_view trace_header = "slot,event,processor,source_group,destination_group,kind,packet";

class TraceWriter final : public TraceSink {
 public:
  /// `window`: in slots. \throws OutputError
  explicit TraceWriter(const std::filesystem::path& file, TraceWindow window = {});

  /// \throws OutputError
  void rows(const std::vector<TraceRow>& of_one_slot) override;
  /// Completes the file; no rows may follow. \throws OutputError
  void close() { out_.close(); }

 private:
  TextWriter out_;
  const TraceWindow window_;
};

}  // namespace starloom::pops
