// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/command_help.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/algorithm/string/classification.hpp>
#include <boost/algorithm/string/split.hpp>

namespace starloom {
namespace {

/// CLI11 writes `{svg,json}` after the type's name.
std::vector<std::string> choices_of(const std::string& type) {
  const std::size_t begin = type.find(":{"), end = type.rfind('}');
  std::vector<std::string> choices;
  if (begin != std::string::npos && end != std::string::npos)
    boost::split(choices, type.substr(begin + 2, end - begin - 2), boost::is_any_of(","));
  return choices;
}

}  // namespace

OptionWords words_of(const CLI::Option& option) {
  OptionWords words;
  words.meaning = option.get_description();
  if (option.get_positional()) {
    words.name = option.get_name(true, false);
    return words;
  }
  for (const std::string& letter : option.get_snames()) words.name += "-" + letter + ", ";
  words.name += "--" + option.get_lnames().front();
  const std::string type = option.get_type_name();
  words.choices = choices_of(type);
  // Optional values are in brackets; otherwise CLI11 adds its checks after a colon.
  words.value = type.rfind('[', 0) == 0 ? type : type.substr(0, type.find(':'));
  if (words.value == "TEXT" && !words.choices.empty()) words.value = fmt::format("{}", fmt::join(words.choices, "|"));
  if (!option.get_default_str().empty()) words.meaning += fmt::format(" [{}]", option.get_default_str());
  return words;
}

std::vector<std::string> usages(const CLI::App& command, const std::string& name) {
  std::string line = name;
  if (command.get_require_subcommand_min() > 0) line += " COMMAND";
  for (const CLI::Option* argument : command.get_options([](const CLI::Option* o) { return o->get_positional(); })) {
    const bool many = argument->get_expected_max() >= CLI::detail::expected_max_vector_size;
    line +=
        fmt::format(argument->get_required() ? " {}{}" : " [{}{}]", argument->get_name(true, false), many ? "..." : "");
  }
  for (const CLI::Option* option : command.get_options([](const CLI::Option* o) { return o->nonpositional(); }))
    if (option->get_required()) line += fmt::format(" {} {}", words_of(*option).name, words_of(*option).value);
  std::vector<std::string> lines = {line + " [OPTIONS]"};
  if (command.get_require_subcommand_min() > 0) return lines;
  for (const CLI::App* inner : command.get_subcommands(nullptr))
    lines.push_back(usages(*inner, name + " " + inner->get_name()).front());
  return lines;
}

HelpFormatter::HelpFormatter() {
  label("Positionals", "Arguments");
  column_width(30);
}

std::string HelpFormatter::make_usage(const CLI::App* command, std::string name) const {
  return fmt::format("\nUsage: {}\n", fmt::join(usages(*command, name), "\n       "));
}

std::string HelpFormatter::make_option_name(const CLI::Option* option, bool /*is_argument*/) const {
  return words_of(*option).name;
}

std::string HelpFormatter::make_option_opts(const CLI::Option* option) const {
  const OptionWords words = words_of(*option);
  return words.value.empty() ? "" : " " + words.value;
}

std::string HelpFormatter::make_option_desc(const CLI::Option* option) const { return words_of(*option).meaning; }

const std::vector<std::string>& exit_status_texts() {
  static const std::vector<std::string> texts = {
      "done; a saturated network is also a result",
      "an unexpected exception: please report it",
      "command line or input file with errors",
      "a rule of the hardware was broken",
      "the run ended without delivering everything",
      "an output could not be written, or exists and --force is absent",
      "an expectation, a golden digest or a reference was missed",
  };
  return texts;
}

}  // namespace starloom
