// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/netrace/netrace_file.hpp>

#include <algorithm>
#include <boost/iostreams/device/file.hpp>
#include <boost/iostreams/filter/bzip2.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cstring>
#include <utility>

#include <starloom/schema/config_error.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/support/escape.hpp>

namespace starloom {
namespace {

constexpr std::size_t header_bytes = 72, region_bytes = 24, record_bytes = 21, id_bytes = 4;
constexpr std::uint32_t magic = 0x484A5455;
constexpr float version = 1.0F;
constexpr std::uint32_t most_regions = 100;
constexpr std::size_t most_shown = 8192;  ///< bytes of notes
constexpr std::size_t most_kept = std::size_t{16} << 20;

/// Integers of a file are little endian.
template <class Integer>
Integer integer_at(const unsigned char* bytes) {
  Integer value = 0;
  for (std::size_t i = sizeof(Integer); i-- > 0;) value = static_cast<Integer>(value << 8) | bytes[i];
  return value;
}

/// The text before the first NUL.
std::string text_at(const unsigned char* bytes, std::size_t most) { return {bytes, std::find(bytes, bytes + most, 0)}; }

/// The number of bytes of a packet of this type; 0: the type is not one of the format.
int bytes_of(int type) {
  constexpr int with_line[] = {2, 3, 4, 6, 16, 30};  // ReadResp, WriteReq, Writeback, ReadExResp and such
  constexpr int without_line[] = {1, 5, 13, 14, 15, 25, 27, 28, 29};  // ReadReq, UpgradeReq and such
  const auto is_one_of = [type](const auto& types) {
    return std::find(std::begin(types), std::end(types), type) != std::end(types);
  };
  return is_one_of(with_line) ? 72 : is_one_of(without_line) ? 8 : 0;
}

}  // namespace

class NetraceFile::Stream {
 public:
  explicit Stream(const std::filesystem::path& path) {
    buffer_.push(boost::iostreams::bzip2_decompressor());
    buffer_.push(boost::iostreams::file_source(path.string(), std::ios::binary));
  }
  explicit Stream(NetraceContent content) : content_(std::move(content)) {}

  std::size_t read(unsigned char* bytes, std::size_t count) {
    if (content_) {
      const std::size_t got = std::min(count, content_->size() - at_);
      std::copy_n(content_->begin() + static_cast<std::ptrdiff_t>(at_), got, bytes);
      at_ += got;
      return got;
    }
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): bytes of a stream are chars
    const std::streamsize read = buffer_.sgetn(reinterpret_cast<char*>(bytes), static_cast<std::streamsize>(count));
    const std::size_t got = read < 0 ? 0 : static_cast<std::size_t>(read);
    at_ += got;
    if (at_ <= most_kept) kept_.insert(kept_.end(), bytes, bytes + got);
    else kept_ = {};
    return got;
  }
  NetraceContent content() const {
    if (content_ || at_ > most_kept) return content_;
    return std::make_shared<const std::vector<unsigned char>>(kept_);
  }

 private:
  boost::iostreams::filtering_istreambuf buffer_;
  NetraceContent content_;           ///< null: the file is read
  std::size_t at_ = 0;               ///< bytes read
  std::vector<unsigned char> kept_;  ///< those of a file, up to `most_kept`
};

NetraceFile::NetraceFile(const std::filesystem::path& path, std::string name) : name_(std::move(name)) {
  if (const std::string why = why_unreadable(path); !why.empty())
    throw ConfigError("file", "cannot read " + name_ + ": " + why);
  try {
    stream_ = std::make_unique<Stream>(path);
  } catch (const std::ios_base::failure&) {
    throw ConfigError("file", "cannot read " + name_ + ": it cannot be opened");
  }
  read_header();
}

NetraceFile::NetraceFile(NetraceContent content, std::string name)
    : name_(std::move(name)), stream_(std::make_unique<Stream>(std::move(content))) {
  read_header();
}

NetraceFile::~NetraceFile() = default;

NetraceContent NetraceFile::content() const { return stream_->content(); }

