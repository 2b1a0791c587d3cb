// SPDX-License-Identifier: Apache-2.0
#include <starloom/inspection/run_folder.hpp>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <starloom/inspection/links/replay.hpp>
#include <starloom/inspection/links/show.hpp>
#include <starloom/inspection/links/why.hpp>
#include <starloom/inspection/pops/replay.hpp>
#include <starloom/inspection/pops/show.hpp>
#include <starloom/inspection/pops/why.hpp>
#include <starloom/verify/links/verify.hpp>
#include <starloom/verify/pops/verify.hpp>
#include <starloom/verify/value_ranges.hpp>
#include <utility>

namespace starloom {
namespace {

ResultDocument result_of(const std::filesystem::path& folder) { return ResultDocument(folder / "result.json"); }

class LinkRunFolder final : public RunFolder {
 public:
  LinkRunFolder(std::filesystem::path folder, KnownEntries known)
      : folder_(std::move(folder)), known_(std::move(known)) {}
  VerifyReport verify() const override { return links::verify_folder(folder_, result_of(folder_), known_); }
  std::string show(Step step) const override {
    return links::picture_text(links::take_snapshot(folder_, known_.topologies, step));
  }
  std::string clock() const override { return "step"; }
  std::vector<PacketHistory> histories(const std::vector<PacketId>& packets) const override {
    return links::packet_histories(folder_, known_, packets);
  }
  WaitingOverview waiting() const override { return links::waiting_overview(folder_, known_); }
  MessageChain message_chain() const override { return read_message_chain(folder_, result_of(folder_)); }
  std::string replay(const TraceWindow& window) const override {
    return replay_page(links::replay_content(folder_, known_, window));
  }

 private:
  std::filesystem::path folder_;
  KnownEntries known_;
};

class PopsRunFolder final : public RunFolder {
 public:
  PopsRunFolder(std::filesystem::path folder, DeclaredRules rules)
      : folder_(std::move(folder)), rules_(std::move(rules)) {}
  VerifyReport verify() const override { return pops::verify_folder(folder_, result_of(folder_), rules_); }
  std::string show(Step slot) const override { return pops::slot_text(folder_, slot); }
  std::string clock() const override { return "slot"; }
  std::vector<PacketHistory> histories(const std::vector<PacketId>& packets) const override {
    return pops::packet_histories(folder_, rules_, packets);
  }
  WaitingOverview waiting() const override { return pops::waiting_overview(folder_, rules_); }
  MessageChain message_chain() const override { return read_message_chain(folder_, result_of(folder_)); }
  std::string replay(const TraceWindow& window) const override {
    return replay_page(pops::replay_content(folder_, rules_, window));
  }

 private:
  std::filesystem::path folder_;
  DeclaredRules rules_;
};

}  // namespace

std::unique_ptr<RunFolder> open_run_folder(const std::filesystem::path& folder, KnownEntries known) {
  const ResultDocument result = result_of(folder);
  check_ranges(result, known);
  const nlohmann::ordered_json* const name = result.find("experiment.network.topology");
  const bool couplers = std::any_of(known.topologies.begin(), known.topologies.end(), [&](const TopologyEntry& entry) {
    return name != nullptr && *name == entry.name && entry.has_couplers();
  });
  if (couplers) return std::make_unique<PopsRunFolder>(folder, std::move(known.pops_rules));
  return std::make_unique<LinkRunFolder>(folder, std::move(known));
}

}  // namespace starloom
