// SPDX-License-Identifier: Apache-2.0
#include <starloom/trace_io/csv_reader.hpp>

#include <algorithm>
#include <boost/iostreams/filter/gzip.hpp>
#include <boost/iostreams/filtering_streambuf.hpp>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <limits>
#include <system_error>

#include <starloom/schema/data_file.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/escape.hpp>

namespace starloom {
namespace {

constexpr std::size_t reader_buffer = std::size_t{1} << 18;
constexpr std::size_t longest_line = std::size_t{1} << 16;
/// Reading this number of bytes is faster than searching.
constexpr std::int64_t read_at_once = std::int64_t{1} << 20;

/// For a file whose lines begin with ascending numbers: the start of a line in [begin, end), or `begin`, with all
/// lines before it below `least`. At most `read_at_once` bytes before the first line that is not, unless lines are
/// damaged.
std::int64_t location_before(std::ifstream& file, std::int64_t begin, std::int64_t end, std::int64_t least) {
  while (end - begin > read_at_once) {
    const std::int64_t middle = begin + (end - begin) / 2;
    std::int64_t number = -1;
    char behind = 0;
    file.clear();
    file.seekg(middle);
    file.ignore(longest_line, '\n');
    const std::int64_t line = file.tellg();
    if (file >> number && file.get(behind) && behind == ',' && line < end && number < least) begin = line;
    else end = middle;
  }
  return begin;
}

}  // namespace

/// The bytes of the file, unpacked.
class CsvReader::Input {
 public:
  /// \throws InputError
  explicit Input(const std::filesystem::path& file, std::int64_t from = 0) {
    errno = 0;
    file_.open(file, std::ios::binary);
    if (!file_) throw InputError(file.string() + ": cannot be read: " + std::generic_category().message(errno));
    file_.seekg(from);
    constexpr auto size = static_cast<std::streamsize>(reader_buffer);
    if (file.extension() == ".gz")
      unpacked_.push(boost::iostreams::gzip_decompressor(boost::iostreams::gzip::default_window_bits, size), size);
    unpacked_.push(file_, size);
  }
  /// Reads up to `size` bytes; 0 at the end. \throws std::ios_base::failure
  std::size_t read(char* to, std::size_t size) {
    const std::streamsize got = unpacked_.sgetn(to, static_cast<std::streamsize>(size));
    return got > 0 ? static_cast<std::size_t>(got) : 0;
  }

 private:
  std::ifstream file_;
  boost::iostreams::filtering_streambuf<boost::iostreams::input> unpacked_;
};

CsvReader::CsvReader(const std::filesystem::path& file, std::vector<std::string_view> headers)
    : name_(file.string()), file_(file), buffer_(reader_buffer) {
  if (const std::string why = why_unreadable(file); !why.empty()) throw InputError(name_ + ": cannot be read: " + why);
  input_ = std::make_unique<Input>(file);
  line_number_ = 1;
  std::string quoted;
  for (const std::string_view header : headers) quoted += (quoted.empty() ? "'" : "' or '") + std::string(header);
  quoted += "'";
  if (!read_line()) fail("the file is empty; it begins with the line " + quoted);
  const auto found = std::find(headers.begin(), headers.end(), line_);
  if (found == headers.end() && !line_.empty() && line_.back() == '\r')
    fail("lines end in CR LF, as git on Windows or a zip made them; write them with LF");
  if (found == headers.end()) fail("the first line must be " + quoted);
  header_ = static_cast<std::size_t>(found - headers.begin());
  data_ = skipped_to_ = static_cast<std::int64_t>(line_.size()) + 1;
  next_ = std::string_view::npos;
}

CsvReader::~CsvReader() = default;

bool CsvReader::skip_below(std::int64_t least) {
  if (file_.extension() == ".gz") return false;
  std::ifstream searched(file_, std::ios::binary);
  std::error_code gone;
  const std::uintmax_t size = std::filesystem::file_size(file_, gone);
  skipped_to_ = gone ? data_ : location_before(searched, data_, static_cast<std::int64_t>(size), least);
  input_ = std::make_unique<Input>(file_, skipped_to_);
  begin_ = end_ = 0;
  line_number_ = 1;
  next_ = std::string_view::npos;
  return true;
}

std::int64_t CsvReader::lines_skipped() const {
  std::int64_t lines = 0;
  std::ifstream skipped(file_, std::ios::binary);
  skipped.seekg(data_);
  for (std::int64_t at = data_; at < skipped_to_; at += skipped.gcount()) {
    skipped.ignore(skipped_to_ - at, '\n');
    if (skipped.gcount() == 0) break;
    ++lines;
  }
  return lines;
}

void CsvReader::fail(const std::string& text) const {
  throw InputError(name_ + ":" + std::to_string(line_number_ + lines_skipped()) + ":" + std::to_string(cell_ + 1) +
                   ": " + escape(text));
}

bool CsvReader::refill() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  try {
    const std::size_t got = input_->read(buffer_.data() + end_, buffer_.size() - end_);
    end_ += got;
    return got > 0;
  } catch (const boost::iostreams::gzip_error&) {
    fail("the gzip data is damaged or ends too early");
  } catch (const std::ios_base::failure& failure) {
    fail(std::string("the file cannot be read (") + failure.what() + ")");
  }
}

