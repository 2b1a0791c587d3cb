// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `credits.csv` of a run with virtual channels (docs/output.md), beside its trace.
#include <filesystem>
#include <string_view>
#include <vector>

#include <starloom/core/links/trace.hpp>
#include <starloom/support/text_writer.hpp>
#include <starloom/trace_io/csv_reader.hpp>
#include <starloom/trace_io/links/subnet_rows.hpp>
#include <starloom/trace_io/trace_window.hpp>

namespace starloom::links {

inline constexpr std::string_view credits_header = "step,node,port,channel";

class CreditsWriter final : public CreditSink {
 public:
  /// \throws OutputError
  explicit CreditsWriter(const std::filesystem::path& file, TraceWindow window = {}, const SubnetRows& subnets = {});

  /// \throws OutputError
  void rows(const std::vector<CreditRow>& of_one_step) override {
    if (subnets_.several()) write(subnets_.to_file(of_one_step));
    else write(of_one_step);
  }
  /// Completes the file; no rows may follow. \throws OutputError
  void close() { out_.close(); }

 private:
  void write(const std::vector<CreditRow>& of_one_step);

  TextWriter out_;
  const TraceWindow window_;
  const SubnetRows subnets_;
};

/// Yields the rows step by step; the referee checks their consistency.
class CreditsReader {
 public:
  /// \throws InputError
  explicit CreditsReader(const std::filesystem::path& file, const SubnetRows& subnets = {});

  /// The step of the next rows, or `no_step` at the end.
  Step next_step() const { return has_ahead_ ? ahead_.step : no_step; }
  /// Replaces `rows` by the next rows that name the same step. False (and no rows) at the end. \throws InputError
  bool next(std::vector<CreditRow>& rows);

 private:
  bool read_row();

  CsvReader csv_;
  const SubnetRows subnets_;
  CreditRow ahead_;
  CreditRow in_file_{no_step};  ///< `ahead_` as the file has it
  bool has_ahead_;
};

}  // namespace starloom::links
