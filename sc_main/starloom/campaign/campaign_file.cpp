// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/campaign_file.hpp>

#include <fmt/format.h>

#include <limits>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <tuple>

#include <starloom/campaign/campaign_keys.hpp>
#include <starloom/campaign/references.hpp>
#include <starloom/config/document_json.hpp>
#include <starloom/config/key_reader.hpp>
#include <starloom/experiment/explained.hpp>
#include <starloom/results/digest.hpp>
#include <starloom/results/result.hpp>
#include <starloom/run/prepared_run.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/escape.hpp>
#include <starloom/support/names.hpp>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;
using Kind = DocumentValue::Kind;

/// `network.shape=[8,8] routing.discipline="fifo"`
std::string label_text(const std::vector<std::string>& axes, const std::vector<Json>& at) {
  std::string text;
  for (std::size_t a = 0; a < axes.size(); ++a)
    text += fmt::format("{}{}={}", a == 0 ? "" : " ", axes[a], at[a].dump());
  return escape(text);
}

/// The errors of points. Points that share an erroneous value share its line.
class PointDiagnostics {
 public:
  /// \param label returns the name of the point that `make` makes
  template <class Make, class Label>
  void collect(Make make, Label label) {
    ++points_;
    try {
      make();
    } catch (const InputError& error) {
      std::istringstream lines(error.what());
      for (std::string line; std::getline(lines, line);)
        if (const auto [at, fresh] = diagnostics_.try_emplace(in_order(line)); fresh) at->second = {label(), 1};
        else ++at->second.count;
    }
  }
  /// \throws InputError with one line per error, in the order of their locations, if there are any. An error of some
  /// points only names the first of them.
  void raise() const {
    DiagnosticList<LocatedLine> first;
    for (const auto& [line, points] : diagnostics_) {
      const std::string more = points.count > 1 ? fmt::format(", and {} more", points.count - 1) : "";
      first.add(line, points.count == points_ || points.first.empty()
                          ? line.second
                          : fmt::format("{} (point {}{})", line.second, points.first, more));
    }
    if (first.any()) throw InputError(first.text());
  }

 private:
  /// A line `file:line:column: text` after its sort key.
  using LocatedLine = std::pair<std::tuple<std::string, std::int64_t, std::int64_t>, std::string>;
  static LocatedLine in_order(const std::string& line) {
    static const std::regex form("([^:]*):([0-9]{1,9}):([0-9]{1,9}): .*");
    std::smatch part;
    // Lines without a location, such as `and 3 more`, go to the end.
    if (!std::regex_match(line, part, form)) return {{"\xff" + line, 0, 0}, line};
    return {{part[1], std::stoll(part[2]), std::stoll(part[3])}, line};
  }

  struct Points {
    std::string first;
    std::size_t count;
  };

  std::size_t points_ = 0;
  std::map<LocatedLine, Points> diagnostics_;
};

/// Reads one campaign file.
class CampaignReader {
 public:
  CampaignReader(const Catalogue& catalogue, const std::filesystem::path& file)
      : catalogue_(catalogue), document_(load_document(file)) {
    campaign_.file = file;
  }

  Campaign read() {
    if (document_.kind != Kind::map)
      throw InputError(
          fmt::format("{}: a campaign is expected, a section with the keys schema, name, base, axes, "
                      "runs, keep, not {}",
                      document_.location.text(), document_.described()));
    if (document_.find("base") == nullptr && document_.find("network") != nullptr)
      throw InputError(
          fmt::format("{0}: this is an experiment, not a campaign; starloom run {0} runs it", campaign_.file.string()));
    groups_ = read_axes(document_, diagnostics_);
    const bool sound_axes = !diagnostics_.any();
    auto known = names_of(plain_campaign_keys());
    for (const SectionSpec& section : campaign_sections()) known.push_back(section.name);
    check_key_names(document_, known, "", diagnostics_);
    const KeyValues plain = read_keys(document_, plain_campaign_keys(), "", diagnostics_);
    // It is only displayed, in one line.
    campaign_.name = plain.has("name") ? escape(plain.text("name")) : shown(campaign_.file.stem());
    runs_ = plain.integer("runs");
    read_limits();
    const DocumentValue* keep = document_.find("keep");
    if (keep != nullptr) read_keep(*keep);
    else diagnostics_.add(document_.location, "keep is missing (the metrics to store: paths of result.json, or all)");
    refuse_runs_twice();
    campaign_.axes = axis_keys(groups_);
    const auto base = read_base();
    // Further errors could be consequences of those of the axes.
    if (!base || !sound_axes) diagnostics_.raise();
    PointDiagnostics all;
    const auto nameless = [] { return std::string(); };
    all.collect([&] { diagnostics_.raise(); }, nameless);
    all.collect([&] { make_points(*base); }, nameless);
    all.raise();
    const KnownMetrics metrics(algorithms_of_points(), catalogue_.algorithms);
    check_paths(*keep, metrics, diagnostics_);
    if (const DocumentValue* reference = document_.find("reference"))
      read_references(*reference, groups_, metrics, campaign_, diagnostics_);
    look_up_units();
    read_views(document_, metrics, campaign_, diagnostics_);
    diagnostics_.raise();
    return std::move(campaign_);
  }

