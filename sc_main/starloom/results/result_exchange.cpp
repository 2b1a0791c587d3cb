// SPDX-License-Identifier: Apache-2.0
#include <starloom/results/result_exchange.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>
#include <system_error>

#include <starloom/support/atomic_file.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/message.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;
using Names = std::vector<fs::path>;

constexpr const char* own_files[] = {
    result_seal,          "packets.csv",       "trace.csv",      "trace.csv.gz",      "timing.json",
    "slots.csv",          "links.svg",         "latency.svg",    "netlist.json",      "transactions.csv",
    "waves.vcd",          "waves.fst",         "waves.gtkw",     "couplers.svg",      "latency.csv",
    "links.csv",          "buffers.csv",       "credits.csv",    "faults.csv",        "network.json",
    "replay.html",        "trace_window.json", "messages.csv",   "critical_path.csv", "flows.csv",
    "collectives.csv",    "chunks.csv",        "operations.csv", "collectives.svg",   "energy.csv",
    "energy_windows.csv", "energy_table.yaml", "power.svg"};

/// Folders of earlier results that are replaced: `.earlier.partial-<process id>`, with a suffix once all files are
/// there.
const std::string earlier_start = ".earlier.", complete = ".complete";

bool is_own(const std::string& name) {
  if (std::find(std::begin(own_files), std::end(own_files), name) != std::end(own_files)) return true;
  // GTKWave's names for values: waves.<field>.filter
  return name.compare(0, 6, "waves.") == 0 && fs::path(name).extension() == ".filter";
}

bool has(const Names& names, const fs::path& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

Names names_in(const fs::path& folder) {
  Names names;
  std::error_code why;
  fs::directory_iterator entry(folder, why);
  for (; !why && entry != fs::directory_iterator(); entry.increment(why)) names.push_back(entry->path().filename());
  if (why) throw OutputError(fmt::format("{}: the output folder cannot be read: {}", folder.string(), why.message()));
  std::sort(names.begin(), names.end());
  return names;
}

void change_name(const fs::path& from, const fs::path& to) {
  std::error_code why;
  fs::rename(from, to, why);
  if (why) throw OutputError(fmt::format("{}: cannot be moved from {}: {}", to.string(), from.string(), why.message()));
}

void move(const fs::path& name, const fs::path& from, const fs::path& to) { change_name(from / name, to / name); }

void move_seal_first(const Names& names, const fs::path& from, const fs::path& to) {
  if (has(names, result_seal)) move(result_seal, from, to);
  for (const fs::path& name : names)
    if (name != result_seal) move(name, from, to);
}

void move_seal_last(const Names& names, const fs::path& from, const fs::path& to) {
  for (const fs::path& name : names)
    if (name != result_seal) move(name, from, to);
  if (has(names, result_seal)) move(result_seal, from, to);
}

/// Moves the earlier result from `removed` back to `folder`, and files of a new one to `temporary`.
void put_back(fs::path removed, const fs::path& folder, const fs::path& temporary) {
  const Names earlier = names_in(removed);
  Names newer = result_files(folder);
  // While the earlier files were still being moved, no new file had arrived.
  if (removed.extension() != complete)
    newer.erase(std::remove_if(newer.begin(), newer.end(), [&](const fs::path& name) { return !has(earlier, name); }),
                newer.end());
  std::error_code ignored;
  if (!newer.empty()) fs::create_directory(temporary, ignored);
  move_seal_first(newer, folder, temporary);
  if (removed.extension() == complete) {
    // From now on the files in the folder belong to the earlier result again, even if this process is killed, too.
    const fs::path part = fs::path(removed).replace_extension();
    change_name(removed, part);
    removed = part;
  }
  move_seal_last(earlier, removed, folder);
  fs::remove(removed, ignored);
}

}  // namespace

std::vector<fs::path> result_files(const fs::path& folder) {
  Names names = names_in(folder);
  names.erase(std::remove_if(names.begin(), names.end(), [](const fs::path& name) { return !is_own(name.string()); }),
              names.end());
  return names;
}

void exchange_results(const fs::path& temporary, const fs::path& folder) {
  const Names earlier = result_files(folder), names = names_in(temporary);
  if (earlier.empty()) {
    move_seal_last(names, temporary, folder);
    return;
  }
  for (const fs::path& name : names) sync_to_disk(temporary / name);
  fs::path removed = unused_temporary((folder / earlier_start).string(), folder);
  std::error_code why;
  if (!fs::create_directory(removed, why))
    throw OutputError(fmt::format("{}: cannot be written: {}", folder.string(), why.message()));
  try {
    move_seal_first(earlier, folder, removed);
    const fs::path all_moved = removed.string() + complete;
    change_name(removed, all_moved);
    removed = all_moved;
    move_seal_last(names, temporary, folder);
    sync_to_disk(folder);
  } catch (const OutputError&) {
    put_back(removed, folder, temporary);
    throw;
  }
  fs::remove_all(removed, why);
}

void put_back_earlier_result(const fs::path& folder) {
  for (const fs::path& name : names_in(folder)) {
    const std::string text = name.string();
    const fs::path removed = folder / name;
    std::error_code ignored;
    if (text.rfind(earlier_start + "partial-", 0) != 0 || !fs::is_directory(removed, ignored)) continue;
    if (fs::exists(folder / result_seal, ignored)) {
      // It was killed before the first move, or after the last.
      if (name.extension() == complete) fs::remove_all(removed, ignored);
      else fs::remove(removed, ignored);
    } else if (fs::exists(removed / result_seal, ignored)) {
      const fs::path temporary = folder / fs::path(text.substr(earlier_start.size() - 1)).replace_extension();
      put_back(removed, folder, temporary);
      const std::string rest =
          fs::exists(temporary, ignored) ? fmt::format("; what that run wrote is in {}", temporary.string()) : "";
      print_message(fmt::format(
          "{}: a run was killed while it replaced the result here; the earlier result is restored from {}{}",
          folder.string(), removed.string(), rest));
    }
  }
}

}  // namespace starloom
