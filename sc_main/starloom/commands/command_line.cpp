// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/command_line.hpp>

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <functional>
#include <limits>

#include <starloom/commands/campaign.hpp>
#include <starloom/commands/check.hpp>
#include <starloom/commands/command_help.hpp>
#include <starloom/commands/completion.hpp>
#include <starloom/commands/demo.hpp>
#include <starloom/commands/draw.hpp>
#include <starloom/commands/explain.hpp>
#include <starloom/commands/explain_pages.hpp>
#include <starloom/commands/known_entries.hpp>
#include <starloom/commands/list.hpp>
#include <starloom/commands/manual.hpp>
#include <starloom/commands/plan.hpp>
#include <starloom/commands/regress.hpp>
#include <starloom/commands/replay.hpp>
#include <starloom/commands/report.hpp>
#include <starloom/commands/run.hpp>
#include <starloom/commands/saturate.hpp>
#include <starloom/commands/verify.hpp>
#include <starloom/commands/watch.hpp>
#include <starloom/commands/why.hpp>
#include <starloom/config/document.hpp>
#include <starloom/inspection/run_folder.hpp>
#include <starloom/results/result.hpp>
#include <starloom/support/nearest.hpp>
#include <starloom/support/thread_pool.hpp>

namespace starloom {
namespace {

/// What is wrong with the number of a step; empty if nothing is.
std::string step_number(const std::string& text) {
  const auto number = parse_integer(text);
  return number && *number >= 0 ? "" : fmt::format("a step is a whole number from 0 on, not {}", text);
}

/// What is wrong with the number of a packet; empty if nothing is.
std::string packet_number(const std::string& text) {
  const auto number = parse_integer(text);
  return number && *number >= 0 && *number <= std::numeric_limits<PacketId>::max()
             ? ""
             : fmt::format("a packet is a whole number from 0 on, not {}", text);
}

/// What is wrong with the length of a plan; empty if nothing is.
std::string plan_length(const std::string& text) {
  const auto number = parse_integer(text);
  return number && *number >= 0 ? "" : fmt::format("the length of a plan is a whole number from 0 on, not {}", text);
}

/// What is wrong with a limit of time; empty if nothing is.
std::string positive_seconds(const std::string& text) {
  double seconds = 0;
  return CLI::detail::lexical_cast(text, seconds) && seconds > 0
             ? ""
             : fmt::format("a limit of time is a number of seconds above 0, not {}; without one there is no limit",
                           text);
}

/// What is wrong with the precision of a load; empty if nothing is.
std::string load_distance(const std::string& text) {
  double distance = 0;
  return CLI::detail::lexical_cast(text, distance) && distance >= 1e-6 && distance <= 0.25
             ? ""
             : fmt::format("a distance of loads is a number from 0.000001 to 0.25, not {}", text);
}

/// `--trace` may or may not be followed by FROM:TO, and FILE may come next; a window is told from a file by its
/// characters and joined to its option.
std::vector<std::string> join_trace_window(const std::vector<std::string>& words) {
  std::vector<std::string> joined;
  for (const std::string& word : words) {
    const bool window = word.find_first_not_of("0123456789:") == std::string::npos && !word.empty();
    if (!joined.empty() && joined.back() == "--trace" && window) joined.back() += "=" + word;
    else joined.push_back(word);
  }
  return joined;
}

std::uint64_t parse_shuffle(const std::string& text) {
  const auto number = parse_integer(text);
  if (!number || *number < 0) throw InputError(fmt::format("--shuffle {}: a whole number from 0 on is expected", text));
  return static_cast<std::uint64_t>(*number);
}

int parse_threads(const std::string& text) {
  const auto number = parse_integer(text);
  if (!number || *number < 1 || *number > 1024)
    throw InputError(fmt::format("--threads {}: a whole number from 1 to 1024 is expected", text));
  return static_cast<int>(*number);
}

/// What to say about a word that no option or argument takes.
[[noreturn]] void refuse(const std::string& word, const CLI::App& command) {
  if (word.empty() || word.front() != '-')
    throw InputError(fmt::format("starloom {}: {} is one argument too many", command.get_name(), word));
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_lnames().empty()) known.push_back("--" + option->get_lnames().front());
  throw InputError(
      fmt::format("starloom {}: unknown option {}{}", command.get_name(), name, did_you_mean(name, known)));
}

void add_experiment(CLI::App& command, ExperimentOptions& options) {
  command.add_option("FILE", options.file, "experiment file, YAML; its keys: starloom explain")->required();
  command.add_option("--set", options.set, "put a value in place of the file's: key.path=value; repeatable")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command.add_option("--seed", options.seed, "the seed, in place of the file's")->type_name("N");
}

/// The commands and their options. What parsing finds out is kept in members; the command itself runs afterwards, so
/// that its faults are not taken for faults of the command line.
class CommandLine {
 public:
  explicit CommandLine(const Catalogue& catalogue)
      : catalogue_(catalogue), app_("Starloom: a SystemC model of interconnection networks", "starloom") {
    app_.formatter(std::make_shared<HelpFormatter>());
    app_.set_help_flag("-h,--help", "print this text");
    app_.set_version_flag("--version", "starloom " + program_version(), "print the version");
    app_.require_subcommand(1);
    app_.failure_message([](const CLI::App*, const CLI::Error& fault) { return std::string(fault.what()); });
    group_ = "To begin with";
    add_demo();
    add_list();
    add_explain();
    add_help();
    group_ = "An experiment";
    add_run();
    add_check();
    add_draw();
    add_plan();
    add_saturate();
    group_ = "What a run has left";
    add_show();
    add_why();
    add_replay();
    add_verify();
    group_ = "Many runs";
    add_campaign();
    add_report();
    add_regress();
    // Behind the commands, which would take it over.
    app_.footer(
        "A first look: starloom demo. Options of a command: starloom help run. What a key means: starloom explain "
        "traffic.rate.\n"
        "Exit status: 0 done, 2 command line or input file, 3 a rule of the hardware broken, 4 not all delivered, 5 "
        "output not\n"
        "written, 6 an expectation missed, 1 unexpected: please report it.");
  }

