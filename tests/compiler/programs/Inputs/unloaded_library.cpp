#include <sycl/sycl.hpp>

#include <cstdio>

namespace {
struct end_of_library {
  ~end_of_library() { std::puts("unloaded"); }
} end;

/// Virtual functions of a class of SYCL, in a library that goes.
struct first_cpu : sycl::device_selector {
  int operator()(const sycl::device& device) const override { return device.is_cpu() ? 1 : -1; }
};
} // namespace

/// With a bit of each class that has state behind it: queues and buffers with properties, a reduction, a stream, a
/// host task, an image, exceptions.
extern "C" int run_in_library() {
  const auto report = [](const sycl::exception_list& errors) {
    for (const std::exception_ptr& each : errors)
      try {
        std::rethrow_exception(each);
      } catch (const sycl::exception& error) {
        std::printf("asynchronous %s\n", error.what());
      }
  };
  sycl::queue queue(first_cpu(), report,
                    {sycl::property::queue::in_order(), sycl::property::queue::enable_profiling()});
  int result = 0;
  {
    sycl::buffer<int> values(sycl::range(64), {sycl::property::buffer::context_bound(queue.get_context())});
    sycl::buffer<int> sum(&result, 1, {sycl::property::buffer::use_host_ptr()});
    queue.submit([&](sycl::handler& h) {
      sycl::accessor out(values, h, sycl::write_only, {sycl::no_init});
      sycl::stream stream(1024, 128, h);
      h.parallel_for(64, [=](sycl::id<1> i) {
        out[i] = static_cast<int>(i[0]);
        if (i[0] == 5)
          stream << "";
      });
    });
    queue.submit([&](sycl::handler& h) {
      sycl::accessor in(values, h, sycl::read_only);
      auto total = sycl::reduction(sum, h, sycl::plus<int>(), {sycl::property::reduction::initialize_to_identity()});
      h.parallel_for(sycl::range(64), total, [=](sycl::id<1> i, auto& part) { part += in[i]; });
    });
    queue.submit([&](sycl::handler& h) {
      sycl::accessor in(values, h, sycl::read_only);
      h.host_task([=] { std::printf("host task %d\n", in[63]); });
    });
    sycl::unsampled_image<2> image(sycl::image_format::r32g32b32a32_sfloat, {4, 4});
    queue.submit([&](sycl::handler& h) {
      sycl::unsampled_image_accessor<sycl::float4, 2, sycl::access_mode::write> out(image, h);
      h.parallel_for(sycl::range(4, 4), [=](sycl::id<2> i) {
        out.write(sycl::int2(static_cast<int>(i[0]), static_cast<int>(i[1])), sycl::float4(1));
      });
    });
    queue.wait_and_throw();
  }
  try {
    (void)queue.get_info<sycl::info::queue::context>();
    (void)sycl::property_list().get_property<sycl::property::queue::in_order>();
  } catch (const sycl::exception& error) {
    std::printf("%s\n", error.code() == sycl::errc::invalid ? "invalid" : "other");
  }
  return result;
}
