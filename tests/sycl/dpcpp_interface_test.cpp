// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What programs for DPC++ use beside the specification: headers, names, and small extensions.
#include <sycl/access/access.hpp>
#include <sycl/aliases.hpp>
#include <sycl/aspects.hpp>
#include <sycl/async_handler.hpp>
#include <sycl/backend_types.hpp>
#include <sycl/builtins.hpp>
#include <sycl/detail/core.hpp>
#include <sycl/exception_list.hpp>
#include <sycl/group_algorithm.hpp>
#include <sycl/half_type.hpp>
#include <sycl/image.hpp>
#include <sycl/info/info_desc.hpp>
#include <sycl/kernel_bundle_enums.hpp>
#include <sycl/known_identity.hpp>
#include <sycl/pointers.hpp>
#include <sycl/properties/accessor_properties.hpp>
#include <sycl/properties/all_properties.hpp>
#include <sycl/properties/buffer_properties.hpp>
#include <sycl/properties/context_properties.hpp>
#include <sycl/properties/image_properties.hpp>
#include <sycl/properties/property_traits.hpp>
#include <sycl/properties/queue_properties.hpp>
#include <sycl/properties/reduction_properties.hpp>
#include <sycl/sampler.hpp>
#include <sycl/sycl_span.hpp>
#include <sycl/types.hpp>
#include <sycl/usm/usm_allocator.hpp>
#include <sycl/usm/usm_enums.hpp>
#include <sycl/usm/usm_pointer_info.hpp>
#include <sycl/vector.hpp>
// All of the above stands without it.
#include <sycl/sycl.hpp>

#include <gtest/gtest.h>

namespace {

namespace experimental = sycl::ext::oneapi::experimental;
using experimental::architecture;

// oneDPL keeps a flag and a function in the bytes of a queue.
static_assert(sizeof(sycl::queue) >= sizeof(std::pair<std::uintptr_t, sycl::queue (*)()>));
static_assert(std::is_same_v<sycl::ulong, unsigned long> && std::is_same_v<sycl::uchar, unsigned char>);
static_assert(SYCL_EXT_ONEAPI_DEVICE_ARCHITECTURE == 1 && SYCL_EXT_ONEAPI_FREE_FUNCTION_QUERIES == 1 &&
              SYCL_EXT_ONEAPI_UNIFORM == 1 && SYCL_EXT_ONEAPI_WORK_GROUP_MEMORY == 1);

TEST(standard_headers, come_with_the_umbrella_header) {
  std::stringstream text;
  int values[] = {3, 1, 2};
  std::sort(values, values + 3);
  char bytes[4];
  memset(bytes, 1, sizeof bytes);
  const std::function<double(double)> root = [](double x) { return std::sqrt(x); };
  const auto now = std::chrono::steady_clock::now();
  text << values[0] << root(4) << int(bytes[3]) << (now > std::chrono::steady_clock::now());
  assert(text.str() == "1210");
  EXPECT_EQ(text.str(), "1210");
}

TEST(backend, is_written_by_its_name) {
  std::ostringstream narrow;
  narrow << sycl::backend::cpu << ' ' << sycl::backend::ext_oneapi_cuda << ' '
         << sycl::backend::ext_oneapi_level_zero;
  EXPECT_EQ(narrow.str(), "cpu cuda level_zero");
  std::wostringstream wide;
  wide << sycl::backend::opencl;
  EXPECT_EQ(wide.str(), L"opencl");
}

TEST(backend, native_objects_of_absent_ones_compile) {
  const sycl::queue q;
  EXPECT_THROW((void)sycl::get_native<sycl::backend::ext_oneapi_level_zero>(q), sycl::exception);
  EXPECT_THROW((void)sycl::get_native<sycl::backend::opencl>(q.get_device()), sycl::exception);
  sycl::buffer<double> b(4);
  double* found = nullptr;
  sycl::queue(q).submit([&](sycl::handler& h) {
    sycl::accessor a(b, h);
    h.host_task([=, &found](sycl::interop_handle handle) {
      if (handle.get_backend() == sycl::backend::ext_oneapi_level_zero)
        found = reinterpret_cast<double*>(handle.get_native_mem<sycl::backend::ext_oneapi_level_zero>(a));
      else if (handle.get_backend() == sycl::backend::ext_oneapi_hip)
        found = static_cast<double*>(handle.get_native_mem<sycl::backend::ext_oneapi_hip>(a));
    });
  });
  sycl::queue(q).wait();
  EXPECT_EQ(found, nullptr);
}

TEST(device, has_a_reference_count) {
  EXPECT_EQ(sycl::device().get_info<sycl::info::device::reference_count>(), 1u);
}

TEST(buffer, gives_access_to_a_host_task) {
  sycl::queue q;
  sycl::buffer<int> b(8);
  const auto submit = [&](auto&& group) { q.submit(group); };
  submit([&](sycl::handler& h) {
    auto a = b.get_host_access(h, sycl::write_only, sycl::no_init);
    h.host_task([=] {
      for (int i = 0; i < 8; ++i)
        a[i] = i;
    });
  });
  submit([&](sycl::handler& h) {
    auto a = b.get_host_access(h);
    h.host_task([=] { a[1] += 10; });
  });
  int seen = 0;
  submit([&](sycl::handler& h) {
    auto a = b.get_host_access(h, sycl::range(2), sycl::id(1), sycl::read_only);
    static_assert(std::is_same_v<decltype(a[0]), const int&>);
    h.host_task([=, &seen] { seen = a[0]; }); // from the offset on
  });
  q.wait();
  EXPECT_EQ(seen, 11);
}

TEST(vec, takes_braces_on_the_right) {
  sycl::float4 color(1.0f);
  const float f = 0.5f;
  color += {f, 2 * f, 3 * f, 4 * f};
  color *= {2.0f, 2.0f, 2.0f, 2.0f};
  sycl::int2 pair(12, 10);
  pair &= {4, 2};
  color.swizzle<sycl::elem::x, sycl::elem::y>() += {1.0f, 1.0f};
  EXPECT_TRUE(color.x() == 4.0f && color.y() == 5.0f && color.w() == 6.0f);
  EXPECT_TRUE(pair.x() == 4 && pair.y() == 2);
}

TEST(free_function_queries, have_their_first_names) {
  sycl::queue q;
  int* out = sycl::malloc_shared<int>(64, q);
  q.parallel_for(sycl::range(4, 8), [=](sycl::item<2>) {
     const sycl::id<2> i = experimental::this_id<2>();
     out[experimental::this_item<2>().get_linear_id()] = int(i[0] * 10 + i[1]);
   }).wait();
  EXPECT_EQ(out[8 + 3], 13);
  q.parallel_for(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> item) {
     const bool same = experimental::this_nd_item<1>() == item &&
                       experimental::this_group<1>() == item.get_group() &&
                       experimental::this_sub_group() == item.get_sub_group() &&
                       sycl::ext::oneapi::this_work_item::get_work_group<1>() == item.get_group();
     out[experimental::this_nd_item<1>().get_global_linear_id()] = same;
   }).wait();
  EXPECT_EQ(std::accumulate(out, out + 64, 0), 64);
  sycl::free(out, q);
}

