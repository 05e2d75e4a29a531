#include <sycl/sycl.hpp>

SYCL_EXTERNAL int twice(int x);

// Only device code calls it; it calls a function of a third translation unit.
SYCL_EXTERNAL int twice_plus_one(int x) {
  return twice(x) + 1;
}