  Ending run(std::vector<std::string> words) {
    if (words.empty()) throw InputError("starloom: a command is missing; see starloom --help");
    if (words[0] == "help" && (words.size() == 1 || words[1].front() != '-')) {
      refuse_options_of_help(words);
      words = help_of(words);
    }
    if (words[0].empty() || words[0].front() != '-') check_command(words[0]);
    std::reverse(words.begin(), words.end());  // as CLI11 wants them
    try {
      app_.parse(words);
    } catch (const CLI::Success& asked) {
      app_.exit(asked);  // prints the help or version that was asked for
      return {};
    } catch (const CLI::ParseError& fault) {
      throw InputError(fmt::format("starloom: {}; see starloom {}--help", fault.what(), command_name()));
    }
    for (CLI::App* command : app_.get_subcommands()) {
      for (const CLI::App* inner : command->get_subcommands())
        for (const std::string& word : inner->remaining()) refuse(word, *inner);
      for (const std::string& word : command->remaining()) refuse(word, *command);
    }
    for (const std::string& word : app_.remaining()) refuse(word, app_);
    return action_();
  }

 private:
  CLI::App& add_command(const std::string& name, const std::string& meaning, std::function<Ending()> action) {
    CLI::App& command = *app_.add_subcommand(name, meaning);
    command.group(group_);
    command.allow_extras();
    command.final_callback([this, action = std::move(action)] { action_ = action; });
    return command;
  }

