#pragma once
/// \file Faults of one key of an experiment.
#include <string>
#include <utility>

#include <starloom/core/error.hpp>

namespace starloom {

/// A key whose value does not serve, by itself or beside others.
class KeyFault : public InputError {
 public:
  KeyFault(std::string key, const std::string& text) : InputError(text), key_(std::move(key)) {}
  /// Within its section: `flits.mix`. What is wrong with it is the text.
  const std::string& key() const { return key_; }

 private:
  std::string key_;
};

}  // namespace starloom
