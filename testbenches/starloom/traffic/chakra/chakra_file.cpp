// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/chakra/chakra_file.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <string_view>

#include <starloom/schema/data_file.hpp>

namespace starloom {
namespace {

/// A fault in a message; the reader of the file adds the place.
struct WireFault {
  std::string text;
};

/// Types of values in the wire format of protocol buffers.
enum class WireType { varint = 0, eight_bytes = 1, text = 2, four_bytes = 5 };

/// The fields of a message, one after the other.
class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : bytes_(bytes) {}

  /// Goes to the next field. False at the end of the message.
  bool next() {
    if (bytes_.empty()) return false;
    const std::uint64_t key = read_varint();
    field_ = key >> 3;
    type_ = static_cast<WireType>(key & 7);
    if (field_ == 0) throw WireFault{"a field has number 0"};
    switch (type_) {
      case WireType::varint: number_ = read_varint(); break;
      case WireType::eight_bytes: number_ = read_fixed(8); break;
      case WireType::four_bytes: number_ = read_fixed(4); break;
      case WireType::text: {
        const std::uint64_t size = read_varint();
        if (size > bytes_.size()) throw WireFault{"field " + std::to_string(field_) + " is longer than its message"};
        text_ = bytes_.substr(0, size);
        bytes_.remove_prefix(size);
        break;
      }
      default:
        throw WireFault{"field " + std::to_string(field_) + " has wire type " +
                        std::to_string(static_cast<int>(type_)) + ", which the format does not have"};
    }
    return true;
  }
  std::uint64_t field() const { return field_; }
  WireType type() const { return type_; }
  /// The value of the field, which must be of this type.
  std::uint64_t number(const char* what) const {
    if (type_ != WireType::varint) throw WireFault{std::string(what) + " is not a number"};
    return number_;
  }
  std::string_view bytes(const char* what) const {
    if (type_ != WireType::text) throw WireFault{std::string(what) + " is not a text"};
    return text_;
  }
  std::uint64_t any_number() const { return number_; }
  std::uint64_t read_varint() {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      if (bytes_.empty()) throw WireFault{"a number ends before its last byte"};
      const auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_.remove_prefix(1);
      value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
    throw WireFault{"a number has more than 10 bytes"};
  }
  bool at_end() const { return bytes_.empty(); }

 private:
  std::uint64_t read_fixed(std::size_t size) {
    if (bytes_.size() < size) throw WireFault{"a number ends before its last byte"};
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < size; ++i)
      value |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes_[i])) << (8 * i);
    bytes_.remove_prefix(size);
    return value;
  }

  std::string_view bytes_;
  std::uint64_t field_ = 0, number_ = 0;
  WireType type_ = WireType::varint;
  std::string_view text_;
};

/// The value of an attribute.
struct Attribute {
  std::string_view name;
  std::optional<std::int64_t> number{};
  std::optional<std::string_view> text{};
};

/// The number in a field of an attribute; none if that is not an integer.
std::optional<std::int64_t> integer_in_field(const WireReader& value) {
  const std::uint64_t bits = value.any_number();
  const auto zigzag = [bits] { return static_cast<std::int64_t>(bits >> 1) ^ -static_cast<std::int64_t>(bits & 1); };
  switch (value.field()) {
    case 7:   // int32
    case 9:   // int64
    case 11:  // uint32
    case 13:  // uint64
    case 27:  // bool
      return value.type() == WireType::varint ? std::optional(static_cast<std::int64_t>(bits)) : std::nullopt;
    case 15:  // sint32
    case 17:  // sint64
      return value.type() == WireType::varint ? std::optional(zigzag()) : std::nullopt;
    case 19:  // fixed32
      return value.type() == WireType::four_bytes ? std::optional(static_cast<std::int64_t>(bits)) : std::nullopt;
    case 23:  // sfixed32
      return value.type() == WireType::four_bytes ? std::optional<std::int64_t>(static_cast<std::int32_t>(bits))
                                                  : std::nullopt;
    case 21:  // fixed64
    case 25:  // sfixed64
      return value.type() == WireType::eight_bytes ? std::optional(static_cast<std::int64_t>(bits)) : std::nullopt;
    default: return std::nullopt;
  }
}

Attribute attribute_of(std::string_view message) {
  Attribute attribute;
  for (WireReader fields(message); fields.next();) {
    if (fields.field() == 1) attribute.name = fields.bytes("the name of an attribute");
    else if (fields.field() == 29) attribute.text = fields.bytes("the text of an attribute");
    else if (const auto number = integer_in_field(fields)) attribute.number = number;
  }
  return attribute;
}