  static constexpr const char* help_of_all =
      "starloom help: --man and --completion are of all commands; leave out COMMAND";
  static void refuse_options_of_help(const std::vector<std::string>& words) {
    for (const std::string& word : words)
      if (word == "--man" || word.rfind("--completion", 0) == 0) throw InputError(help_of_all);
  }
  /// `help COMMAND` is `COMMAND --help`.
  static std::vector<std::string> help_of(const std::vector<std::string>& words) {
    std::vector<std::string> asked(words.begin() + 1, words.end());
    asked.emplace_back("--help");
    return asked;
  }

  void check_command(const std::string& name) const {
    std::vector<std::string> known;
    for (const CLI::App* command : app_.get_subcommands(nullptr)) known.push_back(command->get_name());
    if (std::find(known.begin(), known.end(), name) == known.end())
      throw InputError(
          fmt::format("starloom: unknown command {}{}; see starloom --help", name, did_you_mean(name, known)));
  }

  std::string command_name() const {
    const auto parsed = app_.get_subcommands();
    return parsed.empty() ? "" : parsed.front()->get_name() + " ";
  }

  void add_run() {
    CLI::App& command = add_command("run", "run an experiment", [this] {
      if (!trace_.empty()) run_.trace = trace_ == "true" ? TraceWindow{} : parse_trace_window(trace_);
      if (run_.replay && !run_.trace) run_.trace = TraceWindow{};
      if (shuffle_) run_.shuffle = parse_shuffle(*shuffle_);
      if (threads_) run_.threads = parse_threads(*threads_);
      for (const std::string& text : watch_) run_.watch.push_back(parse_watch(text));
      return run_experiment(catalogue_, run_);
    });
    command.footer(
        "Examples:\n"
        "  starloom run first.yaml                           results in out/first\n"
        "  starloom run first.yaml --seed 7 --set routing.discipline=fifo --out out/fifo\n"
        "  starloom run first.yaml --force --trace --waves   then: starloom show out/first --step 3\n"
        "                                                    and:  gtkwave out/first/waves.gtkw");
    add_experiment(command, run_.experiment);
    command.add_option("--out", run_.out, "folder for the results [out/<file stem>]")->type_name("DIR");
    command.add_flag("--force", run_.force, "replace an earlier result");
    command.add_flag("--waves", run_.waves, "write waves.vcd and waves.gtkw, for GTKWave");
    command.add_flag("--trace", trace_, "write trace.csv; FROM:TO: of these steps only, TO not included")
        ->type_name("[FROM:TO]");
    command.add_option("--watch", watch_, "tell on stderr what happens to packet N; repeatable")
        ->allow_extra_args(false)
        ->type_name("packet=N");
    command.add_flag_callback(
        "--no-referee", [this] { run_.referee = false; }, "do not check the physical rules during the run");
    command.add_flag_callback(
        "--no-packets", [this] { run_.packets = false; }, "do not write packets.csv");
    command.add_flag("--replay", run_.replay, "write replay.html, a page for browsers; implies --trace");
    command.add_flag("--dump-netlist", run_.netlist, "write netlist.json: instances, ports, bindings");
    command.add_flag("--quiet", run_.quiet, "no table on stdout");
    command.add_option("--shuffle", shuffle_, "permute the order of construction and evaluation by N (same result)")
        ->type_name("N");
    command.add_option("--threads", threads_, "run a step in N threads, at most one for each core (same result)")
        ->type_name("N");
    command
        .add_option_function<std::string>(
            "--wake", [this](const std::string&) { run_.wake_all = true; },
            "run every node in every step (same result)")
        ->check(CLI::IsMember({"all"}));
  }

  void add_check() {
    CLI::App& command = add_command("check", "validate an experiment, without running it",
                                    [this] { return check_experiment(catalogue_, check_); });
    add_experiment(command, check_);
  }

