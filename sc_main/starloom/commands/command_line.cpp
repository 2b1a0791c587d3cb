// SPDX-License-Identifier: Apache-2.0
#include <starloom/commands/command_line.hpp>

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <cstdio>
#include <functional>
#include <limits>
#include <optional>
#include <regex>

#include <starloom/commands/campaign.hpp>
#include <starloom/commands/check.hpp>
#include <starloom/commands/command_help.hpp>
#include <starloom/commands/completion.hpp>
#include <starloom/commands/demo.hpp>
#include <starloom/commands/draw.hpp>
#include <starloom/commands/explain.hpp>
#include <starloom/commands/explain_pages.hpp>
#include <starloom/commands/faults.hpp>
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
#include <starloom/support/escape.hpp>
#include <starloom/support/nearest.hpp>
#include <starloom/support/thread_pool.hpp>

namespace starloom {
namespace {

/// The error in the number of a step; empty if there is none.
std::string step_number(const std::string& text) {
  const auto number = parse_integer(text);
  return number && *number >= 0 ? "" : fmt::format("a step is an integer from 0, not {}", text);
}

/// The error in the number of a packet; empty if there is none.
std::string packet_number(const std::string& text) {
  const auto number = parse_integer(text);
  return number && *number >= 0 && *number <= std::numeric_limits<PacketId>::max()
             ? ""
             : fmt::format("a packet is an integer from 0, not {}", text);
}

/// The error in the length of a plan; empty if there is none.
std::string plan_length(const std::string& text) {
  const auto number = parse_integer(text);
  return number && *number >= 0 ? "" : fmt::format("the length of a plan is an integer from 0, not {}", text);
}

/// The error in a time limit; empty if there is none.
std::string positive_seconds(const std::string& text) {
  double seconds = 0;
  return CLI::detail::lexical_cast(text, seconds) && seconds > 0
             ? ""
             : fmt::format("a time limit is a number of seconds above 0, not {}; leave it out for no limit", text);
}

/// The error in the precision of a load; empty if there is none.
std::string load_distance(const std::string& text) {
  double distance = 0;
  return CLI::detail::lexical_cast(text, distance) && distance >= 1e-6 && distance <= 0.25
             ? ""
             : fmt::format("an uncertainty of a load is a number from 0.000001 to 0.25, not {}", text);
}

/// The error in a path, or empty. A path is empty if a shell variable is not set.
std::string path_name(const std::string& text) { return text.empty() ? "the path is empty" : ""; }

/// `--trace` may be followed by FROM:TO, and FILE may come next; a window differs from a file by its characters and
/// is joined to its option.
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
  if (!number || *number < 0) throw InputError(fmt::format("--shuffle {}: an integer from 0 is expected", text));
  return static_cast<std::uint64_t>(*number);
}

int parse_threads(const std::string& text) {
  const auto number = parse_integer(text);
  if (!number || *number < 1 || *number > 1024)
    throw InputError(fmt::format("--threads {}: an integer from 1 to 1024 is expected", text));
  return static_cast<int>(*number);
}

/// The refusal of a word that no option or argument accepts.
[[noreturn]] void refuse(const std::string& word, const CLI::App& command) {
  if (word.empty() || word.front() != '-') {
    const auto options = command.get_options();
    const bool none = std::none_of(options.begin(), options.end(),
                                   [](const CLI::Option* option) { return option->get_positional(); });
    throw InputError(fmt::format("starloom {}: {}unexpected argument {}; see starloom {} --help", command.get_name(),
                                 none ? "the command takes no arguments: " : "", word.empty() ? "\"\"" : escape(word),
                                 command.get_name()));
  }
  const std::string name = word.substr(0, word.find('='));
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options())
    if (!option->get_lnames().empty()) known.push_back("--" + option->get_lnames().front());
  throw InputError(
      fmt::format("starloom {}: unknown option {}{}", command.get_name(), name, did_you_mean(name, known)));
}

