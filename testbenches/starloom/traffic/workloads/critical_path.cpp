// SPDX-License-Identifier: Apache-2.0
#include <starloom/traffic/workloads/critical_path.hpp>

#include <algorithm>
#include <queue>
#include <utility>
#include <vector>

namespace starloom {

Step critical_path(Workload& workload, const std::function<Step(const Item& message)>& latency,
                   const std::function<void(const Item& message, Step created, Step latency)>& created) {
  using Delivery = std::pair<Step, MessageNumber>;
  std::priority_queue<Delivery, std::vector<Delivery>, std::greater<>> under_way;
  std::vector<NewMessage> messages;
  MessageNumber count = 0;
  Step last = 0;
  for (Step next = workload.next_creation(); next != no_step || !under_way.empty(); next = workload.next_creation()) {
    // A message that is delivered in the step of a creation releases later ones only.
    if (!under_way.empty() && (next == no_step || under_way.top().first < next)) {
      const auto [step, message] = under_way.top();
      under_way.pop();
      last = std::max(last, step);
      workload.delivered(message, step);
      continue;
    }
    messages.clear();
    workload.create(next, messages);
    workload.take_events();
    for (const NewMessage& message : messages) {
      const MessageNumber number = message.number >= 0 ? message.number : count++;
      const Step least = latency(message.of_input);
      under_way.emplace(next + least, number);
      if (created) created(message.of_input, next, least);
    }
  }
  return last;
}

}  // namespace starloom
