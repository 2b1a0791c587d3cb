// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/campaign_keys.hpp>

namespace starloom {

KeySpec runs_key() { return integer_key("runs", "number of runs of each point").by_default(1).within(1, 1e9); }

const std::vector<KeySpec>& plain_campaign_keys() {
  static const std::vector<KeySpec> keys = {
      integer_key("schema", "version of this file format").within(1, 1).is_required(),
      text_key("name", "name of the campaign; default: the name of the file"), runs_key()};
  return keys;
}

const std::vector<SectionSpec>& campaign_sections() {
  static const std::vector<SectionSpec> sections = {
      {"base", "the experiment that the axes change", false, {}},
      {"experiment", "file of the experiment, instead of base", false, {}},
      {"axes",
       "keys of the experiment, each with a list of values or a range {from, to, step} or {from, to, factor}; "
       "every combination is a point",
       false,
       {}},
      {"zip", "axes with parallel lists: the first values form a point, the second values the next", false, {}},
      {"keep", "paths of result.json to store, or all; required", true, {}},
      {"reference",
       "a list of reference values; `at` identifies the point by its axes",
       false,
       {text_key("figure", "metric: a path of result.json that keep stores").is_required(),
        number_key("value", "reference value for the mean of all runs").is_required(),
        number_key("tolerance", "greatest allowed difference from the mean; default: none, the reference is only shown")
            .at_least(0),
        text_key("source", "source of the reference value")}},
      {"plot",
       "a list of plots, which may be empty; default: one plot for each metric",
       false,
       {text_key("x", "an axis, or a stored metric; default: the first numeric axis with several values"),
        text_key("y", "a stored metric, or a list of them; up to two units, the second on the right").is_required(),
        text_key("series", "an axis, or a list of axes, shown by colour; default: all axes except x"),
        text_key("log", "list of logarithmic axes: x, y"),
        text_key("range", "limits of the axes: {x: [low, high], y: [low, high]}; default: the range of the data"),
        choice_key("until", {"saturation", "end"},
                   "where a curve ends: with a mark where runs do not complete (saturation), or never; default: "
                   "saturation for latencies"),
        boolean_key("pareto",
                    "true: a point for each point of the campaign, with the Pareto front; x and y are metrics of which "
                    "less is better")
            .by_default(false),
        text_key("format", "list of formats: svg, png, pdf; default: svg and png")}},
      {"table",
       "list of tables of means",
       false,
       {text_key("rows", "an axis, or a list of axes").is_required(),
        text_key("columns", "an axis, or a list of axes").is_required(),
        text_key("figure", "a stored metric").is_required(),
        text_key("format", "list of formats: markdown, csv, latex; default: markdown")}},
      {"limits",
       "limits of a run",
       false,
       {number_key("seconds", "time limit of a run, which then counts as failed").within(0.001, 1e9).measured_in("s")}},
  };
  return sections;
}

}  // namespace starloom