/// The first of these words that looks like an option, and that the command does not have.
std::optional<std::string> unknown_option(const std::vector<std::string>& words, const CLI::App& command) {
  for (const std::string& word : words)
    // Not a negative number.
    if (word.size() > 1 && word[0] == '-' &&
        (word[1] == '-' || std::isalpha(static_cast<unsigned char>(word[1])) != 0) &&
        command.get_option_no_throw(word.substr(0, word.find('='))) == nullptr)
      return word;
  return std::nullopt;
}

/// Converts the library's texts to the style of this program.
std::string error_text(const CLI::ParseError& error) {
  const std::string text = error.what();
  std::smatch part;
  if (std::regex_match(text, part, std::regex("(--[a-z-]+): Value (.*) not in range (.*) to (.*)")))
    return fmt::format("{} {}: an integer from {} to {} is expected", part.str(1), escape(part.str(2)), part.str(3),
                       part.str(4));
  if (std::regex_match(text, part, std::regex("(--[a-z-]+): (.*) not in \\{(.*)\\}"))) {
    const std::string known = std::regex_replace(part.str(3), std::regex(","), ", ");
    return fmt::format("{} {}: {}{} is expected", part.str(1), escape(part.str(2)),
                       known.find(',') == std::string::npos ? "" : "one of ", known);
  }
  if (std::regex_match(text, part, std::regex("(--[a-z-]+): 1 required (?:TEXT:\\{)?(.*?)\\}? missing")))
    return fmt::format("{0} needs a value: {0} {1}", part.str(1),
                       std::regex_replace(part.str(2), std::regex(","), "|"));
  return text;
}

/// An option or argument that names files or folders.
template <class Paths>
CLI::Option* add_path(CLI::App& command, const std::string& name, Paths& paths, const std::string& meaning) {
  return command.add_option(name, paths, meaning)->check(path_name);
}

void add_experiment(CLI::App& command, ExperimentOptions& options) {
  add_path(command, "FILE", options.file, "experiment file, YAML; its keys: starloom explain")->required();
  command.add_option("--set", options.set, "override a value of the file: key.path=value; repeatable")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
  command.add_option("--seed", options.seed, "override the seed of the file")->type_name("N");
}

/// The commands and their options. The results of parsing are kept in members; the command itself runs afterwards, so
/// that its errors are not taken for errors of the command line.
class CommandLine {
 public:
  explicit CommandLine(const Catalogue& catalogue)
      : catalogue_(catalogue),
        app_("Starloom: a cycle-accurate simulator of networks on chip and interconnection networks", "starloom") {
    app_.formatter(std::make_shared<HelpFormatter>());
    app_.set_help_flag("-h,--help", "print this text");
    app_.set_version_flag("--version", "starloom " + program_version(), "print the version");
    app_.require_subcommand(1);
    app_.failure_message([](const CLI::App*, const CLI::Error& error) { return std::string(error.what()); });
    group_ = "Getting started";
    add_demo();
    add_list();
    add_explain();
    add_help();
    group_ = "Experiments";
    add_run();
    add_check();
    add_draw();
    add_plan();
    add_saturate();
    add_faults();
    group_ = "Results of a run";
    add_show();
    add_why();
    add_replay();
    add_verify();
    group_ = "Campaigns";
    add_campaign();
    add_report();
    add_regress();
    // After the commands, because these would inherit it.
    app_.footer(
        "First run: starloom demo. Options of a command: starloom help run. A key: starloom explain traffic.rate.\n"
        "Exit status: 0 done, 2 command line or input file, 3 a rule of the hardware broken, 4 not all delivered, 5 "
        "output not\n"
        "written, 6 an expectation missed, 1 an unexpected error: please report it.");
  }

