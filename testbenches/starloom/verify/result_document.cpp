// SPDX-License-Identifier: Apache-2.0
#include <starloom/verify/result_document.hpp>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fstream>
#include <iterator>
#include <system_error>

#include <starloom/json/json_text.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/support/error.hpp>

namespace starloom {

using Json = nlohmann::ordered_json;

namespace {

/// Null if the value has no such member, or is not an object.
const Json* member(const Json& object, const std::string& name) {
  if (!object.is_object()) return nullptr;
  const auto it = object.find(name);
  return it == object.end() ? nullptr : &*it;
}

/// Null if there is no element with the index in the text.
const Json* element(const Json& list, const std::string& text) {
  std::size_t location = 0;
  const char* end = text.data() + text.size();
  return std::from_chars(text.data(), end, location).ptr == end && location < list.size() ? &list[location] : nullptr;
}

}  // namespace

FolderDocument::FolderDocument(const std::filesystem::path& file) : name_(file.string()) {
  if (const std::string why = why_unreadable(file); !why.empty()) throw InputError(name_ + ": cannot be read: " + why);
  errno = 0;
  std::ifstream in(file, std::ios::binary);
  if (!in) throw InputError(name_ + ": cannot be read: " + std::generic_category().message(errno));
  try {
    root_ = parse_json_file({std::istreambuf_iterator<char>(in), {}}, name_);
  } catch (const std::ios_base::failure&) {
    throw InputError(name_ + ": cannot be read");
  }
}

void FolderDocument::fail(const std::string& path, const std::string& text) const {
  throw InputError(name_ + ": '" + path + "' " + text);
}

const Json* FolderDocument::find(const std::string& path) const {
  const Json* value = &root_;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find('.', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    value = value->is_array() ? element(*value, part) : member(*value, part);
    if (value == nullptr) return nullptr;
    begin = end + 1;
  }
  return value;
}

bool FolderDocument::given(const std::string& path) const {
  const Json* value = find(path);
  return value != nullptr && !value->is_null();
}

const Json& FolderDocument::at(const std::string& path) const {
  const Json* value = find(path);
  if (value == nullptr) fail(path, "is missing");
  return *value;
}

std::int64_t FolderDocument::integer(const std::string& path, std::int64_t min, std::int64_t max) const {
  const Json& value = at(path);
  if (!value.is_number_integer()) fail(path, "is not an integer");
  const bool too_great = value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(max);
  if (too_great || value.get<std::int64_t>() < min || value.get<std::int64_t>() > max) fail(path, "is out of range");
  return value.get<std::int64_t>();
}

std::int32_t FolderDocument::small(const std::string& path, std::int64_t min, std::int32_t max) const {
  return static_cast<std::int32_t>(integer(path, min, max));
}

double FolderDocument::number(const std::string& path) const {
  const Json& value = at(path);
  if (!value.is_number()) fail(path, "is not a number");
  return value.get<double>();
}

std::string FolderDocument::text(const std::string& path) const {
  const Json& value = at(path);
  if (!value.is_string()) fail(path, "is not a text");
  return value.get<std::string>();
}

bool FolderDocument::boolean(const std::string& path) const {
  const Json& value = at(path);
  if (!value.is_boolean()) fail(path, "is not true or false");
  return value.get<bool>();
}

std::vector<std::int64_t> FolderDocument::integers(const std::string& path) const {
  const Json& value = at(path);
  const bool sound =
      value.is_array() && std::all_of(value.begin(), value.end(), [](const Json& x) { return x.is_number_integer(); });
  if (!sound) fail(path, "is not a list of integers");
  return value.get<std::vector<std::int64_t>>();
}

namespace {

/// \throws InputError unless the folder and the file exist.
const std::filesystem::path& in_folder(const std::filesystem::path& file) {
  const std::filesystem::path folder = file.parent_path();
  std::string error;
  std::error_code ignored;
  if (!is_there(folder)) error = "there is no such folder";
  else if (!std::filesystem::is_directory(folder, ignored)) error = "is a file";
  else if (!is_there(file)) error = "has no " + file.filename().string();
  if (!error.empty()) throw InputError(folder.string() + ": " + error + "; the output folder of a run is expected");
  return file;
}

}  // namespace

ResultDocument::ResultDocument(const std::filesystem::path& file) : FolderDocument(in_folder(file)) {
  constexpr std::int64_t schema = 1;
  if (const Json& written = at("schema"); written != schema)
    fail("schema", "is " + written.dump() + ", and this program reads " + std::to_string(schema) +
                       "; use the version that wrote the folder");
}

}  // namespace starloom