 private:
  /// Before points exist, all algorithms are possible.
  void read_keep(const DocumentValue& keep) {
    campaign_.keep = read_metrics(keep, diagnostics_);
    check_paths(keep, KnownMetrics(catalogue_.algorithms), diagnostics_);
  }

  std::vector<const AlgorithmEntry*> algorithms_of_points() const {
    std::set<std::string> seen;
    std::vector<const AlgorithmEntry*> algorithms;
    for (const Point& point : campaign_.points)
      if (seen.insert(point.experiment.algorithm->name).second) algorithms.push_back(point.experiment.algorithm);
    return algorithms;
  }

  void look_up_units() {
    for (const ExplainedSection& section : explained_keys(catalogue_))
      for (const ExplainedKey& key : section.keys)
        if (!key.spec.unit.empty()) campaign_.units.emplace(key.path, key.spec.unit);
    for (const ExplainedMetric& metric : explained_metrics(catalogue_))
      if (!metric.spec.unit.empty()) campaign_.units.emplace(metric.spec.path, metric.spec.unit);
  }

  void read_limits() {
    const DocumentValue* limits = document_.find("limits");
    if (limits == nullptr || limits->kind == Kind::null) return;
    if (limits->kind != Kind::map)
      return diagnostics_.add(limits->location,
                              fmt::format("limits: a section with keys is expected, not {}", limits->described()));
    const auto& table = section_named(campaign_sections(), "limits").keys;
    check_key_names(*limits, names_of(table), "limits", diagnostics_);
    const KeyValues keys = read_keys(*limits, table, "limits", diagnostics_);
    if (keys.has("seconds")) campaign_.seconds = keys.number("seconds");
  }

  void refuse_runs_twice() {
    if (document_.find("runs") == nullptr) return;
    for (const AxisGroup& group : groups_)
      for (const Axis& axis : group.axes)
        if (axis.key == runs_axis)
          diagnostics_.add(axis.location, "runs is both a number and a list under zip; keep one of them");
  }

  /// The experiment before the axes change it; sets the file that its paths are relative to.
  std::optional<DocumentValue> read_base() {
    experiment_file_ = campaign_.file;
    const DocumentValue* base = document_.find("base");
    const DocumentValue* elsewhere = document_.find("experiment");
    if ((base == nullptr) == (elsewhere == nullptr)) {
      diagnostics_.add(base == nullptr ? document_.location : elsewhere->location,
                       base == nullptr ? "base is missing (an experiment; or experiment: its file)"
                                       : "either base or experiment, not both");
      return std::nullopt;
    }
    if (base != nullptr && base->kind == Kind::map && base->entries.size() == 1)
      elsewhere = base->find("experiment");  // `base: {experiment: file.yaml}` has the same meaning
    if (elsewhere == nullptr) {
      if (base->kind == Kind::map) return *base;
      diagnostics_.add(base->location, fmt::format("base: an experiment is expected, not {}", base->described()));
      return std::nullopt;
    }
    if (elsewhere->kind != Kind::scalar) {
      diagnostics_.add(elsewhere->location,
                       fmt::format("experiment: a file name is expected, not {}", elsewhere->described()));
      return std::nullopt;
    }
    experiment_file_ = campaign_.file.parent_path() / elsewhere->scalar;
    try {
      return load_document(experiment_file_);
    } catch (const InputError& error) {
      diagnostics_.add(elsewhere->location, fmt::format("experiment: {}", error.what()));
      return std::nullopt;
    }
  }

