// SPDX-License-Identifier: Apache-2.0
// POPS networks in the program: pictures and netlists, and slots drawn as text.
#include <map>

#include "cli/pops_program.hpp"
#include "support/xml.hpp"

namespace starloom {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

class PopsPictures : public PopsProgram {};

// Every coupler has one row and one column, every processor a row and a column, and the netlist says which.
TEST_F(PopsPictures, NetlistListsModulesPortsAndBindings) {
  const std::string sizes = " --set network.groups=3 --set network.group_size=6";
  ASSERT_EQ(starloom("run p.yaml --quiet --dump-netlist --set model=netlist --shuffle 5" + sizes).status, 0);
  const auto netlist = nlohmann::json::parse(scratch_.read("out/p/netlist.json"));
  const auto word = [](const nlohmann::json& entry, const char* key) { return entry.at(key).get<std::string>(); };
  std::map<std::string, int> modules;
  for (const auto& instance : netlist["instances"]) ++modules[word(instance, "module")];
  EXPECT_EQ(modules, (std::map<std::string, int>{{"PassiveStar", 9},
                                                 {"ReceiveColumn", 3},
                                                 {"StarBuffer", 18},
                                                 {"StarFabric", 1},
                                                 {"StarProcessor", 18},
                                                 {"TransmitRow", 3}}));
  std::map<std::string, std::string> direction, bound;
  for (const auto& port : netlist["ports"]) direction[word(port, "name")] = word(port, "direction");
  std::map<std::string, int> ends;
  for (const auto& binding : netlist["bindings"]) {
    const std::string port = word(binding, "port"), channel = word(binding, "channel");
    bound[port] = channel;
    ++ends[direction.at(port) + " " + channel];
  }
  EXPECT_EQ(bound.size(), 2u * 9 + 2u * 18);
  EXPECT_EQ(direction.size(), bound.size());
  EXPECT_EQ(bound.at("row_from01.couplers[2]"), "coupler_to02_from01");
  EXPECT_EQ(bound.at("column_to02.couplers[1]"), "coupler_to02_from01");
  EXPECT_EQ(bound.at("proc_g02_p05.transmit[0]"), "row_from02");
  EXPECT_EQ(bound.at("proc_g02_p05.receive[0]"), "column_to02");
  for (const char* coupler : {"coupler_to00_from00", "coupler_to02_from01"}) {
    EXPECT_EQ(ends.at(std::string("out ") + coupler), 1);
    EXPECT_EQ(ends.at(std::string("in ") + coupler), 1);
  }
  EXPECT_EQ(ends.at("out row_from00"), 6);
  EXPECT_EQ(starloom("draw p.yaml --format json --set model=netlist" + sizes).out, scratch_.read("out/p/netlist.json"));
  refuses("run p.yaml --dump-netlist", 2, "p.yaml:3:8: model: message has no netlist; use model: netlist");
}

// The picture says what the trace and the result say.
TEST_F(PopsPictures, PictureOfCouplers) {
  const std::string options = "model=netlist network.group_size=4 routing.shift=true faults.dead_couplers=[[0,3]]";
  const auto facts = result(options);
  const std::string picture = scratch_.read("out/p/couplers.svg");
  ASSERT_EQ(starloom(with(options) + " --trace --shuffle 3 --waves").status, 0);
  EXPECT_EQ(scratch_.read("out/p/couplers.svg"), picture);
  std::map<std::string, std::vector<std::string>> drives;  // of `slot 3, coupler_to01_from02`, alive
  std::istringstream trace(scratch_.read("out/p/trace.csv"));
  std::string line;
  std::getline(trace, line);
  while (std::getline(trace, line)) {
    char kind[8];
    int slot = 0, processor = 0, from = 0, to = 0, packet = 0;
    if (std::sscanf(line.c_str(), "%d,drive,%d,%d,%d,%4[a-z],%d", &slot, &processor, &from, &to, kind, &packet) != 6)
      continue;
    if (slot >= 20 || (from + to == 3 && from * to == 0)) continue;
    drives["slot " + std::to_string(slot) + ", coupler_to0" + std::to_string(to) + "_from0" + std::to_string(from)]
        .push_back((kind[0] == 'a' ? "acknowledgement of packet " : "packet ") + std::to_string(packet));
  }
  std::map<std::string, std::string> expected, shown;
  for (const auto& [name, messages] : drives) expected[name] = messages.size() == 1 ? messages[0] : "collision";
  std::int64_t data = 0, most = 0, dead = 0;
  const XmlElement root = parse_xml(picture);
  for (const XmlElement* use : root.all("use")) {
    const std::string& text = use->children.at(0).text;
    if (text.rfind("slot ", 0) == 0) {
      shown[text.substr(0, text.find(": "))] = text.substr(text.find(": ") + 2);
    } else if (text.find(" dead") != std::string::npos) {
      ++dead;
    } else {
      const std::int64_t load = std::stoll(text.substr(text.find(' ')));
      data += load;
      most = std::max(most, load);
    }
  }
  EXPECT_EQ(shown, expected);
  EXPECT_EQ(data, facts["links"]["flit_hops"]);
  EXPECT_EQ(most, facts["links"]["max_load"]);
  EXPECT_EQ(dead, 2 * 21);  // in 20 slots and in the whole run
  // Tiles of large networks; none of the model on arrays.
  result("model=netlist network.groups=70 network.group_size=70");
  EXPECT_LT(scratch_.read("out/p/couplers.svg").size(), 1'000'000u);
  EXPECT_THAT(scratch_.read("out/p/couplers.svg"), HasSubstr("each tile: 3 x 3 couplers"));
  result("");
  EXPECT_FALSE(exists("out/p/couplers.svg"));
}

TEST_F(PopsPictures, ShowDrawsASlot) {
  scratch_.write("two.txt", "3 2 - -\n");
  ASSERT_EQ(starloom("run p.yaml --quiet --trace --set model=netlist --set 'network={topology: pops, groups: 2, "
                     "group_size: 2}' --set routing.algorithm=direct --set 'traffic={pattern: file, file: two.txt}'")
                .status,
            0);
  EXPECT_EQ(starloom("show out/p --step 0").out,
            "slot 0 of POPS(2,2): 0 couplers carry a message, 1 has a collision; 0 of 2 sampling processors receive\n"
            "0 of 2 packets have reached their destinations\n"
            "\n"
            "  from / to   0   1\n"
            "          0   .   *\n"
            "          1   .   .\n"
            "\n"
            "couplers:\n"
            "  coupler_to01_from00: collision: proc_g00_p00 drives packet 0, proc_g00_p01 drives packet 1; "
            "sampled without a message by proc_g01_p00, proc_g01_p01\n");
  for (const std::string late : {"9999", "9223372036854775807"}) {
    const ProgramRun run = starloom("show out/p --step " + late);
    EXPECT_EQ(run.status, 2);
    EXPECT_THAT(run.err, testing::MatchesRegex("--step " + late + ": the run has [0-9]+ slots, numbered from 0\n"));
  }
  for (const std::string bad : {"-1", "1.5", "99999999999999999999"})
    EXPECT_THAT(starloom("show out/p --step " + bad).err, HasSubstr("a step is an integer from 0, not " + bad));
  scratch_.write("out/p/trace.csv",
                 "slot,event,processor,source_group,destination_group,kind,packet\n0,drive,0,0,7,data,0\n");
  refuses("show out/p --step 0", 2, "trace.csv: slot 0 names a processor or group that the network does not have");
  ASSERT_EQ(starloom("run p.yaml --quiet --force --set model=netlist --trace 5:10").status, 0);
  EXPECT_THAT(starloom("show out/p --step 5").out, StartsWith("slot 5 of POPS(8,4): "));
  refuses("show out/p --step 4", 2,
          "--step 4: the trace is a window without this slot; run with --trace, without FROM:TO");
  refuses("verify out/p", 2,
          "out/p: the trace covers only part of the run, slots 5 to 9; verify needs the whole run; run with --trace, "
          "without FROM:TO");
  ASSERT_EQ(starloom("run p.yaml --quiet --force").status, 0);
  refuses("show out/p --step 0", 2, "out/p: there is no trace.csv or trace.csv.gz; run with --trace");
}

TEST_F(PopsPictures, DrawShowsProcessorsRowsAndCouplers) {
  const ProgramRun run =
      starloom("draw p.yaml --set network.groups=3 --set network.group_size=3 --set faults.dead_couplers=[[0,2]]");
  EXPECT_EQ(run.status, 0) << run.err;
  std::map<std::string, std::vector<const XmlElement*>> shown;
  const XmlElement picture = parse_xml(run.out);
  for (const XmlElement* use : picture.all("use")) shown[use->children.at(0).text].push_back(use);
  EXPECT_EQ(shown.size(), 9u + 9u + 3u + 3u);
  EXPECT_EQ(shown.at("proc_g02_p01").size(), 2u);  // where it drives, and where it samples
  const auto at = [&](const char* name, const char* axis) { return shown.at(name).at(0)->attributes.at(axis); };
  EXPECT_EQ(at("coupler_to02_from01", "y"), at("row_from01", "y"));
  EXPECT_EQ(at("coupler_to02_from01", "x"), at("column_to02", "x"));
  for (const auto& [name, uses] : shown) {
    const bool dead = name == "coupler_to02_from00" || name == "coupler_to00_from02";
    EXPECT_EQ(uses[0]->attributes.count("class"), dead ? 1u : 0u) << name;
  }
  EXPECT_FALSE(exists("out"));
  const auto drawn = [&](const std::string& pattern) {
    return starloom("draw p.yaml --set network.groups=2 --set network.group_size=2 --set traffic.pattern=" + pattern)
        .out;
  };
  EXPECT_THAT(drawn("reversal"),
              HasSubstr("(left: they drive, with the destinations of their packets, below: they sample)"));
  for (const char* to : {">\u21923<", ">\u21922<", ">\u21921<", ">\u21920<"})
    EXPECT_THAT(drawn("reversal"), HasSubstr(to)) << "processor " << 3 - (to[4] - '0');
  const ProgramRun large = starloom("draw p.yaml --set network.groups=64 --set network.group_size=64");
  EXPECT_LT(large.out.size(), 100'000u);
  EXPECT_THAT(large.out, HasSubstr("4096 couplers; the middle is omitted"));
}

}  // namespace
}  // namespace starloom