TEST(uniform, is_its_value) {
  static_assert(!std::is_assignable_v<experimental::uniform<int>&, experimental::uniform<int>>);
  static_assert(!std::is_convertible_v<int, experimental::uniform<int>>);
  sycl::queue q;
  int* out = sycl::malloc_shared<int>(32, q);
  q.parallel_for(sycl::nd_range<1>(32, 32), [=](sycl::nd_item<1> item) {
     const experimental::uniform factor(int(item.get_group(0)) + 3);
     out[item.get_global_id(0)] = factor * int(item.get_global_id(0));
   }).wait();
  EXPECT_EQ(out[31], 93);
  sycl::free(out, q);
}

struct point {
  int x, y;
};

TEST(work_group_memory, is_used_like_its_type) {
  sycl::queue q;
  int* out = sycl::malloc_shared<int>(128, q);
  q.submit([&](sycl::handler& h) {
     experimental::work_group_memory<int> scalar(h);
     experimental::work_group_memory<int[64]> bounded(h);
     experimental::work_group_memory<int[]> unbounded(64, h);
     experimental::work_group_memory<int[][8]> rows(8, h);
     experimental::work_group_memory<point[2]> points{experimental::indeterminate};
     points = experimental::work_group_memory<point[2]>(h);
     h.parallel_for(sycl::nd_range<1>(128, 64), [=](sycl::nd_item<1> item) {
       const int i = int(item.get_local_id(0));
       bounded[i] = i;
       unbounded[63 - i] = 2 * i;
       rows[i / 8][i % 8] = 3 * i;
       if (i == 0) {
         scalar = 5;
         ++scalar;
         scalar = scalar + 1;
         int* p = &scalar;
         *p += int(item.get_group(0));
         points[1].x = 100;
         points[1].y = points[1].x + 1;
       }
       sycl::group_barrier(item.get_group());
       out[item.get_global_id(0)] =
           bounded[(i + 1) % 64] + unbounded[i] + *(rows.get_multi_ptr() + 63 - i) + scalar + points[1].y;
     });
   }).wait();
  bool right = true;
  for (int i = 0; i < 128; ++i) {
    const int l = i % 64;
    right &= out[i] == (l + 1) % 64 + 2 * (63 - l) + 3 * (63 - l) + 7 + i / 64 + 101;
  }
  EXPECT_TRUE(right);
  sycl::free(out, q);
}

