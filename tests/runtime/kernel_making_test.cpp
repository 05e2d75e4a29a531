// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define KERNEL_MAKING_ADAPTIVITY "2"
#include "kernel_making_fixture.hpp"

/// \file
/// From images to loaded kernels through a cache on disk.

namespace {

TEST_F(kernel_making, second_start_neither_compiles_nor_assembles) {
  device.driver = "driver 1";
  const std::string code = run_program(device);
  EXPECT_EQ(code, "native of portable k 0 sm_1 m");
  EXPECT_EQ(compilations, 1);
  EXPECT_EQ(device.assemblies, 1);
  EXPECT_EQ(run_program(device), code);
  EXPECT_EQ(compilations, 1);
  EXPECT_EQ(device.assemblies, 1);
}

TEST_F(kernel_making, a_new_driver_assembles_what_was_compiled) {
  device.driver = "driver 1";
  run_program(device);
  device.driver = "driver 2";
  EXPECT_EQ(run_program(device), "native of portable k 0 sm_1 m");
  EXPECT_EQ(compilations, 1);
  EXPECT_EQ(device.assemblies, 2);
  device.driver = "driver 1";
  run_program(device);
  EXPECT_EQ(device.assemblies, 2) << "still there";
}

/// Code, and whether it was there before it was taken.
using code_taken = std::pair<std::string, bool>;

/// The other form of a program's kernel.
code_taken other_form(test_device& device) {
  program running;
  other_code& other = *static_cast<text_kernel&>(running.kernel().load(device, {})).other;
  other.request(); // an assembler on an idle thread could outlive exit
  const bool is_ready = other.is_ready();
  const std::unique_ptr<loaded_kernel> taken = other.take();
  return {taken != nullptr ? static_cast<text_kernel&>(*taken).code : "none", is_ready};
}

TEST_F(kernel_making, another_form_is_assembled_when_it_is_taken_and_cached) {
  device.driver = "driver 1";
  EXPECT_EQ(other_form(device), code_taken("other native of portable k 0 sm_1 m", false));
  EXPECT_EQ(other_form(device), code_taken("other native of portable k 0 sm_1 m", true));
  EXPECT_EQ(compilations, 1);
  EXPECT_EQ(device.assemblies, 1);
  EXPECT_EQ(device.other_assemblies, 1);
  EXPECT_EQ(run_program(device), "native of portable k 0 sm_1 m") << "another entry of the cache";
  device.driver = "driver 2";
  EXPECT_EQ(other_form(device), code_taken("other native of portable k 0 sm_1 m", false));
  EXPECT_EQ(compilations, 1);
}

TEST_F(kernel_making, another_form_that_cannot_be_had_is_none) {
  device.driver = "driver 1";
  device.assembles_otherwise = false;
  EXPECT_EQ(other_form(device), code_taken("none", false));
  device.assembler_fails = true;
  EXPECT_EQ(other_form(device), code_taken("none", false));
  std::filesystem::remove_all(cache_directory);
  device.assembler_fails = false;
  program running;
  auto& kernel = static_cast<text_kernel&>(running.kernel().load(device, {}));
  std::filesystem::remove_all(cache_directory);
  EXPECT_EQ(kernel.other->take(), nullptr) << "the code that it is made of is gone";
}

/// What a trial came to in an earlier process, and the other form if it begins with that.
struct trial_begun {
  explicit trial_begun(test_device& device) {
    program running;
    other_code& other = *static_cast<text_kernel&>(running.kernel().load(device, {})).other;
    history = other.history();
    if (const std::unique_ptr<loaded_kernel> faster = other.take_faster())
      code = static_cast<text_kernel&>(*faster).code;
  }
  form_history history;
  std::string code = "none";
};

void keep(test_device& device, const form_history& history) {
  program running;
  static_cast<text_kernel&>(running.kernel().load(device, {})).other->keep(history);
}

TEST_F(kernel_making, what_a_trial_came_to_is_kept_for_processes_to_come) {
  for (const char* driver : {"", "driver 1"}) { // another form, and another assembly
    device.driver = driver;
    EXPECT_EQ(trial_begun(device).history.outcome, form_outcome::undecided);
    EXPECT_EQ(trial_begun(device).history.spent, 0);
    keep(device, {form_outcome::undecided, 123'456'789'012});
    EXPECT_EQ(trial_begun(device).history.spent, 123'456'789'012);
    EXPECT_EQ(trial_begun(device).code, "none");
    keep(device, {form_outcome::changes});
    EXPECT_EQ(trial_begun(device).history.outcome, form_outcome::changes);
    EXPECT_EQ(trial_begun(device).history.spent, 0);
    EXPECT_EQ(trial_begun(device).code, "none") << "it is not made";
    const std::string made = other_form(device).first;
    EXPECT_NE(made, "none");
    const int compiled = compilations;
    EXPECT_EQ(trial_begun(device).code, made);
    EXPECT_EQ(compilations, compiled);
    keep(device, {form_outcome::keeps});
    EXPECT_EQ(trial_begun(device).history.outcome, form_outcome::keeps);
    EXPECT_EQ(trial_begun(device).code, "none");
  }
  device.driver = "driver 2";
  EXPECT_EQ(trial_begun(device).history.outcome, form_outcome::undecided) << "which makes other code";
}

TEST_F(kernel_making, a_trial_that_is_not_kept_is_none) {
  device.driver = "driver 1";
  keep(device, {form_outcome::changes});
  for (const auto& file : std::filesystem::recursive_directory_iterator(cache_directory))
    if (file.is_regular_file() && file.file_size() < 64)
      std::filesystem::resize_file(file.path(), file.file_size() - 1);
  EXPECT_EQ(trial_begun(device).history.outcome, form_outcome::undecided);
  keep(device, {form_outcome::changes});
  EXPECT_EQ(trial_begun(device).history.outcome, form_outcome::changes) << "it can be kept again";
}

TEST_F(kernel_making, devices_without_an_assembler_load_what_was_compiled) {
  EXPECT_EQ(run_program(device), "portable k 0 sm_1 m");
  EXPECT_EQ(run_program(device), "portable k 0 sm_1 m");
  EXPECT_EQ(compilations, 1);
  EXPECT_EQ(device.assemblies, 0);
}

TEST_F(kernel_making, whatever_the_code_depends_on_is_part_of_the_key) {
  const auto compiles = [&](const char* what) {
    const int before = compilations;
    run_program(device);
    EXPECT_EQ(compilations, before + 1) << what;
    run_program(device);
    EXPECT_EQ(compilations, before + 1) << what << ", again";
  };
  compiles("nothing");
  device.host = "another";
  compiles("host");
  device.cpu = "sm_2";
  compiles("cpu");
  device.features = "+that";
  compiles("features");
  device.math_identity = "another";
  compiles("math library");
  device.libraries[0].identity = "id 2";
  compiles("another build of a library");
  device.libraries.push_back({"libsleef.so.3", "/lib/libsleef.so.3", "id 3"});
  compiles("one more library");
  jit_build = "another";
  compiles("build of the JIT");
  jit_build = "";
  run_program(device);
  const int before = compilations;
  run_program(device);
  EXPECT_EQ(compilations, before + 1) << "what is loaded is unknown";
}

TEST_F(kernel_making, sizes_of_sub_groups_that_are_demanded_are_not_those_that_are_wished_for) {
  kernel_configuration configuration;
  configuration.sub_group_size = 8;
  EXPECT_EQ(run_program(device, configuration), "portable k 0 sm_1 m");
  configuration.sub_group_size_is_required = true;
  EXPECT_EQ(run_program(device, configuration), "portable k 0 sm_1 m or nothing");
  EXPECT_EQ(compilations, 2);
}

/// A process: the devices of a process live until its end.
class process {
public:
  process() {
    device.driver = "driver 1";
    device.has_context = true;
    preload_kernels_of(device);
  }
  process(const process&) = delete;
  process& operator=(const process&) = delete;
  ~process() { end(); }

  void make_context() { device.ready(); }
  /// Returns when so many kernels have been loaded, or have been tried to.
  void wait_for_loads(std::size_t count) {
    while (device.attempts() < count)
      std::this_thread::yield();
  }
  /// Returns when what was begun is loaded.
  void end() { preloaded_kernels_of(device)->end(); }

  test_device& device = *std::make_unique<test_device>().release();
};

using loads = std::vector<std::string>;

/// The cache remembers that the kernel was launched.
void launch_in_earlier_process() {
  process first;
  first.make_context();
  run_program(first.device);
}

TEST_F(kernel_making, kernels_that_an_earlier_process_launched_are_loaded_ahead) {
  process first;
  program running;
  first.make_context();
  EXPECT_EQ(run_program(first.device), "native of portable k 0 sm_1 m");
  first.end();
  EXPECT_EQ(first.device.loads(), loads{"launch"});

  process second;
  second.make_context();
  second.wait_for_loads(1);
  EXPECT_EQ(run_program(second.device), "native of portable k 0 sm_1 m");
  second.end();
  EXPECT_EQ(second.device.loads(), loads{"ahead"}) << "and not once more";
  EXPECT_EQ(run_program(second.device), "native of portable k 0 sm_1 m");
  EXPECT_EQ(second.device.loads(), (loads{"ahead", "launch"})) << "it is gone with the first program";
}

TEST_F(kernel_making, each_configuration_is_loaded_ahead_as_it_was_launched) {
  program running;
  kernel_configuration other;
  other.local_range[0] = 32;
  {
    process first;
    first.make_context();
    run_program(first.device);
    run_program(first.device, other);
  }
  process second;
  second.make_context();
  second.wait_for_loads(2);
  EXPECT_EQ(run_program(second.device), "native of portable k 0 sm_1 m");
  EXPECT_EQ(run_program(second.device, other), "native of portable k 32 sm_1 m");
  EXPECT_EQ(second.device.loads(), (loads{"ahead", "ahead"}));
}

TEST_F(kernel_making, what_another_driver_launched_or_the_cache_has_lost_is_not_loaded_ahead) {
  program running;
  launch_in_earlier_process();
  process other_driver;
  other_driver.device.driver = "driver 2";
  other_driver.make_context();
  other_driver.end();
  EXPECT_TRUE(other_driver.device.loads().empty());
  std::filesystem::remove_all(cache_directory);
  process empty_cache;
  empty_cache.make_context();
  empty_cache.end();
  EXPECT_TRUE(empty_cache.device.loads().empty());
}

TEST_F(kernel_making, what_cannot_be_loaded_ahead_is_loaded_by_its_launch) {
  program running;
  launch_in_earlier_process();
  process second;
  second.device.refuses = true;
  second.make_context();
  second.wait_for_loads(1);
  second.end();
  second.device.refuses = false;
  EXPECT_EQ(run_program(second.device), "native of portable k 0 sm_1 m");
  EXPECT_EQ(second.device.loads(), loads{"launch"});
}

TEST_F(kernel_making, an_image_that_a_process_has_twice_is_loaded_ahead_once) {
  program running, same;
  launch_in_earlier_process();
  process second;
  second.make_context();
  second.wait_for_loads(1);
  second.end();
  EXPECT_EQ(second.device.loads(), loads{"ahead"});
  EXPECT_EQ(run_program(second.device), "native of portable k 0 sm_1 m");
  EXPECT_EQ(second.device.loads(), loads{"ahead"}) << "taken";
}

TEST_F(kernel_making, a_child_of_fork_has_nothing_that_was_loaded_ahead) {
  program running;
  launch_in_earlier_process();
  process second;
  second.make_context();
  second.wait_for_loads(1);
  const pid_t child = ::fork();
  if (child == 0) {
    // Locks and what is under way there may be a thread's that the child lacks.
    run_program(second.device);
    ::_exit(second.device.loads() == loads{"ahead", "launch"} ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

TEST_F(kernel_making, an_image_remembers_so_many_kernels) {
  constexpr std::size_t MOST = preloaded_kernels::MOST_OF_IMAGE;
  program running;
  const auto run = [&](process& in, std::size_t local) {
    kernel_configuration configuration;
    configuration.local_range[0] = static_cast<std::uint32_t>(local);
    run_program(in.device, configuration);
  };
  {
    process first;
    first.make_context();
    for (std::size_t local = 1; local <= MOST + 10; ++local)
      run(first, local);
  }
  {
    process second; // launches what was not remembered, and thus the first one is forgotten
    second.make_context();
    second.end();
    EXPECT_LE(second.device.loads().size(), MOST);
    run(second, MOST + 1);
  }
  process third;
  third.make_context();
  third.wait_for_loads(MOST);
  run(third, MOST + 1);
  EXPECT_EQ(third.device.loads().size(), MOST) << "loaded ahead";
  run(third, 1);
  third.end();
  EXPECT_EQ(third.device.loads().size(), MOST + 1) << "loaded by the launch";
}

TEST_F(kernel_making, damaged_entries_are_made_again) {
  device.driver = "driver 1";
  run_program(device);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(cache_directory))
    if (entry.is_regular_file())
      std::ofstream(entry.path(), std::ios::app) << "damage";
  EXPECT_EQ(run_program(device), "native of portable k 0 sm_1 m");
  EXPECT_EQ(compilations, 2);
  EXPECT_EQ(device.assemblies, 2);
}

TEST_F(kernel_making, errors_name_kernel_and_device) {
  jit_fails = true;
  EXPECT_EQ(error_of(device), "kernel 'pretty k' could not be compiled for Test Device: it is too clever");
  jit_fails = false;
  device.driver = "driver 1";
  device.assembler_fails = true;
  EXPECT_EQ(error_of(device),
            "kernel 'pretty k' could not be compiled for Test Device: the driver does not like it");
  device.assembler_fails = false;
  device.refuses = true;
  EXPECT_EQ(error_of(device), "kernel 'pretty k' could not be compiled for Test Device: no room for it");
  device.refuses = false;
  EXPECT_EQ(error_of(device), "none");
  EXPECT_EQ(compilations, 2) << "what was compiled before the driver refused it is kept";
}

TEST_F(kernel_making, launches_are_specialised_as_the_device_wants) {
  const image::kernel_metadata kernel;
  const auto of = [&](kernel_kind kind, std::size_t global, std::size_t local) {
    return configuration_of(kernel, {kind, 1, {global, 1, 1}, {local, 1, 1}, {0, 0, 0}}, device);
  };
  EXPECT_EQ(of(kernel_kind::range, 1000, 1).local_range[0], 128u);
  EXPECT_EQ(of(kernel_kind::nd_range, 1000, 10).local_range[0], 10u);
  EXPECT_TRUE(of(kernel_kind::range, 1000, 1).narrow_indices);
  EXPECT_FALSE(of(kernel_kind::range, std::size_t{1} << 40, 1).narrow_indices);
}

TEST_F(kernel_making, launches_that_are_alike_get_a_version) {
  const captured function;
  const auto launch = [&](program& running, const captured& what, std::size_t range, unsigned times) {
    for (unsigned i = 0; i < times; ++i)
      running.launch(device, what, range);
  };
  {
    program running;
    launch(running, function, 1000, launch_observer::LAUNCHES_TO_LEARN - 1);
    ASSERT_EQ(compilations, 1);
    ASSERT_EQ(last_request.captured.size(), 1u);
    EXPECT_EQ(last_request.captured[0].bytes.size(), 4u) << "sycl::specialized";
    EXPECT_TRUE(last_request.aligned.empty());
    EXPECT_EQ(last_request.global_range[0], 0u);

    launch(running, function, 1000, 3);
    ASSERT_EQ(compilations, 2);
    ASSERT_EQ(last_request.captured.size(), 1u) << "neighbours";
    EXPECT_EQ(last_request.captured[0].bytes, (std::vector<unsigned char>{1, 0, 0, 0, 2, 0, 0, 0}));
    ASSERT_EQ(last_request.aligned.size(), 1u);
    EXPECT_EQ(last_request.aligned[0].offset, offsetof(captured, pointer));
    EXPECT_EQ(last_request.aligned[0].alignment, 64u);
    EXPECT_EQ(last_request.global_range[0], 1000u);
    EXPECT_EQ(last_request.global_range[2], 1u);

    launch(running, {1, 3, nullptr}, 1000, 2); // by the generic version
    launch(running, function, 1000, 1);
    EXPECT_EQ(compilations, 2);
    launch(running, {5, 2, nullptr}, 1000, 2); // another specialised value, all else alike
    EXPECT_EQ(compilations, 3);
    EXPECT_EQ(last_request.captured[0].bytes[0], 5);
  }
  program next; // finds what it needs from the first launch on
  launch(next, function, 1000, 30);
  launch(next, {5, 2, nullptr}, 1000, 1);
  EXPECT_EQ(compilations, 3);
  launch(next, {1, 3, nullptr}, 1000, 2);
  EXPECT_EQ(compilations, 3);
  test_device other; // nothing is known of this one
  other.host = "other host";
  next.launch(other, function, 1000);
  EXPECT_EQ(compilations, 4);
  EXPECT_TRUE(last_request.aligned.empty());
}

TEST_F(kernel_making, learned_versions_are_few) {
  program running;
  for (std::uint32_t i = 0; i < 100; ++i)
    for (unsigned times = 0; times < 30; ++times)
      running.launch(device, {1, i, nullptr}, 1000 + i / 10);
  EXPECT_LE(compilations, 1 + static_cast<int>(launch_observer::MOST_VERSIONS));
  for (std::uint32_t i = 0; i < 100; ++i) // as many as there are explicit values, and as many again
    running.launch(device, {i, 7, nullptr}, 12);
  EXPECT_LE(compilations, 40);
}

TEST_F(kernel_making, a_learned_version_that_cannot_be_had_is_done_without) {
  program running;
  const captured function;
  for (unsigned i = 1; i < launch_observer::LAUNCHES_TO_LEARN; ++i)
    running.launch(device, function, 1000);
  jit_fails = true;
  for (unsigned i = 0; i < 3; ++i)
    EXPECT_EQ(running.launch(device, function, 1000), "portable k 128 sm_1 m");
  EXPECT_EQ(compilations, 2) << "there is no second attempt";
}

TEST(kernel_versions, are_found_by_everything_that_tells_them_apart) {
  kernel_versions versions;
  test_device devices[2];
  std::vector<kernel_configuration> configurations;
  for (std::uint32_t x = 0; x < 40; ++x)
    for (std::uint32_t y = 0; y < 3; ++y)
      for (const bool narrow : {false, true})
        for (const bool required : {false, true})
          configurations.push_back({{.local_range = {x, y, 1},
                                     .sub_group_size_is_required = required,
                                     .narrow_indices = narrow,
                                     .linear_grid = y == 1}});
  specialization_constants constants;
  const int value = 5;
  constants.set(&value, &value, sizeof value);
  const specialization_constants* const both[] = {nullptr, &constants};
  const auto visit = [&](const auto& act) {
    for (test_device& device : devices)
      for (const kernel_configuration& configuration : configurations)
        for (const specialization_constants* values : both)
          act(device, configuration, values);
  };
  std::atomic<bool> done{false};
  std::thread reader([&] {
    while (!done)
      visit([&](test_device& device, const kernel_configuration& configuration, const auto* values) {
        if (auto* found = versions.find(device, configuration, values))
          EXPECT_FALSE(static_cast<text_kernel*>(found)->code.empty());
      });
  });
  int count = 0;
  visit([&](test_device& device, const kernel_configuration& configuration, const auto* values) {
    ASSERT_EQ(versions.find(device, configuration, values), nullptr);
    versions.add(device, configuration, values, std::make_unique<text_kernel>(std::to_string(count++)));
  });
  int expected = 0;
  visit([&](test_device& device, const kernel_configuration& configuration, const auto* values) {
    auto* const found = versions.find(device, configuration, values);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(static_cast<text_kernel*>(found)->code, std::to_string(expected++));
  });
  done = true;
  reader.join();
}

} // namespace
