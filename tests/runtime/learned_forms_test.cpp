// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#define KERNEL_MAKING_ADAPTIVITY "1"
#include "kernel_making_fixture.hpp"

/// \file
/// Code that knows what launches have in common, as the other form of a kernel that does not.

namespace {

class learned_forms : public kernel_making {
protected:
  static constexpr unsigned ENOUGH = launch_observer::LAUNCHES_TO_LEARN;
  static constexpr const char *OWN = "native of portable k 128 sm_1 m",
                              *THAT_KNOWS = "native of portable k 128 sm_1 m that knows";

  learned_forms() { device.driver = "driver 1"; }
  text_kernel& launch(program& running, const captured& what = {}, unsigned times = 1) {
    text_kernel* last = nullptr;
    for (unsigned i = 0; i < times; ++i)
      last = &running.kernel_of_launch(device, what, 1000);
    return *last;
  }
  static std::string code_of(const std::unique_ptr<loaded_kernel>& kernel) {
    return kernel != nullptr ? static_cast<text_kernel&>(*kernel).code : "none";
  }
};

TEST_F(learned_forms, are_of_kernels_that_run_long) {
  program running;
  EXPECT_FALSE(running.kernel().learns()) << "of all";
  text_kernel& generic = launch(running);
  EXPECT_FALSE(running.kernel().learns(device, generic));
  generic.note_long_runs();
  EXPECT_TRUE(running.kernel().learns(device, generic));
}

TEST_F(learned_forms, launches_that_agree_have_one) {
  program running;
  text_kernel& generic = launch(running, {}, ENOUGH - 1);
  text_kernel& learned = launch(running);
  ASSERT_NE(&learned, &generic);
  EXPECT_EQ(learned.code, OWN) << "the same code";
  EXPECT_EQ(compilations, 1);
  EXPECT_TRUE(running.kernel().learns(device, learned)) << "no plan of launches may lead to it";
  EXPECT_EQ(&launch(running), &learned);
  EXPECT_EQ(&launch(running, {1, 3, nullptr}), &generic);

  EXPECT_FALSE(learned.other->is_ready());
  EXPECT_EQ(code_of(learned.other->take()), THAT_KNOWS);
  EXPECT_EQ(compilations, 2);
  ASSERT_EQ(last_request.integers.size(), 1u);
  EXPECT_EQ(last_request.integers[0].bytes, (std::vector<unsigned char>{2, 0, 0, 0}));
  EXPECT_EQ(last_request.integers[0].offset, offsetof(captured, number));
  ASSERT_EQ(last_request.captured.size(), 1u) << "sycl::specialized";
  ASSERT_EQ(last_request.aligned.size(), 1u);
  EXPECT_EQ(last_request.global_range[0], 0u) << "it becomes part of numbers";
}

TEST_F(learned_forms, launches_run_as_before_if_it_is_no_faster) {
  program running;
  text_kernel& generic = launch(running, {}, ENOUGH - 1);
  text_kernel& learned = launch(running);
  learned.other->decide(form_outcome::keeps);
  EXPECT_EQ(&launch(running, {}, 10 * ENOUGH), &generic);
  // Other values are another matter.
  text_kernel& other = launch(running, {1, 3, nullptr}, 2 * ENOUGH);
  EXPECT_NE(&other, &generic);
  other.other->decide(form_outcome::changes);
  EXPECT_EQ(&launch(running, {1, 3, nullptr}), &other);
}

TEST_F(learned_forms, the_next_process_knows_what_came_of_it) {
  {
    program running;
    text_kernel& learned = launch(running, {}, ENOUGH);
    EXPECT_EQ(code_of(learned.other->take()), THAT_KNOWS);
    learned.other->keep({form_outcome::changes});
  }
  {
    program next;
    text_kernel& learned = launch(next);
    EXPECT_EQ(learned.other->history().outcome, form_outcome::changes);
    EXPECT_EQ(code_of(learned.other->take_faster()), THAT_KNOWS);
    EXPECT_EQ(compilations, 2);
    learned.other->keep({form_outcome::keeps});
  }
  program third;
  EXPECT_EQ(launch(third, {}, 10 * ENOUGH).code, OWN);
  EXPECT_EQ(launch(third).other->history().outcome, form_outcome::undecided) << "the generic kernel's";
  EXPECT_EQ(compilations, 2);
}

TEST_F(learned_forms, that_cannot_be_had) {
  program running;
  text_kernel& learned = launch(running, {}, ENOUGH);
  device.replaces = false;
  EXPECT_EQ(code_of(learned.other->take()), "none") << "results might differ";
  jit_fails = true;
  EXPECT_EQ(code_of(learned.other->take()), "none");
  // Without the kernel's own code there is nothing to compare with.
  jit_fails = false;
  device.replaces = true;
  std::filesystem::remove_all(cache_directory);
  EXPECT_EQ(code_of(learned.other->take()), "none");
  text_kernel& other = launch(running, {1, 3, nullptr}, 2 * ENOUGH);
  EXPECT_EQ(&other, &launch(running, {1, 4, nullptr})) << "both are the generic one";
}

TEST_F(learned_forms, of_devices_that_assemble) {
  device.driver.clear();
  program running;
  text_kernel& generic = launch(running);
  EXPECT_EQ(&launch(running, {}, 10 * ENOUGH), &generic);
}

} // namespace
