// What the class device_global and the copies of device globals refuse.
// RUN: %falxpp -std=c++17 -fsyntax-only -ferror-limit=0 -Xclang -verify=expected,cxx17 %s
// RUN: %falxpp -std=c++20 -fsyntax-only -ferror-limit=0 -Xclang -verify=expected,cxx20 %s
#include <sycl/sycl.hpp>

#include <type_traits>
#include <utility>

using namespace sycl::ext::oneapi::experimental;

struct with_destructor {
  ~with_destructor() {} // expected-note 0+{{}}
};
struct with_constructor {
  constexpr with_constructor() {}
  int value = 3;
};
struct of_others : std::true_type {};

device_global<with_destructor> a; // expected-note 0+{{}} expected-error 0+{{must have constant destruction}}
// expected-error@*:* {{Type T must be trivially destructible.}}
device_global<with_constructor> b; // cxx17-note 0+{{}}
// cxx17-error@*:* {{Type T must be trivially default constructable}}
device_global<int, int> c; // expected-note 0+{{}}
// expected-error@*:* {{the second template argument of device_global is decltype(properties(...))}}
// expected-error@*:* 0+{{cannot be used prior to '::'}}

using element = device_global<int[4]>;
using no_host = device_global<int, decltype(properties{host_access_none})>;
using read_only = device_global<int, decltype(properties{host_access_read})>;
using write_only = device_global<int, decltype(properties{host_access_write})>;
using both = device_global<int, decltype(properties{host_access_read_write})>;

template <class Source, class Destination, class = void>
inline constexpr bool copies = false;
template <class Source, class Destination>
inline constexpr bool
    copies<Source, Destination,
           std::void_t<decltype(std::declval<sycl::queue&>().copy(std::declval<Source>(),
                                                                  std::declval<Destination>())),
                       decltype(std::declval<sycl::handler&>().copy(std::declval<Source>(),
                                                                    std::declval<Destination>()))>> = true;
template <class Destination, class Source, class = void>
inline constexpr bool copies_bytes = false;
template <class Destination, class Source>
inline constexpr bool copies_bytes<
    Destination, Source,
    std::void_t<
        decltype(std::declval<sycl::queue&>().memcpy(std::declval<Destination>(), std::declval<Source>())),
        decltype(std::declval<sycl::handler&>().memcpy(std::declval<Destination>(), std::declval<Source>()))>> =
    true;

static_assert(copies<int*, both&> && copies<both&, int*> && copies_bytes<both&, int*> && copies_bytes<int*, both&>);
static_assert(copies<const int*, element&> && copies<const element&, int*>);
static_assert(!copies<int*, read_only&> && copies<read_only&, int*>);
static_assert(!copies_bytes<read_only&, int*> && copies_bytes<int*, read_only&>);
static_assert(copies<int*, write_only&> && !copies<write_only&, int*>);
static_assert(copies_bytes<write_only&, int*> && !copies_bytes<int*, write_only&>);
static_assert(!copies<int*, no_host&> && !copies<no_host&, int*> && !copies_bytes<no_host&, int*> &&
              !copies_bytes<int*, no_host&>);
static_assert(!copies<int*, const both&>, "a constant device global has its initial value");

static_assert(!std::is_copy_constructible_v<both> && !std::is_move_constructible_v<both> &&
              !std::is_copy_assignable_v<both> && !std::is_move_assignable_v<both>);

device_global<int> d;
struct not_copyable {
  not_copyable() = default;
  not_copyable(const not_copyable&);
};
device_global<not_copyable> e;

void host(sycl::queue& queue, not_copyable* memory) {
  (void)new device_global<int>(); // expected-error {{call to deleted function 'operator new'}} expected-note@*:* 0+{{}}
  auto missing = d.get_property<host_access_key>(); // expected-note 0+{{}} expected-error 0+{{}}
  // expected-error@*:* 0+{{no matching function for call to 'get_property'}} expected-error@*:* 0+{{no matching member function}}
  (void)d[0]; // expected-error {{no viable overloaded operator[] for type 'device_global<int>'}} expected-note@*:* 0+{{}}
  (void)d->x; // expected-error 1+{{}} expected-note@*:* 0+{{}}
  queue.copy(memory, e);
  // expected-error@*:* {{a device_global that is copied must hold a device copyable type}}
}
