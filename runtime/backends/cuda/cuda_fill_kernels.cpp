// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda_fill_kernels.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <fmt/format.h>
#include <numeric>
#include <string>

namespace falx {
namespace {

/// What the kernel gets; the numbers in its text are the offsets.
struct fill_parameters {
  std::uint64_t first, count, pitch; // count: units in a row
  std::uint32_t rows, length;        // length: units in the pattern
  unsigned char pattern[cuda_fill_kernels::LONGEST_PATTERN];
};
static_assert(offsetof(fill_parameters, pattern) == 32 && sizeof(fill_parameters) == 160);

/// The number of threads along x is a multiple of the pattern's length, so a thread writes the same unit of
/// it every time. {0} is the unit's size in bytes, {1} in bits, {2} the size of a register for it.
constexpr const char* TEXT = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry falx_fill_{0}(.param .align 16 .b8 fill[160]) {{
  .reg .pred %row_is_done, %is_done;
  .reg .b32 %block, %blocks, %threads, %thread, %first, %step, %length, %unit, %row, %rows, %grid_rows;
  .reg .b64 %pattern, %offset, %index, %count, %stride, %step_bytes, %address, %row_address, %pitch, %row64;
  .reg .b{2} %value;
  mov.u32 %block, %ctaid.x;
  mov.u32 %blocks, %nctaid.x;
  mov.u32 %threads, %ntid.x;
  mov.u32 %thread, %tid.x;
  mad.lo.u32 %first, %block, %threads, %thread;
  mul.lo.u32 %step, %blocks, %threads;
  ld.param.u32 %rows, [fill+24];
  ld.param.u32 %length, [fill+28];
  rem.u32 %unit, %first, %length;
  mul.wide.u32 %offset, %unit, {0};
  mov.b64 %pattern, fill;
  add.u64 %pattern, %pattern, %offset;
  ld.param.u{1} %value, [%pattern+32];
  ld.param.u64 %count, [fill+8];
  ld.param.u64 %pitch, [fill+16];
  mul.wide.u32 %step_bytes, %step, {0};
  cvt.u64.u32 %stride, %step;
  mov.u32 %row, %ctaid.y;
  mov.u32 %grid_rows, %nctaid.y;
next_row:
  setp.ge.u32 %is_done, %row, %rows;
  @%is_done bra end;
  cvt.u64.u32 %row64, %row;
  ld.param.u64 %row_address, [fill];
  mad.lo.u64 %row_address, %row64, %pitch, %row_address;
  cvt.u64.u32 %index, %first;
  mad.lo.u64 %address, %index, {0}, %row_address;
next_unit:
  setp.ge.u64 %row_is_done, %index, %count;
  @%row_is_done bra row_done;
  st.global.u{1} [%address], %value;
  add.u64 %address, %address, %step_bytes;
  add.u64 %index, %index, %stride;
  bra next_unit;
row_done:
  add.u32 %row, %row, %grid_rows;
  bra next_row;
end:
  ret;
}}
)";

constexpr std::uint64_t THREADS = 256;
constexpr std::uint64_t BLOCKS_PER_COMPUTE_UNIT = 8; // as many as run at a time
constexpr std::uint64_t MOST_GRID_ROWS = 1024;

} // namespace

cuda::function_handle cuda_fill_kernels::function_for(unsigned unit_index) {
  version& wanted = versions_[unit_index];
  std::call_once(wanted.loaded, [&] {
    const unsigned bytes = 1U << unit_index;
    const std::string text = fmt::format(TEXT, bytes, 8 * bytes, std::max(8 * bytes, 16U));
    if (cuda::api().cuModuleLoadDataEx(&wanted.module, text.c_str(), 0, nullptr, nullptr) ==
        cuda::result::success)
      cuda::api().cuModuleGetFunction(&wanted.function, wanted.module,
                                      fmt::format("falx_fill_{}", bytes).c_str());
  });
  return wanted.function;
}

bool cuda_fill_kernels::fill(cuda_stream& stream, const cuda_byte_box& box,
                             std::span<const unsigned char> pattern) {
  if (pattern.size() > LONGEST_PATTERN)
    return false;
  // The largest unit that everything is a multiple of.
  const auto unit_index = static_cast<unsigned>(
      std::min(std::countr_zero(box.first | box.pitch | box.slice | pattern.size()), 3));
  const cuda::function_handle function = function_for(unit_index);
  if (function == nullptr)
    return false;
  fill_parameters parameters{};
  parameters.count = box.width >> unit_index;
  parameters.pitch = box.pitch;
  parameters.rows = static_cast<std::uint32_t>(box.height);
  parameters.length = static_cast<std::uint32_t>(pattern.size() >> unit_index);
  std::memcpy(parameters.pattern, pattern.data(), pattern.size());

  const std::uint64_t rows = std::min<std::uint64_t>(box.height, MOST_GRID_ROWS);
  const std::uint64_t most = std::max<std::uint64_t>(compute_units_ * BLOCKS_PER_COMPUTE_UNIT / rows, 1);
  const std::uint64_t blocks = std::min((parameters.count + THREADS - 1) / THREADS, most);
  const std::uint64_t multiple = parameters.length / std::gcd(std::uint64_t{parameters.length}, THREADS);
  const std::uint64_t grid = (blocks + multiple - 1) / multiple * multiple;
  void* arguments[] = {&parameters};
  for (std::size_t z = 0; z < box.depth; ++z) {
    parameters.first = box.first + z * box.slice;
    stream.context().check(cuda::api().cuLaunchKernel(function, static_cast<unsigned>(grid),
                                                      static_cast<unsigned>(rows), 1, THREADS, 1, 1, 0,
                                                      stream.native(), arguments, nullptr),
                           "fill");
  }
  return true;
}

} // namespace falx
