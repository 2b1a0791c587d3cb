// SPDX-License-Identifier: Apache-2.0
#include <starloom/config/document.hpp>

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>
#include <sstream>

#include <starloom/schema/data_file.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/yaml/yaml_error.hpp>

namespace starloom {
namespace {

/// Far above any experiment; prevents that aliases of aliases fill the memory.
constexpr std::size_t most_values = 1'000'000;

std::size_t count_values(const DocumentValue& value) {
  std::size_t count = 1;
  for (const auto& item : value.items) count += count_values(item);
  for (const auto& entry : value.entries) count += 1 + count_values(entry.value);
  return count;
}

/// Builds the tree from the parser's events.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(std::string name) : name_(std::move(name)) {}

  DocumentValue take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark&, const std::string& /*name*/) override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    DocumentValue value = leaf(mark, DocumentValue::Kind::null);
    // For an empty value, the parser marks the next token; the key is a better location for a missing value.
    if (!stack_.empty() && stack_.back().has_key) value.location = stack_.back().key_location;
    add(std::move(value), anchor);
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    refuse_tag(mark, tag);
    const bool quoted = tag == "!";
    const bool null = !quoted && (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL");
    DocumentValue value = leaf(mark, null ? DocumentValue::Kind::null : DocumentValue::Kind::scalar);
    value.scalar = text;
    value.quoted = quoted;
    add(std::move(value), anchor);
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    const auto it = anchors_.find(anchor);
    if (it == anchors_.end()) fail(mark, "an alias to a value that contains it");
    values_ += count_values(it->second);
    if (values_ > most_values) fail(mark, fmt::format("aliases expand to more than {} values", most_values));
    add(it->second, 0);
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, DocumentValue::Kind::list);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, DocumentValue::Kind::map);
  }
  void OnMapEnd() override { close(); }

 private:
  struct Open {
    DocumentValue value;
    YAML::anchor_t anchor;
    bool has_key = false;
    std::string key;
    SourceLocation key_location;
  };

  SourceLocation location(const YAML::Mark& mark) const { return {name_, mark.line + 1, mark.column + 1}; }
  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& text) const {
    throw InputError(shortened(fmt::format("{}: {}", location(mark).text(), escape(text))));
  }
  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (!tag.empty() && tag != "?" && tag != "!") fail(mark, fmt::format("tags ({}) have no meaning here", tag));
  }
  DocumentValue leaf(const YAML::Mark& mark, DocumentValue::Kind kind) {
    if (++values_ > most_values) fail(mark, fmt::format("more than {} values", most_values));
    DocumentValue value;
    value.kind = kind;
    value.location = location(mark);
    return value;
  }
  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, DocumentValue::Kind kind) {
    refuse_tag(mark, tag);
    if (!stack_.empty() && stack_.back().value.kind == DocumentValue::Kind::map && !stack_.back().has_key)
      fail(mark, "a key must be a plain word, not a list or a section");
    stack_.push_back({leaf(mark, kind), anchor, false, {}, {}});
  }
  void close() {
    Open done = std::move(stack_.back());
    stack_.pop_back();
    add(std::move(done.value), done.anchor);
  }
  void add(DocumentValue value, YAML::anchor_t anchor) {
    if (anchor != 0) anchors_[anchor] = value;
    if (stack_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& parent = stack_.back();
    if (parent.value.kind == DocumentValue::Kind::list) {
      parent.value.items.push_back(std::move(value));
    } else if (!parent.has_key) {
      if (value.kind != DocumentValue::Kind::scalar)
        throw InputError(fmt::format("{}: a key must be a word, not {}", value.location.text(), value.described()));
      parent.has_key = true;
      parent.key = value.scalar;
      parent.key_location = value.location;
    } else {
      parent.has_key = false;
      parent.value.entries.push_back({parent.key, parent.key_location, std::move(value)});
    }
  }

  std::string name_;
  DocumentValue root_;
  std::vector<Open> stack_;
  std::map<YAML::anchor_t, DocumentValue> anchors_;
  std::size_t values_ = 0;
};

void set_locations(DocumentValue& value, const SourceLocation& location) {
  value.location = location;
  for (auto& item : value.items) set_locations(item, location);
  for (auto& entry : value.entries) {
    entry.location = location;
    set_locations(entry.value, location);
  }
}

