// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Heat flows through a plate, of which every process computes some rows. The source names neither processes
// nor messages: a command says which elements it reads and writes (its range mappers), and Celerity sends
// what is elsewhere. docs/distributed.md says how this is built and started.
#include <celerity.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

constexpr std::size_t ROWS = 256;
constexpr std::size_t COLUMNS = 384;
constexpr int STEPS = 100;
constexpr float CONDUCTION = 0.2f;

/// A hot disc on a cold plate.
inline float initial_heat(std::size_t row, std::size_t column) {
  const float y = static_cast<float>(row) - ROWS / 3.0f;
  const float x = static_cast<float>(column) - COLUMNS / 2.0f;
  return x * x + y * y < 2500.0f ? 100.0f : 20.0f;
}

/// An element one step later. \p heat_at gives the plate by row and column; nothing flows over its border.
template <typename Function>
float next_heat(std::size_t row, std::size_t column, const Function& heat_at) {
  const float here = heat_at(row, column);
  const float above = heat_at(row > 0 ? row - 1 : row, column);
  const float below = heat_at(row + 1 < ROWS ? row + 1 : row, column);
  const float left = heat_at(row, column > 0 ? column - 1 : column);
  const float right = heat_at(row, column + 1 < COLUMNS ? column + 1 : column);
  return here + CONDUCTION * (above + below + left + right - 4.0f * here);
}

using plate = celerity::buffer<float, 2>;

void heat_up(celerity::queue& queue, plate& heat) {
  queue.submit([&](celerity::handler& group) {
    celerity::accessor written(heat, group, celerity::access::one_to_one(), celerity::write_only,
                               celerity::no_init);
    group.parallel_for(heat.get_range(),
                       [=](celerity::item<2> item) { written[item] = initial_heat(item[0], item[1]); });
  });
}

void step(celerity::queue& queue, plate& before, plate& after) {
  queue.submit([&](celerity::handler& group) {
    // A process that computes some rows needs one more on both sides, which its neighbours have.
    celerity::accessor read(before, group, celerity::access::neighborhood({1, 1}), celerity::read_only);
    celerity::accessor written(after, group, celerity::access::one_to_one(), celerity::write_only,
                               celerity::no_init);
    group.parallel_for(before.get_range(), [=](celerity::item<2> item) {
      written[item] = next_heat(item[0], item[1],
                                [&](std::size_t row, std::size_t column) { return read[{row, column}]; });
    });
  });
}

/// The sum over the plate, to which every process adds that of its rows.
double all_heat(celerity::queue& queue, plate& heat) {
  celerity::buffer<double, 0> sum;
  queue.submit([&](celerity::handler& group) {
    celerity::accessor read(heat, group, celerity::access::one_to_one(), celerity::read_only);
    auto total = celerity::reduction(sum, group, sycl::plus<double>(),
                                     celerity::property::reduction::initialize_to_identity());
    group.parallel_for(heat.get_range(), total,
                       [=](celerity::item<2> item, auto& partial) { partial += read[item]; });
  });
  return *queue.fence(sum).get();
}

/// The same on one processor.
std::vector<float> expected_heat() {
  std::vector<float> before(ROWS * COLUMNS), after(ROWS * COLUMNS);
  for (std::size_t i = 0; i < before.size(); ++i)
    before[i] = initial_heat(i / COLUMNS, i % COLUMNS);
  for (int i = 0; i < STEPS; ++i) {
    for (std::size_t j = 0; j < after.size(); ++j)
      after[j] = next_heat(j / COLUMNS, j % COLUMNS, [&](std::size_t row, std::size_t column) {
        return before[row * COLUMNS + column];
      });
    std::swap(before, after);
  }
  return before;
}

int main() {
  celerity::queue queue;
  plate before(celerity::range<2>(ROWS, COLUMNS)), after(celerity::range<2>(ROWS, COLUMNS));
  heat_up(queue, before);
  const double heat_at_first = all_heat(queue, before);
  for (int i = 0; i < STEPS; ++i) {
    step(queue, before, after);
    std::swap(before, after);
  }
  const double heat_at_last = all_heat(queue, before);

  // Every process gets the whole plate.
  const auto result = queue.fence(before).get();
  const std::vector<float> expected = expected_heat();
  float error = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    error = std::max(error, std::abs(result.get_data()[i] - expected[i]));
  const bool is_right = error < 1e-2f && std::abs(heat_at_last / heat_at_first - 1) < 1e-5;
  queue.submit([&](celerity::handler& group) {
    group.host_task(celerity::on_master_node, [=] {
      std::printf("%d steps: heat %.0f, at first %.0f; greatest error %g: %s\n", STEPS, heat_at_last,
                  heat_at_first, static_cast<double>(error), is_right ? "right" : "WRONG");
    });
  });
  return is_right ? 0 : 1;
}
