#include <sycl/sycl.hpp>

#include <cstddef>

// What FALX_ADAPTIVITY=2 finds out: the range, and that pointers are aligned.
void launch(sycl::queue& queue, float* from, float* to, std::size_t rows) {
  queue.parallel_for<class copies_fours>(sycl::range<1>(rows), [=](sycl::id<1> i) {
    float four[4];
    for (std::size_t j = 0; j < 4; ++j)
      four[j] = from[i[0] * 4 + j];
    for (std::size_t j = 0; j < 4; ++j)
      to[i[0] * 4 + j] = four[j];
  });
  queue.parallel_for<class tells_range>(sycl::range<2>(rows, rows), [=](sycl::item<2> item) {
    to[item.get_linear_id()] = static_cast<float>(item.get_range(0));
  });
}
