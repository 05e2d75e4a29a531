//--- kernel.cpp
#include "falx/device_builtins.hpp"
struct arguments {
  int* data;
  long count;
};
int twice(int);
int shared_helper(int value) __attribute__((weak));
int shared_helper(int value) {
  return value;
}
extern "C" void kernel(const arguments& f) {
  f.data[__falx_global_id_x()] = twice(shared_helper(f.data[__falx_global_id_x()]));
}
extern "C" void twin(const arguments& f) {
  f.data[0] = 1;
}

//--- twice.cpp
extern const int offset_of_all;
int shared_helper(int value) __attribute__((weak));
int shared_helper(int value) {
  return value;
}
static int add(int a, int b) {
  return a + b;
}
int nobody_defines_this();
int twice(int value) {
  return add(2 * shared_helper(value), offset_of_all);
}
int unused() {
  return nobody_defines_this();
}

//--- constants.cpp
extern const int offset_of_all;
extern const int offset_of_all = 5;
static int add(int, int) {
  return -1;
}
int other() {
  return add(1, 2);
}
