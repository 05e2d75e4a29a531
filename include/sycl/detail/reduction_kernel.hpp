// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "falx/device_builtins.hpp"
#include "falx/reduction.hpp"
#include "sycl/detail/index_space.hpp"
#include "sycl/detail/reduction_descriptor.hpp"
#include "sycl/detail/work_group_collectives.hpp"
#include "sycl/kernel_handler.hpp"
#include "sycl/memory_enums.hpp"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

/// \file
/// Device side of kernels with reductions. Work-items combine into private storage; each group makes one
/// partial result per reduction in scratch memory; the group that finishes last combines the partial results
/// and the variables' original values. Where there are many groups, the last of a cluster of them first
/// combines what the cluster has made. A counter in the scratch memory tells who is last, who leaves it at 0
/// for the next launch.

namespace sycl::detail {

/// The reductions of one kernel, with their storage for one work-item. Leaves instead of a std::tuple:
/// kernels' captures are trivially copyable.
template <std::size_t I, class T>
struct pack_leaf {
  T value;
};
template <class Indices, class... Ts>
struct value_pack;
template <std::size_t... I, class... Ts>
struct value_pack<std::index_sequence<I...>, Ts...> : pack_leaf<I, Ts>... {
  template <std::size_t J, class T>
  static T& at(pack_leaf<J, T>& leaf) {
    return leaf.value;
  }
  template <std::size_t J, class T>
  static const T& at(const pack_leaf<J, T>& leaf) {
    return leaf.value;
  }
  template <std::size_t J>
  auto& get() {
    return at<J>(*this);
  }
  template <std::size_t J>
  const auto& get() const {
    return at<J>(*this);
  }
};

/// How the partial results of groups come together. 32 bits are enough: no device has memory for more.
struct reduction_groups {
  /// How many groups have finished; behind it, how many of each cluster.
  std::uint32_t* finished;
  std::uint32_t count;
  /// Groups per cluster; all of them if one group can combine what all have made.
  std::uint32_t per_cluster;
  std::uint32_t clusters;

  static reduction_groups make(std::uint32_t* finished, std::size_t count) {
    constexpr std::size_t flat = 1024, least = 256, most = falx::REDUCTION_COUNTER_BYTES / 4 - 1;
    const std::size_t needed = (count + most - 1) / most;
    if (count <= flat)
      return make(finished, count, count == 0 ? 1 : count); // none: nothing is launched
    return make(finished, count, needed < least ? least : needed);
  }
  static reduction_groups make(std::uint32_t* finished, std::size_t count, std::size_t per_cluster) {
    return {finished, static_cast<std::uint32_t>(count), static_cast<std::uint32_t>(per_cluster),
            static_cast<std::uint32_t>((count + per_cluster - 1) / per_cluster)};
  }
};

template <class... Descriptors>
class reduction_pack {
  using indices = std::index_sequence_for<Descriptors...>;

public:
  using lanes = value_pack<indices, typename Descriptors::lane...>;
  using descriptors = value_pack<indices, Descriptors...>;

  /// Numbers whose sums a CPU's vector unit can keep side by side.
  static constexpr bool is_arithmetic = ((Descriptors::extent == 1 && Descriptors::has_identity &&
                                          std::is_arithmetic_v<typename Descriptors::value_type>) &&
                                         ...);

  descriptors reductions;
  reduction_groups groups;

  void reset(lanes& storage) const { reset(storage, indices()); }
  void merge(lanes& into, const lanes& from) const { merge(into, from, indices()); }

  /// Calls the kernel function with an item (as the launch of a range without reductions does) or nd_item,
  /// and the reducers.
  template <class Kernel, class Item>
  void call(const Kernel& kernel, const Item& item, lanes& storage) const {
    call(kernel, item, storage, indices());
  }

  /// Ends the work of a group. Its work-items come here together.
  template <int D>
  void finish(const group<D>& g, std::size_t group_index, lanes& storage) const {
    const std::size_t self = g.get_local_linear_id();
    store_partials(g, group_index, self, storage, indices());
    if (groups.count == 1)
      return;
    // Where a work-group runs on one thread, combining partial results is not what takes the time.
    bool is_whole = __falx_sub_group_max_size() == 1 || groups.clusters == 1;
    partial_results from{groups.finished, 0, groups.count, 1};
    if (!is_whole) {
      const std::uint32_t index = static_cast<std::uint32_t>(group_index) / groups.per_cluster;
      const std::uint32_t begin = index * groups.per_cluster, rest = groups.count - begin;
      from = {groups.finished + 1 + index, begin, rest < groups.per_cluster ? rest : groups.per_cluster, 1};
    }
    while (is_last(g, self, from)) {
      combine_partials(g, self, from, is_whole, indices());
      if (is_whole)
        return;
      from = {groups.finished, 0, groups.clusters, groups.per_cluster};
      is_whole = true;
    }
  }

private:
  /// \p count partial results: begin, begin + stride, …, and the counter of those who have made them.
  struct partial_results {
    std::uint32_t* counter;
    std::uint32_t begin, count, stride;
  };

