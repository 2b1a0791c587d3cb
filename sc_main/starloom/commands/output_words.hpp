// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Words of outputs that are neither keys nor metrics: outcomes, causes of waiting, storage models, terms.
#include <string>
#include <vector>

namespace starloom {

struct OutputWord {
  std::string word;
  std::string meaning;
  std::string where;  ///< the kind of word, or the output that uses it
};

/// All of them. A word can occur twice, with different meanings.
const std::vector<OutputWord>& output_words();

}  // namespace starloom
