// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/message_chain.hpp>

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <starloom/support/error.hpp>
#include <starloom/support/numbers.hpp>
#include <starloom/verify/links/run_facts.hpp>
#include <utility>

namespace starloom {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t most_at_an_end = 20;  ///< messages that the text lists

links::CriticalMessage sum_of(const MessageChain& chain) {
  links::CriticalMessage sum;
  for (const MessageChain::Entry& entry : chain.entries) {
    sum.compute += entry.steps.compute;
    sum.ideal += entry.steps.ideal;
    sum.contention += entry.steps.contention;
  }
  return sum;
}

}  // namespace

MessageChain read_message_chain(const std::filesystem::path& folder, const ResultDocument& result) {
  if (!result.given("workload"))
    throw InputError(folder.string() +
                     ": its packets do not wait for others, so no chain of them made the run long; "
                     "ask why without --program");
  const std::filesystem::path file = folder / "critical_path.csv";
  if (!std::filesystem::exists(file)) throw InputError(file.string() + ": is missing; run without --no-packets");
  const std::vector<links::MessageRow> messages =
      links::read_messages(folder / "messages.csv", links::numbering_of(result));
  MessageChain chain;
  chain.end = result.integer("workload.end");
  for (const links::CriticalMessage& steps : links::read_critical_path(file)) {
    const auto number = static_cast<std::size_t>(steps.message);
    if (number >= messages.size() || messages[number].delivered == no_step)
      throw InputError(fmt::format("{}: message {} was not delivered, by messages.csv", file.string(), steps.message));
    chain.entries.push_back({steps, messages[number]});
  }
  return chain;
}

std::string chain_text(const MessageChain& chain) {
  if (chain.entries.empty()) return "no message was delivered\n";
  const links::CriticalMessage sum = sum_of(chain);
  const std::size_t count = chain.entries.size();
  std::string text = fmt::format(
      "step {}, the last delivery, ends a chain of {}: {} = compute {} + ideal {} + contention {}\n\n", chain.steps(),
      counted(static_cast<std::int64_t>(count), "message"), chain.steps(), sum.compute, sum.ideal, sum.contention);
  text += fmt::format("  {:>8} {:>9} {:>9} {:>9} {:>9} {:>10}  {}\n", "message", "created", "delivered", "compute",
                      "ideal", "contention", "flow");
  for (std::size_t i = 0; i < count; ++i) {
    if (count > 2 * most_at_an_end && i == most_at_an_end) {
      text += fmt::format("  ... {} more: critical_path.csv\n", count - 2 * most_at_an_end);
      i = count - most_at_an_end;
    }
    const auto& [steps, message] = chain.entries[i];
    text += fmt::format("  {:>8} {:>9} {:>9} {:>9} {:>9} {:>10}  {}\n", steps.message, message.created,
                        message.delivered, steps.compute, steps.ideal, steps.contention, message.flow);
  }
  if (chain.end > chain.steps()) text += fmt::format("\nevents go on to step {}\n", chain.end);
  return text;
}

std::string chain_json(const MessageChain& chain) {
  Json list = Json::array();
  for (const auto& [steps, message] : chain.entries)
    list.push_back({{"message", steps.message},
                    {"compute", steps.compute},
                    {"ideal", steps.ideal},
                    {"contention", steps.contention}});
  return Json{{"steps", chain.steps()}, {"chain", std::move(list)}}.dump(2) + "\n";
}

}  // namespace starloom
