// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Faults of keys of an experiment.
#include <string>
#include <utility>
#include <vector>

#include <starloom/support/error.hpp>

namespace starloom {

/// Keys whose values do not serve, by themselves or beside others.
class KeyFault : public InputError {
 public:
  /// A key within its section, `flits.mix`, or nothing for the section as a whole; and what is wrong with it.
  struct Fault {
    std::string key, text;
  };

  KeyFault(std::string key, std::string text) : KeyFault({{std::move(key), std::move(text)}}) {}
  /// \param faults at least one.
  explicit KeyFault(std::vector<Fault> faults) : InputError(texts(faults)), faults_(std::move(faults)) {}
  const std::vector<Fault>& faults() const { return faults_; }

 private:
  static std::string texts(const std::vector<Fault>& faults) {
    std::string lines;
    for (const Fault& fault : faults) lines += (lines.empty() ? "" : "\n") + fault.text;
    return lines;
  }

  std::vector<Fault> faults_;
};

}  // namespace starloom
