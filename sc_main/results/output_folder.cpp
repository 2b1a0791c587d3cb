#include <starloom/results/output_folder.hpp>

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <system_error>
#include <vector>

#include <starloom/core/error.hpp>
#include <starloom/records/text_writer.hpp>

namespace starloom {
namespace {

namespace fs = std::filesystem;

/// What a whole result has. Without it a folder is not one, so it goes first and comes last.
constexpr const char* seal = "result.json";

/// The files that this program writes; everything else in a replaced folder belongs to the user.
constexpr const char* own_files[] = {seal,        "packets.csv", "trace.csv",   "trace.csv.gz", "timing.json",
                                     "slots.csv", "links.svg",   "latency.svg", "netlist.json", "transactions.csv",
                                     "waves.vcd", "waves.fst",   "waves.gtkw",  "couplers.svg"};

bool is_own(const std::string& name) {
  if (std::find(std::begin(own_files), std::end(own_files), name) != std::end(own_files)) return true;
  // GTKWave's names for values: waves.<field>.filter
  return name.compare(0, 6, "waves.") == 0 && fs::path(name).extension() == ".filter";
}

[[noreturn]] void fail(const fs::path& path, const std::string& what, const std::error_code& why) {
  throw OutputError(fmt::format("{}: {}: {}", path.string(), what, why.message()));
}

/// A name that is not taken; machines that share a disk may share process numbers, too.
fs::path unused(const std::string& start) {
  const std::string base = fmt::format("{}partial-{}", start, ::getpid());
  fs::path name = base;
  for (int i = 2; fs::exists(fs::symlink_status(name)); ++i) name = fmt::format("{}-{}", base, i);
  return name;
}

}  // namespace

OutputFolder::OutputFolder(const fs::path& target, bool force)
    : target_(target.has_filename() ? target : target.parent_path()) {
  std::error_code why;
  exists_ = fs::exists(target_, why);
  if (exists_) {
    if (!fs::is_directory(target_, why))
      throw OutputError(fmt::format("{}: exists and is not a folder; choose another --out", target_.string()));
    const bool empty = fs::is_empty(target_, why);
    if (why) fail(target_, "the output folder cannot be read", why);
    if (!empty && !force)
      throw OutputError(fmt::format("{}: exists; --force replaces it, --out DIR writes elsewhere", target_.string()));
  } else if (target_.has_parent_path()) {
    fs::create_directories(target_.parent_path(), why);
    if (why) fail(target_, "the folder above it cannot be made", why);
  }
  aside_ = unused(target_.string() + (exists_ ? "/." : "."));
  if (!fs::create_directory(aside_, why)) fail(target_, "the output folder cannot be written", why);
}

OutputFolder::~OutputFolder() {
  std::error_code ignored;
  if (!published_ && fs::is_empty(aside_, ignored)) fs::remove(aside_, ignored);
}

void OutputFolder::write(const std::string& name, const std::string& content) const {
  write_text(aside_ / name, content);
}

void OutputFolder::tell_what_is_left() const {
  std::error_code ignored;
  if (published_ || fs::is_empty(aside_, ignored)) return;
  fmt::print(stderr, "starloom: what was written until then is in {}\n", aside_.string());
}

void OutputFolder::publish() {
  if (exists_) {
    publish_into_existing();
  } else {
    std::error_code why;
    fs::rename(aside_, target_, why);
    if (why) fail(target_, fmt::format("the results cannot be moved here from {}", aside_.string()), why);
  }
  published_ = true;
}

void OutputFolder::publish_into_existing() {
  std::error_code why;
  std::vector<fs::path> earlier = {seal};
  for (const auto& entry : fs::directory_iterator(target_))
    if (is_own(entry.path().filename().string())) earlier.push_back(entry.path().filename());
  for (const fs::path& name : earlier) {
    fs::remove(target_ / name, why);
    if (why) fail(target_ / name, fmt::format("the earlier file cannot be replaced from {}", aside_.string()), why);
  }
  const auto move = [&](const fs::path& name) {
    fs::rename(aside_ / name, target_ / name, why);
    if (why) fail(target_ / name, fmt::format("the new file cannot be moved here from {}", aside_.string()), why);
  };
  std::vector<fs::path> names;
  for (const auto& entry : fs::directory_iterator(aside_)) names.push_back(entry.path().filename());
  for (const fs::path& name : names)
    if (name != seal) move(name);
  move(seal);
  fs::remove(aside_, why);
}

}  // namespace starloom
