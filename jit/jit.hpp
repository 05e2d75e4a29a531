// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "request/encoding.hpp"
#include "request/request.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// \file
/// The JIT's interface. libfalx loads libfalx-jit.so with dlopen on the first cache miss and calls
/// falx_jit_interface. Compilation is pure: the same request gives the same bytes, which makes the cache
/// sound.

namespace falx::jit {

struct response {
  bool ok = false;
  /// ELF shared object (cpu) or PTX text.
  std::vector<unsigned char> binary;
  /// Little was done for the code (tier::estimated, tier::quick).
  bool is_quick = false;
  /// When !ok: what failed, one sentence or more, naming kernel and symbol.
  std::string diagnostic;
  /// Target cpu: why the kernel is not run as vectors, though the request has a sub-group size; empty if it
  /// is.
  std::string remark;
  /// When !ok: the kernel uses an optional feature that the device does not have (SYCL 2020 §5.7).
  bool not_supported = false;
};

/// What of a request's image the request is about.
struct image_part {
  /// Stands for the image; empty if there is no such part.
  std::vector<unsigned char> bitcode;
  /// The digest of what it says, names left out: requests for parts with the same one, which differ in the
  /// kernel's name alone, have code of one behaviour.
  std::string content;
};

/// For work on the JIT itself.
struct diagnostic_options {
  /// LLVM's verifier looks at what Falx's passes made. Nothing of the response depends on it, but that of a
  /// faulty pass.
  bool verify = false;
  /// Names of passes (registry/passes.def) with commas in between, which are left out: to see what they gain.
  /// Without some of them the response is none.
  const char* skipped_passes = "";
};

/// What falx_jit_interface gives. The runtime refuses a library whose version is not INTERFACE_VERSION.
struct interface {
  std::uint32_t version;
  /// Compiles the encoded request (encoding.hpp) and calls \p answer once, with \p receiver and the encoded
  /// response. Neither is valid any longer when its call returns.
  void (*compile_encoded)(const std::uint64_t* request, const diagnostic_options&, void* receiver,
                          void (*answer)(void* receiver, const std::uint64_t* response));
  /// Answers likewise with the encoded image_part.
  void (*part_encoded)(const std::uint64_t* request, void* receiver,
                       void (*answer)(void* receiver, const std::uint64_t* part));

  void compile(const request& request, const diagnostic_options& options, response& response) const {
    std::vector<std::uint64_t> words;
    encode(request, words);
    compile_encoded(words.data(), options, &response, [](void* receiver, const std::uint64_t* answer) {
      decode(answer, *static_cast<jit::response*>(receiver));
    });
  }
  void find_part(const request& request, image_part& part) const {
    std::vector<std::uint64_t> words;
    encode(request, words);
    part_encoded(words.data(), &part, [](void* receiver, const std::uint64_t* answer) {
      decode(answer, *static_cast<image_part*>(receiver));
    });
  }
};
constexpr std::uint32_t INTERFACE_VERSION = 15;

/// What a JIT gives whose compilations are \p Compile and whose parts \p Part finds.
template <void (*Compile)(const request&, const diagnostic_options&, response&),
          void (*Part)(const request&, image_part&)>
constexpr interface INTERFACE_TO = {
    INTERFACE_VERSION,
    [](const std::uint64_t* words, const diagnostic_options& options, void* receiver,
       void (*answer)(void*, const std::uint64_t*)) {
      request asked;
      decode(words, asked);
      response found;
      Compile(asked, options, found);
      std::vector<std::uint64_t> encoded;
      encode(found, encoded);
      answer(receiver, encoded.data());
    },
    [](const std::uint64_t* words, void* receiver, void (*answer)(void*, const std::uint64_t*)) {
      request asked;
      decode(words, asked);
      image_part found;
      Part(asked, found);
      std::vector<std::uint64_t> encoded;
      encode(found, encoded);
      answer(receiver, encoded.data());
    }};

extern "C" const interface* falx_jit_interface();

} // namespace falx::jit