  void add_plan() {
    CLI::App& command = add_command("plan", "make an off-line plan, without running it",
                                    [this] { return plan_experiment(catalogue_, plan_); });
    add_experiment(command, plan_.experiment);
    command
        .add_option("--save", plan_.save,
                    "write the plan, for routing.plan; of --falsify the scenario, in place of out/NAME_falsified.yaml")
        ->type_name("PLAN");
    command.add_flag("--force", plan_.force, "replace files that are there");
    PlanRequest& request = plan_.request;
    CLI::Option* bounds =
        command.add_flag("--bounds", request.bounds, "lower bounds for all plans: distance, cut, degree, flow");
    CLI::Option* optimal =
        command.add_flag("--optimal", request.optimal, "a shortest plan, with a proof that none is shorter");
    CLI::Option* length = command.add_option("--length", request.length, "is there a plan of that length?")
                              ->check(plan_length)
                              ->excludes(optimal)
                              ->type_name("L");
    command
        .add_option("--proof", request.proof,
                    "write a DRAT proof that no plan is shorter (--optimal), or as short (--length), and FILE.cnf")
        ->type_name("FILE");
    command
        .add_option(
            "--places", request.places,
            "packets that may stay in a node on their way, for bounds and searches; else those of the experiment")
        ->check(CLI::Range(0, 1 << 20))
        ->type_name("K");
    command.add_option("--time", request.seconds, "most seconds for bounds and searches; what is not found is unknown")
        ->check(positive_seconds)
        ->type_name("S");
    command
        .add_flag("--falsify", plan_.falsify,
                  "hunt for a permutation whose plan exceeds its distance or the diameter, and write it as a scenario")
        ->excludes(bounds)
        ->excludes(optimal)
        ->excludes(length);
  }

  void add_regress() {
    regress_.jobs = usable_cores();
    CLI::App& command = add_command("regress", "run every scenario below some paths",
                                    [this] { return run_regression(catalogue_, regress_); });
    command.add_option("PATH", regress_.paths, "scenario files and folders of them")->required();
    command.add_option("--jobs", regress_.jobs, "processes at the same time")
        ->check(CLI::Range(1, 1024))
        ->type_name("N")
        ->default_str("one a core");
    command.add_option("--filter", regress_.filter, "only scenarios whose path contains this text")->type_name("TEXT");
    command.add_option("--junit", regress_.junit, "write a report for build servers")->type_name("FILE");
    command.add_flag("--update", regress_.update, "write NAME.golden.json instead of comparing with it");
  }

  void add_verify() {
    CLI::App& command = add_command("verify", "let the referee judge an output folder",
                                    [this] { return verify_output(*run_folder(), folder_); });
    command.add_option("DIR", folder_, "folder written by starloom run --trace")->required();
  }

  void add_show() {
    CLI::App& command = add_command("show", "draw one step or slot of a run", [this] {
      fmt::print("{}", run_folder()->show(step_));
      return Ending{};
    });
    command.add_option("DIR", folder_, "folder written by starloom run --trace")->required();
    command.add_option("--step", step_, "the step, or slot, to show")->required()->check(step_number)->type_name("N");
  }

  void add_why() {
    CLI::App& command = add_command("why", "say what a packet waited for, or what waited most", [this] {
      why_.json = json_;
      return explain_waiting(*run_folder(), why_);
    });
    command.add_option("DIR", folder_, "folder written by starloom run --trace")->required();
    command.add_option("--packet", why_.packet, "the packet, in place of those that took longest")
        ->check(packet_number)
        ->type_name("N");
    command.add_flag("--json", json_, "for programs");
  }

  void add_replay() {
    CLI::App& command = add_command("replay", "make a page for browsers that shows a run", [this] {
      replay_.folder = folder_;
      return write_replay(*run_folder(), replay_);
    });
    command.add_option("DIR", folder_, "folder written by starloom run --trace")->required();
    command.add_option("--out", replay_.out, "the page [DIR/replay.html]")->type_name("FILE");
    command.add_option("--from", replay_.window.from, "the first step or slot to show")
        ->check(step_number)
        ->type_name("N");
    command.add_option("--to", replay_.window.to, "the one behind the last to show")
        ->check(step_number)
        ->type_name("M");
  }

  /// The folder that a command is about.
  std::unique_ptr<RunFolder> run_folder() const { return open_run_folder(folder_, known_entries(catalogue_)); }

