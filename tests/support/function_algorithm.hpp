#pragma once
/// \file An algorithm whose controllers all call one function: for tests that need a node to do one odd thing.
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <starloom/controllers/links/algorithm.hpp>

namespace starloom::links {

/// `View` is FlitView or WormView, `Base` the controller class that goes with it.
template <class Base, class View>
class FunctionAlgorithm final : public Algorithm {
 public:
  using Function = std::function<void(View&)>;

  FunctionAlgorithm(const Grid& topology, Declaration declaration, Function function)
      : Algorithm(std::move(declaration)), nodes_(topology.nodes()), function_(std::move(function)) {}

  std::unique_ptr<ControllerBank> make_controllers() const override {
    return std::make_unique<ControllerBankOf<FunctionController>>(
        std::vector<FunctionController>(static_cast<std::size_t>(nodes_), FunctionController(function_)));
  }

 private:
  class FunctionController final : public Base {
   public:
    explicit FunctionController(Function function) : function_(std::move(function)) {}
    void step(View& view) override { function_(view); }

   private:
    Function function_;
  };

  NodeId nodes_;
  Function function_;
};

using FlitFunction = FunctionAlgorithm<FlitController, FlitView>;
using WormFunction = FunctionAlgorithm<WormController, WormView>;

}  // namespace starloom::links
