// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A part that is made of others, as a value of a key: `islip`, `{islip: 2}`, `{input-first: matrix}`,
/// `{tree: 4, of: matrix}`.
#include <cstdint>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

namespace starloom {

/// The name of a part, its number, and the part that it is made of.
struct PartValue {
  std::string name;
  std::optional<std::int64_t> number{};
  std::vector<PartValue> of{};  ///< none or one

  friend bool operator==(const PartValue& a, const PartValue& b) {
    return a.name == b.name && a.number == b.number && a.of == b.of;
  }
  friend bool operator!=(const PartValue& a, const PartValue& b) { return !(a == b); }
};

/// The number of a part: `{islip: 2}`.
struct PartNumber {
  std::int64_t least = 1;
  std::int64_t most = 1;
  std::optional<std::int64_t> by_default{};  ///< of a part that is given by its name alone; none: it has to be given
};

/// The legal values of a part, in a table of parts.
struct PartForm {
  std::string name;
  std::optional<PartNumber> number{};
  std::string of{};  ///< the part that it is made of, if the file does not name one; empty: it is not made of another

  friend bool operator==(const PartForm& a, const PartForm& b) {
    const auto numbers = [](const PartForm& form) {
      const PartNumber number = form.number.value_or(PartNumber{0, 0});
      return std::tuple(number.least, number.most, number.by_default);
    };
    return a.name == b.name && numbers(a) == numbers(b) && a.of == b.of;
  }
};

/// The legal parts of a key, and the parts that those, and parts of these, are made of.
struct PartForms {
  std::vector<PartForm> outer{};
  std::vector<PartForm> inner{};

  friend bool operator==(const PartForms& a, const PartForms& b) { return a.outer == b.outer && a.inner == b.inner; }
};

/// The error in a part, a sentence without the key; empty if there is none. `noun` of the part: `switch_allocator`.
std::string part_error(const PartForms& forms, const PartValue& part, const std::string& noun);
/// A part without errors, with all that may be omitted.
PartValue with_defaults(const PartForms& forms, PartValue part);
/// A legal part that is not only a name; empty if there is none.
std::string parts_example(const PartForms& forms);
/// As in an experiment.
std::string part_text(const PartValue& part);

}  // namespace starloom
