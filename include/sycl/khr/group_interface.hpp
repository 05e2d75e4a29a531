// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/detail/index_operators.hpp"
#include "sycl/group.hpp"
#include "sycl/id.hpp"
#include "sycl/khr/split_headers/version.hpp"
#include "sycl/memory_enums.hpp"
#include "sycl/range.hpp"
#include "sycl/sub_group.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#if __cplusplus >= 202302L && __has_include(<mdspan>)
#include <mdspan>
#endif

/// \file
/// SYCL extension sycl_khr_group_interface: work-groups, sub-groups and single work-items with one interface,
/// shorter than that of sycl::group and sycl::sub_group. Members that need std::extents exist where the
/// standard library has it.

namespace sycl::khr {

template <int Dimensions>
class work_group;
class sub_group;
template <typename ParentGroup>
class member_item;

namespace detail {

#ifdef __cpp_lib_mdspan

/// The members of \p Group that follow from its extents().
template <class Group, class Extents>
class group_extents {
public:
  using extents_type = Extents;

  constexpr typename Extents::index_type extent(typename Extents::rank_type r) const noexcept {
    return static_cast<const Group&>(*this).extents().extent(r);
  }
  static constexpr typename Extents::rank_type rank() noexcept { return Extents::rank(); }
  static constexpr typename Extents::rank_type rank_dynamic() noexcept { return Extents::rank_dynamic(); }
  static constexpr std::size_t static_extent(typename Extents::rank_type r) noexcept {
    return Extents::static_extent(r);
  }
};

template <class Group, class Index, std::size_t Dimensions>
using dynamic_extents = group_extents<Group, std::dextents<Index, Dimensions>>;

template <class Index, int Dimensions>
struct unit_extents;
template <class Index>
struct unit_extents<Index, 1> : std::type_identity<std::extents<Index, 1>> {};
template <class Index>
struct unit_extents<Index, 2> : std::type_identity<std::extents<Index, 1, 1>> {};
template <class Index>
struct unit_extents<Index, 3> : std::type_identity<std::extents<Index, 1, 1, 1>> {};

template <class Group, class Index, int Dimensions>
using fixed_extents = group_extents<Group, typename unit_extents<Index, Dimensions>::type>;

#else

struct no_extents {};
template <class Group, class Index, std::size_t Dimensions>
using dynamic_extents = no_extents;
template <class Group, class Index, int Dimensions>
using fixed_extents = no_extents;

#endif

template <class T>
struct has_members : std::false_type {};
template <int Dimensions>
struct has_members<work_group<Dimensions>> : std::true_type {};
template <>
struct has_members<sub_group> : std::true_type {};

template <class T>
struct has_leader : has_members<T> {};
template <class ParentGroup>
struct has_leader<member_item<ParentGroup>> : std::true_type {};

} // namespace detail

/// A work-group; what it is made from and converts to is the same one.
template <int Dimensions = 1>
class work_group : public detail::dynamic_extents<work_group<Dimensions>, std::size_t, Dimensions> {
public:
  using id_type = sycl::id<Dimensions>;
  using linear_id_type = std::size_t;
  using range_type = sycl::range<Dimensions>;
  using size_type = std::size_t;
  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope fence_scope = memory_scope::work_group;

  work_group(const group<Dimensions>& g) noexcept : group_(g) {}
  operator group<Dimensions>() const noexcept { return group_; }

  /// Where the group is among those of the nd_range, and how many of these there are.
  id_type id() const noexcept { return group_.get_group_id(); }
  linear_id_type linear_id() const noexcept { return group_.get_group_linear_id(); }
  range_type range() const noexcept { return group_.get_group_range(); }

#ifdef __cpp_lib_mdspan
  std::dextents<std::size_t, Dimensions> extents() const noexcept {
    const range_type size = group_.get_local_range();
    if constexpr (Dimensions == 1)
      return std::dextents<std::size_t, 1>(size[0]);
    else if constexpr (Dimensions == 2)
      return std::dextents<std::size_t, 2>(size[0], size[1]);
    else
      return std::dextents<std::size_t, 3>(size[0], size[1], size[2]);
  }
#endif
  /// How many work-items the group has.
  size_type size() const noexcept { return group_.get_local_linear_range(); }