  Ending run(std::vector<std::string> words) {
    if (words.empty()) throw InputError("starloom: a command is missing; see starloom --help");
    if (words[0] == "help" && (words.size() == 1 || words[1].front() != '-')) {
      refuse_options_of_help(words);
      words = help_of(words);
    }
    if (words[0].empty() || words[0].front() != '-') check_command(words[0]);
    else if (unknown_option({words[0]}, app_))
      throw InputError(
          fmt::format("starloom: {0} before the command; options follow it: starloom run FILE {0}", escape(words[0])));
    std::vector<std::string> reversed(words.rbegin(), words.rend());  // the order that CLI11 requires
    try {
      app_.parse(reversed);
    } catch (const CLI::Success& asked) {
      app_.exit(asked);  // prints the requested help or version
      return {};
    } catch (const CLI::ParseError& error) {
      // An unknown option does not count as a required one, so it may be the cause.
      for (const CLI::App* command : app_.get_subcommands()) {
        const auto inner = command->get_subcommands();
        if (!inner.empty()) command = inner.front();
        if (const auto unknown = unknown_option(words, *command)) refuse(*unknown, *command);
      }
      throw InputError(fmt::format("starloom: {}; see starloom {}--help", error_text(error), command_name()));
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
      "starloom help: --man and --completion cover all commands; leave out COMMAND";
  static void refuse_options_of_help(const std::vector<std::string>& words) {
    for (const std::string& word : words)
      if (word == "--man" || word.rfind("--completion", 0) == 0) throw InputError(help_of_all);
  }
  /// `help COMMAND` is `COMMAND --help`.
  static std::vector<std::string> help_of(const std::vector<std::string>& words) {
    std::vector<std::string> help(words.begin() + 1, words.end());
    help.emplace_back("--help");
    return help;
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
    add_path(command, "--out", run_.out, "folder for the results [out/<file stem>]")->type_name("DIR");
    command.add_flag("--force", run_.force, "replace an existing result");
    command.add_flag("--waves", run_.waves, "write waves.vcd and waves.gtkw, for GTKWave");
    command.add_flag("--trace", trace_, "write trace.csv; FROM:TO: only these steps, TO excluded")
        ->type_name("[FROM:TO]");
    command.add_option("--watch", watch_, "print what happens to packet N on stderr; repeatable")
        ->allow_extra_args(false)
        ->type_name("packet=N");
    command.add_flag_callback(
        "--no-referee", [this] { run_.referee = false; }, "do not check the rules of the hardware during the run");
    command.add_flag_callback(
        "--no-packets", [this] { run_.packets = false; }, "do not write packets.csv");
    command.add_flag("--replay", run_.replay, "write replay.html, a page for browsers; implies --trace");
    command.add_flag("--dump-netlist", run_.netlist, "write netlist.json: instances, ports, bindings");
    command.add_flag("--quiet", run_.quiet, "print no summary");
    command.add_option("--shuffle", shuffle_, "permute the order of construction and evaluation by N (same result)")
        ->type_name("N");
    command.add_option("--threads", threads_, "simulate each step with N threads, at most one per core (same result)")
        ->type_name("N");
    command
        .add_option_function<std::string>(
            "--wake", [this](const std::string&) { run_.wake_all = true; },
            "run every node in every step (same result)")
        ->check(CLI::IsMember({"all"}));
  }

  void add_check() {
    CLI::App& command = add_command("check", "analyse an experiment without running it",
                                    [this] { return check_experiment(catalogue_, check_, json_); });
    add_experiment(command, check_);
    command.add_flag("--json", json_, "machine-readable output");
  }

  void add_plan() {
    CLI::App& command = add_command("plan", "compute an offline plan without running it",
                                    [this] { return plan_experiment(catalogue_, plan_); });
    add_experiment(command, plan_.experiment);
    add_path(command, "--save", plan_.save,
             "save the plan, for routing.plan; with --falsify the scenario [out/NAME_falsified.yaml]")
        ->type_name("PLAN");
    command.add_flag("--force", plan_.force, "replace existing files");
    PlanRequest& request = plan_.request;
    CLI::Option* bounds =
        command.add_flag("--bounds", request.bounds, "lower bounds for all plans: distance, cut, degree, flow");
    CLI::Option* optimal =
        command.add_flag("--optimal", request.optimal, "a shortest plan, with a proof that none is shorter");
    CLI::Option* length = command.add_option("--length", request.length, "search for a plan of this length")
                              ->check(plan_length)
                              ->excludes(optimal)
                              ->type_name("L");
    add_path(command, "--proof", request.proof,
             "write a DRAT proof that no plan is shorter (--optimal), or as short (--length), and FILE.cnf")
        ->type_name("FILE");
    command
        .add_option("--places", request.residents,
                    "number of packets that may wait in a node, for bounds and searches [routing.places]")
        ->check(CLI::Range(0, 1 << 20))
        ->type_name("K");
    command.add_option("--time", request.seconds, "time limit of bounds and searches in seconds")
        ->check(positive_seconds)
        ->type_name("S");
    command
        .add_flag(
            "--falsify", plan_.falsify,
            "search for a permutation whose plan exceeds its distance or the diameter, and write it as a scenario")
        ->excludes(bounds)
        ->excludes(optimal)
        ->excludes(length);
  }

  void add_regress() {
    regress_.jobs = usable_cores();
    CLI::App& command = add_command("regress", "run all scenarios in files and folders",
                                    [this] { return run_regression(catalogue_, regress_); });
    add_path(command, "PATH", regress_.paths, "scenario files and folders")->required();
    command.add_option("--jobs", regress_.jobs, "number of parallel processes")
        ->check(CLI::Range(1, 1024))
        ->type_name("N")
        ->default_str("one per core");
    command.add_option("--filter", regress_.filter, "only scenarios whose path contains this text")->type_name("TEXT");
    add_path(command, "--junit", regress_.junit, "write a report for build servers")->type_name("FILE");
    command.add_flag("--update", regress_.update, "write NAME.golden.json instead of comparing");
  }

  void add_verify() {
    CLI::App& command = add_command("verify", "check the trace and metrics of an output folder",
                                    [this] { return verify_output(*run_folder(), folder_); });
    add_path(command, "DIR", folder_, "folder written by starloom run --trace")->required();
  }

  void add_show() {
    CLI::App& command = add_command("show", "print one step or slot of a run", [this] {
      fmt::print("{}", run_folder()->show(step_));
      return Ending{};
    });
    add_path(command, "DIR", folder_, "folder written by starloom run --trace")->required();
    command.add_option("--step", step_, "the step, or slot, to show")->required()->check(step_number)->type_name("N");
  }

  void add_why() {
    CLI::App& command = add_command("why", "explain the latency of packets", [this] {
      why_.json = json_;
      return explain_waiting(*run_folder(), why_);
    });
    add_path(command, "DIR", folder_, "folder written by starloom run --trace")->required();
    CLI::Option* const packet = command.add_option("--packet", why_.packet, "this packet, instead of the slowest ones")
                                    ->check(packet_number)
                                    ->type_name("N");
    command.add_flag("--program", why_.program, "the chain of messages that made the run as long as it was")
        ->excludes(packet);
    command.add_flag("--json", json_, "machine-readable output");
  }

  void add_replay() {
    CLI::App& command = add_command("replay", "make a replay page for the browser", [this] {
      replay_.folder = folder_;
      return write_replay(*run_folder(), replay_);
    });
    add_path(command, "DIR", folder_, "folder written by starloom run --trace")->required();
    add_path(command, "--out", replay_.out, "the page [DIR/replay.html]")->type_name("FILE");
    command.add_option("--from", replay_.window.from, "first step or slot shown")->check(step_number)->type_name("N");
    command.add_option("--to", replay_.window.to, "step or slot after the last one shown")
        ->check(step_number)
        ->type_name("M");
  }

  /// The folder that a command reads.
  std::unique_ptr<RunFolder> run_folder() const { return open_run_folder(folder_, known_entries(catalogue_)); }

  void add_draw() {
    CLI::App& command =
        add_command("draw", "draw the network of an experiment", [this] { return draw_experiment(catalogue_, draw_); });
    add_experiment(command, draw_.experiment);
    command.add_option("--format", draw_.format, "svg: a picture; json: instances, ports and bindings")
        ->type_name("FORMAT")
        ->capture_default_str();
  }

  void add_list() {
    CLI::App& command = add_command("list", "list algorithms, routing functions, topologies and patterns", [this] {
      fmt::print("{}", json_ ? json_text(list_json(catalogue_)) : list_text(catalogue_));
      return Ending{};
    });
    command.add_flag("--json", json_, "machine-readable output");
  }

  void add_explain() {
    CLI::App& command = add_command("explain", "explain keys and metrics", [this] {
      if ((markdown_ || metrics_ || manual_) && key_)
        throw InputError("starloom explain: --markdown, --man and --figures print all of them; leave out KEY");
      if (manual_) fmt::print("{}", keys_manual(catalogue_));
      else if (markdown_) fmt::print("{}", metrics_ ? metrics_markdown(catalogue_) : keys_markdown(catalogue_));
      else fmt::print("{}", metrics_ ? explain_metrics(catalogue_) : explain_text(catalogue_, key_));
      return Ending{};
    });
    command.add_option("KEY", key_, "a key or metric, its last part, a section, or a name from starloom list");
    command.add_flag("--figures", metrics_, "all metrics of result.json");
    command.add_flag("--markdown", markdown_, "the page docs/keys.md; with --figures the tables of docs/output.md");
    command.add_flag("--man", manual_, "the manual page starloom(5), of all keys");
  }

  void add_help() {
    CLI::App& command = add_command("help", "print the help of a command", [this] {
      if (!helped_.empty()) throw InputError(help_of_all);
      fmt::print("{}", shell_ ? completion_script(app_, catalogue_, *shell_) : commands_manual(app_));
      return Ending{};
    });
    command.add_option("COMMAND", helped_, "a command [all commands]");
    CLI::Option* man = command.add_flag("--man", "the manual page starloom(1)");
    command.add_option("--completion", shell_, "a shell script that completes commands, options and keys")
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
    add_path(command, "FILE", campaign_.file, "campaign file");
    add_path(command, "--store", campaign_.store, "SQLite file for the runs [out/<file stem>.sqlite]")
        ->type_name("FILE");
    command.add_option("--jobs", campaign_.jobs, "number of parallel processes")
        ->check(CLI::Range(1, 1024))
        ->type_name("N")
        ->default_str("one per core");
    command.add_option("--shard", shard_, "run only part i of n, 0 <= i < n")->type_name("i/n");
    command.add_flag("--dry-run", campaign_.dry_run, "print the points and the number of completed runs");
    CLI::App& merge = *command.add_subcommand("merge", "merge the stores of several campaigns or shards");
    merge.group("Commands");
    merge.footer("");
    merge.allow_extras();
    add_path(merge, "STORE", sources_, "stores to merge")->required();
    add_path(merge, "--into", into_, "the resulting store, new or existing")->required()->type_name("FILE");
    merge.callback([this] { merging_ = true; });
  }

  void add_report() {
    CLI::App& command = add_command("report", "write tables and plots of a campaign, compare with references",
                                    [this] { return report_campaign(catalogue_, report_); });
    add_path(command, "FILE", report_.file, "campaign file")->required();
    add_path(command, "--store", report_.store, "SQLite file with the runs [out/<file stem>.sqlite]")
        ->type_name("FILE");
    add_path(command, "--out", report_.out, "folder for tables and plots [out/<file stem>]")->type_name("DIR");
  }

  void add_demo() {
    CLI::App& command = add_command("demo", "run a guided example", [this] { return run_demo(catalogue_, demo_); });
    add_path(command, "--out", demo_.out, "folder for the experiment and its results")
        ->type_name("DIR")
        ->capture_default_str();
    command.add_flag("--force", demo_.force, "replace the results of an earlier demo");
  }

  void add_saturate() {
    saturate_.jobs = usable_cores();
    CLI::App& command = add_command("saturate", "find the saturation throughput of a network",
                                    [this] { return saturate_experiment(catalogue_, saturate_); });
    add_experiment(command, saturate_.experiment);
    command.add_option("--figure", saturate_.metric, "key of the experiment that is the load")
        ->type_name("KEY")
        ->default_str("traffic.rate, from 0 to 1; traffic.scale of pattern: matrix");
    command.add_option("--within", saturate_.within, "uncertainty of the answer, 0.000001 to 0.25")
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
            "three-times-lightest: latency is 3 x zero-load latency; accepted-below-offered: accepted is 5 % below "
            "offered load")
        ->check(
            CLI::IsMember({std::string(saturation_definition_names[0]), std::string(saturation_definition_names[1])}))
        ->type_name("NAME")
        ->default_str(std::string(saturation_definition_names[0]));
    add_path(command, "--store", saturate_.store, "SQLite file for the runs [out/<file stem>.saturate.sqlite]")
        ->type_name("FILE");
    command.add_option("--jobs", saturate_.jobs, "number of parallel processes (same result)")
        ->check(CLI::Range(1, 1024))
        ->type_name("N")
        ->default_str("one per core");
  }

  void add_faults() {
    faults_.threads = usable_cores();
    CLI::App& command = add_command("faults", "find the dead cables or routers that cost a network most", [this] {
      if (random_) faults_.sets = {FaultSets::Kind::random_cables, *random_, random_runs_};
      return search_faults(catalogue_, faults_);
    });
    command.footer(
        "Examples:\n"
        "  starloom faults mesh.yaml                              each cable of the network\n"
        "  starloom faults mesh.yaml --singles routers\n"
        "  starloom faults mesh.yaml --random 4 --runs 1000       sets of 4 cables, drawn by 1000 seeds");
    add_experiment(command, faults_.experiment);
    CLI::Option* const singles = command
                                     .add_option_function<std::string>(
                                         "--singles",
                                         [this](const std::string& things) {
                                           faults_.sets.kind = things == "routers" ? FaultSets::Kind::single_routers
                                                                                   : FaultSets::Kind::single_cables;
                                         },
                                         "each cable, or each router")
                                     ->check(CLI::IsMember({"cables", "routers"}))
                                     ->type_name("cables|routers")
                                     ->default_str("cables");
    CLI::Option* const pairs =
        command
            .add_option_function<std::string>(
                "--pairs", [this](const std::string&) { faults_.sets.kind = FaultSets::Kind::pairs_of_cables; },
                "each pair of cables")
            ->check(CLI::IsMember({"cables"}))
            ->type_name("cables")
            ->excludes(singles);
    CLI::Option* const random = command.add_option("--random", random_, "sets of K cables, drawn at random")
                                    ->check(CLI::Range(0, std::numeric_limits<std::int32_t>::max()))
                                    ->type_name("K")
                                    ->excludes(singles)
                                    ->excludes(pairs);
    command.add_option("--runs", random_runs_, "number of random sets: one for each seed, from that of the file on")
        ->check(CLI::Range(std::int64_t{1}, FaultSearch::most_sets))
        ->type_name("N")
        ->needs(random)
        ->default_str(std::to_string(random_runs_));
    command.add_option("--threads", faults_.threads, "number of threads (same result)")
        ->check(CLI::Range(1, 1024))
        ->type_name("N")
        ->default_str("one per core");
    command.add_flag("--json", faults_.json, "machine-readable output");
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
  FaultsOptions faults_;
  std::optional<std::int64_t> random_;
  std::int64_t random_runs_ = 100;
  WhyOptions why_;
  ReplayOptions replay_;
  std::filesystem::path folder_;
  Step step_ = 0;
  bool json_ = false;
  std::optional<std::string> key_;
  bool markdown_ = false;
  bool metrics_ = false;
};

}  // namespace

Ending run_command(const Catalogue& catalogue, const std::vector<std::string>& words) {
  catalogue.check();
  return CommandLine(catalogue).run(join_trace_window(words));
}

}  // namespace starloom
