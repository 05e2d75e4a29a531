// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit.hpp"
#include "embedding/llvm_failure.hpp"
#include "frontend/device_module.hpp"
#include "frontend/kernel_attributes.hpp"
#include "targets/compilation.hpp"

using namespace llvm;

namespace falx::jit {

static std::string check_request(const request& request) {
  if (request.kind > 3 || request.dimensions < 1 || request.dimensions > 3)
    return "Kernel '" + std::string(request.kernel) + "' has an unknown kind or number of dimensions.";
  if (request.target != "cpu" && request.target != "ptx")
    return "Kernel '" + std::string(request.kernel) + "' cannot be compiled: target '" +
           std::string(request.target) + "' is unknown to this Falx.";
  return {};
}

static void compile_unguarded(const request& request, const diagnostic_options& options, response& response) {
  Expected<std::vector<unsigned char>> binary = request.target == "ptx"
                                                    ? compile_for_ptx(request, options)
                                                    : compile_for_cpu(request, options, response);
  if (!binary) {
    Error error = binary.takeError();
    response.not_supported = error.isA<not_supported>();
    response.diagnostic = toString(std::move(error));
    return;
  }
  response.binary = std::move(*binary);
  response.ok = true;
}

static void compile(const request& request, const diagnostic_options& options, response& response) {
  response.diagnostic = check_request(request);
  if (!response.diagnostic.empty())
    return;
  const std::string failure = failure_of_llvm([&] { compile_unguarded(request, options, response); });
  if (failure.empty())
    return;
  response.ok = false;
  response.diagnostic = "Kernel '" + std::string(request.kernel) + "' cannot be compiled: " + failure + ".";
}

static void find_part(const request& request, image_part& part) {
  // What fails here fails in compile, too, which says so.
  static_cast<void>(failure_of_llvm([&] { part = part_for(request); }));
}

extern "C" const interface* falx_jit_interface() {
  return &INTERFACE_TO<compile, find_part>;
}

} // namespace falx::jit
