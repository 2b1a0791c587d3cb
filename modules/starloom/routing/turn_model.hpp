// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file The common base of the adaptive functions of meshes that forbid some turns.
#include <memory>
#include <string>
#include <utility>

#include <starloom/routing/grid_function.hpp>
#include <starloom/routing/rows_and_columns.hpp>

namespace starloom::routing {

/// All channels of some ports on shortest paths.
class TurnModel : public RoutingFunction {
 public:
  /// \param mesh of rows and columns, outlives the function.
  TurnModel(const Grid& mesh, ChannelRange channels) : mesh_(mesh), channels_(channels) {}

  void route(const Head& head, Choices& choices) const final {
    Offers offers(choices, channels_);
    if (head.node == head.destination) offers.add(mesh_.ports());
    else offer(Offset(mesh_, head.node, head.destination), head, offers);
  }
  bool adaptive() const final { return true; }

 protected:
  class Offers {
   public:
    Offers(Choices& choices, ChannelRange channels) : choices_(choices), channels_(channels) {}
    void add(Port port) { choices_.add(port, channels_.first, channels_.count); }

   private:
    Choices& choices_;
    ChannelRange channels_;
  };

  /// Adds the ports that a head may take before its destination, at least one.
  virtual void offer(const Offset& to, const Head& head, Offers& offers) const = 0;
  const Grid& mesh() const { return mesh_; }

 private:
  const Grid& mesh_;
  ChannelRange channels_;
};

template <class Model>
FunctionEntry turn_model_entry(std::string name, std::string meaning) {
  FunctionEntry entry;
  entry.name = std::move(name);
  entry.meaning = std::move(meaning);
  entry.serves = {{"mesh"}, {"concentrated-mesh"}};
  entry.rows_and_columns = true;
  entry.make = [](const FunctionContext& context, const KeyValues&) {
    return on_network(context, std::make_unique<Model>(*grid_in(*context.network), context.all_channels()));
  };
  return entry;
}

}  // namespace starloom::routing
