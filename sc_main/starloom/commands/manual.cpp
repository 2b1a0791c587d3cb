// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/manual.hpp>

#include <fmt/format.h>

#include <starloom/campaign/campaign_keys.hpp>
#include <starloom/commands/command_help.hpp>
#include <starloom/experiment/explained.hpp>
#include <starloom/results/result.hpp>
#include <starloom/schema/key_text.hpp>

namespace starloom {
namespace {

/// Literal text: no requests of man(7), and hyphens that can be copied.
std::string plain(const std::string& text) {
  std::string out;
  for (const char c : text) {
    const bool line_begins = out.empty() || out.back() == '\n';
    if (line_begins && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') out += "\\e";
    else if (c == '-') out += "\\-";
    else if (c == '~') out += "\\(ti";
    else if (c == '^') out += "\\(ha";
    else if (c == '`') out += "\\(ga";
    else if (c == '\'') out += "\\(aq";
    else out += c;
  }
  return out;
}
std::string bold(const std::string& text) { return "\\fB" + plain(text) + "\\fR"; }
std::string italic(const std::string& text) { return "\\fI" + plain(text) + "\\fR"; }

std::string title(const char* section, const std::string& name) {
  return fmt::format(".\\\" Written by the program.\n.TH STARLOOM {} \"\" \"starloom {}\" \"Starloom\"\n.SH NAME\n{}\n",
                     section, program_version(), name);
}
std::string heading(const std::string& text) { return ".SH " + plain(text) + "\n"; }
std::string item(const std::string& name, const std::string& text) { return ".TP\n" + name + "\n" + text + "\n"; }
/// Lines without filling.
std::string verbatim(const std::string& text) { return ".PP\n.nf\n" + plain(text) + "\n.fi\n"; }

std::string options(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* option : command.get_options()) {
    if (option == command.get_help_ptr()) continue;
    const OptionWords words = words_of(*option);
    const std::string name = option->get_positional() ? italic(words.name) : bold(words.name);
    text += item(name + (words.value.empty() ? "" : " " + italic(words.value)), plain(words.meaning));
  }
  return text;
}

std::string command_pages(const CLI::App& command, const std::string& name) {
  std::string text = ".SS " + plain(name) + "\n" + plain(sentence(command.get_description())) + "\n";
  std::string lines;
  for (const std::string& usage : usages(command, name)) lines += (lines.empty() ? "" : "\n") + usage;
  text += verbatim(lines) + options(command);
  if (!command.get_footer().empty()) text += verbatim(command.get_footer());
  for (const CLI::App* inner : command.get_subcommands(nullptr))
    text += command_pages(*inner, name + " " + inner->get_name());
  return text;
}

std::string key_item(const ExplainedKey& key) {
  std::string text = plain(key.spec.meaning);
  const auto add = [&text](const std::string& name, const std::string& value) {
    if (!value.empty()) text += "\n.br\n" + plain(name + ": " + value);
  };
  add("type", type_text(key.spec) + (key.spec.unit.empty() ? "" : ", in " + key.spec.unit));
  add(key.values.empty() ? "range" : "one of", values_text(key));
  add("default", default_text(key.spec));
  add("for", owners_text(key, ""));
  return item(bold(key.path), text);
}

std::string key_pages(const std::vector<ExplainedSection>& sections) {
  std::string text;
  for (const ExplainedSection& section : sections) {
    text += ".SS " + plain(section.name.empty() ? "At the top" : section.name) + "\n";
    if (!section.name.empty()) text += plain(sentence(section.meaning)) + "\n";
    for (const ExplainedKey& key : section.keys) text += key_item(key);
  }
  return text;
}

}  // namespace

std::string commands_manual(const CLI::App& program) {
  std::string text =
      title("1", "starloom \\- a cycle-accurate simulator of networks on chip and interconnection networks");
  text += heading("SYNOPSIS") + bold("starloom") + " " + italic("COMMAND") + " [" + italic("OPTIONS") + "]\n";
  text +=
      heading("DESCRIPTION") +
      "Starloom models interconnection networks cycle by cycle: meshes, tori and other networks of links, and optical\n"
      "passive star couplers, with a routing algorithm in every node. An experiment is a YAML file, "
      "described in\n.BR starloom (5).\n";
  text += heading("COMMANDS");
  for (const CLI::App* command : program.get_subcommands(nullptr))
    text += command_pages(*command, "starloom " + command->get_name());
  text += heading("EXIT STATUS");
  for (std::size_t status = 0; status < exit_status_texts().size(); ++status)
    text += item(bold(std::to_string(status)), plain(exit_status_texts()[status]));
  text += heading("FILES") +
          item(italic("/usr/share/starloom"), "scenarios, campaigns and applications to start from") +
          item(italic("/usr/share/doc/starloom"), "all pages of the documentation");
  return text + heading("SEE ALSO") + ".BR starloom (5),\n.BR gtkwave (1)\n";
}

std::string keys_manual(const Catalogue& catalogue) {
  std::string text = title("5", "starloom \\- experiments and campaigns of starloom");
  text +=
      heading("DESCRIPTION") +
      "Experiments and campaigns are YAML files. They are read strictly: a key that is not listed here is an error.\n";
  text += heading("KEYS OF AN EXPERIMENT") + key_pages(explained_keys(catalogue));
  text += heading("KEYS OF A CAMPAIGN") + key_pages(explained_keys(plain_campaign_keys(), campaign_sections()));
  return text + heading("SEE ALSO") + ".BR starloom (1)\n";
}

}  // namespace starloom
