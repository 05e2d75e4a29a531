// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/ext/oneapi/experimental/fragment.hpp"

#include <cstddef>

/// \file
/// Consecutive work-items of a sub-group as a group (SYCL extension sycl_ext_oneapi_non_uniform_groups).

namespace sycl {

namespace ext::oneapi::experimental {

/// \p ChunkSize consecutive work-items of \p ParentGroup.
template <std::size_t ChunkSize, class ParentGroup>
class chunk : public sycl::detail::aligned_part<ChunkSize> {
public:
  using typename sycl::detail::aligned_part<ChunkSize>::id_type;
  using typename sycl::detail::aligned_part<ChunkSize>::range_type;
  using typename sycl::detail::aligned_part<ChunkSize>::linear_id_type;

  id_type get_group_id() const noexcept { return get_group_linear_id(); }
  range_type get_group_range() const noexcept { return get_group_linear_range(); }
  linear_id_type get_group_linear_id() const noexcept {
    constexpr std::uint32_t size = ChunkSize;
    if constexpr (std::is_same_v<ParentGroup, sub_group>)
      return __falx_sub_group_local_id() / size;
    else
      return __falx_sub_group_local_id() % sycl::detail::part_size<ParentGroup>() / size;
  }
  linear_id_type get_group_linear_range() const noexcept {
    constexpr std::uint32_t size = ChunkSize;
    if constexpr (std::is_same_v<ParentGroup, sub_group>)
      return __falx_sub_group_size() / size;
    else
      return sycl::detail::part_size<ParentGroup>() / size;
  }

  /// The same work-items.
  operator fragment<ParentGroup>() const noexcept {
    return sycl::detail::part_access::make<fragment<ParentGroup>>(
        sycl::detail::part_access::members(*this), get_group_linear_id(), get_group_linear_range());
  }

private:
  friend sycl::detail::part_access;
  chunk() = default;
};

} // namespace ext::oneapi::experimental

template <std::size_t ChunkSize, class ParentGroup>
struct is_group<ext::oneapi::experimental::chunk<ChunkSize, ParentGroup>> : std::true_type {};

namespace ext::oneapi::experimental {

/// The \p ChunkSize consecutive work-items of \p parent with the calling one among them. All members of \p
/// parent call it together, and \p ChunkSize divides their number.
template <std::size_t ChunkSize, class ParentGroup>
inline chunk<ChunkSize, ParentGroup> chunked_partition(ParentGroup parent) noexcept {
  static_assert(std::is_same_v<ParentGroup, sub_group> || sycl::detail::part_size<ParentGroup>() != 0,
                "chunked_partition takes a sub_group or a chunk");
  static_assert(std::is_same_v<ParentGroup, sub_group> || ChunkSize <= sycl::detail::part_size<ParentGroup>(),
                "a chunk of a chunk is not larger than that one");
  group_barrier(parent);
  return sycl::detail::part_access::make<chunk<ChunkSize, ParentGroup>>();
}

} // namespace ext::oneapi::experimental
} // namespace sycl
