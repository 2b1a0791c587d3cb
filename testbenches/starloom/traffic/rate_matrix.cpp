// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/rate_matrix.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <string_view>
#include <tuple>
#include <unordered_map>

#include <starloom/core/most_steps.hpp>
#include <starloom/core/random.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/schema/key_text.hpp>
#include <starloom/schema/parse_number.hpp>
#include <starloom/support/nearest.hpp>

namespace starloom {
namespace {

constexpr std::string_view columns_of_all = "source,destination,rate";
enum Column : std::size_t { source, destination, rate };

/// Decimal fractions are inexact in binary: probabilities that add up to 1 may have a sum of this much more.
constexpr double inexact = 1e-9;

/// The order of the sources, and for each the order of the file.
void sort_by_source(std::vector<RateRow>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const RateRow& a, const RateRow& b) { return a.source < b.source; });
}

class RateReader {
 public:
  RateReader(const TrafficContext& context, const std::string& name, const PacketLengths& lengths)
      : processors_(context.processors), lengths_(lengths), file_(context.folder, name) {}

  std::vector<RateRow> read() {
    file_.each_line([this](std::size_t number, std::string_view line) {
      if (number == 1) read_header(line);
      else if (!line.empty()) read_row(number, line);
    });
    file_.stop_if_invalid();
    return std::move(rows_);
  }

  /// Refuses processors that create more than one packet in a step.
  /// \param rows by source.
  void check_sources(const std::vector<RateRow>& rows, double scale) {
    for (auto first = rows.begin(); first != rows.end();) {
      const auto last =
          std::find_if(first, rows.end(), [&](const RateRow& row) { return row.source != first->source; });
      std::map<Step, double> changes;  // of the sum
      for (auto row = first; row != last; ++row) {
        const double packets = row->rate * scale / (row->flits > 0 ? row->flits : lengths_.mean());
        changes[row->from] += packets;
        if (row->to != no_step) changes[row->to] -= packets;
      }
      double sum = 0;
      for (const auto& [step, change] : changes)
        if ((sum += change) > 1 + inexact) {
          add_source_error(first, last, step, sum);
          break;
        }
      first = last;
    }
    file_.stop_if_invalid();
  }

 private:
  using Row = std::vector<RateRow>::const_iterator;

  void read_header(std::string_view line) {
    const std::vector<CsvCell> names = csv_cells(line);
    bool good = line.substr(0, columns_of_all.size()) == columns_of_all && names[rate].text == "rate";
    for (std::size_t number = rate + 1; good && number < names.size(); ++number) {
      std::size_t* const column = names[number].text == "flits"  ? &flits_
                                  : names[number].text == "from" ? &from_
                                  : names[number].text == "to"   ? &to_
                                                                 : nullptr;
      good = column != nullptr && *column == 0;
      if (good) *column = number;
    }
    if (!good)
      file_.add_error(1, 1,
                      "the header is " + std::string(columns_of_all) + ", then any of flits, from, to, not '" +
                          std::string(line) + "'");
    else if (flits_ != 0 && !lengths_.fixed())
      file_.add_error(1, names[flits_].column,
                      "the column flits excludes random lengths; set traffic.flits to a number, which is the length of "
                      "packets of rows without flits");
    file_.stop_if_invalid();
    header_ = line;
    count_ = names.size();
  }

  void read_row(std::size_t number, std::string_view line) {
    line_ = number;
    cells_ = csv_cells(line);
    if (cells_.size() != count_)
      return file_.add_error(
          line_, 1,
          "a row has " + std::to_string(count_) + " cells (" + header_ + "), not " + std::to_string(cells_.size()));
    RateRow row;
    row.line = line_;
    row.source = processor_in(source, "source");
    row.destination = processor_in(destination, "destination");
    row.rate = rate_in(cells_[rate]);
    if (has(flits_))
      row.flits = static_cast<std::int32_t>(integer_in(flits_, "flits", 1, std::numeric_limits<std::int32_t>::max()));
    if (has(from_)) row.from = integer_in(from_, "from", 0, most_steps);
    if (has(to_)) row.to = integer_in(to_, "to", 1, most_steps);
    if (row.to != no_step && row.to <= row.from)
      file_.add_error(line_, cells_[to_].column,
                      "to: " + std::to_string(row.to) + " is not after " + std::to_string(row.from) +
                          ", the first step of the row, which applies in the steps before `to`");
    rows_.push_back(row);
  }

