#if SYCL_LANGUAGE_VERSION < 202012L || !SYCL_FEATURE_SET_FULL || defined(SYCL_FEATURE_SET_REDUCED)
#error version
#endif
#if !SYCL_DEVICE_COPYABLE || !__SYCL_SINGLE_SOURCE__ || defined(__SYCL_DEVICE_ONLY__)
#error language
#endif
#if !SYCL_IMPLEMENTATION_FALX || !SYCL_BACKEND_CUDA || !SYCL_EXT_FALX_BACKEND_CPU
#error implementation
#endif
#if !SYCL_KHR_SPLIT_HEADERS || !SYCL_KHR_GROUP_INTERFACE || !SYCL_EXT_ONEAPI_PREFETCH || !ACPP_EXT_SPECIALIZED
#error extensions
#endif
#ifndef SYCL_EXTERNAL
#error external
#endif
#ifndef __ASSEMBLER__
SYCL_EXTERNAL int f(void);
#endif