  friend bool operator==(const work_group& lhs, const work_group& rhs) noexcept {
    return lhs.group_ == rhs.group_;
  }
  friend bool operator!=(const work_group& lhs, const work_group& rhs) noexcept { return !(lhs == rhs); }

private:
  group<Dimensions> group_;
};

/// A sub-group; what it is made from and converts to is the same one.
class sub_group : public detail::dynamic_extents<sub_group, std::uint32_t, 1> {
public:
  using id_type = sycl::id<1>;
  using linear_id_type = std::uint32_t;
  using range_type = sycl::range<1>;
  using size_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  sub_group(const sycl::sub_group& sg) noexcept : group_(sg) {}
  operator sycl::sub_group() const noexcept { return group_; }

  /// Where the sub-group is among those of its work-group, and how many of these there are.
  id_type id() const noexcept { return group_.get_group_id(); }
  linear_id_type linear_id() const noexcept { return group_.get_group_linear_id(); }
  range_type range() const noexcept { return group_.get_group_range(); }

#ifdef __cpp_lib_mdspan
  std::dextents<std::uint32_t, 1> extents() const noexcept { return std::dextents<std::uint32_t, 1>(size()); }
#endif
  /// How many work-items the sub-group has, and how many any sub-group of the kernel may have.
  size_type size() const noexcept { return group_.get_local_linear_range(); }
  size_type max_size() const noexcept { return static_cast<size_type>(group_.get_max_local_range()[0]); }

  friend bool operator==(const sub_group& lhs, const sub_group& rhs) noexcept {
    return lhs.group_ == rhs.group_;
  }
  friend bool operator!=(const sub_group& lhs, const sub_group& rhs) noexcept { return !(lhs == rhs); }

private:
  sycl::sub_group group_;
};

/// A work-item as a group of one, within \p ParentGroup. Only get_member_item makes them.
template <typename ParentGroup>
class member_item : public detail::fixed_extents<member_item<ParentGroup>, typename ParentGroup::size_type,
                                                 ParentGroup::dimensions> {
public:
  using id_type = typename ParentGroup::id_type;
  using linear_id_type = typename ParentGroup::linear_id_type;
  using range_type = typename ParentGroup::range_type;
  using size_type = typename ParentGroup::size_type;
  static constexpr int dimensions = ParentGroup::dimensions;
  static constexpr memory_scope fence_scope = memory_scope::work_item;

  /// Where the work-item is among those of the parent group, and how many of these there are.
  id_type id() const noexcept { return id_; }
  linear_id_type linear_id() const noexcept {
    return static_cast<linear_id_type>(sycl::detail::linearize<dimensions>(id_, range_));
  }
  range_type range() const noexcept { return range_; }

#ifdef __cpp_lib_mdspan
  constexpr typename member_item::extents_type extents() const noexcept { return {}; }
#endif
  constexpr size_type size() const noexcept { return 1; }

  friend bool operator==(const member_item& lhs, const member_item& rhs) noexcept {
    return lhs.parent_ == rhs.parent_ && lhs.id_ == rhs.id_ && lhs.range_ == rhs.range_;
  }
  friend bool operator!=(const member_item& lhs, const member_item& rhs) noexcept { return !(lhs == rhs); }

private:
  template <typename Group, std::enable_if_t<detail::has_members<Group>::value, int>>
  friend member_item<Group> get_member_item(const Group& g) noexcept;
  template <class SyclGroup>
  member_item(const ParentGroup& parent, const SyclGroup& group) noexcept
      : parent_(parent), id_(group.get_local_id()), range_(group.get_local_range()) {}

  ParentGroup parent_;
  id_type id_;
  range_type range_;
};

/// The calling work-item within \p g, a work_group or sub_group.
template <typename Group, std::enable_if_t<detail::has_members<Group>::value, int> = 0>
member_item<Group> get_member_item(const Group& g) noexcept {
  if constexpr (std::is_same_v<Group, sub_group>)
    return member_item<Group>(g, sycl::sub_group(g));
  else
    return member_item<Group>(g, group<Group::dimensions>(g));
}

/// True for one work-item of \p g, a work_group, sub_group or member_item: the one with index 0.
template <typename Group, std::enable_if_t<detail::has_leader<Group>::value, int> = 0>
bool leader_of([[maybe_unused]] const Group& g) noexcept {
  if constexpr (detail::has_members<Group>::value)
    return get_member_item(g).linear_id() == 0;
  else
    return true;
}

} // namespace sycl::khr
