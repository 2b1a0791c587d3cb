#pragma once
/// \file Writing `trace.csv` of a grid (docs/output.md).
#include <filesystem>
#include <string_view>

#include "core/trace.hpp"
#include "records/text_writer.hpp"

namespace starloom {

inline constexpr std::string_view trace_header = "step,event,packet,flit,node,port,to";

/// Steps whose rows are written: `from` included, `to` not.
struct TraceWindow {
  Step from = 0;
  Step to = no_step;  ///< no_step: to the end
};

class TraceWriter final : public TraceSink {
 public:
  /// \throws OutputError
  explicit TraceWriter(const std::filesystem::path& file, TraceWindow window = {});

  /// \throws OutputError
  void rows(const std::vector<TraceRow>& of_one_step) override;
  /// Completes the file; nothing may follow. \throws OutputError
  void close() { out_.close(); }

 private:
  TextWriter out_;
  const TraceWindow window_;
};

}  // namespace starloom