bool CsvReader::read_line() {
  cell_ = 0;
  for (std::size_t searched = 0;;) {
    const char* const from = buffer_.data() + begin_;
    const auto* const newline = static_cast<const char*>(std::memchr(from + searched, '\n', end_ - begin_ - searched));
    if (newline != nullptr) {
      line_ = {from, static_cast<std::size_t>(newline - from)};
      begin_ += line_.size() + 1;
      next_ = 0;
      return true;
    }
    searched = end_ - begin_;
    if (searched > longest_line) fail("the line is too long");
    if (refill()) continue;
    if (begin_ == end_) return false;
    fail("the file ends within this line");
  }
}

bool CsvReader::next_line() {
  if (next_ != std::string_view::npos) {
    cell_ = next_;
    fail("the line has too many cells");
  }
  ++line_number_;
  return read_line();
}

std::string_view CsvReader::cell() {
  if (next_ == std::string_view::npos) {
    cell_ = line_.size();
    fail("the line has too few cells");
  }
  cell_ = next_;
  const std::size_t comma = line_.find(',', next_);
  next_ = comma == std::string_view::npos ? comma : comma + 1;
  return line_.substr(cell_, comma == std::string_view::npos ? comma : comma - cell_);
}

std::int64_t CsvReader::parse(std::string_view text, std::int64_t max) const {
  std::int64_t value = 0;
  bool sound = !text.empty() && text.size() < 19 && (text[0] != '0' || text.size() == 1);
  for (const char c : text) {
    sound = sound && c >= '0' && c <= '9';
    if (!sound) break;
    value = 10 * value + (c - '0');
  }
  if (!sound) fail("'" + std::string(text.substr(0, 40)) + "' is not a number");
  if (value > max) fail(std::string(text) + " is greater than " + std::to_string(max));
  return value;
}

std::int64_t CsvReader::number(std::int64_t max) {
  const std::string_view text = cell();
  if (text.empty()) fail("a number is missing");
  return parse(text, max);
}

std::int64_t CsvReader::number_or_empty(std::int64_t max) {
  const std::string_view text = cell();
  return text.empty() ? -1 : parse(text, max);
}

void CsvReader::numbers(std::int64_t max, std::vector<std::int64_t>& list) {
  std::string_view text = cell();
  list.clear();
  if (text.empty()) return;
  for (std::size_t space; (space = text.find(' ')) != std::string_view::npos; text.remove_prefix(space + 1))
    list.push_back(parse(text.substr(0, space), max));
  list.push_back(parse(text, max));
}

std::optional<double> CsvReader::fraction_or_empty() {
  const std::string_view text = cell();
  if (text.empty()) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || !(value >= 0)) fail("this is not a number");
  return value;
}

std::size_t Numbering::next(CsvReader& csv, const char* of, std::size_t count) {
  const std::int64_t number = csv.number(std::numeric_limits<std::int32_t>::max());
  const std::int64_t missing = number - static_cast<std::int64_t>(count);
  if (missing < 0 || missing > missing_left_)
    csv.fail(std::string(of) + " " + std::to_string(count) +
             (missing_left_ == 0 ? "" : ", or one of the next " + std::to_string(missing_left_) + ",") +
             " is expected here");
  missing_left_ -= missing;
  return static_cast<std::size_t>(number);
}

}  // namespace starloom
