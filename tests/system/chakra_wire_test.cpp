// SPDX-License-Identifier: Apache-2.0
/// \file The traces that tests write are in the wire format of protocol buffers, as its compiler decodes it.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

#include "unit/chakra_traces.hpp"
#include "unit/scratch_folder.hpp"

namespace starloom {
namespace {

#ifdef STARLOOM_HAS_PROTOC
TEST(ChakraWire, IsDecodedByTheProtocolCompiler) {
  const ScratchFolder scratch;
  const auto decoded = [&](const std::string& record) {
    const std::string in = scratch.write("record", record).string(), out = scratch.file("text").string();
    EXPECT_EQ(std::system(("protoc --decode_raw <'" + in + "' >'" + out + "'").c_str()), 0);
    return scratch.read("text");
  };
  EXPECT_EQ(decoded(chakra_traces::compute(300, 7, {2})), "1: 300\n2: \"n\"\n3: 4\n5: 2\n7: 7\n");
  EXPECT_EQ(decoded(chakra_traces::collective(1, 2, 64, {}, "tp")),
            "1: 1\n2: \"n\"\n3: 7\n10 {\n  1: \"comm_type\"\n  9: 2\n}\n10 {\n  1: \"comm_size\"\n  9: 64\n}\n"
            "10 {\n  1: \"pg_name\"\n  29: \"tp\"\n}\n");
  const std::string file = chakra_traces::trace({chakra_traces::compute(1, 5)});
  EXPECT_EQ(decoded(file.substr(1, 7)), "1: \"0.0.4\"\n");
  EXPECT_EQ(decoded(file.substr(9)), "1: 1\n2: \"n\"\n3: 4\n7: 5\n");
}
#endif

}  // namespace
}  // namespace starloom
