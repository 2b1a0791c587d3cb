// SPDX-License-Identifier: Apache-2.0
#include <starloom/algorithms/schedule_player/schedule_player.hpp>

#include <algorithm>

#include <starloom/algorithms/links/one_packet_each.hpp>
#include <starloom/algorithms/schedule_player/one_bend_controller.hpp>
#include <starloom/algorithms/schedule_player/timetable_controllers.hpp>
#include <starloom/planning/links/schedules.hpp>
#include <starloom/support/error.hpp>

namespace starloom::links {
namespace {

Declaration declare(const SchedulePlayer::Setup& setup) {
  Declaration d;
  d.most_flits = setup.plan.flits;
  d.program_end = setup.plan.length() + 1;
  if (setup.style == PlayStyle::staying) {
    d.storage = StorageModel::store_and_forward;
    if (setup.residents.size() == 1) d.bound = static_cast<std::int32_t>(setup.residents.front());
    else d.residents.assign(setup.residents.begin(), setup.residents.end());
    d.buffers = BufferSide::out_ports;
  } else {
    d.storage = StorageModel::never_standing;
  }
  if (setup.style == PlayStyle::one_bend) d.state = OneBendController::state_fields();
  return d;
}

template <class T>
std::unique_ptr<ControllerArray> with_parts(const Timetable& timetable, std::size_t nodes) {
  std::vector<T> controllers;
  controllers.reserve(nodes);
  while (controllers.size() < nodes) controllers.emplace_back(timetable.part(static_cast<NodeId>(controllers.size())));
  return controllers_of(std::move(controllers));
}

}  // namespace

SchedulePlayer::SchedulePlayer(Setup setup) : Algorithm(declare(setup)), setup_(std::move(setup)) {
  if (setup_.style != PlayStyle::one_bend) timetable_.emplace(*setup_.topology, setup_.packets, setup_.plan);
}

std::unique_ptr<ControllerArray> SchedulePlayer::make_controllers() const {
  const auto nodes = static_cast<std::size_t>(setup_.topology->nodes());
  if (setup_.style == PlayStyle::moving) return with_parts<MovingTimetableController>(*timetable_, nodes);
  if (setup_.style == PlayStyle::staying) return with_parts<StayingTimetableController>(*timetable_, nodes);
  std::vector<OneBendController> controllers(nodes);
  for (std::size_t p = 0; p < setup_.packets.size(); ++p) {
    const Journey& journey = setup_.plan.journeys[p];
    if (journey.moves.empty()) continue;
    const bool vertical = setup_.topology->axis_of(journey.moves.front()) == 0;
    controllers[static_cast<std::size_t>(setup_.packets[p].source)] =
        OneBendController(journey.start, vertical ? OneBendController::vertical : OneBendController::horizontal);
  }
  return controllers_of(std::move(controllers));
}

std::map<std::string, double> SchedulePlayer::metrics() const {
  const auto unplanned = std::count_if(setup_.plan.journeys.begin(), setup_.plan.journeys.end(),
                                       [](const Journey& journey) { return !journey.planned(); });
  const Step length = setup_.plan.length();
  std::map<std::string, double> metrics = {{"length", static_cast<double>(length)},
                                           {"unplanned", static_cast<double>(unplanned)}};
  if (unplanned > 0) return metrics;
  const Step least = greatest_distance(*setup_.topology, setup_.packets) + setup_.plan.flits - 1;
  metrics["gap"] = length == 0 ? 0 : static_cast<double>(length - least);
  return metrics;
}

std::optional<ScheduleSpace> SchedulePlayer::schedules() const {
  ScheduleSpace space{setup_.scheme, {0}, setup_.plan.flits};
  if (!setup_.residents.empty()) space.residents = setup_.residents;
  return space;
}

std::vector<MetricSpec> plan_metrics() {
  return {
      integer_metric("gap", "steps", "length of the plan above the longest distance of a packet")
          .only("all packets are planned"),
      integer_metric("length", "steps", "length of the plan"),
      integer_metric("unplanned", "packets", "number of packets that the plan leaves out"),
  };
}

const std::vector<Packet>& packets_to_plan(const AlgorithmContext& context, const std::string& algorithm) {
  if (context.ranks) throw InputError(algorithm + " does not plan ranges of ranks; multistage does");
  if (context.packets == nullptr)
    throw InputError(algorithm +
                     " plans all packets before the run, so its traffic must end: choose a pattern without rate");
  for (std::size_t p = 0; p < context.packets->size(); ++p)
    check_created_at_once(*context.packets, p, algorithm + " plans for");
  return *context.packets;
}

const std::vector<Packet>& one_packet_each_to_plan(const AlgorithmContext& context, const std::string& algorithm) {
  const std::vector<Packet>& packets = packets_to_plan(context, algorithm);
  check_one_packet_each(context.grid(), packets, algorithm + " plans for");
  return packets;
}

}  // namespace starloom::links
