#include <sycl/sycl.hpp>

struct counted {
  mutable int left;
  float factors[64];
  int* out;
};

void launch(sycl::queue& queue, const counted& state) {
  queue.parallel_for<class counts_down>(sycl::range<1>(64), [=](sycl::id<1> i) {
    float sum = 0;
    while (state.left-- > 0)
      sum += state.factors[(i[0] + static_cast<std::size_t>(state.left)) % 64];
    state.out[i] = static_cast<int>(sum);
  });
  queue.parallel_for<class writes_elements>(sycl::range<1>(64), [=](sycl::id<1> i) {
    const_cast<float&>(state.factors[i[0] % 7 + 20]) = 1;
    state.out[i] = static_cast<int>(state.factors[i[0] % 9 + 20]) + state.left;
  });
  queue.submit([&](sycl::handler& handler) {
    handler.parallel_for_work_group<class of_a_group>(
        sycl::range<1>(4), sycl::range<1>(32), [=](sycl::group<1> group) {
          group.parallel_for_work_item([&](sycl::h_item<1> item) {
            if (item.get_local_id(0) == 3)
              state.left = 7;
          });
          group.parallel_for_work_item(
              [&](sycl::h_item<1> item) { state.out[item.get_global_id(0)] = state.left; });
        });
  });
}
