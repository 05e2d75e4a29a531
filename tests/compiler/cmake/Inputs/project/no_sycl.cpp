// Compiled by the project's own compiler.
#ifdef __FALX__
#error This source belongs to no SYCL target.
#endif
int main() {
  return 0;
}
