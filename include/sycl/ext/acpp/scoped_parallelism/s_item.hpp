// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/id.hpp"
#include "sycl/range.hpp"

#include <cstddef>

namespace sycl {

namespace detail {
struct scoped_access;
}

/// A logical work-item of scoped parallelism (AdaptiveCpp, SCOPED_PARALLELISM_V2): what distribute_items
/// calls its function with.
template <int Dimensions = 1>
class s_item {
public:
  static constexpr int dimensions = Dimensions;

  s_item() = delete;

  range<Dimensions> get_global_range() const noexcept { return global_range_; }
  std::size_t get_global_range(int dimension) const noexcept { return global_range_[dimension]; }
  std::size_t get_global_linear_range() const noexcept { return global_range_.size(); }
  id<Dimensions> get_global_id() const noexcept { return global_id_; }
  std::size_t get_global_id(int dimension) const noexcept { return global_id_[dimension]; }
  std::size_t get_global_linear_id() const noexcept {
    return detail::linearize<Dimensions>(global_id_, global_range_);
  }

  /// In the group that distribute_items was given.
  range<Dimensions> get_innermost_local_range() const noexcept { return local_range_; }
  std::size_t get_innermost_local_range(int dimension) const noexcept { return local_range_[dimension]; }
  std::size_t get_innermost_local_linear_range() const noexcept { return local_range_.size(); }
  id<Dimensions> get_innermost_local_id() const noexcept { return local_id_; }
  std::size_t get_innermost_local_id(int dimension) const noexcept { return local_id_[dimension]; }
  std::size_t get_innermost_local_linear_id() const noexcept {
    return detail::linearize<Dimensions>(local_id_, local_range_);
  }

  /// In \p group, which is that group or one around it.
  template <class Group>
  id<Dimensions> get_local_id(const Group& group) const noexcept {
    return group.get_logical_local_id(*this);
  }
  template <class Group>
  std::size_t get_local_id(const Group& group, int dimension) const noexcept {
    return group.get_logical_local_id(*this, dimension);
  }
  template <class Group>
  std::size_t get_local_linear_id(const Group& group) const noexcept {
    return group.get_logical_local_linear_id(*this);
  }
  template <class Group>
  range<Dimensions> get_local_range(const Group& group) const noexcept {
    return group.get_logical_local_range();
  }
  template <class Group>
  std::size_t get_local_range(const Group& group, int dimension) const noexcept {
    return group.get_logical_local_range(dimension);
  }
  template <class Group>
  std::size_t get_local_linear_range(const Group& group) const noexcept {
    return group.get_logical_local_linear_range();
  }

private:
  friend detail::scoped_access;
  s_item(const id<Dimensions>& global_id, const range<Dimensions>& global_range,
         const id<Dimensions>& local_id, const range<Dimensions>& local_range) noexcept
      : global_id_(global_id), global_range_(global_range), local_id_(local_id), local_range_(local_range) {}

  id<Dimensions> global_id_;
  range<Dimensions> global_range_;
  id<Dimensions> local_id_;
  range<Dimensions> local_range_;
};

} // namespace sycl