void set_attribute(ChakraNode& node, const Attribute& attribute) {
  const auto integer = [&attribute] {
    if (!attribute.number) throw WireFault{std::string(attribute.name) + " is not an integer"};
    return *attribute.number;
  };
  const auto natural = [&] {
    const std::int64_t number = integer();
    if (number < 0) throw WireFault{std::string(attribute.name) + " is " + std::to_string(number)};
    return number;
  };
  if (attribute.name == "comm_type") node.comm_type = natural();
  else if (attribute.name == "comm_size") node.bytes = natural();
  else if (attribute.name == "comm_src") node.source = natural();
  else if (attribute.name == "comm_dst") node.destination = natural();
  else if (attribute.name == "comm_tag") node.tag = integer();
  else if (attribute.name == "is_cpu_op") node.on_host = integer() != 0;
  else if (attribute.name == "pg_name") {
    if (!attribute.text && !attribute.number) throw WireFault{"pg_name is not a text"};
    node.group = attribute.text ? std::string(*attribute.text) : std::to_string(*attribute.number);
  }
}

/// The ids of a field, which is packed or not.
void add_ids(const WireReader& field, std::vector<std::uint64_t>& ids) {
  if (field.type() == WireType::varint) return ids.push_back(field.number("a dependency"));
  for (WireReader packed(field.bytes("a list of dependencies")); !packed.at_end();) ids.push_back(packed.read_varint());
}

ChakraNode node_of(std::string_view message) {
  ChakraNode node;
  std::uint64_t type = 0;
  std::vector<std::uint64_t> data;
  for (WireReader fields(message); fields.next();) {
    switch (fields.field()) {
      case 1: node.id = fields.number("the id"); break;
      case 2: node.name = fields.bytes("the name"); break;
      case 3: type = fields.number("the type"); break;
      case 4: add_ids(fields, node.after); break;
      case 5: add_ids(fields, data); break;
      case 7: node.microseconds = fields.number("duration_micros"); break;
      case 10: set_attribute(node, attribute_of(fields.bytes("an attribute"))); break;
      default: break;
    }
  }
  if (type < 1 || type > 7) throw WireFault{"type " + std::to_string(type) + " is not a type of nodes"};
  node.type = static_cast<ChakraType>(type);
  node.after.insert(node.after.end(), data.begin(), data.end());
  return node;
}

/// The records of a file, each with its length before it.
class Records {
 public:
  Records(const std::filesystem::path& file, std::string name)
      : name_(std::move(name)), in_(file, std::ios::binary), left_(std::filesystem::file_size(file)) {
    if (!in_) throw DataFileError(name_ + ": cannot be read");
  }

  /// Reads the next record. False at the end of the file.
  bool next() {
    offset_ = end_;
    if (left_ == 0) return false;
    ++number_;
    std::uint64_t size = 0;
    for (int shift = 0;; shift += 7) {
      const int byte = left_ > 0 ? in_.get() : std::char_traits<char>::eof();
      if (byte == std::char_traits<char>::eof()) fail("the file ends inside this record");
      --left_;
      ++end_;
      if (shift >= 63) fail("its length has more than 9 bytes");
      size |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    if (size > left_) fail("the file ends inside this record");
    bytes_.resize(size);
    in_.read(bytes_.data(), static_cast<std::streamsize>(size));
    if (in_.gcount() != static_cast<std::streamsize>(size)) fail("the file ends inside this record");
    left_ -= size;
    end_ += static_cast<std::int64_t>(size);
    return true;
  }
  std::string_view bytes() const { return bytes_; }
  std::int64_t number() const { return number_; }
  std::int64_t offset() const { return offset_; }
  [[noreturn]] void fail(const std::string& text) const {
    throw DataFileError(record_location(name_, number_, offset_) + ": " + text);
  }

 private:
  std::string name_;
  std::ifstream in_;
  std::uintmax_t left_;
  std::string bytes_;
  std::int64_t number_ = -1, offset_ = 0, end_ = 0;
};

}  // namespace

std::string record_location(const std::string& name, std::int64_t record, std::int64_t offset) {
  return name + ": record " + std::to_string(record) + " (offset " + std::to_string(offset) + ")";
}

std::vector<ChakraNode> read_chakra(const std::filesystem::path& file, const std::string& name) {
  std::vector<ChakraNode> nodes;
  Records records(file, name);
  try {
    if (!records.next()) throw DataFileError(name + ": the file is empty");
    for (WireReader metadata(records.bytes()); metadata.next();) {
    }
    while (records.next()) {
      nodes.push_back(node_of(records.bytes()));
      nodes.back().record = records.number();
      nodes.back().offset = records.offset();
    }
  } catch (const WireFault& fault) {
    records.fail(fault.text);
  }
  return nodes;
}

}  // namespace starloom
