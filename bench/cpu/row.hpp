// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../bench.hpp"
#include "opencl.hpp"
#include "vectors.hpp"

#include <memory>
#include <optional>

/// \file
/// The rows of the table that Falx's CPU device is measured by. A row is one kernel over one set of data,
/// written for SYCL, for OpenMP as its user would (the compiler vectorises what it can), and by hand with
/// vectors of the processor (vectors.hpp; some rows for AVX-512 only) and OpenMP's threads. Some have the
/// same kernel in OpenCL C, too (opencl.hpp).

namespace bench {

class row {
public:
  virtual ~row() = default;
  /// Each computes all results, and returns when they are there.
  virtual void falx() = 0;
  virtual void openmp() = 0;
  /// Called only if has_hand().
  virtual void by_hand() = 0;
  /// Whether by_hand() is written for the processor that the program is compiled for.
  virtual bool has_hand() const { return FALX_BENCH_VECTOR_BYTES != 0; }
  /// The kernel of falx() in OpenCL C, if the row has it.
  virtual std::optional<opencl::kernel> in_opencl() const { return std::nullopt; }
  /// Spoils the results.
  virtual void clear() = 0;
  virtual std::vector<double> results() const = 0;
  /// How much results may differ between sides, relative to the largest of them.
  virtual double tolerance() const { return 1e-5; }
};

/// A pseudo-random number from \p i.
constexpr unsigned hash(unsigned i) {
  i ^= i >> 16;
  i *= 0x7feb352du;
  i ^= i >> 15;
  i *= 0x846ca68bu;
  return i ^ (i >> 16);
}
/// In [0, 1).
constexpr float random_number(std::size_t i) {
  return static_cast<float>(hash(static_cast<unsigned>(i)) >> 8) * 0x1p-24f;
}

std::unique_ptr<row> make_mandelbrot();
std::unique_ptr<row> make_polynomial();
std::unique_ptr<row> make_polynomial_in_groups();
std::unique_ptr<row> make_polynomial_captured();
std::unique_ptr<row> make_nbody();
std::unique_ptr<row> make_nbody_rsqrt();
std::unique_ptr<row> make_nbody_double();
std::unique_ptr<row> make_black_scholes();
std::unique_ptr<row> make_stencil();
std::unique_ptr<row> make_ray_tracing();
std::unique_ptr<row> make_binomial_options();
std::unique_ptr<row> make_bitonic_sort();
std::unique_ptr<row> make_sparse_matrix();
std::unique_ptr<row> make_sparse_matrix_sub_groups();
std::unique_ptr<row> make_prefix_sum();
std::unique_ptr<row> make_histogram();
std::unique_ptr<row> make_sub_group_sums();
std::unique_ptr<row> make_sum();
std::unique_ptr<row> make_triad();

} // namespace bench
