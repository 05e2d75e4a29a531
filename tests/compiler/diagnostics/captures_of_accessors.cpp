// Accessors for host tasks are no parameters of kernels (SYCL 2020 §4.12.4).
// RUN: %falxpp -std=c++17 -fsyntax-only -Xclang -verify %s
#include <sycl/sycl.hpp>

template <class Accessor>
struct with_accessor {
  void operator()() const {}
  Accessor accessor; // expected-error {{kernel function object of type 'with_accessor<sycl::accessor<int, 1, sycl::access_mode::read, sycl::target::host_task, sycl::accessor_variant::false_t>>', which is no parameter of kernels: its member 'accessor' of type}}
};

void launch(sycl::queue& queue, sycl::buffer<int>& buffer) {
  queue.submit([&](sycl::handler& group) {
    sycl::accessor for_host_task(buffer, group, sycl::write_only_host_task);
    sycl::accessor for_device(buffer, group, sycl::write_only);
    // expected-error@+1 {{kernel captures 'for_host_task' of type}}
    group.single_task([=] { for_device[0] = for_host_task.get_range()[0]; });
  });
  queue.submit([&](sycl::handler& group) {
    sycl::accessor for_host_task(buffer, group, sycl::read_only_host_task);
    group.single_task(with_accessor<decltype(for_host_task)>{for_host_task}); 
  });
  queue.submit([&](sycl::handler& group) {
    sycl::accessor for_device(buffer, group, sycl::read_only);
    group.single_task(with_accessor<decltype(for_device)>{for_device});
  });
  queue.submit([&](sycl::handler& group) {
    sycl::accessor for_host_task(buffer, group, sycl::read_write_host_task);
    group.host_task([=] { for_host_task[0] = 1; });
  });
}

void launch(sycl::queue& queue, sycl::unsampled_image<1>& unsampled, sycl::sampled_image<1>& sampled) {
  queue.submit([&](sycl::handler& group) {
    sycl::unsampled_image_accessor<sycl::float4, 1, sycl::access_mode::read, sycl::image_target::host_task> first(unsampled, group);
    sycl::sampled_image_accessor<sycl::float4, 1, sycl::image_target::host_task> second(sampled, group);
    sycl::sampled_image_accessor<sycl::float4, 1, sycl::image_target::device> third(sampled, group);
    // expected-error@+2 {{kernel captures 'first' of type}}
    // expected-error@+1 {{kernel captures 'second' of type 'sycl::sampled_image_accessor<sycl::float4, 1, sycl::image_target::host_task>', which is no parameter of kernels: it is for host tasks; make one for devices, without target::host_task or a tag such as read_write_host_task}}
    group.single_task([=] { (void)first, (void)second, (void)third; });
  });
}

template <sycl::target Target>
void launch_for(sycl::queue& queue, sycl::buffer<int>& buffer) {
  queue.submit([&](sycl::handler& group) {
    sycl::accessor<int, 1, sycl::access_mode::read_write, Target> accessor(buffer, group);
    if (Target == sycl::target::host_task)
      group.host_task([=] { accessor[0] = 1; });
    else if (Target == sycl::target::device)
      group.single_task([=] { accessor[0] = 1; });
    (void)(Target == sycl::target::device ? (group.single_task([=] { accessor[0] = 2; }), 0) : 0);
    if (Target == sycl::target::host_task)
      [&] { group.single_task([=] { accessor[0] = 3; }); }(); // expected-error {{kernel captures 'accessor' of type}}
    else
      [&] { group.single_task([=] { accessor[0] = 4; }); }();
    if (Target == sycl::target::device) {
    comes_in:
      group.single_task([=] { accessor[0] = 5; }); // expected-error {{kernel captures 'accessor' of type}}
    } else {
      goto comes_in;
    }
  });
}

// Nothing is wrong with kernels that are never launched.
void launch_for_both(sycl::queue& queue, sycl::buffer<int>& buffer) {
  launch_for<sycl::target::device>(queue, buffer);
  launch_for<sycl::target::host_task>(queue, buffer); 
}
