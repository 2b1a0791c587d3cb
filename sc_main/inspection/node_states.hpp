#pragma once
/// \file What nodes were in, by the waves of a run: the state fields of their controllers, step by step.
#include <filesystem>
#include <string>
#include <vector>

#include <starloom/inspection/byte_stream.hpp>
#include <starloom/inspection/replay_page.hpp>

namespace starloom {

/// The most changes of fields that a page holds.
inline constexpr std::int64_t most_state_changes = 1'000'000;

/// Adds to a page the state fields of the nodes called `names`, from the `waves.vcd` of a folder, with the names of their
/// values from the files beside it: the fact `state` {`fields` [{`node`, `name`}], `values` {field: {value: name}}} and the
/// section `state`. Without waves, or with too many changes, the fact `no_state` says why there are none.
/// \throws InputError for waves that cannot be read.
void add_node_states(const std::filesystem::path& folder, const std::vector<std::string>& names,
                     ReplayContent& content);

}  // namespace starloom