TEST(work_group_memory, needs_work_groups) {
  sycl::queue q;
  EXPECT_THROW(q.submit([&](sycl::handler& h) {
    experimental::work_group_memory<int> memory(h);
    h.parallel_for(sycl::range(4), [=](sycl::id<1>) { *&memory = 1; });
  }),
               sycl::exception);
}

TEST(device_architecture, is_known_to_host_and_kernel) {
  sycl::queue q;
  const auto here = q.get_device().get_info<experimental::info::device::architecture>();
  EXPECT_TRUE(q.get_device().ext_oneapi_architecture_is(here));
  if (q.get_backend() == sycl::backend::cuda)
    EXPECT_GE(here, architecture::nvidia_gpu_sm_70);
  EXPECT_FALSE(q.get_device().ext_oneapi_architecture_is(architecture::intel_gpu_pvc));
  int* out = sycl::malloc_shared<int>(2, q);
  q.single_task([=] {
     using experimental::if_architecture_is;
     if_architecture_is<architecture::intel_gpu_pvc, architecture::amd_gpu_gfx90a>([=] { out[0] = 1; })
         .else_if_architecture_is<architecture::x86_64>([=](int value) { out[0] = value; }, 2)
         .otherwise([=] { out[0] = 3; });
     if_architecture_is<architecture::x86_64, architecture::nvidia_gpu_sm_90>([=] {
       out[1] = 4;
     }).otherwise([=] { out[1] = 5; });
   }).wait();
  EXPECT_EQ(out[0], here == architecture::x86_64 ? 2 : 3);
  EXPECT_EQ(out[1], here == architecture::x86_64 || here == architecture::nvidia_gpu_sm_90 ? 4 : 5);
  sycl::free(out, q);
}

// Families are ordered, and nothing of one is in the range of another.
static_assert(architecture::intel_gpu_rpl_s == architecture::intel_gpu_adl_s);
static_assert(architecture::intel_gpu_ehl > architecture::intel_gpu_skl &&
              architecture::intel_gpu_ehl < architecture::intel_gpu_pvc);
static_assert(architecture::nvidia_gpu_sm_90 < architecture::nvidia_gpu_sm_90a &&
              architecture::nvidia_gpu_sm_90a < architecture::nvidia_gpu_sm_100);
static_assert(architecture::amd_gpu_gfx908 < architecture::amd_gpu_gfx1031);

TEST(device_architecture, is_compared_within_a_family) {
  using namespace sycl::ext::oneapi::experimental;
  sycl::queue q;
  const sycl::device device = q.get_device();
  const bool is_cuda = q.get_backend() == sycl::backend::cuda;
  EXPECT_EQ(device.ext_oneapi_architecture_is(arch_category::nvidia_gpu), is_cuda);
  EXPECT_FALSE(device.ext_oneapi_architecture_is(arch_category::intel_gpu));
  EXPECT_FALSE(device.ext_oneapi_architecture_is(arch_category::amd_gpu));
  int* out = sycl::malloc_shared<int>(8, q);
  q.single_task([=] {
     if_architecture_is<arch_category::amd_gpu, arch_category::nvidia_gpu>([=] {
       out[0] = 1;
     }).otherwise([=] { out[0] = 2; });
     if_architecture_is<arch_category::intel_gpu>([=] {
       out[1] = 1;
     }).else_if_architecture_is<arch_category::nvidia_gpu>([=] {
         out[1] = 2;
       }).otherwise([=] { out[1] = 3; });
     if_architecture_is_lt<architecture::nvidia_gpu_sm_50>([=] {
       out[2] = 1;
     }).else_if_architecture_is_lt<architecture::x86_64>([=] {
         out[2] = 2;
       }).otherwise([=] { out[2] = 3; });
     if_architecture_is_le<architecture::intel_gpu_pvc>([=] {
       out[3] = 1;
     }).else_if_architecture_is_le<architecture::x86_64>([=] {
         out[3] = 2;
       }).otherwise([=] { out[3] = 3; });
     if_architecture_is_gt<architecture::intel_gpu_bdw>([=] { out[4] = 1; })
         .else_if_architecture_is_gt<architecture::x86_64>([=] { out[4] = 2; })
         .else_if_architecture_is_gt<architecture::nvidia_gpu_sm_62>([=] { out[4] = 3; })
         .otherwise([=] { out[4] = 4; });
     if_architecture_is_ge<architecture::nvidia_gpu_sm_70>([=] {
       out[5] = 1;
     }).else_if_architecture_is_ge<architecture::x86_64>([=] {
         out[5] = 2;
       }).otherwise([=] { out[5] = 3; });
     if_architecture_is_between<architecture::amd_gpu_gfx700, architecture::amd_gpu_gfx1201>(
         [=] { out[6] = 1; })
         .else_if_architecture_is_between<architecture::nvidia_gpu_sm_70, architecture::nvidia_gpu_sm_121>(
             [=] { out[6] = 2; })
         .otherwise([=] { out[6] = 3; });
   }).wait();
  const bool is_x86 = device.ext_oneapi_architecture_is(architecture::x86_64);
  EXPECT_EQ(out[0], is_cuda ? 1 : 2);
  EXPECT_EQ(out[1], is_cuda ? 2 : 3);
  EXPECT_EQ(out[2], 3);
  EXPECT_EQ(out[3], is_x86 ? 2 : 3);
  EXPECT_EQ(out[4], is_cuda ? 3 : 4);
  EXPECT_EQ(out[5], is_cuda ? 1 : is_x86 ? 2 : 3);
  EXPECT_EQ(out[6], is_cuda ? 2 : 3);
  sycl::free(out, q);
}

