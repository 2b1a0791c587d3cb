// SPDX-License-Identifier: Apache-2.0
#include <starloom/analysis/links/protocol_cycle.hpp>

namespace starloom::links {
namespace {

class Classes {
 public:
  Classes(const std::vector<TrafficClass>& classes, int channels, bool limited)
      : classes_(classes), all_{0, channels}, limited_(limited) {}

  bool waits_for_reply(std::size_t requests) const {
    const auto& reply = classes_[requests].reply;
    return reply && (!limited_ || reply->places > 0);
  }
  /// True if a reply to these requests can wait until one of them is accepted.
  bool closes(std::size_t requests) const {
    std::vector<bool> seen(classes_.size(), false);
    return reaches(reply_to(requests), requests, seen);
  }

 private:
  std::size_t reply_to(std::size_t requests) const {
    return static_cast<std::size_t>(classes_[requests].reply->traffic_class);
  }
  bool share_channels(std::size_t a, std::size_t b) const {
    const std::optional<int> subnet = classes_[a].subnet, other = classes_[b].subnet;
    if (subnet && other && *subnet != *other) return false;
    return classes_[a].channels.value_or(all_).meets(classes_[b].channels.value_or(all_));
  }
  bool reaches(std::size_t from, std::size_t to, std::vector<bool>& seen) const {
    if (seen[from]) return false;
    seen[from] = true;
    if (share_channels(from, to)) return true;
    for (std::size_t next = 0; next < classes_.size(); ++next)
      if (share_channels(from, next) && reaches(next, to, seen)) return true;
    return waits_for_reply(from) && reaches(reply_to(from), to, seen);
  }

  const std::vector<TrafficClass>& classes_;
  const routing::ChannelRange all_;
  const bool limited_;
};

}  // namespace

std::optional<ProtocolCycle> protocol_cycle(const std::vector<TrafficClass>& classes, int channels) {
  for (const bool limited : {true, false}) {
    const Classes all(classes, channels, limited);
    for (std::size_t number = 0; number < classes.size(); ++number)
      if (all.waits_for_reply(number) && all.closes(number)) return ProtocolCycle{static_cast<int>(number), limited};
  }
  return std::nullopt;
}

}  // namespace starloom::links
