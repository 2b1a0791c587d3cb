// Why packets took as long as they did: sums are latencies, and causes are what the rows of the trace say.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include <starloom/commands/known_entries.hpp>
#include <starloom/folders/run_folder.hpp>

#include "cli/program_run.hpp"
#include "support/scenario_files.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;

class Why : public ProgramTest {
 protected:
  /// Runs a scenario with its trace into a folder of its name.
  std::filesystem::path run(const std::string& name, const std::string& options = "") const {
    const ProgramRun run =
        starloom("run '" + scenario_file(name).string() + "' --trace --quiet --force --out " + name + " " + options);
    EXPECT_EQ(run.status, 0) << name << run.err;
    return scratch_.file(name);
  }
  std::vector<PacketStory> all_stories(const std::filesystem::path& folder) const {
    const auto result = nlohmann::json::parse(std::ifstream(folder / "packets.csv") ? "1" : "0");
    EXPECT_EQ(result, 1);
    std::ifstream packets(folder / "packets.csv");
    const auto lines = std::count(std::istreambuf_iterator<char>(packets), {}, '\n');
    std::vector<PacketId> numbers(static_cast<std::size_t>(lines - 1));
    std::iota(numbers.begin(), numbers.end(), 0);
    return open_run_folder(folder, known_entries(catalogue_))->stories(numbers);
  }

  const Catalogue catalogue_ = standard_catalogue();
};

/// Empty if the story keeps the law.
std::string broken(const PacketStory& story) {
  Step sum = story.distance, end = story.created;
  for (const Wait& wait : story.waits) {
    if (wait.from >= wait.to) return "an empty wait";
    if (wait.from < end) return "waits overlap";
    end = wait.to;
    sum += wait.to - wait.from;
  }
  if (story.delivered == no_step) return "";
  if (end > story.delivered) return "a wait after the delivery";
  return sum == story.latency() ? "" : "the sum is " + std::to_string(sum);
}

TEST_F(Why, SumsAreLatenciesOfEveryPacketOfEveryScenario) {
  std::int64_t delivered = 0;
  for (const std::string& name : scenario_names()) {
    if (scenario_text(name).find("\nmodel: message\n") != std::string::npos) continue;
    const auto folder = run(name);
    for (const PacketStory& story : all_stories(folder)) {
      EXPECT_EQ(broken(story), "") << name << " " << story_text(story, "step");
      delivered += story.delivered != no_step ? 1 : 0;
      if (HasFailure()) return;
    }
    std::filesystem::remove_all(folder);
  }
  EXPECT_GT(delivered, 70'000);
}

}  // namespace
}  // namespace starloom