// Each aspect, as device::has says.
TEST(old_names, are_there) {
  EXPECT_EQ(sycl::device().get_platform().get_info<sycl::info::platform::profile>(), "FULL_PROFILE");
  static_assert(std::is_same_v<sycl::opencl::cl_uint, std::uint32_t>);
  static_assert(std::is_same_v<sycl::opencl::cl_half, sycl::half>);
  static_assert(std::is_same_v<sycl::cl_half4, sycl::half4> &&
                std::is_same_v<sycl::cl_ulong16, sycl::ulong16>);
}

TEST(device_if, answers_as_the_host_does) {
  using namespace sycl::ext::oneapi::experimental;
  using sycl::aspect;
  sycl::queue q;
  const sycl::device device = q.get_device();
  int* out = sycl::malloc_shared<int>(8, q);
  q.single_task([=] {
     if_device_has<aspect::cpu>([=] { out[0] = 1; }).otherwise([=] { out[0] = 0; });
     if_device_has<aspect::gpu>([=] { out[1] = 1; }).otherwise([=] { out[1] = 0; });
     if_device_has<aspect::accelerator>([=] { out[2] = 1; }).otherwise([=] { out[2] = 0; });
     if_device_has<aspect::usm_system_allocations>([=] { out[3] = 1; }).otherwise([=] { out[3] = 0; });
     if_device_has<aspect::fp64, aspect::cpu>([=] { out[4] = 1; })
         .else_if_device_has<aspect::gpu>([=](int value) { out[4] = value; }, 2)
         .otherwise([=] { out[4] = 3; });
     if_device_has<aspect::fp64, aspect::emulated>([=] { out[5] = 1; }).otherwise([=] { out[5] = 0; });
     if_device_has<>([=] { out[6] = 1; }).else_if_device_has<aspect::cpu>([=] { out[6] = 2; });
   }).wait();
  EXPECT_EQ(out[0], device.has(aspect::cpu));
  EXPECT_EQ(out[1], device.has(aspect::gpu));
  EXPECT_EQ(out[2], 0);
  EXPECT_EQ(out[3], device.has(aspect::usm_system_allocations));
  EXPECT_EQ(out[4], device.has(aspect::cpu) ? 1 : 2);
  EXPECT_EQ(out[5], 0);
  EXPECT_EQ(out[6], 1);
  sycl::free(out, q);
}

[[sycl::device_has(sycl::aspect::ext_oneapi_tangle)]] void for_tangles(int* out) {
  *out = 1;
}

// What is for other devices is not what the kernel needs.
TEST(device_if, guards_optional_features) {
  using namespace sycl::ext::oneapi::experimental;
  sycl::queue q;
  int* out = sycl::malloc_shared<int>(1, q);
  q.single_task<class guarded_kernel>([=] {
     if_device_has<sycl::aspect::ext_oneapi_tangle>([=] { for_tangles(out); }).otherwise([=] { *out = 2; });
   }).wait();
  EXPECT_EQ(*out, q.get_device().has(sycl::aspect::ext_oneapi_tangle) ? 1 : 2);
  EXPECT_TRUE(sycl::is_compatible<class guarded_kernel>(q.get_device()));
  sycl::free(out, q);
}

} // namespace
