// SPDX-License-Identifier: Apache-2.0
#include <starloom/control/allocators.hpp>

#include <algorithm>

#include <starloom/control/number_set.hpp>
#include <starloom/support/error.hpp>

namespace starloom {
namespace {

class CheckedAllocator final : public Allocator {
 public:
  CheckedAllocator(std::string name, const PartSize& size, std::unique_ptr<Allocator> allocator)
      : name_(std::move(name)), size_(size), allocator_(std::move(allocator)), ins_(size.inputs), outs_(size.outputs) {}

  std::unique_ptr<Allocator> clone() const override {
    std::unique_ptr<Allocator> allocator = allocator_->clone();
    if (allocator == nullptr) throw ContractError("allocator " + name_ + ": its clone() returns none");
    return std::make_unique<CheckedAllocator>(name_, size_, std::move(allocator));
  }
  void allocate(const Request* requests, std::size_t count, std::vector<Request>& grants) override {
    allocator_->allocate(requests, count, grants);
    ins_.clear();
    outs_.clear();
    const auto before = [](const Request& a, const Request& b) { return a.out != b.out ? a.out < b.out : a.in < b.in; };
    for (const Request& grant : grants) {
      if (!std::binary_search(requests, requests + count, grant, before)) refuse(grant, ", which does not request it");
      if (!ins_.add(grant.in)) refuse(grant, ", which has another output in the same step");
      if (!outs_.add(grant.out)) refuse(grant, ", and to another input in the same step");
    }
  }

 private:
  [[noreturn]] void refuse(const Request& grant, const std::string& error) const {
    throw ContractError("allocator " + name_ + " of " + std::to_string(size_.inputs) + " inputs and " +
                        std::to_string(size_.outputs) + " outputs: it gives output " + std::to_string(grant.out) +
                        " to input " + std::to_string(grant.in) + error);
  }

  const std::string name_;
  const PartSize size_;
  const std::unique_ptr<Allocator> allocator_;
  NumberSet ins_, outs_;  ///< of the grants of a step
};

}  // namespace

AllocatorEntry checked(AllocatorEntry entry) {
  if (!entry.make) return entry;  // the catalogue is refused
  entry.built_in = false;
  entry.make = [make = entry.make, name = entry.name](const PartSize& size, const MakeArbiter& make_arbiter,
                                                      const KeyValues& keys) {
    std::unique_ptr<Allocator> allocator = make(size, make_arbiter, keys);
    if (allocator == nullptr) throw InputError("allocator " + name + ": its entry makes none");
    return std::make_unique<CheckedAllocator>(name, size, std::move(allocator));
  };
  return entry;
}

std::vector<AllocatorEntry> standard_allocators() {
  AllocatorEntry piggyback{"piggyback", "channels: a speculative head that wins the switch takes a free channel there"};
  piggyback.switches = false;
  piggyback.piggyback = true;
  return {islip_entry(),     priority_islip_entry(), input_first_entry(),   output_first_entry(),
          wavefront_entry(), wavefront_skip_entry(), lonely_output_entry(), piggyback};
}

}  // namespace starloom
