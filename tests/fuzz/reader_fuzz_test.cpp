// SPDX-License-Identifier: Apache-2.0
// Every reader, with the files that once broke one, and with sound ones damaged by chance.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "fuzz/damage.hpp"
#include "fuzz/readers.hpp"
#include "support/places.hpp"

namespace starloom {
namespace {

TEST(Readers, SoundFilesAreRead) {
  for (const FileReader& reader : file_readers()) {
    EXPECT_FALSE(reader.seeds.empty()) << reader.name;
    for (const std::string& seed : reader.seeds) EXPECT_NO_THROW(reader.read(seed)) << reader.name << "\n" << seed;
  }
}

TEST(Readers, FoundCasesStayMended) {
  for (const FileReader& reader : file_readers()) {
    const std::filesystem::path folder = project() / "tests/fuzz/corpus" / reader.name;
    if (!std::filesystem::is_directory(folder)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      std::ifstream in(entry.path(), std::ios::binary);
      EXPECT_EQ(what_goes_wrong(reader, {std::istreambuf_iterator<char>(in), {}}), "") << entry.path();
    }
  }
}

TEST(Readers, DamagedFilesAreReadOrRefused) {
  Dice dice(5);
  for (const FileReader& reader : file_readers())
    for (int i = 0; i < 300; ++i) {
      const std::string bytes = damaged(dice.one_of(reader.seeds), dice);
      ASSERT_EQ(what_goes_wrong(reader, bytes), "") << reader.name << "\n" << bytes;
    }
}

}  // namespace
}  // namespace starloom
