// SPDX-License-Identifier: Apache-2.0
#include <starloom/campaign/campaign_keys.hpp>

namespace starloom {

KeySpec runs_key() { return integer_key("runs", "runs of every point").by_default(1).within(1, 1e9); }

const std::vector<KeySpec>& plain_campaign_keys() {
  static const std::vector<KeySpec> keys = {
      integer_key("schema", "version of this file format").within(1, 1).is_required(),
      text_key("name", "name of the campaign; not given: that of the file"), runs_key()};
  return keys;
}

const std::vector<SectionSpec>& campaign_sections() {
  static const std::vector<SectionSpec> sections = {
      {"base", "the experiment that the axes change", false, {}},
      {"experiment", "its file, in place of base", false, {}},
      {"axes",
       "keys of the experiment, each with a list of values or a range {from, to, step} or {from, to, factor}; "
       "every combination is a point",
       false,
       {}},
      {"zip", "axes with parallel lists: their first values together, their second values together", false, {}},
      {"keep", "paths of result.json to store, or all; required", true, {}},
      {"reference",
       "a list of values from elsewhere; `at` names the point by its axes",
       false,
       {text_key("figure", "path of result.json, among those kept").is_required(),
        number_key("value", "what the mean over the runs is compared with").is_required(),
        number_key("tolerance", "how far the mean may be away; not given: it is shown, not judged").at_least(0),
        text_key("source", "where the value is from")}},
      {"plot",
       "a list of pictures of what was found; not given: one of each figure",
       false,
       {text_key("x", "an axis, or a figure that is kept; not given: the first axis of numbers with several values"),
        text_key("y", "a figure that is kept, or a list of them: up to two units, the second on the right")
            .is_required(),
        text_key("series", "an axis, or a list of axes, that decides the colour; not given: all axes but x"),
        text_key("log", "a list of the logarithmic axes, x and y"),
        text_key("range", "ends of the axes: {x: [low, high], y: [low, high]}; not given: those of the data"),
        choice_key("until", {"saturation", "end"},
                   "curves end where runs do not complete, with a mark, or go on; not given: saturation for latencies"),
        text_key("format", "a list of svg, png, pdf; not given: svg and png")}},
      {"table",
       "a list of tables of means",
       false,
       {text_key("rows", "an axis, or a list of axes").is_required(),
        text_key("columns", "an axis, or a list of axes").is_required(),
        text_key("figure", "a figure that is kept").is_required(),
        text_key("format", "a list of markdown, csv, latex; not given: markdown")}},
      {"limits",
       "when a run is given up",
       false,
       {number_key("seconds", "a run that takes longer is given up").within(0.001, 1e9).measured_in("s")}},
  };
  return sections;
}

}  // namespace starloom
