// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <tuple>

#include <starloom/control/allocators.hpp>
#include <starloom/control/number_set.hpp>

namespace starloom {
namespace {

/// The requests are the cells of a matrix of inputs and outputs. From one diagonal on, which is another one in each
/// step, all requests of a diagonal are granted whose input and output are free; no two of them exclude each other.
/// Requests of greater priority come first, of the output, then of the input. Y. Tamir and H.-C. Chi, "Symmetric
/// Crossbar Arbiters for VLSI Communication Switches", IEEE Trans. Parallel and Distributed Systems 4(1), 1993.
class WavefrontAllocator final : public Allocator {
 public:
  /// \param skip the next step begins behind the diagonal of the first grant, not behind that of this step.
  WavefrontAllocator(const PartSize& size, bool skip)
      : diagonals_(std::max(size.inputs, size.outputs)), skip_(skip), ins_(size.inputs), outs_(size.outputs) {}

  std::unique_ptr<Allocator> clone() const override { return std::make_unique<WavefrontAllocator>(*this); }

  void allocate(const Request* requests, std::size_t count, std::vector<Request>& grants) override {
    sorted_.assign(requests, requests + count);
    std::sort(sorted_.begin(), sorted_.end(), [this](const Request& a, const Request& b) {
      const auto turn = [this](const Request& request) {
        return std::tuple(-request.out_priority, -request.in_priority, distance(request), request.in);
      };
      return turn(a) < turn(b);
    });
    ins_.clear();
    outs_.clear();
    for (const Request& request : sorted_) {
      if (ins_.has(request.in) || outs_.has(request.out)) continue;
      ins_.add(request.in);
      outs_.add(request.out);
      grants.push_back(request);
    }
    first_ = ((skip_ ? sorted_.front().in + sorted_.front().out : first_) + 1) % diagonals_;
  }

 private:
  /// Diagonals from the first one of the step to that of a request.
  int distance(const Request& request) const { return (request.in + request.out - first_ + diagonals_) % diagonals_; }

  int diagonals_;
  bool skip_;
  int first_ = 0;                  ///< diagonal with which the step begins
  std::vector<Request> sorted_{};  ///< of a step
  NumberSet ins_, outs_;           ///< of the grants of a step
};

AllocatorEntry entry_of(const char* name, const char* meaning, bool skip) {
  AllocatorEntry entry{name, meaning};
  entry.make = [skip](const PartSize& size, const MakeArbiter&, const KeyValues&) {
    return std::make_unique<WavefrontAllocator>(size, skip);
  };
  return entry;
}

}  // namespace

AllocatorEntry wavefront_entry() {
  return entry_of("wavefront", "all requests of a diagonal of the matrix of requests, diagonal by diagonal", false);
}

AllocatorEntry wavefront_skip_entry() {
  return entry_of("wavefront-skip", "wavefront that begins behind the diagonal of the first grant of the last step",
                  true);
}

}  // namespace starloom
