#include <starloom/commands/explain.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include <starloom/core/error.hpp>
#include <starloom/core/key_text.hpp>
#include <starloom/core/nearest.hpp>
#include <starloom/experiment/key_catalogue.hpp>

namespace starloom {
namespace {

bool has_range(const KeySpec& spec) {
  return spec.type == KeyType::integer || spec.type == KeyType::number || spec.type == KeyType::integer_list;
}

std::string range_of(const CatalogueKey& key) {
  if (!key.values.empty()) return fmt::format("{}", fmt::join(key.values, ", "));
  return has_range(key.spec) ? range_text(key.spec) : "";
}

/// The algorithms or patterns that take a key, or those that do not, whichever are fewer; `quote` stands around names.
std::string owners_of(const CatalogueKey& key, const std::string& quote) {
  if (key.owners.empty()) return "";
  const bool most = key.others.size() < key.owners.size() && key.owners.size() > 1;
  std::string list = fmt::format("{0}{1}{0}", quote, fmt::join(most ? key.others : key.owners, quote + ", " + quote));
  if (!most) return list;
  return key.others.empty() ? "all" : "all but " + list;
}

std::string line_of(const std::string& name, const std::string& text) {
  return text.empty() ? "" : fmt::format("  {:<8} {}\n", name, text);
}

std::string key_text(const CatalogueKey& key) {
  std::string text = key.path + "\n";
  text += line_of("meaning", key.spec.meaning);
  text += line_of("type", type_text(key.spec));
  text += line_of("unit", key.spec.unit);
  text += line_of(key.values.empty() ? "range" : "one of", range_of(key));
  text += line_of("default", default_text(key.spec));
  text += line_of("for", owners_of(key, ""));
  return text + "\n";
}

/// Collects what one word names.
class Search {
 public:
  Search(const Catalogue& catalogue, std::string word) : word_(std::move(word)) {
    for (const CatalogueSection& section : key_catalogue(catalogue)) visit(section);
    for (const CatalogueName& name : name_catalogue(catalogue))
      if (known(name.name)) text_ = fmt::format("{}: {} ({})\n\n", name.name, name.meaning, name.selector) + text_;
  }

  std::string text() const {
    if (text_.empty())
      throw InputError(fmt::format("starloom explain: there is no key {}{}; see starloom explain", word_,
                                   did_you_mean(word_, names_)));
    return text_.substr(0, text_.size() - 1);
  }

 private:
  void visit(const CatalogueSection& section) {
    const bool whole = !section.name.empty() && known(section.name);
    if (whole) text_ += fmt::format("{}: {}\n\n", section.name, section.meaning);
    for (const CatalogueKey& key : section.keys) {
      const bool in_full = known(key.path);
      const bool by_last_part = known(key.spec.name);
      const bool owned = std::find(key.owners.begin(), key.owners.end(), word_) != key.owners.end();
      if (whole || in_full || by_last_part || owned) text_ += key_text(key);
    }
  }
  bool known(const std::string& name) {
    names_.push_back(name);
    return name == word_;
  }

  std::string word_;
  std::vector<std::string> names_;
  std::string text_;
};

/// The cell of a Markdown table: `|` and `<` would be read as markup.
std::string cell(const std::string& text) {
  std::string out;
  for (const char c : text) out += c == '|' || c == '<' || c == '*' ? std::string("\\") + c : std::string(1, c);
  return out;
}

std::string words(const std::vector<std::string>& names) {
  return names.empty() ? "" : fmt::format("`{}`", fmt::join(names, "`, `"));
}

std::string rows(const CatalogueSection& section, bool owned) {
  std::string text;
  for (const CatalogueKey& key : section.keys) {
    if (key.owners.empty() == owned) continue;
    const std::string values = key.values.empty() ? cell(range_of(key)) : words(key.values);
    text +=
        fmt::format("| `{}` | {}{} | {} | {} | {} | {} |\n", key.spec.name, owned ? owners_of(key, "`") + " | " : "",
                    type_text(key.spec), key.spec.unit, values, cell(default_text(key.spec)), cell(key.spec.meaning));
  }
  if (text.empty()) return "";
  return fmt::format(
      "| key | {}type | unit | range | default | meaning |\n| --- | {}--- | --- | --- | --- | --- |\n{}\n",
      owned ? "for | " : "", owned ? "--- | " : "", text);
}

std::string sentence(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text + ".";
}

}  // namespace

std::string explain_text(const Catalogue& catalogue, const std::optional<std::string>& word) {
  if (word) return Search(catalogue, *word).text();
  std::string text;
  for (const CatalogueSection& section : key_catalogue(catalogue)) {
    if (section.keys.empty()) text += fmt::format("{}\n  {:<8} {}\n\n", section.name, "meaning", section.meaning);
    for (const CatalogueKey& key : section.keys) text += key_text(key);
  }
  return text.substr(0, text.size() - 1);
}

std::string explain_markdown(const Catalogue& catalogue) {
  std::string text =
      "# Keys of an experiment file\n"
      "\n"
      "Every key, from the tables by which the program reads experiment files. `starloom explain KEY` says the same "
      "about\n"
      "one key. This page is written by `starloom explain --markdown`; a test compares the two.\n"
      "\n"
      "Default `required`: the key has to be given. Default `none`: without the key there is no such thing. Ranges\n"
      "include their ends; those of lists hold for every element.\n"
      "\n";
  for (const CatalogueSection& section : key_catalogue(catalogue)) {
    text += section.name.empty() ? "## At the top\n\n"
                                 : fmt::format("## `{}`\n\n{}\n\n", section.name, sentence(section.meaning));
    text += rows(section, false) + rows(section, true);
  }
  return text.substr(0, text.size() - 1);
}

}  // namespace starloom