  void add_draw() {
    CLI::App& command = add_command("draw", "print the network of an experiment as a picture",
                                    [this] { return draw_experiment(catalogue_, draw_); });
    add_experiment(command, draw_.experiment);
    command.add_option("--format", draw_.format, "svg: a picture; json: instances, ports, bindings")
        ->type_name("FORMAT")
        ->capture_default_str();
  }

  void add_list() {
    CLI::App& command = add_command("list", "list routing algorithms, traffic patterns and topologies", [this] {
      fmt::print("{}", json_ ? json_text(list_json(catalogue_)) : list_text(catalogue_));
      return Ending{};
    });
    command.add_flag("--json", json_, "for programs");
  }

  void add_explain() {
    CLI::App& command = add_command("explain", "say what keys and figures mean", [this] {
      if ((markdown_ || figures_ || manual_) && key_)
        throw InputError("starloom explain: --markdown, --man and --figures write all there are; leave out KEY");
      if (manual_) fmt::print("{}", keys_manual(catalogue_));
      else if (markdown_) fmt::print("{}", figures_ ? figures_markdown(catalogue_) : keys_markdown(catalogue_));
      else fmt::print("{}", figures_ ? explain_figures(catalogue_) : explain_text(catalogue_, key_));
      return Ending{};
    });
    command.add_option("KEY", key_,
                       "a key or figure, its last part, a section, an algorithm, a pattern, a topology [all keys]");
    command.add_flag("--figures", figures_, "all figures of result.json");
    command.add_flag("--markdown", markdown_, "the page docs/keys.md, or the tables of figures in docs/output.md");
    command.add_flag("--man", manual_, "the manual page starloom(5), of all keys");
  }

  void add_help() {
    CLI::App& command = add_command("help", "say what commands do, and what options they have", [this] {
      if (!helped_.empty()) throw InputError(help_of_all);
      fmt::print("{}", shell_ ? completion_script(app_, catalogue_, *shell_) : commands_manual(app_));
      return Ending{};
    });
    command.add_option("COMMAND", helped_, "a command [all commands]");
    CLI::Option* man = command.add_flag("--man", "the manual page starloom(1)");
    command.add_option("--completion", shell_, "a script by which a shell completes commands, options and keys")
        ->check(CLI::IsMember({std::string(completion_shells[0]), std::string(completion_shells[1])}))
        ->excludes(man);
  }

  void add_campaign() {
    campaign_.jobs = usable_cores();
    CLI::App& command = add_command("campaign", "run many experiments from one file", [this] {
      if (merging_) return merge_campaign(sources_, into_);
      if (campaign_.file.empty()) throw InputError("starloom: FILE is required; see starloom campaign --help");
      if (shard_) campaign_.shard = parse_shard(*shard_);
      return run_campaign(catalogue_, campaign_);
    });
    command.footer(
        "Examples:\n"
        "  starloom campaign latency.yaml --dry-run          what would run\n"
        "  starloom campaign latency.yaml                    runs what is missing\n"
        "  starloom report latency.yaml                      tables and plots in out/latency");
    command.add_option("FILE", campaign_.file, "campaign file");
    command.add_option("--store", campaign_.store, "SQLite file for the runs [out/<file stem>.sqlite]")
        ->type_name("FILE");
    command.add_option("--jobs", campaign_.jobs, "processes at the same time")
        ->check(CLI::Range(1, 1024))
        ->type_name("N")
        ->default_str("one a core");
    command.add_option("--shard", shard_, "only part i of n of the runs, 0 <= i < n")->type_name("i/n");
    command.add_flag("--dry-run", campaign_.dry_run, "print the points and how many runs are done");
    CLI::App& merge = *command.add_subcommand("merge", "join the stores of several campaigns or shards");
    merge.group("Commands");
    merge.footer("");
    merge.allow_extras();
    merge.add_option("STORE", sources_, "stores to join")->required();
    merge.add_option("--into", into_, "the store that receives them; it may exist")->required()->type_name("FILE");
    merge.callback([this] { merging_ = true; });
  }

