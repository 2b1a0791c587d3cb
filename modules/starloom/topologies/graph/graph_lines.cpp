// SPDX-License-Identifier: Apache-2.0
#include <starloom/topologies/graph/graph_lines.hpp>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <string_view>

#include <starloom/yaml/silent_events.hpp>

namespace starloom {
namespace {

/// Goes through a text once.
class PlainLines {
 public:
  PlainLines(std::string_view text, YAML::EventHandler& events) : text_(text), events_(events) {}

  /// False at the first text that is not plain.
  bool read() {
    events_.OnDocumentStart({});
    bool in_section = false, in_list = false;
    for (int indent = 0; at_ < text_.size(); next_line()) {
      const int blanks = skip_blanks();
      if (at_end_of_line()) continue;
      if (blanks == 0 && (starts_with("nodes:") || starts_with("links:"))) {
        if (in_section && !in_list) return false;
        if (in_list) events_.OnSequenceEnd();
        else events_.OnMapStart(mark_at(at_), "?", 0, YAML::EmitterStyle::Block);
        in_section = true;
        in_list = false;
        if (!section()) return false;
        continue;
      }
      if (!in_section || (in_list && blanks != indent)) return false;
      if (!in_list) events_.OnSequenceStart(mark_at(at_), "?", 0, YAML::EmitterStyle::Block);
      in_list = true;
      indent = blanks;
      if (!entry()) return false;
    }
    if (!in_list) return false;
    events_.OnSequenceEnd();
    events_.OnMapEnd();
    events_.OnDocumentEnd();
    return true;
  }

 private:
  // -- The parts of a line --

  /// `nodes:` or `links:`
  bool section() {
    word();
    ++at_;
    return only_comment_follows();
  }
  /// `- {key: value, key: [value, value]}`
  bool entry() {
    if (!take('-') || skip_blanks() == 0 || peek() != '{') return false;
    events_.OnMapStart(mark_at(at_), "?", 0, YAML::EmitterStyle::Flow);
    ++at_;
    do {
      skip_blanks();
      if (!word() || !take(':') || skip_blanks() == 0 || !(peek() == '[' ? list() : word())) return false;
      skip_blanks();
    } while (take(','));
    if (!take('}')) return false;
    events_.OnMapEnd();
    return only_comment_follows();
  }
  bool list() {
    events_.OnSequenceStart(mark_at(at_), "?", 0, YAML::EmitterStyle::Flow);
    ++at_;
    do {
      skip_blanks();
      if (!word()) return false;
      skip_blanks();
    } while (take(','));
    events_.OnSequenceEnd();
    return take(']');
  }
  /// Letters, digits and a few signs without a meaning in YAML; not one of YAML's words for null.
  bool word() {
    const std::size_t begin = at_;
    while (is_of_word(peek())) ++at_;
    const std::string_view found = text_.substr(begin, at_ - begin);
    if (found.empty() || found.front() == '-' || found == "null" || found == "Null" || found == "NULL") return false;
    events_.OnScalar(mark_at(begin), "?", 0, std::string(found));
    return true;
  }

  // -- Letters --

  static bool is_of_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '-';
  }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\n'; }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool starts_with(std::string_view word) const { return text_.substr(at_, word.size()) == word; }
  int skip_blanks() {
    int blanks = 0;
    for (; peek() == ' '; ++at_) ++blanks;
    return blanks;
  }
  /// True if at most blanks and a comment follow.
  bool only_comment_follows() {
    const int blanks = skip_blanks();
    return at_end_of_line() && (blanks > 0 || peek() != '#');
  }
  /// A comment, or the end.
  bool at_end_of_line() const {
    return peek() == '\n' || peek() == '#' || (peek() == '\r' && text_.substr(at_, 2) == "\r\n");
  }
  void next_line() {
    at_ = text_.find('\n', at_);
    at_ = at_ == std::string_view::npos ? text_.size() : at_ + 1;
    line_begin_ = at_;
    ++line_;
  }
  YAML::Mark mark_at(std::size_t at) const {
    YAML::Mark mark;
    mark.pos = static_cast<int>(at);
    mark.line = line_;
    mark.column = static_cast<int>(at - line_begin_);
    return mark;
  }

  std::string_view text_;
  YAML::EventHandler& events_;
  std::size_t at_ = 0, line_begin_ = 0;
  int line_ = 0;
};

}  // namespace

bool has_plain_lines(const std::string& text) {
  SilentEvents deaf;
  return PlainLines(text, deaf).read();
}

void send_plain_lines(const std::string& text, YAML::EventHandler& events) { PlainLines(text, events).read(); }

}  // namespace starloom
