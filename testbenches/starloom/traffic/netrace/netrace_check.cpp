// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/netrace/netrace_check.hpp>

#include <algorithm>
#include <limits>
#include <map>

#include <starloom/core/most_steps.hpp>
#include <starloom/schema/config_error.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/schema/diagnostic_list.hpp>
#include <starloom/support/numbers.hpp>

namespace starloom {
namespace {

/// The extent of a region, without what its records say.
NetraceExtent extent_of(const NetraceHeader& header, std::optional<std::int64_t> region) {
  NetraceExtent extent;
  extent.header = header;
  constexpr auto most = static_cast<std::uint64_t>(most_steps);
  const auto count = static_cast<std::int64_t>(header.regions.size());
  if (region && *region >= count)
    throw ConfigError("region", count == 0 ? "the trace has no regions; leave out this key"
                                           : "the trace has the regions 0 to " + std::to_string(count - 1) + ", not " +
                                                 std::to_string(*region));
  std::uint64_t start = 0, first = 0;
  for (std::int64_t before = 0; region && before < *region; ++before) {
    start = std::min(most, start + std::min(most, header.regions[static_cast<std::size_t>(before)].cycles));
    first = std::min(most, first + std::min(most, header.regions[static_cast<std::size_t>(before)].packets));
  }
  const NetraceRegion all{header.cycles, most};
  const NetraceRegion& own = region ? header.regions[static_cast<std::size_t>(*region)] : all;
  extent.first = static_cast<std::int64_t>(first);
  extent.count = static_cast<std::int64_t>(std::min(most, own.packets));
  extent.start = static_cast<Step>(start);
  extent.cycles = static_cast<Step>(std::min(most, own.cycles));
  return extent;
}

/// Checks record after record.
class Check {
 public:
  Check(const NetraceFile& file, NetraceExtent& extent) : file_(file), extent_(extent) {}

  void add(const std::string& fault) { faults_.add(file_.number(), fault); }
  void record(const NetraceRecord& record);
  /// Called after the last record.
  void finish(bool of_region);
  void stop_if_invalid() const {
    if (faults_.any()) throw DataFileError(faults_.text());
  }

 private:
  /// An id that a record names and that has not been read.
  struct Named {
    std::int64_t by = 0;  ///< the number of the first record that names it
    std::int64_t offset = 0;
    std::int64_t depth = 0;  ///< the greatest of the records of the extent that name it
  };

  void never_come(std::map<std::uint32_t, Named>::iterator end);

  const NetraceFile& file_;
  NetraceExtent& extent_;
  DiagnosticList<std::int64_t> faults_;
  std::map<std::uint32_t, Named> named_;
  std::uint64_t cycle_ = 0;          ///< of the record before
  std::optional<std::uint32_t> id_;  ///< the same; empty: there is none
};

void Check::never_come(std::map<std::uint32_t, Named>::iterator end) {
  for (auto named = named_.begin(); named != end; named = named_.erase(named))
    faults_.add(named->second.by,
                file_.located(named->second.by, named->second.offset,
                              "names packet " + std::to_string(named->first) + ", which never comes"));
}

void Check::record(const NetraceRecord& record) {
  const auto fault = [this](const std::string& text) { add(file_.located(text)); };
  if (record.cycle > static_cast<std::uint64_t>(most_steps))
    fault("cycle " + std::to_string(record.cycle) + " is more than " + std::to_string(most_steps));
  if (record.cycle < cycle_)
    fault("cycle " + std::to_string(record.cycle) + " is before that of the record before it, " +
          std::to_string(cycle_));
  cycle_ = record.cycle;
  if (id_ && record.id <= *id_)
    return fault("id " + std::to_string(record.id) + " is not greater than that of the record before it, " +
                 std::to_string(*id_));
  id_ = record.id;

  never_come(named_.lower_bound(record.id));
  std::int64_t depth = 1;
  if (const auto named = named_.find(record.id); named != named_.end()) {
    depth += named->second.depth;
    named_.erase(named);
  }
  const bool inside = file_.number() >= extent_.first && file_.number() - extent_.first < extent_.count;
  if (inside) {
    if (constexpr std::int64_t most = std::numeric_limits<PacketId>::max(); file_.number() - extent_.first == most)
      fault("a run has at most " + std::to_string(most) + " packets; select a region with fewer");
    if (record.cycle < static_cast<std::uint64_t>(extent_.start))
      fault("cycle " + std::to_string(record.cycle) + " is before its region, which begins in cycle " +
            std::to_string(extent_.start));
    if (file_.number() == extent_.first) extent_.first_id = record.id;
    extent_.last_id = record.id;
    extent_.longest = std::max(extent_.longest, record.bytes);
    extent_.depth = std::max(extent_.depth, depth);
  }
  for (const std::uint32_t id : record.dependants) {
    if (id <= record.id) {
      fault("names packet " + std::to_string(id) + ", which is not behind it");
      continue;
    }
    const auto [named, is_new] = named_.try_emplace(id);
    if (is_new) named->second = {file_.number(), file_.offset(), 0};
    if (inside) named->second.depth = std::max(named->second.depth, depth);
  }
}

void Check::finish(bool of_region) {
  never_come(named_.end());
  const std::int64_t there = std::max<std::int64_t>(0, file_.number() - extent_.first);
  if (of_region && there < extent_.count)
    add(file_.located("the file ends here, but the region has " + counted(extent_.count - there, "more packet")));
  extent_.count = std::min(extent_.count, there);
}

}  // namespace

NetraceExtent check_netrace(const std::filesystem::path& path, const std::string& name,
                            std::optional<std::int64_t> region) {
  NetraceFile file(path, name);
  NetraceExtent extent = extent_of(file.header(), region);
  Check check(file, extent);
  NetraceRecord record;
  std::vector<std::string> faults;
  try {
    while (file.next(record, faults)) {
      for (const std::string& fault : faults) check.add(fault);
      faults.clear();
      check.record(record);
    }
    check.finish(region.has_value());
  } catch (const DataFileError& error) {
    for (const std::string& fault : faults) check.add(fault);
    check.add(error.what());
  }
  check.stop_if_invalid();
  extent.content = file.content();
  return extent;
}

}  // namespace starloom
