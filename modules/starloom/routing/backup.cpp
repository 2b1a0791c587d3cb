// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/backup.hpp>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <starloom/routing/combinators.hpp>
#include <starloom/routing/grid_function.hpp>
#include <starloom/routing/pairs_without_path.hpp>
#include <starloom/routing/pruned.hpp>
#include <starloom/routing/up_down.hpp>
#include <starloom/schema/config_error.hpp>

namespace starloom::routing {
namespace {

constexpr const char* key_name = "backup";

/// Refuses an entry that needs all channels itself.
void require_last_channel(const FunctionEntry& entry, const FunctionContext& context) {
  std::vector<std::int64_t> sides;
  if (const Grid* const grid = grid_in(*context.network)) sides = grid->shape();
  const Service* const service = entry.service(context.network->capabilities());
  const int needed = 1 + (service == nullptr ? 1 : service->channels_for(sides));
  if (context.channels < needed)
    throw ConfigError("channels", entry.name + " with backup needs " + std::to_string(needed) +
                                      " channels here, the last one for up-down, not " +
                                      std::to_string(context.channels));
}

}  // namespace

KeySpec backup_key() {
  return choice_key(key_name, {"up-down"},
                    "the function of pairs whose path faults cut, in the last channel; without it their "
                    "packets are lost")
      .omitted_at_default();
}

FunctionEntry with_backup_key(FunctionEntry entry) {
  entry.keys.push_back(backup_key());
  entry.knows_faults = true;
  const FunctionEntry plain = entry;
  entry.make = [plain](const FunctionContext& context, const KeyValues& keys) {
    const auto living = [&](const FunctionContext& own) {
      FunctionContext whole = own;
      whole.faults = nullptr;
      std::unique_ptr<RoutingFunction> function = plain.make(whole, keys);
      return own.faults == nullptr ? std::move(function) : pruned(std::move(function), own);
    };
    if (!keys.has(key_name)) return living(context);
    require_last_channel(plain, context);
    FunctionContext first = context, last = context;
    first.channels = context.channels - 1;
    last.first_channel = context.first_channel + first.channels;
    last.channels = 1;
    std::unique_ptr<RoutingFunction> function = living(first);
    if (function->random_choices() > 1)
      throw ConfigError(key_name, "packets of " + plain.name +
                                      " choose a direction at random here, which excludes a backup; set ties, or leave "
                                      "this key out");
    auto to_the_root = without_dead_channels(up_down(last, keys, last.all_channels()), last);
    return with_backup(context.graph(), context.faults, {std::move(function), first.all_channels()},
                       {std::move(to_the_root), last.all_channels()});
  };
  return entry;
}

}  // namespace starloom::routing
