// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace falx::driver {

/// What falx++ makes of an option of DPC++ or AdaptiveCpp.
struct foreign_option {
  /// False for options of clang++ and of Falx.
  bool is_foreign = false;
  /// The next argument belongs to it, as part of what is equivalent where there is such an option.
  bool takes_value = false;
  /// What clang++ calls it; empty where it has no such option.
  std::string equivalent;
  /// A sentence for the user where the option asks for something that he does not get; empty where it has no
  /// meaning here, because one binary runs on every device.
  std::string unmet;
  /// A sentence for the user where the program cannot do without what it asks for.
  std::string refused;
};

/// Does a list of targets (`-fsycl-targets=`, what stands behind '=') name GPUs of NVIDIA's alone?
bool are_nvidia_targets(std::string_view targets);

/// \p next is the argument behind it, empty if there is none.
foreign_option classify_foreign_option(std::string_view argument, std::string_view next);

} // namespace falx::driver
