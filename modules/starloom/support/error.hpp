// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Errors as exceptions. Each ends in one sentence for the user and one exit status, both only in `sc_main`.
#include <stdexcept>
#include <string>

namespace starloom {

/// Exit status of the program (docs/faq.md).
enum class ExitStatus : int {
  done = 0,
  unexpected = 1,
  usage = 2,
  contract = 3,
  undelivered = 4,
  output = 5,
  expectation = 6,
};

/// Base of all errors that the program explains to its user.
class Error : public std::runtime_error {
 public:
  Error(ExitStatus status, const std::string& text) : std::runtime_error(text), status_(status) {}
  ExitStatus status() const { return status_; }

 private:
  ExitStatus status_;
};

/// An error in the command line, an experiment or a data file: status 2. The text begins with its location
/// (`file:line:column: `) if it has one; several errors found in one pass are separate lines.
class InputError : public Error {
 public:
  explicit InputError(const std::string& text) : Error(ExitStatus::usage, text) {}
};

/// A part of a network, such as a routing function, that broke its contract: status 3. The text begins with its name.
class ContractError : public Error {
 public:
  explicit ContractError(const std::string& text) : Error(ExitStatus::contract, text) {}
};

/// An output that could not be written: status 5.
class OutputError : public Error {
 public:
  explicit OutputError(const std::string& text) : Error(ExitStatus::output, text) {}
};

}  // namespace starloom
