/* Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#pragma once

/* falx++ -fsycl-device-pass has every translation unit begin with this file, which holds nothing but a word
   to ccache. ccache knows a translation unit by what the preprocessor makes of it for the host, where headers
   that device code alone includes are missing; with this directive of assemblers, for files that ccache
   cannot know of, it calls the compiler: .incbin "device code" */