  void make_points(const DocumentValue& base) {
    const std::size_t count = combinations(groups_);
    if (count > most_points)
      throw InputError(fmt::format("{}: the axes span more than {} points",
                                   groups_.front().axes.front().location.text(), most_points));
    campaign_.points.reserve(count);
    PointDiagnostics diagnostics;
    for (std::size_t number = 0; number < count; ++number)
      diagnostics.collect([&] { make_point(base, combination(groups_, number)); },
                          [&] { return label_text(campaign_.axes, values_of(combination(groups_, number))); });
    diagnostics.raise();
    refuse_repeated_points();
  }

  /// The values of the axes of a point, except its runs.
  std::vector<Json> values_of(const std::vector<const DocumentValue*>& values) const {
    std::vector<Json> at;
    std::size_t column = 0;
    for (const AxisGroup& group : groups_)
      for (const Axis& axis : group.axes)
        if (const DocumentValue& value = *values[column++]; axis.key != runs_axis) at.push_back(document_json(value));
    return at;
  }

  void make_point(const DocumentValue& base, const std::vector<const DocumentValue*>& values) {
    DocumentValue document = base;
    std::int64_t runs = runs_;
    std::size_t column = 0;
    for (const AxisGroup& group : groups_)
      for (const Axis& axis : group.axes) {
        const DocumentValue& value = *values[column++];
        if (axis.key == runs_axis) runs = runs_of(axis, value);
        else put_value(document, axis.key, axis.location, value);
      }
    Point point = starloom::make_point(read_experiment(catalogue_, document, experiment_file_), runs, campaign_.keep);
    point.at = values_of(values);
    look_at_packets(point);
    campaign_.points.push_back(std::move(point));
  }

  /// Packets of large networks and plans take too long for a dry run or a report: their errors are reported before
  /// they run.
  void look_at_packets(Point& point) {
    const Experiment& experiment = point.experiment;
    const double nodes = experiment.topology->size(experiment.network).nodes;
    if (experiment.algorithm->off_line || nodes > nodes_to_look_at_) return;
    nodes_to_look_at_ -= nodes;
    prepare(experiment);
    point.has_sound_packets = true;
  }

  static std::int64_t runs_of(const Axis& axis, const DocumentValue& value) {
    DocumentValue section;
    section.kind = Kind::map;
    section.entries.push_back({axis.key, axis.location, value});
    Diagnostics diagnostics;
    const KeyValues keys = read_keys(section, {runs_key()}, "", diagnostics);
    diagnostics.raise();
    return keys.integer(runs_axis);
  }

  void refuse_repeated_points() {
    std::map<std::string, const Point*> first;
    for (const Point& point : campaign_.points) {
      const auto [it, fresh] = first.emplace(point.key, &point);
      if (!fresh)
        throw InputError(fmt::format("{}: two points are the same experiment: {} and {}",
                                     groups_.front().axes.front().location.text(), campaign_.label(*it->second),
                                     campaign_.label(point)));
    }
  }

  const Catalogue& catalogue_;
  DocumentValue document_;
  Campaign campaign_;
  std::filesystem::path experiment_file_;
  std::vector<AxisGroup> groups_;
  std::int64_t runs_ = 1;              ///< of points without an axis `runs`
  double nodes_to_look_at_ = 200'000;  ///< about 0.1 s on current machines
  Diagnostics diagnostics_;
};

}  // namespace

std::string Campaign::label(const Point& point) const { return axes.empty() ? name : label_text(axes, point.at); }

Point make_point(Experiment experiment, std::int64_t runs, const Metrics& keep) {
  const auto seeds = std::numeric_limits<std::int64_t>::max() - static_cast<std::int64_t>(experiment.seed);
  if (runs - 1 > seeds)
    throw InputError(
        fmt::format("{}: seed: the seed of the last of {} runs overflows; choose a smaller seed or fewer runs",
                    experiment.location("seed").text(), runs));
  Point point;
  point.experiment = std::move(experiment);
  point.runs = runs;
  point.facts = experiment_json(point.experiment);
  point.key =
      sha256(Json{{"experiment", point.facts}, {"version", program_version()}, {"figures", keep.canonical()}}.dump());
  return point;
}

Campaign load_campaign(const Catalogue& catalogue, const std::filesystem::path& file) {
  return CampaignReader(catalogue, file).read();
}

void require_points(const Campaign& campaign, const std::vector<std::size_t>& points) {
  PointDiagnostics diagnostics;
  for (const std::size_t point : points)
    if (!campaign.points[point].has_sound_packets)
      diagnostics.collect([&] { prepare(campaign.points[point].experiment); },
                          [&] { return campaign.label(campaign.points[point]); });
  diagnostics.raise();
}

}  // namespace starloom
