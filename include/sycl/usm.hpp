// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/context.hpp"
#include "sycl/device.hpp"
#include "sycl/property_list.hpp"

#include <cstddef>
#include <type_traits>

/// \file
/// Unified shared memory (SYCL 2020 §4.8). Sizes are in bytes for functions that return void*, and in
/// elements for those that return T*. All allocation functions return null if memory runs out or the
/// alignment is not a power of two; throw errc::feature_not_supported if the device lacks the aspect for the
/// kind of allocation; and throw errc::invalid if the device does not belong to the context. What they return
/// is freed with sycl::free.

namespace sycl {

class queue;

namespace usm {
/// Where an allocation lives and who may access it (§4.8.2).
enum class alloc { host, device, shared, unknown };
} // namespace usm

namespace detail {

/// Size of an array in bytes; a size that no allocation can have if it does not fit.
template <class T>
constexpr std::size_t array_bytes(std::size_t count) noexcept {
  return count > static_cast<std::size_t>(-1) / sizeof(T) ? static_cast<std::size_t>(-1) : count * sizeof(T);
}
/// What is no power of two stays, for the allocation functions to refuse; 0 is whatever they see fit.
template <class T>
constexpr std::size_t array_alignment(std::size_t alignment) noexcept {
  const bool is_supported = alignment != 0 && (alignment & (alignment - 1)) == 0;
  return is_supported && alignment < alignof(T) ? alignof(T) : alignment;
}

/// The constructor checks of usm_allocator.
void check_usm_support(usm::alloc kind, const device& dev, const context& ctx);
/// Throws errc::memory_allocation where the allocation functions return null.
void* allocate_usm_or_throw(std::size_t alignment, std::size_t bytes, const device& dev, const context& ctx,
                            usm::alloc kind);
device device_of(const queue& q);
context context_of(const queue& q);

} // namespace detail

// The functions that all others package arguments for (§4.8.3.5). The device is ignored for usm::alloc::host.
void* aligned_alloc(std::size_t alignment, std::size_t numBytes, const device& syclDevice,
                    const context& syclContext, usm::alloc kind, const property_list& propList = {});
void* aligned_alloc(std::size_t alignment, std::size_t numBytes, const queue& syclQueue, usm::alloc kind,
                    const property_list& propList = {});
void* aligned_alloc_host(std::size_t alignment, std::size_t numBytes, const context& syclContext,
                         const property_list& propList = {});

template <typename T>
T* aligned_alloc(std::size_t alignment, std::size_t count, const device& syclDevice,
                 const context& syclContext, usm::alloc kind, const property_list& propList = {}) {
  return static_cast<T*>(aligned_alloc(detail::array_alignment<T>(alignment), detail::array_bytes<T>(count),
                                       syclDevice, syclContext, kind, propList));
}
template <typename T>
T* aligned_alloc(std::size_t alignment, std::size_t count, const queue& syclQueue, usm::alloc kind,
                 const property_list& propList = {}) {
  return static_cast<T*>(aligned_alloc(detail::array_alignment<T>(alignment), detail::array_bytes<T>(count),
                                       syclQueue, kind, propList));
}

inline void* malloc(std::size_t numBytes, const device& syclDevice, const context& syclContext,
                    usm::alloc kind, const property_list& propList = {}) {
  return aligned_alloc(0, numBytes, syclDevice, syclContext, kind, propList);
}
inline void* malloc(std::size_t numBytes, const queue& syclQueue, usm::alloc kind,
                    const property_list& propList = {}) {
  return aligned_alloc(0, numBytes, syclQueue, kind, propList);
}
template <typename T>
T* malloc(std::size_t count, const device& syclDevice, const context& syclContext, usm::alloc kind,
          const property_list& propList = {}) {
  return aligned_alloc<T>(alignof(T), count, syclDevice, syclContext, kind, propList);
}
template <typename T>
T* malloc(std::size_t count, const queue& syclQueue, usm::alloc kind, const property_list& propList = {}) {
  return aligned_alloc<T>(alignof(T), count, syclQueue, kind, propList);
}

// Device allocations belong to a device (§4.8.3.2).
inline void* aligned_alloc_device(std::size_t alignment, std::size_t numBytes, const device& syclDevice,
                                  const context& syclContext, const property_list& propList = {}) {
  return aligned_alloc(alignment, numBytes, syclDevice, syclContext, usm::alloc::device, propList);
}
inline void* aligned_alloc_device(std::size_t alignment, std::size_t numBytes, const queue& syclQueue,
                                  const property_list& propList = {}) {
  return aligned_alloc(alignment, numBytes, syclQueue, usm::alloc::device, propList);
}
template <typename T>
T* aligned_alloc_device(std::size_t alignment, std::size_t count, const device& syclDevice,
                        const context& syclContext, const property_list& propList = {}) {
  return aligned_alloc<T>(alignment, count, syclDevice, syclContext, usm::alloc::device, propList);
}
template <typename T>
T* aligned_alloc_device(std::size_t alignment, std::size_t count, const queue& syclQueue,
                        const property_list& propList = {}) {
  return aligned_alloc<T>(alignment, count, syclQueue, usm::alloc::device, propList);
}
inline void* malloc_device(std::size_t numBytes, const device& syclDevice, const context& syclContext,
                           const property_list& propList = {}) {
  return malloc(numBytes, syclDevice, syclContext, usm::alloc::device, propList);
}
inline void* malloc_device(std::size_t numBytes, const queue& syclQueue, const property_list& propList = {}) {
  return malloc(numBytes, syclQueue, usm::alloc::device, propList);
}
template <typename T>
T* malloc_device(std::size_t count, const device& syclDevice, const context& syclContext,
                 const property_list& propList = {}) {
  return malloc<T>(count, syclDevice, syclContext, usm::alloc::device, propList);
}
template <typename T>
T* malloc_device(std::size_t count, const queue& syclQueue, const property_list& propList = {}) {
  return malloc<T>(count, syclQueue, usm::alloc::device, propList);
}

// Shared allocations belong to a device (§4.8.3.4).
inline void* aligned_alloc_shared(std::size_t alignment, std::size_t numBytes, const device& syclDevice,
                                  const context& syclContext, const property_list& propList = {}) {
  return aligned_alloc(alignment, numBytes, syclDevice, syclContext, usm::alloc::shared, propList);
}
inline void* aligned_alloc_shared(std::size_t alignment, std::size_t numBytes, const queue& syclQueue,
                                  const property_list& propList = {}) {
  return aligned_alloc(alignment, numBytes, syclQueue, usm::alloc::shared, propList);
}
template <typename T>
T* aligned_alloc_shared(std::size_t alignment, std::size_t count, const device& syclDevice,
                        const context& syclContext, const property_list& propList = {}) {
  return aligned_alloc<T>(alignment, count, syclDevice, syclContext, usm::alloc::shared, propList);
}
template <typename T>
T* aligned_alloc_shared(std::size_t alignment, std::size_t count, const queue& syclQueue,
                        const property_list& propList = {}) {
  return aligned_alloc<T>(alignment, count, syclQueue, usm::alloc::shared, propList);
}
inline void* malloc_shared(std::size_t numBytes, const device& syclDevice, const context& syclContext,
                           const property_list& propList = {}) {
  return malloc(numBytes, syclDevice, syclContext, usm::alloc::shared, propList);
}
inline void* malloc_shared(std::size_t numBytes, const queue& syclQueue, const property_list& propList = {}) {
  return malloc(numBytes, syclQueue, usm::alloc::shared, propList);
}
template <typename T>
T* malloc_shared(std::size_t count, const device& syclDevice, const context& syclContext,
                 const property_list& propList = {}) {
  return malloc<T>(count, syclDevice, syclContext, usm::alloc::shared, propList);
}
template <typename T>
T* malloc_shared(std::size_t count, const queue& syclQueue, const property_list& propList = {}) {
  return malloc<T>(count, syclQueue, usm::alloc::shared, propList);
}

// Host allocations belong to a context alone (§4.8.3.3).
template <typename T>
T* aligned_alloc_host(std::size_t alignment, std::size_t count, const context& syclContext,
                      const property_list& propList = {}) {
  return static_cast<T*>(aligned_alloc_host(detail::array_alignment<T>(alignment),
                                            detail::array_bytes<T>(count), syclContext, propList));
}
inline void* aligned_alloc_host(std::size_t alignment, std::size_t numBytes, const queue& syclQueue,
                                const property_list& propList = {}) {
  return aligned_alloc(alignment, numBytes, syclQueue, usm::alloc::host, propList);
}
template <typename T>
T* aligned_alloc_host(std::size_t alignment, std::size_t count, const queue& syclQueue,
                      const property_list& propList = {}) {
  return aligned_alloc<T>(alignment, count, syclQueue, usm::alloc::host, propList);
}
inline void* malloc_host(std::size_t numBytes, const context& syclContext,
                         const property_list& propList = {}) {
  return aligned_alloc_host(0, numBytes, syclContext, propList);
}
inline void* malloc_host(std::size_t numBytes, const queue& syclQueue, const property_list& propList = {}) {
  return malloc(numBytes, syclQueue, usm::alloc::host, propList);
}
template <typename T>
T* malloc_host(std::size_t count, const context& syclContext, const property_list& propList = {}) {
  return aligned_alloc_host<T>(alignof(T), count, syclContext, propList);
}
template <typename T>
T* malloc_host(std::size_t count, const queue& syclQueue, const property_list& propList = {}) {
  return malloc<T>(count, syclQueue, usm::alloc::host, propList);
}

/// Frees an allocation (§4.8.3.6); null has no effect. No command may use the memory any more. Throws
/// errc::invalid if \p ptr is not the start of a live USM allocation of the context.
void free(void* ptr, const context& ctxt);
void free(void* ptr, const queue& q);

/// The kind of the allocation that \p ptr points into; unknown if it points into none of the context
/// (§4.8.4).
usm::alloc get_pointer_type(const void* ptr, const context& syclContext);
/// The device that the allocation was made for; for host allocations the context's first. Throws
/// errc::invalid if \p ptr points into no allocation of the context.
device get_pointer_device(const void* ptr, const context& syclContext);

/// An allocator for standard containers whose elements devices can access too (§4.8.3.1).
template <typename T, usm::alloc AllocKind, std::size_t Alignment = 0>
class usm_allocator {
  static_assert(AllocKind == usm::alloc::host || AllocKind == usm::alloc::shared,
                "containers need memory that the host can access: usm::alloc::host or usm::alloc::shared");
  static_assert((Alignment & (Alignment - 1)) == 0, "an alignment is a power of two");

public:
  using value_type = T;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;

