// SPDX-License-Identifier: Apache-2.0
/// \file Routing functions on links with different numbers of channels.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include <starloom/routing/channels_of_links.hpp>
#include <starloom/routing/dimension_order.hpp>
#include <starloom/support/error.hpp>
#include "support/dice.hpp"
#include "support/named_algorithm.hpp"
#include "support/routed_networks.hpp"

namespace starloom::routing {
namespace {

/// The channels of a choice: with the first of a link, with the last one, a priority. Classes differ in this.
using Kind = std::tuple<Port, int, bool, bool>;
Kind kind_of(const Choice& choice, int channels) {
  return {choice.port, choice.priority, choice.first == 0, choice.first + choice.count == channels};
}

/// A packet makes the same way as with the same number of channels everywhere, in channels of the same classes.
TEST(ChannelsOfLinks, PacketsKeepTheirClasses) {
  struct Case {
    const LinkNetwork& network;
    std::string function;
    int least;  ///< channels
  };
  const LinkNetwork &mesh = network_of(Grid::mesh({3, 4})), &torus = network_of(Grid::torus({6, 5}));
  const std::vector<Case> cases = {{torus, "dimension-order", 2},
                                   {mesh, "o1turn", 2},
                                   {torus, "valiant", 4},
                                   {torus, "adaptive", 3},
                                   {mesh, "planar-adaptive", 3},
                                   {kept(uneven_network(4)), "up-down-adaptive", 2},
                                   {concentrated_mesh({3, 3}, 2), "valiant", 2},
                                   {flattened_butterfly({3, 3}, 2), "ugal", 2}};
  for (const Case& one : cases) {
    SCOPED_TRACE(one.function + " on " + one.network.title);
    links::Dice dice(static_cast<std::uint64_t>(one.least));
    const NetworkGraph& graph = one.network.graph;
    std::vector<std::int32_t> channels;
    for (NodeId node = 0; node < graph.nodes(); ++node) channels.push_back(one.least + dice.below(4));
    const auto make = [&](int number) { return made_function(one.function, one.network, number); };
    const int alike = one.least + 2;
    const auto function = make(alike);
    const ChannelsOfLinks mixed(make, graph, channels);
    ASSERT_EQ(mixed.random_choices(), function->random_choices());
    ASSERT_EQ(mixed.adaptive(), function->adaptive());
    for (int packet = 0; packet < 300; ++packet) {
      const NodeId to = graph.processor(dice.below(graph.processors()));
      Head head{graph.processor(dice.below(graph.processors())), graph.ports(), 0, to};
      head.random_choice = static_cast<std::uint32_t>(dice.below(static_cast<int>(mixed.random_choices())));
      for (Head same = head; head.node != to || head.in_port == graph.ports();) {
        ASSERT_EQ(mixed.on_first_phase(head), function->on_first_phase(same));
        Choices choices, expected;
        mixed.route(head, choices);
        function->route(same, expected);
        const auto channels_behind = [&](const Choice& choice) {
          const NodeId there = choice.port == graph.ports() ? head.node : graph.far_end(head.node, choice.port).node;
          return channels[static_cast<std::size_t>(there)];
        };
        std::vector<Kind> kinds, expected_kinds;
        for (const Choice& choice : choices) {
          ASSERT_LE(choice.first + choice.count, channels_behind(choice));
          ASSERT_GT(choice.count, 0);
          kinds.push_back(kind_of(choice, channels_behind(choice)));
        }
        for (const Choice& choice : expected) expected_kinds.push_back(kind_of(choice, alike));
        ASSERT_THAT(kinds, testing::UnorderedElementsAreArray(expected_kinds));
        const Choice& taken = *(expected.begin() + dice.below(static_cast<int>(expected.size())));
        if (taken.port == graph.ports()) break;
        const Choice& own = *std::find_if(choices.begin(), choices.end(), [&](const Choice& choice) {
          return kind_of(choice, channels_behind(choice)) == kind_of(taken, alike);
        });
        const LinkEnd next = graph.far_end(head.node, taken.port);
        same = {next.node, next.port, taken.first + dice.below(taken.count), to, head.random_choice};
        head = {next.node, next.port, own.first + dice.below(own.count), to, head.random_choice};
      }
    }
  }
}

TEST(ChannelsOfLinks, RefuseNumbersOfOtherClasses) {
  const LinkNetwork& torus = network_of(Grid::torus({4, 4}));
  std::vector<std::int32_t> channels(16, 2);
  channels[5] = 1;
  const auto make = [&](int number) { return made_function("dimension-order-plain", torus, number); };
  EXPECT_NO_THROW(ChannelsOfLinks(make, torus.graph, channels));
  const auto with_datelines = [&](int number) {
    DimensionOrderOptions options;
    options.channels = {0, number};
    return dimension_order(*torus.as<Grid>(), options);
  };
  try {
    ChannelsOfLinks(with_datelines, torus.graph, channels);
    ADD_FAILURE() << "a link without datelines is not refused";
  } catch (const InputError& error) {
    EXPECT_EQ(std::string(error.what()),
              torus.graph.node_name(5) +
                  " has 1 channel: the routing function distinguishes channel 0 of 2, which has "
                  "no counterpart among these");
  }
}

}  // namespace
}  // namespace starloom::routing
