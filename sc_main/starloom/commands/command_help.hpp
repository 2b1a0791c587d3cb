// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Texts of `--help`, the manual and completion for commands and options, from the description that also parses
/// the command line.
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace starloom {

/// An option or an argument in words.
struct OptionWords {
  std::string name;                  ///< `--seed`, `-h, --help`, or the name of an argument: `FILE`
  std::string value;                 ///< the value of an option: `KEY=VALUE`; empty: none
  std::string meaning;               ///< one sentence, with the default in brackets
  std::vector<std::string> choices;  ///< the legal values, if they can be listed
};
OptionWords words_of(const CLI::Option& option);

/// `starloom show DIR --step N [OPTIONS]`; further lines, if the command has others below it. \param name its words
/// so far.
std::vector<std::string> usages(const CLI::App& command, const std::string& name);

/// The text of `--help`.
class HelpFormatter final : public CLI::Formatter {
 public:
  HelpFormatter();
  std::string make_usage(const CLI::App* command, std::string name) const override;
  std::string make_option_name(const CLI::Option* option, bool is_argument) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

/// [status] the meaning of a command's exit status.
const std::vector<std::string>& exit_status_texts();

}  // namespace starloom