  template <typename U>
  struct rebind {
    typedef usm_allocator<U, AllocKind, Alignment> other;
  };

  usm_allocator() = delete;
  usm_allocator(const context& syclContext, const device& syclDevice, const property_list& propList = {})
      : context_(syclContext), device_(syclDevice), properties_(propList) {
    detail::check_usm_support(AllocKind, device_, context_);
  }
  usm_allocator(const queue& syclQueue, const property_list& propList = {})
      : usm_allocator(detail::context_of(syclQueue), detail::device_of(syclQueue), propList) {}

  // A moved-from allocator must still equal its copies, so moving copies.
  usm_allocator(const usm_allocator&) noexcept = default;
  usm_allocator& operator=(const usm_allocator&) noexcept = default;

  template <class U>
  usm_allocator(const usm_allocator<U, AllocKind, Alignment>& other) noexcept
      : context_(other.context_), device_(other.device_), properties_(other.properties_) {}

  /// Throws errc::memory_allocation if memory runs out.
  T* allocate(std::size_t count) {
    return static_cast<T*>(detail::allocate_usm_or_throw(Alignment > alignof(T) ? Alignment : alignof(T),
                                                         detail::array_bytes<T>(count), device_, context_,
                                                         AllocKind));
  }
  void deallocate(T* pointer, std::size_t) { sycl::free(pointer, context_); }

  template <typename Property>
  bool has_property() const noexcept {
    return properties_.template has_property<Property>();
  }
  template <typename Property>
  Property get_property() const {
    return properties_.template get_property<Property>();
  }

  /// Allocators are equal if each can free what the other allocated.
  template <class U, usm::alloc KindU, std::size_t AlignmentU>
  friend bool operator==(const usm_allocator& a, const usm_allocator<U, KindU, AlignmentU>& b) noexcept {
    return a.equals(b);
  }
  template <class U, usm::alloc KindU, std::size_t AlignmentU>
  friend bool operator!=(const usm_allocator& a, const usm_allocator<U, KindU, AlignmentU>& b) noexcept {
    return !a.equals(b);
  }

private:
  template <typename, usm::alloc, std::size_t>
  friend class usm_allocator;

  template <class U, usm::alloc KindU, std::size_t AlignmentU>
  bool equals(const usm_allocator<U, KindU, AlignmentU>& other) const noexcept {
    return AllocKind == KindU && Alignment == AlignmentU && context_ == other.context_ &&
           device_ == other.device_;
  }

  context context_;
  device device_;
  property_list properties_;
};

} // namespace sycl
