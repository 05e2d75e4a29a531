// Functions that a launch may replace or use: descriptors on the host, and copies in the image that calls still call.
// RUN: %falxpp -O0 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %falxpp -O2 -S -emit-llvm %s -o - | FileCheck %s
// RUN: %falxpp -O2 -c %s -o %t.o && llvm-objcopy --dump-section=.llvm.offloading=%t.image %t.o
// RUN: llvm-offload-binary %t.image --image=file=%t.bc,triple=x86_64-pc-linux-gnu && llvm-dis %t.bc -o - | FileCheck %s --check-prefix=DEVICE
#include "Inputs/kernel.hpp"

struct config {
  template <class Ret, class... Args>
  [[clang::annotate("falx.names_functions", 1)]] void define(Ret (*)(Args...), Ret (*)(Args...));
};
template <class... Args>
struct definition {
  [[clang::annotate("falx.names_functions", 0)]] definition(void (*function)(Args...)) : function_(function) {}
  void (*function_)(Args...);
};
void use(definition<int*>);

// Functions whose addresses the program has otherwise are in a table.
// CHECK-DAG: @falx.function_addresses = private constant [1 x { ptr, ptr }] [{ ptr, ptr } { ptr @_Z4kepti, ptr @falx.function._Z4kepti }]
// CHECK-DAG: @llvm.global_ctors = {{.*}}ptr @falx.register_functions
EXTERNAL void kept(int) {}
void (*pointer)(int) = &kept;
// CHECK-DAG: @falx.declared_function._Z8declaredPi = linkonce_odr hidden constant { i64, ptr, ptr, i64 } { i64 {{[0-9]+}}, ptr @{{.*}}, ptr @falx.image_registration, i64 0 }, comdat
// CHECK-DAG: @falx.function._ZL5localPi = internal constant {{.*}}, ptr @falx.image_registration, i64 1 }
// CHECK-DAG: @falx.function._Z7in_lineIfEvPi = linkonce_odr hidden constant
// CHECK-DAG: @falx.declared_function._Z9elsewherePi = linkonce_odr hidden constant
void declared(int*);
static void local(int* p) {
  *p = 1;
}
template <class T>
inline void in_line(int* p) {
  *p = 2;
}
EXTERNAL void elsewhere(int*);
EXTERNAL int other(int*);
[[gnu::always_inline, gnu::pure]] inline int tempting(int*) {
  return 0;
}

// CHECK-NOT: ptr {{(noundef )?}}@_Z8declaredPi
// CHECK-NOT: ptr {{(noundef )?}}@_ZL5localPi
// DEVICE-DAG: define internal void @_ZL5localPi
// DEVICE-DAG: define internal void @_Z7in_lineIfEvPi
// DEVICE-DAG: declare void @_Z9elsewherePi
// DEVICE-DAG: declare void @_Z8declaredPi({{.*}}) #[[DYNAMIC:[0-9]+]]
// DEVICE-DAG: call {{.*}}i32 @_Z8temptingPi
// DEVICE-DAG: attributes #[[DYNAMIC]] = {{.*}} "falx-dynamic"
void host(config& c, int* p) {
  c.define(&declared, &local);
  c.define(declared, in_line<float>);
  c.define(&declared, &elsewhere);
  c.define(tempting, &other);
  use(&local);
  run([=] {
    declared(p);
    *p = tempting(p);
  });
}
