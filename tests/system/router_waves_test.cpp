// SPDX-License-Identifier: Apache-2.0
// The pipeline of a router, drawn from its waves, equals that on its page of the documentation.
#include <gmock/gmock.h>

#include <fstream>

#include "support/places.hpp"
#include "support/scenario_files.hpp"
#include "system/waves_run.hpp"

namespace starloom {
namespace {

constexpr const char* states[] = {"idle", "routing", "waiting", "active"};
constexpr const char* kinds[] = {"head", "body", "tail", "single"};

/// Two routers beside each other as they show themselves, a line of a table for each step.
class Pipeline {
 public:
  explicit Pipeline(const Vcd& vcd) : vcd_(vcd) {}

  std::string table() {
    const auto period = vcd_.end / vcd_.variable("network.step").changes.size();
    std::string lines;
    for (now_ = 0; now_ < vcd_.end; now_ += period)
      lines += "| " + std::to_string(now_ / period) + " | " + node("node_r00_c00", "local", "east") + " | " + link() +
               " | " + node("node_r00_c01", "west", "local") + " |\n";
    return lines;
  }

 private:
  std::string at(const std::string& path) const { return vcd_.variable("network." + path).at(now_); }
  std::size_t number(const std::string& path) const { return std::stoul(at(path), nullptr, 2); }
  /// The buffer and the state of an input channel, and the register of the crossbar behind it.
  std::string node(const std::string& name, const std::string& in, const std::string& out) const {
    const std::size_t crossbar = number(name + ".crossbar_" + out);
    return std::to_string(number(name + ".buffer_" + in + "_v0.occupancy")) + " | " +
           states[number(name + ".state_" + in + "_v0")] + " | " +
           (crossbar == 0 ? "" : "packet " + std::to_string(crossbar - 1));
  }
  std::string link() const {
    const std::string name = "link_r00_c00_east";
    return at(name + ".packet") == "z" ? "" : kinds[number(name + ".kind")];
  }

  const Vcd& vcd_;
  std::uint64_t now_ = 0;
};

class RouterWaves : public WavesTest {};

TEST_F(RouterWaves, AreThePipelineOfThePage) {
  std::ifstream file(docs() / "algorithms/vc-wormhole.md");
  const std::string page{std::istreambuf_iterator<char>(file), {}};
  for (const char* cycles : {"3", "5"}) {
    run(scenario_file("vc_waves"), cycles, std::string("--set routing.pipeline=") + cycles);
    const Vcd waves = vcd(cycles);
    EXPECT_THAT(page, testing::HasSubstr("| --- |\n" + Pipeline(waves).table() + "\n"));
  }
}

// For routers without observers no data are kept; the waves of a selected one and its links are the same, and so are
// those of a single link.
TEST_F(RouterWaves, OfOneRouterAreThoseOfTheWholeRun) {
  const std::string file = scenario_file("vc_torus_datelines").string();
  run(file, "all", "--waves");
  const Vcd all = vcd("all");
  const std::pair<std::string, std::size_t> scopes[] = {{R"("node_a01_02*", "link_a03_00_plus1")", 500},
                                                        {R"("link_a02_00_plus1")", 100}};
  for (const auto& [scope, least] : scopes) {
    // Without a trace and without a referee, for whom all routers would be watched.
    ASSERT_EQ(
        starloom("run '" + file + "' --quiet --no-referee --force --out some --set 'waves={scope: [" + scope + "]}'")
            .status,
        0);
    const Vcd some = vcd("some");
    EXPECT_LT(some.variables.size(), all.variables.size() / 8);
    std::size_t changes = 0;
    for (const VcdVariable& variable : some.variables) {
      changes += variable.path == "network.step" || variable.path == "network.clk" ? 0 : variable.changes.size();
      const VcdVariable& whole = all.variable(variable.path);
      for (std::uint64_t time = 0; time < some.end; time += 1000)
        ASSERT_EQ(variable.at(time), whole.at(time)) << variable.path << " at " << time;
    }
    EXPECT_GT(changes, least) << scope;
  }
}

}  // namespace
}  // namespace starloom
