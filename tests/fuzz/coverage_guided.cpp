// SPDX-License-Identifier: Apache-2.0
// The entry of libFuzzer: --reader=NAME says what reads the files, --seeds=DIR where to put its sound ones first.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "fuzz/readers.hpp"

namespace {

const starloom::FileReader* chosen = nullptr;

const char* value_of(const char* word, const char* option) {
  const std::size_t length = std::strlen(option);
  return std::strncmp(word, option, length) == 0 ? word + length : nullptr;
}

void write_seeds(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (std::size_t i = 0; i < chosen->seeds.size(); ++i)
    std::ofstream(folder / ("seed_" + std::to_string(i)), std::ios::binary) << chosen->seeds[i];
}

}  // namespace

// The SystemC library asks for it; libFuzzer brings its own main.
extern "C" int sc_main(int, char**) { return 0; }

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  const char* seeds = nullptr;
  for (int i = 1; i < *count; ++i) {
    if (const char* name = value_of((*words)[i], "--reader="))
      for (const starloom::FileReader& reader : starloom::file_readers())
        if (reader.name == name) chosen = &reader;
    if (const char* folder = value_of((*words)[i], "--seeds=")) seeds = folder;
  }
  if (chosen == nullptr) {
    std::fprintf(stderr, "--reader=NAME is one of:");
    for (const starloom::FileReader& reader : starloom::file_readers())
      std::fprintf(stderr, " %s", reader.name.c_str());
    std::fprintf(stderr, "\n");
    std::exit(2);
  }
  if (seeds != nullptr) write_seeds(seeds);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  const std::string wrong = starloom::what_goes_wrong(*chosen, std::string(reinterpret_cast<const char*>(bytes), size));
  if (wrong.empty()) return 0;
  std::fprintf(stderr, "%s: %s\n", chosen->name.c_str(), wrong.c_str());
  std::abort();
}
