// Declarations of device globals that sycl_ext_oneapi_device_global allows, and those that it does not.
// RUN: %falxpp -std=c++17 -fsyntax-only -ferror-limit=0 -Xclang -verify %s
// RUN: %falxpp -std=c++20 -fsyntax-only -ferror-limit=0 -Xclang -verify %s
#include <sycl/sycl.hpp>

#include <array>
#include <new>

using namespace sycl::ext::oneapi::experimental;

device_global<int> a;
static device_global<int> b;
inline device_global<int> c;

struct Foo {
  static device_global<int> d;
  static inline device_global<int> inside;
  struct Inner {
    static device_global<int> nested;
  };
};
device_global<int> Foo::d;
device_global<int> Foo::Inner::nested;

struct Bar {
  device_global<int> e; // expected-error {{a device_global must not be a non-static member; make 'Bar::e' a public static member or a variable at namespace scope}}
};

struct Baz {
private:
  static device_global<int> f; // expected-error {{device_global 'Baz::f' must be publicly accessible from namespace scope}}
};
device_global<int> Baz::f;

class Outer {
protected:
  struct Inner {
    static inline device_global<int> f; // expected-error {{device_global 'Outer::Inner::f' must be publicly accessible}}
  };
};

device_global<int[4]> g;
device_global<int> h[4]; // expected-error {{a device_global must not be an element of an array; give device_global 'h' an array type, as in device_global<int[4]>}}

device_global<int> same_name;
namespace foo {
device_global<int> same_name;
}
namespace {
device_global<int> same_name;
}
inline namespace other {
device_global<int> same_name; // expected-error {{'other::same_name' in an inline namespace hides device_global 'same_name' of the enclosing scope}}
}
inline namespace other2 {
namespace foo { // expected-error {{'other2::foo' in an inline namespace hides the namespace that holds device_global 'foo::same_name'}}
}
inline namespace deeper {
void a(); // expected-error {{'other2::a' in an inline namespace hides device_global 'a' of the enclosing scope}}
}
} // namespace other2

// An inline namespace that hides nothing.
namespace versioned {
inline namespace v1 {
device_global<int> fine;
void d();
}
} // namespace versioned

thread_local device_global<int> per_thread; // expected-error {{a device_global must not be thread-local: 'per_thread' is one object per device and context}}
std::array<device_global<int>, 2> pair; // expected-error {{a device_global must be a variable of its own; 'pair' is an object that holds one}}
struct Derived : device_global<int> {}; // expected-error {{class 'Derived' must not derive from device_global}}

void host(device_global<int> parameter) { // expected-error {{a device_global must not be a parameter; let 'parameter' be a reference}}
  device_global<int> local; // expected-error {{a device_global must not be a local variable; declare 'local' at namespace scope or as a public static member}}
  static device_global<int> local_static; // expected-error {{a device_global must not be a local variable; declare 'local_static'}}
  (void)[] {
    device_global<int> in_lambda; // expected-error {{a device_global must not be a local variable; declare 'in_lambda'}}
  };
  const device_global<int>& temporary = device_global<int>(); // expected-error {{a device_global must not be a temporary object}}
  (void)temporary;
}

template <class T>
void in_template() {
  device_global<T> local; // expected-error {{a device_global must not be a local variable; declare 'local'}}
}
template void in_template<int>();
template void in_template<float>();

template <class T>
device_global<T> of_type;

// Declared here, defined elsewhere.
extern device_global<int> elsewhere;
SYCL_EXTERNAL extern device_global<int> shared;

void kernels(sycl::queue& queue) {
  queue.single_task<class uses>([=] { // expected-note {{in kernel}}
    b = versioned::fine + c;
    g[2] = Foo::d + Foo::Inner::nested + Foo::inside;
    of_type<int> = versioned::fine.get();
    shared = 1;
    elsewhere = 2; // expected-error {{device code refers to device global 'elsewhere', which has no definition in this translation unit; define it, or declare it with SYCL_EXTERNAL}}
  });
}
