#include <sycl/sycl.hpp>

void launch(sycl::handler& group, sycl::sampled_image<2>& picture, sycl::sampled_image<1>& line,
            sycl::float4* out) {
  const auto colors = picture.get_access<sycl::float4>(group);
  group.parallel_for<class samples_picture>(sycl::range<1>(64), [=](sycl::id<1> i) {
    const float x = static_cast<float>(i[0]);
    out[i] = colors.read(sycl::float2(x, 0.25f * x));
  });
  const auto places = line.get_access<sycl::float4>(group);
  group.parallel_for<class samples_line>(
      sycl::range<1>(64), [=](sycl::id<1> i) { out[i] = places.read(static_cast<float>(i[0])); });
}

void copy(sycl::handler& group, sycl::unsampled_image<2>& from, sycl::unsampled_image<2>& to) {
  const sycl::unsampled_image_accessor<sycl::float4, 2, sycl::access_mode::read> source(from, group);
  const sycl::unsampled_image_accessor<sycl::float4, 2, sycl::access_mode::write> target(to, group);
  group.parallel_for<class copies>(sycl::range<2>(64, 64), [=](sycl::id<2> i) {
    const sycl::int2 at(static_cast<int>(i[1]), static_cast<int>(i[0]));
    target.write(at, source.read(at));
  });
}