  /// Counts the group as finished; true for the last one, which leaves the counter at 0.
  template <int D>
  static bool is_last(const group<D>& g, std::size_t self, const partial_results& from) {
    bool result = false;
    if (self == 0) {
      // Groups of one device count, which is cheaper than counting for the whole system.
      auto* const counter = static_cast<std::uint32_t*>(
          __falx_atomic_scope(from.counter, static_cast<std::uint32_t>(memory_scope::device)));
      result = __atomic_fetch_add(counter, 1u, __ATOMIC_ACQ_REL) + 1 == from.count;
      if (result)
        *from.counter = 0;
    }
    return work_group_broadcast(g, result, 0);
  }

  template <std::size_t... I>
  void reset(lanes& storage, std::index_sequence<I...>) const {
    (reductions.template get<I>().reset(storage.template get<I>()), ...);
  }
  template <std::size_t... I>
  void merge(lanes& into, const lanes& from, std::index_sequence<I...>) const {
    (reductions.template get<I>().merge(into.template get<I>(), from.template get<I>()), ...);
  }

  template <class Kernel, class Item, std::size_t... I>
  void call(const Kernel& kernel, const Item& item, lanes& storage, std::index_sequence<I...>) const {
    invoke(kernel, item, reductions.template get<I>().make_reducer(storage.template get<I>())...);
  }
  template <class Kernel, class Item, class... Reducers>
  static void invoke(const Kernel& kernel, const Item& item, Reducers&&... reducers) {
    if constexpr (std::is_invocable_v<const Kernel&, const Item&, Reducers&...>)
      kernel(item, reducers...);
    else if constexpr (std::is_invocable_v<const Kernel&, Item&, Reducers&...>) {
      Item own = item;
      kernel(own, reducers...);
    } else
      kernel(item, reducers..., kernel_handler_maker::make());
  }

  template <int D, std::size_t... I>
  void store_partials(const group<D>& g, std::size_t group_index, std::size_t self, lanes& storage,
                      std::index_sequence<I...>) const {
    (store_partial(reductions.template get<I>(), g, group_index, self, storage.template get<I>()), ...);
  }
  template <class Descriptor, int D>
  void store_partial(const Descriptor& reduction, const group<D>& g, std::size_t group_index,
                     std::size_t self, const typename Descriptor::lane& storage) const {
    for (std::size_t e = 0; e < Descriptor::extent; ++e) {
      const auto total = combine_group(reduction, g, storage.slots[e]);
      if (self != 0)
        continue;
      if (groups.count == 1)
        reduction.store(e, total);
      else
        reduction.partials[group_index * Descriptor::extent + e] = total;
    }
  }

  template <int D, std::size_t... I>
  void combine_partials(const group<D>& g, std::size_t self, const partial_results& from, bool is_whole,
                        std::index_sequence<I...>) const {
    (combine_partial(reductions.template get<I>(), g, self, from, is_whole), ...);
  }
  /// Stores what comes out to the variable, or of a cluster, in place of its first partial result.
  template <class Descriptor, int D>
  static void combine_partial(const Descriptor& reduction, const group<D>& g, std::size_t self,
                              const partial_results& from, bool is_whole) {
    const auto width = static_cast<std::uint32_t>(g.get_local_linear_range());
    for (std::size_t e = 0; e < Descriptor::extent; ++e) {
      typename Descriptor::slot_type total;
      reduction.reset(total);
      for (auto i = static_cast<std::uint32_t>(self); i < from.count; i += width) {
        const std::size_t index = from.begin + std::size_t{i} * from.stride;
        total.merge(reduction.operation, reduction.partials[index * Descriptor::extent + e]);
      }
      total = combine_group(reduction, g, total);
      if (self != 0)
        continue;
      if (is_whole)
        reduction.store(e, total);
      else
        reduction.partials[std::size_t{from.begin} * Descriptor::extent + e] = total;
    }
  }

  template <class Descriptor, int D>
  static typename Descriptor::slot_type combine_group(const Descriptor& reduction, const group<D>& g,
                                                      const typename Descriptor::slot_type& mine) {
    using slot = typename Descriptor::slot_type;
    if constexpr (Descriptor::has_identity && is_held_as_it_is<typename Descriptor::value_type>) {
      // The operation itself, as devices combine sums and the like at once.
      return {work_group_reduce(g, mine.value, reduction.operation)};
    } else {
      const auto& operation = reduction.operation;
      const auto merge = [&operation](slot into, const slot& from) {
        into.merge(operation, from);
        return into;
      };
      return work_group_reduce(g, mine, merge);
    }
  }
};

/// A kernel over a basic range, launched as an nd_range of the implementation's choosing. Neighbours take
/// neighbouring elements. Strided, all groups go side by side through the whole range, as fits a GPU; else
/// each goes through a contiguous share of it, as fits a CPU, where a group is one sub-group.
template <int D, bool Strided, class Kernel, class... Descriptors>
struct range_reduction_kernel {
  using user_kernel = Kernel;
  using pack = reduction_pack<Descriptors...>;
  using lanes = typename pack::lanes;

