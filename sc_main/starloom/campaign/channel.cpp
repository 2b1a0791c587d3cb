// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/channel.hpp>

#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace starloom {
namespace {

/// Before every message; both ends are the same program on the same machine.
struct Header {
  std::int64_t index;
  std::int64_t cpu_microseconds;
  std::uint32_t metrics;  ///< bytes
  std::uint32_t result;
  std::uint32_t error;
  WorkerMessage::Kind kind;
  Outcome outcome;
  bool retires;
};

void put(std::string& bytes, const Header& header) {
  bytes.append(reinterpret_cast<const char*>(&header), sizeof header);
}

}  // namespace

void RowPacker::add(const RowMessage& message) {
  const RunRow& row = message.row;
  Header header{};
  header.kind = WorkerMessage::Kind::row;
  header.index = row.index;
  header.cpu_microseconds = row.cpu_microseconds;
  header.metrics = static_cast<std::uint32_t>(row.metrics.size());
  header.result = static_cast<std::uint32_t>(row.result.size());
  header.error = static_cast<std::uint32_t>(message.error.size());
  header.outcome = row.outcome;
  put(bytes_, header);
  bytes_ += row.metrics;
  bytes_ += row.result;
  bytes_ += message.error;
}

void RowPacker::end_batch(bool retires, std::int64_t cpu_microseconds) {
  Header header{};
  header.kind = WorkerMessage::Kind::end_of_batch;
  header.cpu_microseconds = cpu_microseconds;
  header.retires = retires;
  put(bytes_, header);
}

bool RowUnpacker::next(WorkerMessage& message) {
  Header header{};
  const std::size_t left = bytes_.size() - at_;
  if (left >= sizeof header) {
    std::memcpy(&header, bytes_.data() + at_, sizeof header);
    const std::size_t whole = sizeof header + header.metrics + header.result + header.error;
    if (left >= whole) {
      const char* text = bytes_.data() + at_ + sizeof header;
      message.kind = header.kind;
      message.retires = header.retires;
      message.cpu_microseconds = header.cpu_microseconds;
      RunRow& row = message.row.row;
      row.index = header.index;
      row.outcome = header.outcome;
      row.cpu_microseconds = header.cpu_microseconds;
      row.metrics.assign(text, header.metrics);
      row.result.assign(text + header.metrics, header.result);
      message.row.error.assign(text + header.metrics + header.result, header.error);
      at_ += whole;
      return true;
    }
  }
  bytes_.erase(0, at_);
  at_ = 0;
  return false;
}

bool send_all(int socket, const void* bytes, std::size_t count) {
  const char* at = static_cast<const char*>(bytes);
  while (count > 0) {
    const ssize_t sent = ::send(socket, at, count, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    count -= static_cast<std::size_t>(sent);
  }
  return true;
}

bool receive_all(int socket, void* bytes, std::size_t count) {
  char* at = static_cast<char*>(bytes);
  while (count > 0) {
    const ssize_t got = ::recv(socket, at, count, 0);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    count -= static_cast<std::size_t>(got);
  }
  return true;
}

}  // namespace starloom
