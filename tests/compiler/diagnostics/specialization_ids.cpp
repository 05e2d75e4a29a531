// Declarations of specialization_id (SYCL 2020 §4.9.5.1): Falx takes any, and warns of those that other compilers cannot name at the
// end of the file.
// RUN: %falxpp -std=c++17 -fsyntax-only -Xclang -verify %s
// RUN: %falxpp -std=c++17 -fsyntax-only -Wno-nonportable-sycl -Xclang -verify=silent %s
// silent-no-diagnostics
#include <sycl/sycl.hpp>

constexpr sycl::specialization_id<int> good(1);
inline constexpr sycl::specialization_id<int> also_good(1);
static constexpr sycl::specialization_id<int> of_this_file(1);
namespace {
constexpr sycl::specialization_id<int> unnamed(1);
}
namespace space {
constexpr sycl::specialization_id<int> inside(1);
inline int use(sycl::handler& group) { return group.get_specialization_constant<inside>(); }
inline namespace version {
constexpr sycl::specialization_id<int> deeper(1);
void inside(); // expected-warning {{'space::version::inside' in an inline namespace hides specialization_id 'space::inside' of the enclosing scope; rename one of them}}
void other();
} // namespace version
} // namespace space
const sycl::specialization_id<int> only_const(1); // expected-warning {{specialization_id 'only_const' is not constexpr, as SYCL wants it to be; declare it constexpr}}
const sycl::specialization_id<int> never_used(1);
struct members {
  static constexpr sycl::specialization_id<int> visible{1};
  static void launch(sycl::queue& queue);

private:
  static constexpr sycl::specialization_id<int> hidden{1}; // expected-warning {{specialization_id 'hidden' is not accessible from namespace scope, where not every SYCL compiler can name it; make the member and the classes around it public}}
};
template <class T>
constexpr sycl::specialization_id<T> of_template(1);

void members::launch(sycl::queue& queue) {
  static constexpr sycl::specialization_id<int> local(1); // expected-warning {{specialization_id 'local' is local to a function, where not every SYCL compiler can name it; declare it at namespace scope or as a public static member}}
  queue.submit([&](sycl::handler& group) {
    group.set_specialization_constant<hidden>(2);
    group.set_specialization_constant<only_const>(2);
    group.set_specialization_constant<of_template<int>>(2);
    group.single_task([](sycl::kernel_handler handler) {
      handler.get_specialization_constant<good>();
      handler.get_specialization_constant<also_good>();
      handler.get_specialization_constant<of_this_file>();
      handler.get_specialization_constant<unnamed>();
      handler.get_specialization_constant<space::deeper>();
      handler.get_specialization_constant<visible>();
      handler.get_specialization_constant<local>();
      handler.get_specialization_constant<of_template<int>>();
    });
  });
}
