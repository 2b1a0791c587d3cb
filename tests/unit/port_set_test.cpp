// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <set>
#include <vector>

#include <starloom/core/port_set.hpp>
#include <starloom/core/random.hpp>
#include "support/networks.hpp"

namespace starloom {
namespace {

TEST(PortSet, IsASetOfNumbers) {
  RandomStream dice(7, Purpose::algorithm, 0, 0);
  for (const int ports : {1, 31, 32, 33, 64, 65, 200, 1024})
    for (const std::uint32_t share : {0U, 1U, 4U, 40U}) {  // one port in this number of them; 0: none
      std::set<Port> numbers;
      std::vector<PortMask> words(PortSet::words_for(ports), 0);
      for (Port port = 0; port < ports; ++port)
        if (share != 0 && dice.bounded(share) == 0) numbers.insert(port);
      for (const Port port : numbers) words[PortSet::word_of(port)] |= PortSet::bit_of(port);
      const PortSet set(words.data(), words.size());

      EXPECT_EQ(ports_in(set), std::vector<Port>(numbers.begin(), numbers.end())) << ports;
      EXPECT_EQ(set.empty(), numbers.empty());
      EXPECT_EQ(set.size(), static_cast<int>(numbers.size()));
      if (!numbers.empty()) {
        EXPECT_EQ(set.lowest(), *numbers.begin());
      }
      for (Port port = -1; port <= ports + 40; ++port) {
        ASSERT_EQ(set.has(port), numbers.count(port) != 0) << port << " of " << ports;
        if (port < 0) continue;
        int below = 0;
        for (const Port number : numbers) below += number < port ? 1 : 0;
        ASSERT_EQ(set.size_below(port), below) << port << " of " << ports;
      }
    }
}

}  // namespace
}  // namespace starloom