/// Results are JSON, which is UTF-8, and repeat values of the document.
void require_utf8(std::string_view text, const std::string& name) {
  // A binary file has both bytes that are not UTF-8 and zeros; the zeros identify it.
  if (const std::string format = compression_of(text); !format.empty())
    throw InputError(fmt::format("{}: this is a compressed file ({}); unpack it", name, format));
  const bool binary = text.find('\0') != std::string_view::npos;
  int line = 1, column = 1;
  for (std::size_t at = 0; at < text.size();) {
    const SourceLocation location{name, line, column};
    if (text[at] == '\0')
      throw InputError(fmt::format("{}: this is a binary file; a text file is expected", location.text()));
    const std::size_t bytes = std::max<std::size_t>(character_bytes(text.substr(at)), binary ? 1 : 0);
    if (bytes == 0)
      throw InputError(fmt::format("{}: byte {:#04x} is not valid UTF-8; save the file as UTF-8", location.text(),
                                   static_cast<unsigned char>(text[at])));
    column = text[at] == '\n' ? 1 : column + 1;
    line += text[at] == '\n' ? 1 : 0;
    at += bytes;
  }
}

}  // namespace

const DocumentValue* DocumentValue::find(const std::string& key) const {
  for (const auto& entry : entries)
    if (entry.key == key) return &entry.value;
  return nullptr;
}

std::optional<std::int64_t> parse_integer(const std::string& text) {
  const std::size_t first = !text.empty() && text[0] == '-' ? 1 : 0;
  if (text.size() > first + 1 && text[first] == '0') return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<std::int64_t> DocumentValue::integer() const {
  if (kind != Kind::scalar || quoted) return std::nullopt;
  return parse_integer(scalar);
}

std::optional<double> DocumentValue::number() const {
  if (kind != Kind::scalar || quoted) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(scalar.data(), scalar.data() + scalar.size(), value);
  if (error != std::errc{} || end != scalar.data() + scalar.size() || !std::isfinite(value)) return std::nullopt;
  return value;
}

std::optional<bool> DocumentValue::boolean() const {
  if (kind != Kind::scalar || quoted) return std::nullopt;
  if (scalar == "true" || scalar == "True" || scalar == "TRUE") return true;
  if (scalar == "false" || scalar == "False" || scalar == "FALSE") return false;
  return std::nullopt;
}

std::string DocumentValue::described() const {
  switch (kind) {
    case Kind::null: return "nothing";
    case Kind::list: return "a list";
    case Kind::map: return "a section";
    case Kind::scalar: break;
  }
  return quoted || !(number() || boolean()) ? fmt::format("\"{}\"", escape(scalar)) : scalar;
}

DocumentValue parse_document(const std::string& text, const std::string& name) {
  require_utf8(text, name);
  std::istringstream stream(text);
  TreeBuilder builder(name);
  try {
    YAML::Parser parser(stream);
    if (!parser.HandleNextDocument(builder)) return {};
    DocumentValue root = builder.take();
    TreeBuilder second(name);
    if (parser.HandleNextDocument(second))
      throw InputError(fmt::format("{}: a second YAML document; a file has only one", second.take().location.text()));
    return root;
  } catch (const YAML::Exception& error) {
    const YamlError yaml = yaml_error(text, error.mark.line + 1, error.mark.column + 1, error.msg);
    throw InputError(fmt::format("{}: {}", SourceLocation{name, yaml.line, yaml.column}.text(), yaml.text));
  }
}

DocumentValue parse_option_value(const std::string& text, const std::string& option) {
  DocumentValue value;
  try {
    value = parse_document(text, option);
  } catch (const InputError&) {
    throw InputError(fmt::format("{}: not a YAML value: {}", option, escape(text)));
  }
  set_locations(value, {option, 0, 0});
  return value;
}

DocumentValue load_document(const std::filesystem::path& file) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file, ignored))
    throw InputError(fmt::format("{}: this is a folder; name an experiment file in it", file.string()));
  if (const std::string why = why_unreadable(file); !why.empty())
    throw InputError(fmt::format("{}: cannot be read: {}", file.string(), why));
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw InputError(fmt::format("{}: cannot be read: {}", file.string(), std::strerror(errno)));
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (stream.bad()) throw InputError(fmt::format("{}: cannot be read: {}", file.string(), std::strerror(errno)));
  if (text.find_first_not_of(" \t\r\n") == std::string::npos)
    throw InputError(fmt::format("{}: the file is empty", file.string()));
  return parse_document(text, file.string());
}

}  // namespace starloom
