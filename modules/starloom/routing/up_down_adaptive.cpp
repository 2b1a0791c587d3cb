// SPDX-License-Identifier: Apache-2.0
#include <starloom/routing/up_down_adaptive.hpp>

#include <utility>

#include <starloom/routing/combinators.hpp>
#include <starloom/routing/pruned.hpp>
#include <starloom/routing/shortest.hpp>
#include <starloom/routing/up_down.hpp>

namespace starloom::routing {

FunctionEntry up_down_adaptive_entry() {
  FunctionEntry entry;
  entry.name = "up-down-adaptive";
  entry.meaning = "any shortest path; up-down in an escape channel, to the end (Silla and Duato 2000)";
  entry.serves = {{connected, 2, "one escape and one adaptive channel"}};
  entry.knows_faults = true;
  entry.keys = {root_key()};
  entry.make = [](const FunctionContext& context, const KeyValues& keys) {
    const ChannelRange first{context.first_channel, 1}, rest{context.first_channel + 1, context.channels - 1};
    auto to_the_root = up_down(context, keys, first);
    auto function = escape(context.graph().ports(), {all_shortest("up-down-adaptive", context, rest), rest},
                           {std::move(to_the_root), first}, Stay::for_good);
    return without_dead_channels(std::move(function), context);
  };
  return entry;
}

}  // namespace starloom::routing
