// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file Arrays of many megabytes.
#include <sys/mman.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <type_traits>

namespace starloom::pops {

/// Memory of a few huge pages or more.
inline constexpr std::size_t large_memory = std::size_t{4} << 20;

/// Asks the system for huge pages in large memory that has not been accessed yet; only advice, so a refusal has no
/// effect.
inline void request_huge_pages(void* memory, std::size_t bytes) {
  if (bytes < large_memory) return;
  constexpr std::uintptr_t page = 4096;
  const std::uintptr_t first = (reinterpret_cast<std::uintptr_t>(memory) + page - 1) / page * page;
  const std::uintptr_t end = reinterpret_cast<std::uintptr_t>(memory) + bytes;
  if (end > first) madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);
}

/// Maps the pages of [`begin`, `end`), which will all be written, if there are many: one thread for each part of an
/// array is faster than one that writes all. Also only advice.
inline void take_pages(void* begin, void* end) {
#ifdef MADV_POPULATE_WRITE
  constexpr std::uintptr_t page = 4096;
  const std::uintptr_t first = reinterpret_cast<std::uintptr_t>(begin) / page * page;
  const std::size_t bytes = reinterpret_cast<std::uintptr_t>(end) - first;
  if (bytes >= large_memory) madvise(reinterpret_cast<void*>(first), bytes, MADV_POPULATE_WRITE);
#endif
}

/// Numbers or plain structures, uninitialised: a page is mapped when it is first written. Large arrays ask the system
/// for huge pages, which saves most page faults and TLB misses.
template <class T>
class BigArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  explicit BigArray(std::size_t size) : memory_(take(size), Unmapper{size}) {}
  /// All zero, without a mapped page if it is large.
  static BigArray zeros(std::size_t size) {
    BigArray array(size);
    if (!large(size)) std::fill(array.begin(), array.end(), T{});
    return array;
  }

  std::size_t size() const { return memory_.get_deleter().size; }
  T* data() { return memory_.get(); }
  const T* data() const { return memory_.get(); }
  T* begin() { return data(); }
  T* end() { return data() + size(); }
  T& operator[](std::size_t at) { return data()[at]; }
  const T& operator[](std::size_t at) const { return data()[at]; }

 private:
  static bool large(std::size_t size) { return size * sizeof(T) >= large_memory; }
  static T* take(std::size_t size) {
    if (!large(size)) return static_cast<T*>(::operator new(size * sizeof(T)));
    void* block = mmap(nullptr, size * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) throw std::bad_alloc();
    request_huge_pages(block, size * sizeof(T));
    return static_cast<T*>(block);
  }
  struct Unmapper {
    std::size_t size;
    void operator()(T* block) const {
      if (large(size)) munmap(block, size * sizeof(T));
      else ::operator delete(block);
    }
  };

  std::unique_ptr<T, Unmapper> memory_;
};

}  // namespace starloom::pops
