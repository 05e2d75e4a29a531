// Names that users give to kernels (SYCL 2020 §5.2): one kernel each, else there is a warning; and, asked for
// by name, such as can be declared at namespace scope before the kernel.
// RUN: %falxpp -std=c++17 -fsyntax-only -Xclang -verify=twice %s
// RUN: %falxpp -std=c++17 -fsyntax-only -Wno-nonportable-sycl -Xclang -verify=silent %s
// RUN: %falxpp -std=c++20 -fsyntax-only -Wnonportable-sycl -Xclang -verify=twice,place %s
// silent-no-diagnostics
#include <sycl/sycl.hpp>

class once;
class twice;
template <class...>
class with;
namespace {
class of_this_file;
}
enum class scoped { one };
enum unscoped { first };
enum fixed : int { second };
template <auto>
class numbered;

void one_name_each(sycl::queue& queue) {
  const auto kernel = [] {};
  queue.single_task<once>(kernel);
  queue.single_task<once>(kernel);
  queue.single_task<with<int>>([] {});
  queue.single_task<with<int, float>>([] {});
  // twice-note@+1 {{the other kernel is here}}
  queue.single_task<twice>([] {});
  // twice-warning@+1 {{'twice' is the name of another kernel, too, so that get_kernel_id and kernel bundles could not tell them apart; give each kernel a name of its own}}
  queue.parallel_for<twice>(sycl::range<1>(1), [](sycl::item<1>) {});
}

template <class T>
class name_of;
template <class T>
void in_template(sycl::queue& queue) {
  queue.single_task<class mentioned_in_template>([] {});
  queue.single_task<name_of<T>>([] {});
}
template <class T>
void forgets_parameter(sycl::queue& queue) {
  // twice-warning@+2 {{'name_of<void>' is the name of another kernel}}
  // twice-note@+1 {{the other kernel is this one in another instantiation}}
  queue.single_task<name_of<void>>([] {});
}

struct function_object {
  void operator()() const {}
  void operator()(sycl::item<1>) const {}
};

void instantiate(sycl::queue& queue) {
  in_template<int>(queue);
  in_template<float>(queue);
  forgets_parameter<int>(queue);
  forgets_parameter<float>(queue);
  // A class of the user's is one kernel, however it is launched.
  queue.single_task(function_object());
  queue.parallel_for(sycl::range<1>(1), function_object());
  int* data = nullptr;
  queue.parallel_for<class reduced>(sycl::range<1>(8), sycl::reduction(data, sycl::plus<>()),
                                    [](sycl::item<1>, auto& sum) { sum += 1; });
}

struct holder {
  class member;
  static void launch(sycl::queue& queue) {
    // place-warning@+1 {{kernel name 'holder::member' is a member of a class; SYCL wants names that can be declared at namespace scope before the kernel}}
    queue.single_task<member>([] {});
    queue.single_task<class mentioned_in_member>([] {});
  }
};

void places(sycl::queue& queue) {
  class local {};
  queue.single_task<class mentioned>([] {});
  queue.single_task<of_this_file>([] {});
  queue.single_task<with<class mentioned_inside, scoped, fixed>>([] {});
  queue.single_task<numbered<scoped::one>>([] {});
  queue.single_task<with<local*>>([] {}); // place-warning {{kernel name 'with<local *>' mentions 'local', which is local to a function}}
  queue.single_task<local>([] {});        // place-warning {{kernel name 'local' is local to a function}}
  queue.single_task<std::true_type>([] {}); // place-warning {{kernel name 'std::integral_constant<bool, true>' is of namespace std, to which no program adds declarations}}
  queue.single_task<numbered<first>>([] {}); // place-warning {{mentions 'unscoped', which is an enumeration without a fixed underlying type}}
}

int taken = 0;
void hidden(sycl::queue& queue) {
  queue.single_task<class taken>([] {}); // place-warning {{kernel name 'taken' has the name of something else in a namespace around it}}
}
