// get_kernel_id and what asks for kernels by name: the name of no kernel is an error where no other file can name the
// type (SYCL 2020 §4.11.4), and the program's business at run time where one can.
// RUN: %falxpp -std=c++17 -fsyntax-only -Xclang -verify %s
#include <sycl/sycl.hpp>

class elsewhere;
class launched;
namespace {
class missing;
class asked_twice;
class present;
enum class number_name { one };
class questioned;
} // namespace

template <class Name>
sycl::kernel_id by_template() {
  return sycl::get_kernel_id<Name>(); // expected-error {{no kernel is named '(anonymous namespace)::asked_twice'}}
}

void ask(sycl::queue& queue) {
  queue.single_task<launched>([] {});
  queue.single_task<present>([] {});
  queue.single_task<class local>([] {});
  sycl::get_kernel_id<elsewhere>();
  sycl::get_kernel_id<launched>();
  sycl::get_kernel_id<present>();
  sycl::get_kernel_id<class local>();
  sycl::get_kernel_id<missing>(); // expected-error {{no kernel is named '(anonymous namespace)::missing'}}
  by_template<asked_twice>();
  by_template<elsewhere>();
  // expected-error@+1 {{no kernel is named '(anonymous namespace)::number_name'}}
  sycl::is_compatible<number_name>(queue.get_device());
}

inline void in_other_files_too(const sycl::context& context) {
  sycl::get_kernel_bundle<class common, sycl::bundle_state::executable>(context);
}

void nobody_can_name(const sycl::context& context) {
  // Another type than the one of the function above. expected-error@+1 {{no kernel is named 'local'}}
  sycl::get_kernel_bundle<class local, sycl::bundle_state::executable>(context);
  // expected-error@+1 {{no kernel is named 'inside'}}
  sycl::has_kernel_bundle<class inside, sycl::bundle_state::input>(context);
  sycl::get_kernel_bundle<sycl::bundle_state::executable>(context).has_kernel<questioned>();
  in_other_files_too(context);
  // A selector is no name.
  sycl::get_kernel_bundle<sycl::bundle_state::input>(
      context, context.get_devices(), [](const sycl::device_image<sycl::bundle_state::input>&) { return true; });
}
