// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/completion.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/algorithm/string/replace.hpp>
#include <map>
#include <set>

#include <starloom/commands/command_help.hpp>
#include <starloom/experiment/explained.hpp>

namespace starloom {
namespace {

using Names = std::set<std::string>;

/// A command with all words that may follow it; those of its subcommands included.
struct CommandWords {
  std::string name, meaning;
  std::vector<OptionWords> options;
};

void add_options(std::vector<OptionWords>& options, const CLI::App& command) {
  for (const CLI::Option* option : command.get_options([](const CLI::Option* o) { return o->nonpositional(); })) {
    options.push_back(words_of(*option));
    options.back().name = "--" + option->get_lnames().front();
  }
  for (const CLI::App* inner : command.get_subcommands(nullptr)) add_options(options, *inner);
}

std::vector<CommandWords> commands_of(const CLI::App& program) {
  std::vector<CommandWords> commands;
  for (const CLI::App* command : program.get_subcommands(nullptr)) {
    commands.push_back({command->get_name(), command->get_description(), {}});
    add_options(commands.back().options, *command);
  }
  return commands;
}

/// Keys of an experiment, with values that can be listed.
std::map<std::string, Names> key_values(const Catalogue& catalogue) {
  std::map<std::string, Names> keys;
  for (const ExplainedSection& section : explained_keys(catalogue))
    for (const ExplainedKey& key : section.keys) {
      Names& values = keys[key.path];
      values.insert(key.values.begin(), key.values.end());
      if (key.spec.type == KeyType::boolean) values.insert({"true", "false"});
    }
  return keys;
}

Names explained_words(const Catalogue& catalogue) {
  Names words;
  for (const ExplainedSection& section : explained_keys(catalogue)) {
    if (!section.name.empty()) words.insert(section.name);
    for (const ExplainedKey& key : section.keys) words.insert(key.path);
  }
  for (const ExplainedName& name : explained_names(catalogue)) words.insert(name.name);
  for (const ExplainedMetric& metric : explained_metrics(catalogue)) words.insert(metric.spec.path);
  return words;
}

std::string names_of(const std::vector<CommandWords>& commands) {
  std::vector<std::string> names;
  for (const CommandWords& command : commands) names.push_back(command.name);
  return fmt::format("{}", fmt::join(names, " "));
}

constexpr const char* bash_script =
    R"bash(# Completion of starloom in bash, written by `starloom help --completion bash`.
_starloom() {{
  local line=${{COMP_LINE:0:COMP_POINT}} word before choices=
  local -a words
  read -ra words <<<"$line"
  [[ $line == *[[:blank:]] ]] && words+=('')
  word=${{words[-1]}} before=${{words[-2]-}}
  if ((${{#words[@]}} <= 2)); then
    choices='{commands} --help --version'
  elif [[ $before == --set ]]; then
    case $word in
{values}      *=*) ;;
      *) choices='{keys}' ;;
    esac
  else
    case "${{words[1]}} $before" in
{option_values}      'explain explain') choices='{explained}' ;;
      'help help') choices='{commands}' ;;
    esac
    if [[ $word == -* ]]; then
      case ${{words[1]}} in
{options}      esac
    fi
  fi
  COMPREPLY=($(compgen -W "$choices" -- "$word"))
  [[ ${{COMPREPLY[0]-}} == *= ]] && compopt -o nospace 2>/dev/null
  # Of KEY=VALUE bash completes the part behind the last character that breaks words.
  if [[ $word == *=* && $COMP_WORDBREAKS == *=* ]]; then COMPREPLY=("${{COMPREPLY[@]#"${{word%"${{word##*=}}"}}"}}"); fi
}}
complete -o bashdefault -o default -F _starloom starloom
)bash";

std::string for_bash(const std::vector<CommandWords>& commands, const Catalogue& catalogue) {
  std::string values, option_values, options;
  Names keys;
  for (const auto& [key, names] : key_values(catalogue)) {
    keys.insert(key + "=");
    if (names.empty()) continue;
    values += fmt::format("      {0}=*) choices='{0}={1}' ;;\n", key, fmt::join(names, " " + key + "="));
  }
  for (const CommandWords& command : commands) {
    Names names;
    for (const OptionWords& option : command.options) {
      names.insert(option.name);
      if (!option.choices.empty())
        option_values +=
            fmt::format("      '{} {}') choices='{}' ;;\n", command.name, option.name, fmt::join(option.choices, " "));
    }
    options += fmt::format("        {}) choices='{}' ;;\n", command.name, fmt::join(names, " "));
  }
  return fmt::format(bash_script, fmt::arg("commands", names_of(commands)), fmt::arg("values", values),
                     fmt::arg("keys", fmt::join(keys, " ")), fmt::arg("option_values", option_values),
                     fmt::arg("explained", fmt::join(explained_words(catalogue), " ")), fmt::arg("options", options));
}

constexpr const char* zsh_script = R"zsh(#compdef starloom
# Completion of starloom in zsh, written by `starloom help --completion zsh`.
_starloom_set() {{
  if compset -P '*='; then
    case ${{IPREFIX##* }} in
{values}    esac
  else
    compadd -S = -q -- {keys}
  fi
}}
_starloom() {{
  local -a commands=(
{commands}  )
  if ((CURRENT == 2)); then
    _describe command commands
    return
  fi
  local command=$words[2]
  shift words
  ((CURRENT--))
  case $command in
{options}    explain) _arguments {explain_options}'1:key:({explained})' ;;
    help) _arguments {help_options}'1:command:({names})' ;;
  esac
}}
_starloom "$@"
)zsh";

