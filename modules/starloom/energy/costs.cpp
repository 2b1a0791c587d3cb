// SPDX-License-Identifier: Apache-2.0
#include <starloom/energy/costs.hpp>

#include <algorithm>
#include <cmath>

#include <starloom/support/numbers.hpp>

namespace starloom::energy {
namespace {

/// A mJ for an event, a MW, a square metre. Such numbers have exact doubles, and few of them fit into 64 bits in sum.
constexpr double greatest_value = 1e15;

double to_whole(double value) { return std::floor(value + 0.5); }

std::string described(const RouterSize& size) {
  return "a router of " + std::to_string(size.ports) + " ports, " + counted(size.channels, "channel") + " and " +
         counted(size.places, "place") + " a port, with flits of " + counted(size.bits, "bit");
}

std::string described(const LinkSize& size) {
  return "a link of " + decimal(size.millimetres) + " mm, with flits of " + counted(size.bits, "bit");
}

}  // namespace

Costs::Costs(const Table& table, const Conditions& conditions) : table_(table), conditions_(conditions) {
  const double voltage = conditions.vdd ? *conditions.vdd / *table.vdd : 1;
  dynamic_factor_ = voltage * voltage;
  leakage_factor_ =
      voltage * (conditions.temperature_k ? std::pow(10, (*conditions.temperature_k - *table.temperature_k) / 100) : 1);
}

std::int64_t Costs::rounded(const Section& section, std::string_view component, double value, const std::string& what) {
  const double whole = to_whole(value);
  if (value >= 0 && whole <= greatest_value) return static_cast<std::int64_t>(whole);
  failures_.insert({&section, std::string(component),
                    std::string(component) + " is " +
                        (value < 0 ? "negative, " + decimal(value / section.unit) + "," : "too large") + " for " +
                        what});
  return 0;
}

std::int64_t Costs::energy(std::string_view component, const Size& size, const std::string& what, double n,
                           bool keeps_activity) {
  const Section& section = table_.energy;
  const double value = section.at(component).formula.at(size, n) * section.unit;
  std::int64_t whole = rounded(section, component, value, what);
  if (component == "crossbar" || (component == "link" && !keeps_activity))
    whole = rounded(section, component, static_cast<double>(whole) * conditions_.activity / table_.activity, what);
  return rounded(section, component, static_cast<double>(whole) * dynamic_factor_, what);
}

std::int64_t Costs::arbiter(const Size& size, const std::string& what, double n) {
  return n < 2 ? 0 : energy("arbiter", size, what, n);
}

std::int64_t Costs::multiple(const Section& section, std::string_view component, std::int64_t value, int count,
                             const std::string& what) {
  return rounded(section, component, static_cast<double>(value) * count, what);
}

std::int64_t Costs::leakage(std::string_view component, const Size& size, const std::string& what, int count) {
  const Section& section = table_.leakage;
  const std::int64_t whole = rounded(section, component, section.at(component).formula.at(size) * section.unit, what);
  const std::int64_t scaled = rounded(section, component, static_cast<double>(whole) * leakage_factor_, what);
  return multiple(section, component, scaled, count, what);
}

std::int64_t Costs::area(std::string_view component, const Size& size, const std::string& what, int count) {
  const Section& section = table_.area;
  const std::int64_t whole = rounded(section, component, section.at(component).formula.at(size) * section.unit, what);
  return multiple(section, component, whole, count, what);
}

Cost Costs::router(const RouterSize& of) {
  const std::string what = described(of);
  const Size size{static_cast<double>(of.bits), static_cast<double>(of.places), static_cast<double>(of.ports),
                  static_cast<double>(of.channels)};
  const bool buffered = of.places > 0, allocates = of.allocates_channels && conditions_.channel_allocator;
  Cost cost;
  const auto set = [&cost](Event event, std::int64_t value) { cost.energy[static_cast<std::size_t>(event)] = value; };
  if (buffered) {
    set(Event::buffer_write, energy("buffer_write", size, what));
    set(Event::buffer_read, energy("buffer_read", size, what));
  } else {
    set(Event::latch, energy("register", size, what));
  }
  set(Event::crossbar, energy("crossbar", size, what));
  set(Event::clock, energy("clock", size, what));
  set(Event::switch_grant, arbiter(size, what, of.channels) + arbiter(size, what, of.ports));
  if (allocates)
    set(Event::channel,
        arbiter(size, what, static_cast<double>(of.ports) * of.channels) + arbiter(size, what, of.channels));
  if (table_.energy.has("route")) set(Event::route, energy("route", size, what));
  const auto fill = [&](BySilicon& values, const auto& value_of) {
    const auto put = [&](Silicon part, std::int64_t value) { values[static_cast<std::size_t>(part)] = value; };
    put(Silicon::buffers, value_of(buffered ? "buffer" : "register", of.ports));
    put(Silicon::crossbar, value_of("crossbar"));
    put(Silicon::switch_allocator, value_of("switch_allocator"));
    put(Silicon::channel_allocator, allocates ? value_of("channel_allocator") : 0);
    put(Silicon::clock, value_of("clock"));
  };
  fill(cost.leakage, [&](std::string_view component, int count = 1) { return leakage(component, size, what, count); });
  fill(cost.area, [&](std::string_view component, int count = 1) { return area(component, size, what, count); });
  return cost;
}

Cost Costs::link(const LinkSize& of) {
  const std::string what = described(of);
  const auto size_of = [&of](int wires) { return Size{static_cast<double>(wires), 0, 0, 0, of.millimetres}; };
  const Size flit = size_of(of.bits), all = size_of(of.bits + of.credit_wires);
  Cost cost;
  const auto links = static_cast<std::size_t>(Silicon::links);
  std::int64_t& crossing = cost.energy[static_cast<std::size_t>(Event::link)];
  if (conditions_.counts_toggles) cost.wires = energy("link", flit, what, 0, true);
  else crossing = energy("link", flit, what);
  if (of.credit_wires > 0)
    cost.energy[static_cast<std::size_t>(Event::credit)] = energy("link", size_of(of.credit_wires), what);
  cost.leakage[links] = leakage("link", all, what);
  cost.area[links] = area("link", all, what);
  if (of.registers > 0) {
    crossing += multiple(table_.energy, "register", energy("register", flit, what), of.registers, what);
    cost.leakage[links] += leakage("register", flit, what, of.registers);
    cost.area[links] += area("register", flit, what, of.registers);
  }
  return cost;
}

std::int64_t Costs::assumed_toggles(int bits) const {
  return std::max<std::int64_t>(1, std::llround(bits * table_.activity * 1e6));
}

}  // namespace starloom::energy
