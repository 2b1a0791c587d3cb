// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/class_traffic.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

#include <starloom/schema/parse_number.hpp>
#include <starloom/traffic/packet_list.hpp>

namespace starloom {
namespace {

/// Those that have packets of their own.
std::vector<const Traffic*> given(const std::vector<std::unique_ptr<Traffic>>& classes) {
  std::vector<const Traffic*> given;
  for (const auto& of_class : classes)
    if (of_class != nullptr) given.push_back(of_class.get());
  return given;
}

/// Open loop.
class ClassTraffic final : public Traffic {
 public:
  explicit ClassTraffic(std::vector<std::unique_ptr<Traffic>> classes)
      : classes_(std::move(classes)), given_(given(classes_)) {}

  void generate(Step from, Step to, std::vector<Packet>& out) override {
    const auto before = static_cast<std::ptrdiff_t>(out.size());
    for (std::size_t number = 0; number < classes_.size(); ++number) {
      if (classes_[number] == nullptr) continue;
      const std::size_t first = out.size();
      classes_[number]->generate(from, to, out);
      for (std::size_t i = first; i < out.size(); ++i) out[i].traffic_class = static_cast<std::uint8_t>(number);
    }
    std::stable_sort(out.begin() + before, out.end(), [](const Packet& a, const Packet& b) {
      return std::tie(a.created, a.source) < std::tie(b.created, b.source);
    });
  }
  Step next_creation(Step from) const override {
    Step next = no_step;
    for (const Traffic* of_class : given_)
      if (const Step step = of_class->next_creation(from); next == no_step || (step != no_step && step < next))
        next = step;
    return next;
  }
  std::optional<Step> end() const override {
    Step last = 0;
    for (const Traffic* of_class : given_) {
      const auto end = of_class->end();
      if (!end) return std::nullopt;
      last = std::max(last, *end);
    }
    return last;
  }
  std::optional<Phases> phases() const override { return given_.front()->phases(); }
  std::vector<PacketStream> streams() const override {
    std::vector<PacketStream> streams;
    for (std::size_t number = 0; number < classes_.size(); ++number) {
      if (classes_[number] == nullptr) continue;
      for (PacketStream& stream : classes_[number]->streams()) {
        stream.traffic_class = static_cast<int>(number);
        streams.push_back(std::move(stream));
      }
    }
    return streams;
  }
  bool open_loop() const override { return true; }
  /// At most that of the class with the greatest.
  double deviation(double flits) const override {
    double greatest = 0;
    for (const Traffic* of_class : given_) greatest = std::max(greatest, of_class->deviation(flits));
    return greatest;
  }

 private:
  std::vector<std::unique_ptr<Traffic>> classes_;  ///< [class]
  std::vector<const Traffic*> given_;              ///< without null
};

}  // namespace

std::optional<std::int64_t> class_number(std::string_view text, const std::vector<ClassPattern>& classes) {
  if (const auto number = parse_integer(text)) return number;
  for (std::size_t number = 0; number < classes.size(); ++number)
    if (classes[number].name == text) return static_cast<std::int64_t>(number);
  return std::nullopt;
}

std::optional<std::string> class_error(std::string_view text, const std::vector<ClassPattern>& classes) {
  const auto last = static_cast<std::int64_t>(std::max<std::size_t>(classes.size(), 1)) - 1;
  const auto number = class_number(text, classes);
  if (!number) return "'" + std::string(text) + "' is neither the number nor the name of one of traffic.classes";
  if (*number >= 0 && *number <= last) return std::nullopt;
  const std::string error =
      std::to_string(*number) + (*number < 0 ? " is less than 0" : " is more than " + std::to_string(last));
  if (classes.empty()) return error + ", because the experiment has no traffic.classes";
  return error + ", the number of the " + (*number < 0 ? "first" : "last") + " of traffic.classes";
}

std::unique_ptr<Traffic> of_classes(std::vector<std::unique_ptr<Traffic>> classes) {
  if (given(classes).front()->open_loop()) return std::make_unique<ClassTraffic>(std::move(classes));
  std::vector<Packet> packets;
  for (std::size_t number = 0; number < classes.size(); ++number) {
    if (classes[number] == nullptr) continue;
    for (Packet packet : *classes[number]->packets()) {
      packet.traffic_class = static_cast<std::uint8_t>(number);
      packets.push_back(packet);
    }
  }
  return std::make_unique<PacketList>(std::move(packets));
}

}  // namespace starloom
