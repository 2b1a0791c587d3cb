#pragma once
/// \file A routing algorithm of any kind of network as a row of a table: its name, its keys, and how it is made.
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <starloom/core/keys.hpp>

namespace starloom {

/// docs/model.md, "Storage models".
enum class StorageModel { store_and_forward, virtual_channels, links_only, never_standing };
inline constexpr std::string_view storage_model_names[] = {"store-and-forward", "virtual-channels", "links-only",
                                                           "never-standing"};

/// What a machine without a global observer must be charged (docs/output.md, `schedule`).
struct Schedule {
  std::int64_t steps = 0;
  std::string unit;
  std::int64_t units = 0;
  std::int64_t steps_per_unit = 0;
};

namespace links {
class Algorithm;
struct AlgorithmContext;
/// \throws InputError for combinations of keys and network that the algorithm cannot serve (no place in the text).
using MakeAlgorithm = std::function<std::unique_ptr<Algorithm>(const AlgorithmContext& context, const KeyValues& keys)>;
}  // namespace links

namespace pops {
class Algorithm;
struct AlgorithmContext;
/// \throws InputError as above.
using MakeAlgorithm = std::function<std::unique_ptr<Algorithm>(const AlgorithmContext& context, const KeyValues& keys)>;
}  // namespace pops

/// A row of a table of names.
struct AlgorithmEntry {
  std::string name;
  std::string meaning;                                     ///< one sentence
  std::vector<std::string> topologies;                     ///< names of those it serves
  StorageModel storage = StorageModel::store_and_forward;  ///< networks of links
  std::vector<KeySpec> keys;                               ///< below `routing:`, besides `algorithm`
  bool off_line = false;     ///< it plans before the run: it wants to know all packets, and links of latency 1
  bool in_lockstep = false;  ///< on-line, but nodes count steps together: all packets in step 0, links of latency 1
  /// What it is made with, by the kind of network that it serves.
  std::variant<links::MakeAlgorithm, pops::MakeAlgorithm> make;
};

}  // namespace starloom
