// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file `netlist.json`: the modules of a network and the bindings of their ports, for any kind of network.
#include <fmt/format.h>

#include <cstring>
#include <iterator>
#include <string>
#include <systemc>

namespace starloom {

/// A module's or port's name below the network: `node_r00_c01.out`.
inline std::string name_below(const sc_core::sc_module& network, const sc_core::sc_object& object) {
  return object.name() + std::strlen(network.name()) + 1;
}

/// A JSON array with each element on its own line.
class JsonLines {
 public:
  template <class... Parts>
  void add(const char* format, const Parts&... parts) {
    text_ += text_.empty() ? "\n    {" : ",\n    {";
    fmt::format_to(std::back_inserter(text_), fmt::runtime(format), parts...);
    text_ += '}';
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

/// JSON with a line for each element of `instances` {name, module, parameters of the module}, `ports` {name,
/// direction, side} and `bindings` {port, channel}. Names are those of SystemC below the network.
class NetlistWriter {
 public:
  explicit NetlistWriter(const sc_core::sc_module& network) : network_(network) {}

  /// `parts`: the text after the name and the module.
  template <class... Parts>
  void instance(const sc_core::sc_object& object, const char* module, const char* format = "", const Parts&... parts) {
    instances_.add(R"("name": "{}", "module": "{}"{})", name(object), module,
                   fmt::format(fmt::runtime(format), parts...));
  }
  /// The k-th binding of a port. `side`: of a link, else empty.
  void bind(const sc_core::sc_object& port, int k, const char* direction, const std::string& side,
            const sc_core::sc_object& channel) {
    const std::string its_name = fmt::format("{}[{}]", name(port), k);
    ports_.add(R"("name": "{}", "direction": "{}"{})", its_name, direction,
               side.empty() ? "" : fmt::format(R"(, "side": "{}")", side));
    bindings_.add(R"("port": "{}", "channel": "{}")", its_name, name(channel));
  }

  std::string text() const {
    return fmt::format(
        "{{\n  \"schema\": 1,\n  \"instances\": [{}\n  ],\n  \"ports\": [{}\n  ],\n  \"bindings\": [{}\n  ]\n}}\n",
        instances_.text(), ports_.text(), bindings_.text());
  }

 private:
  std::string name(const sc_core::sc_object& object) const { return name_below(network_, object); }

  const sc_core::sc_module& network_;
  JsonLines instances_;
  JsonLines ports_;
  JsonLines bindings_;
};

}  // namespace starloom