  bool has(std::size_t column) const { return column != 0 && !cells_[column].text.empty(); }

  std::int64_t integer_in(std::size_t column, const char* name, std::int64_t least, std::int64_t most) {
    const CsvCell& cell = cells_[column];
    const auto error = integer_error(cell.text, least, most);
    if (error) file_.add_error(line_, cell.column, std::string(name) + ": " + *error);
    return error ? least : *parse_integer(cell.text);
  }

  double rate_in(const CsvCell& cell) {
    const std::optional<double> value = parse_number(cell.text);
    if (value && *value >= 0) return *value;
    file_.add_error(line_, cell.column,
                    "rate: " + (value ? std::string(cell.text) + " is less than 0"
                                      : "'" + std::string(cell.text) + "' is not a number"));
    return 0;
  }

  NodeId processor_in(Column column, const char* name) {
    const std::string_view text = cells_[column].text;
    const std::optional<std::int64_t> number = parse_integer(text);
    if (number && *number >= 0 && *number < processors_.count) return static_cast<NodeId>(*number);
    if (by_name_.empty() && processors_.name)
      for (NodeId processor = 0; processor < processors_.count; ++processor)
        by_name_.emplace(processors_.name(processor), processor);
    if (const auto named = by_name_.find(std::string(text)); named != by_name_.end()) return named->second;
    file_.add_error(line_, cells_[column].column,
                    std::string(name) + ": " + (number ? *node_error(text, processors_.count) : unknown(text)));
    return 0;
  }

  std::string unknown(std::string_view text) const {
    std::vector<std::string> names;
    for (const auto& [name, processor] : by_name_) names.push_back(name);
    std::sort(names.begin(), names.end());
    return "'" + std::string(text) + "' is neither the number nor the name of a processor" +
           did_you_mean(std::string(text), names);
  }

  /// At the last row that begins in the step.
  void add_source_error(Row first, Row last, Step step, double packets) {
    Row at = first;
    for (Row row = first; row != last; ++row)
      if (row->from == step) at = row;
    const std::string name = processors_.name ? processors_.name(at->source) : std::to_string(at->source);
    file_.add_error(at->line, 1,
                    "from step " + std::to_string(step) + " on, " + name + " creates " + value_text(packets) +
                        " packets per step, and a node creates at most one; lower the rates or traffic.scale, or raise "
                        "the flits of packets");
  }

  const Processors& processors_;
  const PacketLengths& lengths_;
  DataFile file_;
  std::vector<RateRow> rows_;
  std::string header_;
  std::size_t count_ = 0;                      ///< of columns
  std::size_t flits_ = 0, from_ = 0, to_ = 0;  ///< columns; 0: the file has none
  std::unordered_map<std::string, NodeId> by_name_;
  // The row that is read:
  std::size_t line_ = 0;
  std::vector<CsvCell> cells_;
};

}  // namespace

std::vector<RateRow> read_rates(const TrafficContext& context, const std::string& file, const PacketLengths& lengths,
                                double scale) {
  RateReader reader(context, file, lengths);
  std::vector<RateRow> rows = reader.read();
  sort_by_source(rows);
  reader.check_sources(rows, scale);
  return rows;
}

RateMatrix::RateMatrix(std::uint64_t seed, NodeId nodes, std::vector<RateRow> rows, double scale,
                       const PacketLengths& lengths, std::optional<ReplyRules> replies, const Phases& phases,
                       std::uint32_t first_word)
    : seed_(seed),
      first_word_(first_word),
      nodes_(nodes),
      rows_(std::move(rows)),
      lengths_(lengths),
      replies_(std::move(replies)),
      phases_(phases),
      first_row_(static_cast<std::size_t>(nodes) + 1),
      below_(rows_.size()),
      threshold_(static_cast<std::size_t>(nodes)),
      words_((static_cast<std::size_t>(nodes) + 3) / 4 * 4) {
  sort_by_source(rows_);
  std::vector<std::pair<Step, Step>> spans;
  for (RateRow& row : rows_) {
    row.rate *= scale;
    ++first_row_[static_cast<std::size_t>(row.source) + 1];
    if (row.from > 0) changes_.push_back({row.from, row.source});
    if (row.to != no_step) changes_.push_back({row.to, row.source});
    if (row.rate > 0) spans.emplace_back(row.from, row.to == no_step ? std::numeric_limits<Step>::max() : row.to);
  }
  for (std::size_t node = 1; node < first_row_.size(); ++node) first_row_[node] += first_row_[node - 1];
  const auto before = [](const Change& a, const Change& b) {
    return std::tie(a.step, a.node) < std::tie(b.step, b.node);
  };
  std::sort(changes_.begin(), changes_.end(), before);
  changes_.erase(std::unique(changes_.begin(), changes_.end(),
                             [](const Change& a, const Change& b) { return a.step == b.step && a.node == b.node; }),
                 changes_.end());
  std::sort(spans.begin(), spans.end());
  for (const auto& [from, to] : spans)
    if (busy_.empty() || from > busy_.back().second) busy_.emplace_back(from, to);
    else busy_.back().second = std::max(busy_.back().second, to);
  for (NodeId node = 0; node < nodes_; ++node) set_thresholds(node, 0);
  dispersion_ = Injection{0, streams().front().lengths, {}, replies_}.dispersion();
}