  void add_report() {
    CLI::App& command = add_command("report", "compare what a campaign found with its references",
                                    [this] { return report_campaign(catalogue_, report_); });
    command.add_option("FILE", report_.file, "campaign file")->required();
    command.add_option("--store", report_.store, "SQLite file with the runs [out/<file stem>.sqlite]")
        ->type_name("FILE");
    command.add_option("--out", report_.out, "folder for tables and plots [out/<file stem>]")->type_name("DIR");
  }

  void add_demo() {
    CLI::App& command = add_command("demo", "a run worth looking at, and what to type next",
                                    [this] { return run_demo(catalogue_, demo_); });
    command.add_option("--out", demo_.out, "folder for its experiment and its results")
        ->type_name("DIR")
        ->capture_default_str();
    command.add_flag("--force", demo_.force, "replace what an earlier demo left there");
  }

  void add_saturate() {
    saturate_.jobs = usable_cores();
    CLI::App& command = add_command("saturate", "find the load at which a network saturates",
                                    [this] { return saturate_experiment(catalogue_, saturate_); });
    add_experiment(command, saturate_.experiment);
    command.add_option("--figure", saturate_.figure, "the key of the experiment that is the load, from 0 to 1")
        ->type_name("KEY")
        ->capture_default_str();
    command.add_option("--within", saturate_.within, "how far the answer may be from the true load, 0.000001 to 0.25")
        ->check(load_distance)
        ->type_name("X")
        ->default_str("0.005, or 2 % of the load that fills a link or local port");
    command
        .add_option_function<std::string>(
            "--definition",
            [this](const std::string& name) {
              saturate_.definition = name == saturation_definition_names[0]
                                         ? SaturationDefinition::three_times_lightest
                                         : SaturationDefinition::accepted_below_offered;
            },
            "three-times-lightest: latency is three times that at the lightest load, 0.01 or less; "
            "accepted-below-offered: accepted is 5 % below offered")
        ->check(
            CLI::IsMember({std::string(saturation_definition_names[0]), std::string(saturation_definition_names[1])}))
        ->type_name("NAME")
        ->default_str(std::string(saturation_definition_names[0]));
    command.add_option("--store", saturate_.store, "SQLite file for the runs [out/<file stem>.saturate.sqlite]")
        ->type_name("FILE");
    command.add_option("--jobs", saturate_.jobs, "processes at the same time (same result)")
        ->check(CLI::Range(1, 1024))
        ->type_name("N")
        ->default_str("one a core");
  }

  const Catalogue& catalogue_;
  CLI::App app_;
  std::string group_;  ///< of the commands that are added now, in `--help`
  std::vector<std::string> helped_;
  std::optional<std::string> shell_;
  bool manual_ = false;
  std::function<Ending()> action_;
  RunOptions run_;
  std::string trace_;
  std::optional<std::string> shuffle_;
  std::optional<std::string> threads_;
  std::vector<std::string> watch_;
  ExperimentOptions check_;
  DrawOptions draw_;
  PlanOptions plan_;
  RegressOptions regress_;
  CampaignOptions campaign_;
  std::optional<std::string> shard_;
  bool merging_ = false;
  std::vector<std::filesystem::path> sources_;
  std::filesystem::path into_;
  ReportOptions report_;
  DemoOptions demo_;
  SaturateOptions saturate_;
  WhyOptions why_;
  ReplayOptions replay_;
  std::filesystem::path folder_;
  Step step_ = 0;
  bool json_ = false;
  std::optional<std::string> key_;
  bool markdown_ = false;
  bool figures_ = false;
};

}  // namespace

Ending run_command(const Catalogue& catalogue, const std::vector<std::string>& words) {
  catalogue.check();
  return CommandLine(catalogue).run(join_trace_window(words));
}

}  // namespace starloom
