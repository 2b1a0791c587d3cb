// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file An algorithm whose controllers all call one function: for tests that need a node with unusual behaviour.
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <starloom/control/links/algorithm.hpp>
#include <starloom/router/channel_controller.hpp>

namespace starloom::links {

/// Diagnoses assume dimension order. `View` is FlitView, ChannelView<1> or WormView, `Base` the corresponding
/// controller class.
template <class Base, class View>
class FunctionAlgorithm final : public Algorithm {
 public:
  using Function = std::function<void(View&)>;

  FunctionAlgorithm(const Grid& topology, Declaration declaration, Function function)
      : Algorithm(std::move(declaration)), topology_(topology), function_(std::move(function)) {}

  std::unique_ptr<ControllerArray> make_controllers() const override {
    return controllers_like(FunctionController(function_), topology_.nodes());
  }
  Port next_port(NodeId at, const Flit& head) const override {
    return topology_.dimension_order_port(at, head.destination);
  }

 private:
  class FunctionController final : public Base {
   public:
    explicit FunctionController(Function function) : function_(std::move(function)) {}
    void step(View& view) override { function_(view); }

   private:
    Function function_;
  };

  Grid topology_;
  Function function_;
};

using FlitFunction = FunctionAlgorithm<FlitController, FlitView>;
using ChannelFunction = FunctionAlgorithm<ChannelController<1>, ChannelView<1>>;
using WormFunction = FunctionAlgorithm<WormController, WormView>;

}  // namespace starloom::links