void RateMatrix::set_thresholds(NodeId node, Step step) {
  double sum = 0;
  std::uint64_t below = 0;
  for (std::size_t row = first_row_[static_cast<std::size_t>(node)];
       row < first_row_[static_cast<std::size_t>(node) + 1]; ++row) {
    const RateRow& of_row = rows_[row];
    if (step >= of_row.from && (of_row.to == no_step || step < of_row.to))
      below = bernoulli_threshold(sum += of_row.rate / mean_length(of_row));
    below_[row] = below;
  }
  threshold_[static_cast<std::size_t>(node)] = below;
}

void RateMatrix::generate(Step from, Step to, std::vector<Packet>& out) {
  for (Step step = next_creation(from); step != no_step && step < to; step = next_creation(step + 1))
    generate_step(step, out);
}

void RateMatrix::generate_step(Step step, std::vector<Packet>& out) {
  for (; next_change_ < changes_.size() && changes_[next_change_].step <= step; ++next_change_)
    set_thresholds(changes_[next_change_].node, step);
  random_words(seed_, Purpose::injection, 0, words_.size() / 4, step,
               first_word_ + static_cast<std::uint32_t>(InjectionWord::creation), words_.data());
  for (NodeId node = 0; node < nodes_; ++node) {
    const auto at = static_cast<std::size_t>(node);
    if (words_[at] >= threshold_[at]) continue;
    const auto first = below_.begin() + static_cast<std::ptrdiff_t>(first_row_[at]);
    const auto last = below_.begin() + static_cast<std::ptrdiff_t>(first_row_[at + 1]);
    const RateRow& row = rows_[static_cast<std::size_t>(std::upper_bound(first, last, words_[at]) - below_.begin())];
    RandomStream words = length_words(seed_, node, step, first_word_);
    out.push_back({node, row.destination, row.flits > 0 ? row.flits : lengths_.draw(words), step});
  }
}

Step RateMatrix::next_creation(Step from) const {
  const auto span = std::upper_bound(busy_.begin(), busy_.end(), from,
                                     [](Step step, const auto& of_rows) { return step < of_rows.second; });
  return span == busy_.end() ? no_step : std::max(from, span->first);
}

/// A row that applies only in other phases has the rate 0.
double RateMatrix::measured_rate(const RateRow& row) const {
  const Step end = phases_.warmup + phases_.measure;
  const Step first = std::max(row.from, phases_.warmup), last = row.to == no_step ? end : std::min(row.to, end);
  return last <= first ? 0 : row.rate * static_cast<double>(last - first) / static_cast<double>(phases_.measure);
}

std::vector<PacketStream> RateMatrix::streams() const {
  const bool by_row = std::any_of(rows_.begin(), rows_.end(), [](const RateRow& row) { return row.flits > 0; });
  PacketStream stream;
  stream.lengths = lengths_;
  double packets = 0;                        // per step
  std::map<std::int64_t, double> of_length;  // [flits] of them
  for (const RateRow& row : rows_) {
    const double measured = measured_rate(row), length = mean_length(row);
    stream.pairs.push_back({row.source, row.destination, measured, by_row ? static_cast<std::int32_t>(length) : 0});
    stream.rate += measured / nodes_;
    packets += measured / length;
    if (by_row) of_length[std::lround(length)] += measured / length;
  }
  if (!by_row) return {stream};
  ShareList shares(of_length.begin(), of_length.end());
  for (auto& [flits, share] : shares) share = packets > 0 ? share / packets : 1.0 / static_cast<double>(shares.size());
  stream.lengths = PacketLengths::mix(shares);
  return {stream};
}

}  // namespace starloom
