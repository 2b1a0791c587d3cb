// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/schedule_player/loaded_plan.hpp>
#include <starloom/schema/config_error.hpp>

#include <algorithm>
#include <fstream>
#include <optional>
#include <sstream>

#include <starloom/algorithms/links/one_packet_each.hpp>
#include <starloom/planning/links/multistage/earliest_arrival.hpp>
#include <starloom/planning/links/saved_plan.hpp>
#include <starloom/schema/data_file.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

std::string contents(const std::filesystem::path& file) {
  if (const std::string why = why_unreadable(file); !why.empty())
    throw ConfigError("plan", file.string() + ": cannot be read: " + why);
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw ConfigError("plan", file.string() + ": cannot be read");
  return text.str();
}

std::string shape_text(const Grid& grid) {
  std::string text = grid.kind_name();
  for (int axis = 0; axis < grid.dimensions(); ++axis)
    text += (axis == 0 ? " " : " x ") + std::to_string(grid.side(axis));
  return text;
}

void check_fit(const AlgorithmContext& context, const std::vector<Packet>& packets, const SavedPlan& saved,
               const std::string& file) {
  if (saved.grid.kind() != context.grid().kind() || saved.grid.shape() != context.grid().shape())
    throw InputError(file + ": this plan is for a " + shape_text(saved.grid) + ", not for a " +
                     shape_text(context.grid()));
  if (saved.packets.size() != packets.size())
    throw InputError(file + ": this plan is for " + std::to_string(saved.packets.size()) +
                     " packets, but the traffic has " + std::to_string(packets.size()));
  for (std::size_t p = 0; p < packets.size(); ++p) {
    const Packet &planned = saved.packets[p], &packet = packets[p];
    if (planned.source == packet.source && planned.destination == packet.destination && planned.flits == packet.flits)
      continue;
    const auto text = [](const Packet& of) {
      return std::to_string(of.source) + " to " + std::to_string(of.destination) + " with " + std::to_string(of.flits) +
             (of.flits == 1 ? " flit" : " flits");
    };
    throw InputError(file + ": packet " + std::to_string(p) + " goes from " + text(planned) +
                     " in this plan, but from " + text(packet) + " in the traffic");
  }
}

/// A packet that stays in a node on its path, or none.
std::optional<std::size_t> staying_packet(const Plan& plan) {
  for (std::size_t p = 0; p < plan.journeys.size(); ++p)
    if (const auto& moves = plan.journeys[p].moves; std::find(moves.begin(), moves.end(), no_port) != moves.end())
      return p;
  return std::nullopt;
}

/// The style that needs the least knowledge in each node.
PlayStyle style_of(const SavedPlan& saved) {
  if (first_segments(saved.grid, saved.packets, saved.plan)) return PlayStyle::one_bend;
  return staying_packet(saved.plan) ? PlayStyle::staying : PlayStyle::moving;
}

}  // namespace

KeySpec plan_key() {
  return file_key("plan",
                  "a saved plan to follow (starloom plan --save); all other keys except places are then ignored");
}

SchedulePlayer::Setup load_plan(const AlgorithmContext& context, const std::string& file, const std::string& algorithm,
                                std::optional<PathScheme> scheme, const std::vector<std::int64_t>& residents) {
  const std::filesystem::path path = context.folder / file;
  SavedPlan saved = read_saved_plan(contents(path), path.string());
  SchedulePlayer::Setup setup;
  setup.topology = &context.grid();
  setup.packets = packets_to_plan(context, algorithm);
  check_fit(context, setup.packets, saved, path.string());
  setup.style = style_of(saved);
  if (setup.style == PlayStyle::staying)
    check_one_packet_each(context.grid(), setup.packets, algorithm + " with places plans for");
  else if (several_of_one_source(context.grid().nodes(), setup.packets)) setup.style = PlayStyle::moving;
  check_residents(context.grid(), residents);
  if (setup.style == PlayStyle::staying &&
      std::all_of(residents.begin(), residents.end(), [](auto most) { return most == 0; }))
    throw InputError(path.string() + ": packet " + std::to_string(*staying_packet(saved.plan)) +
                     " waits in a node on its path, but no node has waiting places; set places (multistage)");
  setup.residents = residents;
  setup.scheme = scheme;
  setup.plan = std::move(saved.plan);
  return setup;
}

}  // namespace starloom::links
