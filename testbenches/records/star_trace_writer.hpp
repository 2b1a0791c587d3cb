#pragma once
/// \file Writing `trace.csv` of a POPS network (docs/pops.md).
#include <filesystem>
#include <string_view>

#include "core/star_trace.hpp"
#include "records/text_writer.hpp"
#include "records/trace_writer.hpp"

namespace starloom {

inline constexpr std::string_view star_trace_header = "slot,event,processor,source_group,destination_group,kind,packet";

class StarTraceWriter final : public StarTraceSink {
 public:
  /// `window`: of slots. \throws OutputError
  explicit StarTraceWriter(const std::filesystem::path& file, TraceWindow window = {});

  /// \throws OutputError
  void rows(const std::vector<StarRow>& of_one_slot) override;
  /// Completes the file; nothing may follow. \throws OutputError
  void close() { out_.close(); }

 private:
  TextWriter out_;
  const TraceWindow window_;
};

}  // namespace starloom