/// A text in single quotes, within the brackets of an option.
std::string quoted(std::string text) {
  boost::replace_all(text, "'", "'\\''");
  boost::replace_all(text, "[", "\\[");
  boost::replace_all(text, "]", "\\]");
  boost::replace_all(text, ":", "\\:");
  return text;
}

std::string zsh_options(const CommandWords& command) {
  std::string text;
  for (const OptionWords& option : command.options) {
    std::string action;
    if (option.name == "--set") action = ":key:_starloom_set";
    else if (!option.choices.empty()) action = fmt::format(":value:({})", fmt::join(option.choices, " "));
    else if (!option.value.empty() && option.value.front() != '[')
      action = fmt::format(":{}:_files", quoted(option.value));
    text += fmt::format("'*{}[{}]{}' ", option.name, quoted(option.meaning), action);
  }
  return text;
}

std::string for_zsh(const std::vector<CommandWords>& commands, const Catalogue& catalogue) {
  std::string values, described, options, explain_options, help_options;
  Names keys;
  for (const auto& [key, names] : key_values(catalogue)) {
    keys.insert(key);
    if (!names.empty()) values += fmt::format("      {}=) compadd -- {} ;;\n", key, fmt::join(names, " "));
  }
  for (const CommandWords& command : commands) {
    described += fmt::format("    '{}:{}'\n", command.name, quoted(command.meaning));
    if (command.name == "explain") explain_options = zsh_options(command);
    else if (command.name == "help") help_options = zsh_options(command);
    else options += fmt::format("    {}) _arguments {}'*:file:_files' ;;\n", command.name, zsh_options(command));
  }
  return fmt::format(zsh_script, fmt::arg("values", values), fmt::arg("keys", fmt::join(keys, " ")),
                     fmt::arg("commands", described), fmt::arg("options", options),
                     fmt::arg("explain_options", explain_options), fmt::arg("help_options", help_options),
                     fmt::arg("explained", fmt::join(explained_words(catalogue), " ")),
                     fmt::arg("names", names_of(commands)));
}

}  // namespace

std::string completion_script(const CLI::App& program, const Catalogue& catalogue, const std::string& shell) {
  const std::vector<CommandWords> commands = commands_of(program);
  return shell == "zsh" ? for_zsh(commands, catalogue) : for_bash(commands, catalogue);
}

}  // namespace starloom
