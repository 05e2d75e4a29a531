// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "function_addresses.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace falx {

namespace {

struct function_tables {
  std::mutex mutex;
  std::vector<std::span<const function_address>> all;

  static function_tables& instance() {
    // Never destroyed: libraries unregister when static objects are gone.
    static function_tables& tables = *std::make_unique<function_tables>().release();
    return tables;
  }
};

} // namespace

const function_descriptor* find_function(any_function address) noexcept {
  function_tables& tables = function_tables::instance();
  const std::lock_guard lock(tables.mutex);
  for (const std::span<const function_address> table : tables.all)
    for (const function_address& each : table)
      if (each.function == address)
        return each.descriptor;
  return nullptr;
}

extern "C" void falx_register_functions(const function_address* table, std::size_t count) noexcept {
  function_tables& tables = function_tables::instance();
  const std::lock_guard lock(tables.mutex);
  tables.all.emplace_back(table, count);
}

extern "C" void falx_unregister_functions(const function_address* table) noexcept {
  function_tables& tables = function_tables::instance();
  const std::lock_guard lock(tables.mutex);
  std::erase_if(tables.all, [table](std::span<const function_address> each) { return each.data() == table; });
}

} // namespace falx
