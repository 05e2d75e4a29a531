// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/id.hpp"
#include "sycl/item.hpp"
#include "sycl/range.hpp"

namespace sycl {

/// One logical work-item of group::parallel_for_work_item (SYCL 2020 §4.9.1.6, deprecated). Several logical
/// work-items share a physical one when the logical range is larger than the group.
template <int Dimensions>
class h_item {
public:
  static constexpr int dimensions = Dimensions;

  h_item() = delete;

  item<Dimensions, false> get_global() const noexcept { return global_; }
  item<Dimensions, false> get_local() const noexcept { return logical_; }
  item<Dimensions, false> get_logical_local() const noexcept { return logical_; }
  item<Dimensions, false> get_physical_local() const noexcept { return physical_; }

  range<Dimensions> get_global_range() const noexcept { return global_.get_range(); }
  std::size_t get_global_range(int dimension) const noexcept { return global_.get_range(dimension); }
  id<Dimensions> get_global_id() const noexcept { return global_.get_id(); }
  std::size_t get_global_id(int dimension) const noexcept { return global_.get_id(dimension); }

  range<Dimensions> get_local_range() const noexcept { return logical_.get_range(); }
  std::size_t get_local_range(int dimension) const noexcept { return logical_.get_range(dimension); }
  id<Dimensions> get_local_id() const noexcept { return logical_.get_id(); }
  std::size_t get_local_id(int dimension) const noexcept { return logical_.get_id(dimension); }

  range<Dimensions> get_logical_local_range() const noexcept { return logical_.get_range(); }
  std::size_t get_logical_local_range(int dimension) const noexcept { return logical_.get_range(dimension); }
  id<Dimensions> get_logical_local_id() const noexcept { return logical_.get_id(); }
  std::size_t get_logical_local_id(int dimension) const noexcept { return logical_.get_id(dimension); }

  range<Dimensions> get_physical_local_range() const noexcept { return physical_.get_range(); }
  std::size_t get_physical_local_range(int dimension) const noexcept {
    return physical_.get_range(dimension);
  }
  id<Dimensions> get_physical_local_id() const noexcept { return physical_.get_id(); }
  std::size_t get_physical_local_id(int dimension) const noexcept { return physical_.get_id(dimension); }

  friend bool operator==(const h_item& lhs, const h_item& rhs) noexcept {
    return lhs.global_ == rhs.global_ && lhs.logical_ == rhs.logical_ && lhs.physical_ == rhs.physical_;
  }
  friend bool operator!=(const h_item& lhs, const h_item& rhs) noexcept { return !(lhs == rhs); }

private:
  friend detail::index_access;
  h_item(const item<Dimensions, false>& global, const item<Dimensions, false>& logical,
         const item<Dimensions, false>& physical) noexcept
      : global_(global), logical_(logical), physical_(physical) {}

  item<Dimensions, false> global_;
  item<Dimensions, false> logical_;
  item<Dimensions, false> physical_;
};

} // namespace sycl
