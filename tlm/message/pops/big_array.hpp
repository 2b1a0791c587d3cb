#pragma once
/// \file Arrays of many megabytes.
#include <sys/mman.h>

#include <cstddef>
#include <memory>
#include <new>
#include <type_traits>

namespace starloom::pops {

/// Numbers or plain structures, not initialised: a page is taken when it is first written. Arrays of a few huge pages
/// or more ask the system for such, which saves most faults and much of the search for pages.
template <class T>
class BigArray {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  explicit BigArray(std::size_t size) : memory_(take(size), GiveBack{size}) {}

  std::size_t size() const { return memory_.get_deleter().size; }
  T* data() { return memory_.get(); }
  const T* data() const { return memory_.get(); }
  T* begin() { return data(); }
  T* end() { return data() + size(); }
  T& operator[](std::size_t at) { return data()[at]; }
  const T& operator[](std::size_t at) const { return data()[at]; }

 private:
  static bool large(std::size_t size) { return size * sizeof(T) >= std::size_t{4} << 20; }
  static T* take(std::size_t size) {
    if (!large(size)) return static_cast<T*>(::operator new(size * sizeof(T)));
    void* block = mmap(nullptr, size * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (block == MAP_FAILED) throw std::bad_alloc();
    madvise(block, size * sizeof(T), MADV_HUGEPAGE);  // advice: all goes on without
    return static_cast<T*>(block);
  }
  struct GiveBack {
    std::size_t size;
    void operator()(T* block) const {
      if (large(size)) munmap(block, size * sizeof(T));
      else ::operator delete(block);
    }
  };

  std::unique_ptr<T, GiveBack> memory_;
};

}  // namespace starloom::pops