  /// Independent accumulators over blocks of elements: a compiler makes vectors of them where a work-item is
  /// alone (of sums of floating-point numbers it must keep the order), and vectors need not wait for each
  /// other.
  static constexpr bool has_blocks = pack::is_arithmetic && !Strided;
  static constexpr std::size_t ALONE = 16, IN_GROUP = 4;
  /// One more for what does not fill a block: a lane that is treated differently would not go into a vector.
  static constexpr std::size_t STORED = has_blocks ? ALONE + 1 : 1;

  Kernel kernel;
  pack reductions;
  range<D> extent;

  void operator()() const {
    lanes storage[STORED];
    for (std::size_t i = 0; i < STORED; ++i)
      reductions.reset(storage[i]);
    const std::size_t total = extent.size();
    const group<1> g = make_nd_item<1>().get_group();
    if constexpr (Strided) {
      if (const std::size_t first = __falx_global_id_x(); first < total) {
        stride_walk walk{first, __falx_global_range_x(), total};
        id<D> index = delinearize<D>(first, extent);
        const id<D> step = delinearize<D>(walk.shares, extent);
        // Enough elements at once to keep memory busy; what remains takes a few more turns.
        stride<8>(walk, index, step, storage[0]);
        stride<3>(walk, index, step, storage[0]);
        stride<1>(walk, index, step, storage[0]);
      }
    } else {
      const std::size_t shares = __falx_group_range_x(), width = __falx_local_range_x();
      const std::size_t share = ((total + shares - 1) / shares + width - 1) / width * width;
      const std::size_t self = __falx_group_id_x();
      const std::size_t begin = self * share < total ? self * share : total;
      walk(begin, total - begin < share ? total : begin + share, storage);
      for (std::size_t i = 1; i < STORED; ++i)
        reductions.merge(storage[0], storage[i]);
    }
    reductions.finish(g, __falx_group_id_x(), storage[0]);
  }

private:
  void call(const id<D>& index, lanes& storage) const {
    const item<D, false> here = index_access::make_item<D>(index, extent);
    reductions.call(kernel, item<D>(here), storage);
  }

  /// The elements next, next + shares, … below end.
  struct stride_walk {
    std::size_t next, shares, end;
  };

  /// Takes \p Count elements at a time, as long as there are so many. The calls of one turn are unrolled if
  /// the kernel is small; what one loads then does not wait for what the others combine.
  template <std::size_t Count>
  void stride(stride_walk& walk, id<D>& index, const id<D>& step, lanes& storage) const {
    for (; walk.next + (Count - 1) * walk.shares < walk.end; walk.next += Count * walk.shares)
      for (std::size_t i = 0; i < Count; ++i) {
        call(index, storage);
        advance(index, step);
      }
  }

  /// Moves \p index on by \p step, without the divisions of delinearize.
  void advance(id<D>& index, const id<D>& step) const {
    for (int d = D - 1; d > 0; --d) {
      index[d] += step[d];
      if (index[d] >= extent[d]) {
        index[d] -= extent[d];
        ++index[d - 1];
      }
    }
    index[0] += step[0];
  }

  /// The group's elements \p begin to \p end in row-major order, a row (or the part of one) at a time.
  void walk(std::size_t begin, std::size_t end, lanes* storage) const {
    const std::size_t self = __falx_local_id_x(), width = __falx_local_range_x();
    while (begin < end) {
      id<D> index = delinearize<D>(begin, extent);
      const std::size_t first = index[D - 1] + self;
      const std::size_t row = extent[D - 1] - index[D - 1];
      const std::size_t count = end - begin < row ? end - begin : row;
      std::size_t i = 0;
      if constexpr (has_blocks) {
        const std::size_t turns = __falx_sub_group_max_size() == 1 ? ALONE : IN_GROUP;
        for (; i + turns * width <= count; i += turns * width)
          for (std::size_t j = 0; j < turns; ++j) {
            index[D - 1] = first + i + j * width;
            call(index, storage[j]);
          }
      }
      for (; i + self < count; i += width) {
        index[D - 1] = first + i;
        call(index, storage[STORED - 1]);
      }
      begin += count;
    }
  }
};

/// A kernel over an nd_range: the user's groups are the groups of the reduction.
template <int D, class Kernel, class... Descriptors>
struct nd_range_reduction_kernel {
  using user_kernel = Kernel;
  using pack = reduction_pack<Descriptors...>;

  Kernel kernel;
  pack reductions;

  void operator()() const {
    typename pack::lanes storage;
    reductions.reset(storage);
    const nd_item<D> here = make_nd_item<D>();
    reductions.call(kernel, here, storage);
    reductions.finish(here.get_group(), here.get_group_linear_id(), storage);
  }
};

} // namespace sycl::detail
