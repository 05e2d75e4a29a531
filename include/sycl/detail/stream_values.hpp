// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "sycl/access.hpp"
#include "sycl/detail/elementwise.hpp"
#include "sycl/detail/stream_statement.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

/// \file
/// What can be written to a sycl::stream: manipulators, numbers, text, addresses, vectors and indices (SYCL
/// 2020 §4.16.1, tables of operand types and manipulators).

namespace sycl {

enum class stream_manipulator {
  flush,
  dec,
  hex,
  oct,
  noshowbase,
  showbase,
  noshowpos,
  showpos,
  endl,
  fixed,
  scientific,
  hexfloat,
  defaultfloat
};
inline constexpr stream_manipulator flush = stream_manipulator::flush;
inline constexpr stream_manipulator dec = stream_manipulator::dec;
inline constexpr stream_manipulator hex = stream_manipulator::hex;
inline constexpr stream_manipulator oct = stream_manipulator::oct;
inline constexpr stream_manipulator noshowbase = stream_manipulator::noshowbase;
inline constexpr stream_manipulator showbase = stream_manipulator::showbase;
inline constexpr stream_manipulator noshowpos = stream_manipulator::noshowpos;
inline constexpr stream_manipulator showpos = stream_manipulator::showpos;
inline constexpr stream_manipulator endl = stream_manipulator::endl;
inline constexpr stream_manipulator fixed = stream_manipulator::fixed;
inline constexpr stream_manipulator scientific = stream_manipulator::scientific;
inline constexpr stream_manipulator hexfloat = stream_manipulator::hexfloat;
inline constexpr stream_manipulator defaultfloat = stream_manipulator::defaultfloat;

template <class ElementType, access::address_space Space, access::decorated DecorateAddress>
class multi_ptr;
template <class T, int N>
class vec;
template <class T, std::size_t N>
class marray;
namespace detail::elementwise {
template <class Element, int... Indexes>
class swizzled_vec;
}
template <int Dimensions>
class id;
template <int Dimensions>
class range;
template <int Dimensions, bool WithOffset>
class item;
template <int Dimensions>
class nd_item;
template <int Dimensions>
class group;
template <int Dimensions>
class nd_range;
template <int Dimensions>
class h_item;

namespace detail {

struct stream_precision {
  int digits;
};
struct stream_width {
  int characters;
};

} // namespace detail

/// Digits of floating-point numbers in the rest of the statement, at most 60.
constexpr detail::stream_precision setprecision(int precision) noexcept {
  return {precision};
}
/// Least number of characters of each value in the rest of the statement.
constexpr detail::stream_width setw(int width) noexcept {
  return {width};
}

namespace detail {

template <>
struct stream_value<stream_precision> {
  static void write(stream_statement& out, stream_precision value) { out.format().precision = value.digits; }
};
template <>
struct stream_value<stream_width> {
  static void write(stream_statement& out, stream_width value) { out.format().width = value.characters; }
};
template <>
struct stream_value<stream_manipulator> {
  static void write(stream_statement& out, stream_manipulator value) {
    stream_format& format = out.format();
    switch (value) {
    case stream_manipulator::flush:
      out.flush();
      break;
    case stream_manipulator::endl:
      out.put('\n');
      out.flush();
      break;
    case stream_manipulator::dec:
      format.base = 10;
      break;
    case stream_manipulator::hex:
      format.base = 16;
      break;
    case stream_manipulator::oct:
      format.base = 8;
      break;
    case stream_manipulator::noshowbase:
    case stream_manipulator::showbase:
      format.show_base = value == stream_manipulator::showbase;
      break;
    case stream_manipulator::noshowpos:
    case stream_manipulator::showpos:
      format.show_positive = value == stream_manipulator::showpos;
      break;
    case stream_manipulator::fixed:
      format.notation = float_notation::fixed;
      break;
    case stream_manipulator::scientific:
      format.notation = float_notation::scientific;
      break;
    case stream_manipulator::hexfloat:
      format.notation = float_notation::hexadecimal;
      break;
    case stream_manipulator::defaultfloat:
      format.notation = float_notation::general;
      break;
    }
  }
};

template <>
struct stream_value<char> {
  static void write(stream_statement& out, char value) { out.put_field(&value, 1); }
};
/// signed char and unsigned char are numbers, as with other implementations.
template <class T>
struct stream_value<T, std::enable_if_t<std::is_integral_v<T> && !std::is_same_v<T, char>>> {
  static void write(stream_statement& out, T value) {
    number_text text;
    const std::uint64_t bits = std::is_signed_v<T>
                                   ? static_cast<std::uint64_t>(static_cast<std::int64_t>(value))
                                   : static_cast<std::uint64_t>(value);
    format_integer(text, out.format(), bits, std::is_signed_v<T>, sizeof(T));
    out.put_number(text);
  }
};
/// Floating-point numbers, half among them.
template <class T>
struct stream_value<T, std::enable_if_t<!std::is_integral_v<T> && std::numeric_limits<T>::is_specialized>> {
  static void write(stream_statement& out, const T& value) {
    number_text text;
    if constexpr (std::is_floating_point_v<T>)
      format_float(text, out.format(), static_cast<double>(value));
    else
      format_float(text, out.format(), static_cast<double>(static_cast<float>(value)));
    out.put_number(text);
  }
};

inline void write_address(stream_statement& out, std::uintptr_t address) {
  number_text text;
  text.put("0x");
  format_magnitude(text, address, 16);
  out.put_number(text);
}
template <class T>
struct stream_value<T*, std::enable_if_t<std::is_same_v<std::remove_cv_t<T>, char>>> {
  static void write(stream_statement& out, const char* value) {
    int length = 0;
    while (value[length] != 0)
      ++length;
    out.put_field(value, length);
  }
};
template <class T>
struct stream_value<T*, std::enable_if_t<!std::is_same_v<std::remove_cv_t<T>, char>>> {
  static void write(stream_statement& out, const volatile void* value) {
    write_address(out, reinterpret_cast<std::uintptr_t>(value));
  }
};
template <>
struct stream_value<std::nullptr_t> {
  static void write(stream_statement& out, std::nullptr_t) { write_address(out, 0); }
};
template <class T, access::address_space Space, access::decorated DecorateAddress>
struct stream_value<multi_ptr<T, Space, DecorateAddress>> {
  static void write(stream_statement& out, const multi_ptr<T, Space, DecorateAddress>& value) {
    write_address(out, reinterpret_cast<std::uintptr_t>(value.get_raw()));
  }
};

/// The elements of a vector, separated by commas.
template <class Element, class Vector>
inline void write_elements(stream_statement& out, const Vector& value, int count) {
  for (int i = 0; i < count; ++i) {
    if (i > 0)
      out.put(", ");
    stream_value<Element>::write(out, value[i]);
  }
}
template <class T, int N>
struct stream_value<vec<T, N>> {
  static void write(stream_statement& out, const vec<T, N>& value) { write_elements<T>(out, value, N); }
};
template <class Element, int... Indexes>
struct stream_value<elementwise::swizzled_vec<Element, Indexes...>> {
  using vector = vec<std::remove_const_t<Element>, int(sizeof...(Indexes))>;
  static void write(stream_statement& out, const vector& value) { stream_value<vector>::write(out, value); }
};
template <class T, std::size_t N>
struct stream_value<marray<T, N>> {
  static void write(stream_statement& out, const marray<T, N>& value) {
    write_elements<T>(out, value, static_cast<int>(N));
  }
};

template <class Index>
inline void write_index(stream_statement& out, const char* label, const Index& value) {
  out.put(label);
  out.put('{');
  write_elements<std::size_t>(out, value, Index::dimensions);
  out.put('}');
}
template <int D>
struct stream_value<id<D>> {
  static void write(stream_statement& out, const id<D>& value) { write_index(out, "", value); }
};
template <int D>
struct stream_value<range<D>> {
  static void write(stream_statement& out, const range<D>& value) { write_index(out, "", value); }
};
template <int D>
struct stream_value<nd_range<D>> {
  static void write(stream_statement& out, const nd_range<D>& value) {
    write_index(out, "nd_range(global_range: ", value.get_global_range());
    write_index(out, ", local_range: ", value.get_local_range());
    write_index(out, ", offset: ", value.get_offset());
    out.put(')');
  }
};
template <int D, bool WithOffset>
struct stream_value<item<D, WithOffset>> {
  static void write(stream_statement& out, const item<D, WithOffset>& value) {
    write_index(out, "item(range: ", value.get_range());
    write_index(out, ", id: ", value.get_id());
    if constexpr (WithOffset)
      write_index(out, ", offset: ", value.get_offset());
    out.put(')');
  }
};
template <int D>
struct stream_value<nd_item<D>> {
  static void write(stream_statement& out, const nd_item<D>& value) {
    write_index(out, "nd_item(global_id: ", value.get_global_id());
    write_index(out, ", local_id: ", value.get_local_id());
    out.put(')');
  }
};
template <int D>
struct stream_value<h_item<D>> {
  static void write(stream_statement& out, const h_item<D>& value) {
    write_index(out, "h_item(global_id: ", value.get_global_id());
    write_index(out, ", logical_local_id: ", value.get_logical_local_id());
    write_index(out, ", physical_local_id: ", value.get_physical_local_id());
    out.put(')');
  }
};
template <int D>
struct stream_value<group<D>> {
  static void write(stream_statement& out, const group<D>& value) {
    write_index(out, "group(id: ", value.get_group_id());
    write_index(out, ", group_range: ", value.get_group_range());
    write_index(out, ", local_range: ", value.get_local_range());
    out.put(')');
  }
};

} // namespace detail
} // namespace sycl
