# Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

# Writes to OUTPUT a header that names the contents of the files that LIST lists, and how they are built (BUILD).
file(STRINGS ${LIST} files)
set(contents "${BUILD}")
foreach(file ${files})
  file(SHA256 ${file} digest)
  get_filename_component(name ${file} NAME)
  string(APPEND contents " ${name} ${digest}")
endforeach()
string(SHA256 identity "${contents}")
file(CONFIGURE OUTPUT ${OUTPUT} CONTENT "#define FALX_CODE_IDENTITY \"${identity}\"\n" @ONLY)