std::string NetraceFile::located(std::int64_t number, std::int64_t offset, std::string_view text) const {
  return escape(name_ + ": record " + std::to_string(number) + " (offset " + std::to_string(offset) +
                "): " + std::string(text));
}

void NetraceFile::fail(const std::string& text) const {
  if (number_ < 0) throw ConfigError("file", "cannot read " + name_ + ": " + text);
  throw DataFileError(located(text));
}

std::size_t NetraceFile::read(std::size_t count) {
  if (bytes_.size() < count) bytes_.resize(count);
  try {
    return stream_->read(bytes_.data(), count);
  } catch (const boost::iostreams::bzip2_error& error) {
    if (error.error() == boost::iostreams::bzip2::data_error_magic && number_ < 0 && header_.nodes == 0)
      fail("it is not compressed by bzip2, as netrace files are");
    fail(error.error() == boost::iostreams::bzip2::unexpected_eof
             ? "the compressed file ends too early; is it complete?"
             : "the compressed file is damaged here");
  } catch (const std::ios_base::failure&) {
    fail("the file cannot be read");
  }
}

void NetraceFile::read_header() {
  const auto need = [this](std::size_t count) {
    if (read(count) < count) fail("it ends inside its header");
    return bytes_.data();
  };
  const unsigned char* const head = need(header_bytes);
  if (integer_at<std::uint32_t>(head) != magic)
    fail("it is not a netrace file: its first four bytes are not 0x484A5455");
  const auto bits = integer_at<std::uint32_t>(head + 4);
  float of_file = 0;
  std::memcpy(&of_file, &bits, sizeof of_file);
  if (of_file != version) fail("its version of netrace is not 1.0");
  header_.name = text_at(head + 8, 30);
  header_.nodes = head[38];
  header_.cycles = integer_at<std::uint64_t>(head + 40);
  const auto notes = integer_at<std::uint32_t>(head + 56);
  const auto regions = integer_at<std::uint32_t>(head + 60);
  if (header_.nodes == 0) fail("its header has no nodes");
  if (regions > most_regions)
    fail("its header has " + std::to_string(regions) + " regions, but a file has at most " +
         std::to_string(most_regions));
  for (std::size_t left = notes; left > 0;) {
    const std::size_t part = std::min<std::size_t>(left, most_shown);
    const unsigned char* const text = need(part);
    if (notes < most_shown) header_.notes = text_at(text, part);
    left -= part;
  }
  for (std::uint32_t region = 0; region < regions; ++region) {
    const unsigned char* const at = need(region_bytes);
    header_.regions.push_back({integer_at<std::uint64_t>(at + 8), integer_at<std::uint64_t>(at + 16)});
  }
}

bool NetraceFile::next(NetraceRecord& record, std::vector<std::string>& errors) {
  ++number_;
  offset_ = next_;
  const std::size_t got = read(record_bytes);
  if (got == 0) return false;
  const auto ids = got < record_bytes ? 0 : static_cast<std::size_t>(bytes_[20]);
  record.cycle = integer_at<std::uint64_t>(bytes_.data());
  record.id = integer_at<std::uint32_t>(bytes_.data() + 8);
  record.bytes = bytes_of(bytes_[16]);
  record.source = bytes_[17];
  record.destination = bytes_[18];
  if (got == record_bytes && record.bytes == 0)
    errors.push_back(located("type " + std::to_string(bytes_[16]) + " is not a packet type"));
  record.dependants.resize(ids);
  if (got < record_bytes || read(ids * id_bytes) < ids * id_bytes) fail("the file ends inside this record");
  for (std::size_t i = 0; i < ids; ++i) record.dependants[i] = integer_at<std::uint32_t>(bytes_.data() + i * id_bytes);
  for (const int node : {record.source, record.destination})
    if (node >= header_.nodes)
      errors.push_back(located("node " + std::to_string(node) + " is not one of the nodes 0 to " +
                               std::to_string(header_.nodes - 1) + " of the header"));
  next_ += static_cast<std::int64_t>(record_bytes + ids * id_bytes);
  return true;
}

}  // namespace starloom
