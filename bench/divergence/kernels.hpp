// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../bench.hpp"
#include "../cpu/row.hpp"

#include <array>
#include <cstdint>

/// \file
/// Kernels whose work-items go different ways: what one of them does as a number, for the sides of main.cpp.
/// Some gain by vectors nevertheless; a compiler has to tell which.

namespace bench::divergence {

/// A machine with a stack: all work-items run the same program on data of their own, with a loop whose count
/// depends on these.
class interpreter {
public:
  static constexpr const char* NAME = "byte-code interpreter";
  static constexpr std::size_t SIZE = std::size_t(1) << 14;
  interpreter() : program_(PROGRAM.size(), [](std::size_t i) { return PROGRAM[i]; }) {}
  auto kernel() const {
    return [program = program_.data()](std::size_t item) {
      std::uint32_t stack[8] = {hash(unsigned(item)) % 64 + 16, unsigned(item), 1};
      unsigned top = 2;
      for (unsigned at = 0;;) {
        const std::uint8_t operation = program[at++];
        switch (operation) {
        case ADD:
          --top;
          stack[top] += stack[top + 1];
          break;
        case MULTIPLY:
          --top;
          stack[top] *= stack[top + 1];
          break;
        case XOR:
          --top;
          stack[top] ^= stack[top + 1];
          break;
        case SHIFT:
          stack[top] >>= program[at++];
          break;
        case CONSTANT:
          stack[++top] = program[at++];
          break;
        case COPY:
          stack[top + 1] = stack[top];
          ++top;
          break;
        case SWAP: {
          const std::uint32_t other = stack[top - 1];
          stack[top - 1] = stack[top];
          stack[top] = other;
          break;
        }
        case REPEAT:
          at = --stack[0] != 0 ? 0 : at;
          break;
        default:
          return stack[top];
        }
      }
    };
  }

private:
  enum operations : std::uint8_t { ADD, MULTIPLY, XOR, SHIFT, CONSTANT, COPY, SWAP, REPEAT, END };
  static constexpr std::array<std::uint8_t, 14> PROGRAM = {
      COPY, SHIFT, 7, XOR, CONSTANT, 5, MULTIPLY, CONSTANT, 11, ADD, SWAP, SWAP, REPEAT, END};
  array<std::uint8_t> program_;
};

/// Each work-item unpacks a block of its own: literals, and copies of what it wrote before.
class unpacking {
public:
  static constexpr const char* NAME = "unpacking blocks (LZ)";
  static constexpr std::size_t SIZE = 4096;
  unpacking() : packed_(SIZE * PACKED, packed_byte), unpacked_(SIZE * UNPACKED) {}
  auto kernel() const {
    return [packed = packed_.data(), unpacked = unpacked_.data()](std::size_t item) {
      const std::uint8_t* from = packed + item * PACKED;
      std::uint8_t* to = unpacked + item * UNPACKED;
      unsigned read = 0, written = 0;
      while (read + 2 < PACKED && written + 20 < UNPACKED) {
        const unsigned token = from[read++];
        if ((token & 1) != 0) {
          unsigned distance = from[read++] % 61 + 1;
          distance = distance <= written ? distance : written;
          const unsigned length = (token >> 4) + 3;
          for (unsigned i = 0; i < length; ++i, ++written)
            to[written] = distance != 0 ? to[written - distance] : std::uint8_t(i);
        } else {
          to[written++] = std::uint8_t(token);
        }
      }
      std::uint32_t sum = 0;
      for (unsigned i = 0; i < written; ++i)
        sum = sum * 31 + to[i];
      return sum;
    };
  }

private:
  static constexpr unsigned PACKED = 128, UNPACKED = 512;
  static std::uint8_t packed_byte(std::size_t i) { return std::uint8_t(hash(unsigned(i))); }
  array<std::uint8_t> packed_, unpacked_;
};

/// The points of a tree within a distance, with a stack of nodes that are to be visited.
class tree_search {
public:
  static constexpr const char* NAME = "tree, explicit stack";
  static constexpr std::size_t SIZE = std::size_t(1) << 14;
  tree_search() : keys_(NODES, [](std::size_t i) { return random_number(i); }) {}
  auto kernel() const {
    return [keys = keys_.data()](std::size_t item) {
      const float wanted = random_number(item * 7 + 1), radius = 0.01f;
      unsigned stack[24], found = 0;
      unsigned depth = 0;
      stack[depth++] = 0;
      while (depth != 0) {
        const unsigned node = stack[--depth];
        const float key = keys[node];
        found += key > wanted - radius && key < wanted + radius ? node : 0;
        const unsigned child = 2 * node + 1;
        // Which children are worth a visit depends on the key: one of them mostly.
        if (child + 1 < NODES) {
          if (wanted < key + radius)
            stack[depth++] = child;
          if (wanted > key - radius)
            stack[depth++] = child + 1;
        }
      }
      return std::uint32_t(found);
    };
  }

private:
  static constexpr unsigned NODES = (1U << 16) - 1;
  array<float> keys_;
};

/// Triangles of a graph: neighbours that two nodes share, by merging their sorted lists.
class triangles {
public:
  static constexpr const char* NAME = "triangle counting";
  static constexpr std::size_t SIZE = std::size_t(1) << 13;
  triangles() : starts_(SIZE + 1, start), neighbours_(start(SIZE), neighbour) {}
  auto kernel() const {
    return [starts = starts_.data(), neighbours = neighbours_.data()](std::size_t item) {
      std::uint32_t count = 0;
      for (unsigned edge = starts[item]; edge < starts[item + 1]; ++edge) {
        const unsigned other = neighbours[edge];
        unsigned a = starts[item], b = starts[other];
        while (a < starts[item + 1] && b < starts[other + 1]) {
          const unsigned x = neighbours[a], y = neighbours[b];
          count += x == y;
          a += x <= y;
          b += y <= x;
        }
      }
      return count;
    };
  }

private:
  static unsigned start(std::size_t node) {
    static const std::vector<unsigned> starts = [] {
      std::vector<unsigned> all(1);
      for (unsigned i = 0; i < SIZE; ++i)
        all.push_back(all.back() + 4 + hash(i) % 24);
      return all;
    }();
    return starts[node];
  }
  static unsigned neighbour(std::size_t edge) {
    static const std::vector<unsigned> all = [] {
      std::vector<unsigned> result;
      for (unsigned i = 0; i < SIZE; ++i) {
        const std::size_t begin = result.size();
        for (unsigned e = start(i); e < start(i + 1); ++e)
          result.push_back((i + hash(e) % 200) % SIZE);
        std::sort(result.begin() + std::ptrdiff_t(begin), result.end());
      }
      return result;
    }();
    return all[edge];
  }
  array<unsigned> starts_, neighbours_;
};

class matrix_rows {
public:
  static constexpr const char* NAME = "SpMV, row per item";
  static constexpr std::size_t SIZE = std::size_t(1) << 15;
  matrix_rows()
      : starts_(SIZE + 1, start),
        columns_(start(SIZE), [](std::size_t i) { return hash(unsigned(i)) % 4096; }),
        values_(start(SIZE), random_number), x_(4096, random_number) {}
  auto kernel() const {
    return [starts = starts_.data(), columns = columns_.data(), values = values_.data(),
            x = x_.data()](std::size_t item) {
      float sum = 0;
      for (unsigned i = starts[item]; i < starts[item + 1]; ++i)
        sum += values[i] * x[columns[i]];
      return std::uint32_t(sum * 1000);
    };
  }

private:
  static unsigned start(std::size_t row) {
    static const std::vector<unsigned> starts = [] {
      std::vector<unsigned> all(1);
      for (unsigned i = 0; i < SIZE; ++i)
        all.push_back(all.back() + 8 + hash(i) % 49);
      return all;
    }();
    return starts[row];
  }
  array<unsigned> starts_, columns_;
  array<float> values_, x_;
};

class binary_search {
public:
  static constexpr const char* NAME = "binary search";
  static constexpr std::size_t SIZE = std::size_t(1) << 16;
  binary_search() : sorted_(LENGTH, [](std::size_t i) { return unsigned(i) * 37; }) {}
  auto kernel() const {
    return [sorted = sorted_.data()](std::size_t item) {
      const unsigned wanted = hash(unsigned(item)) % (LENGTH * 37);
      unsigned low = 0, high = LENGTH;
      while (low < high) {
        const unsigned middle = (low + high) / 2;
        if (sorted[middle] < wanted)
          low = middle + 1;
        else
          high = middle;
      }
      return std::uint32_t(low);
    };
  }

private:
  static constexpr unsigned LENGTH = 1U << 14;
  array<unsigned> sorted_;
};

class hash_table {
public:
  static constexpr const char* NAME = "hash table, open addresses";
  static constexpr std::size_t SIZE = std::size_t(1) << 16;
  hash_table() : keys_(LENGTH, [](std::size_t) { return 0U; }) {
    for (unsigned i = 1; i <= LENGTH * 3 / 4; ++i) {
      unsigned at = hash(i) % LENGTH;
      while (keys_.data()[at] != 0)
        at = (at + 1) % LENGTH;
      keys_.data()[at] = i;
    }
  }
  auto kernel() const {
    return [keys = keys_.data()](std::size_t item) {
      const unsigned wanted = hash(unsigned(item) + 5) % LENGTH + 1;
      unsigned at = hash(wanted) % LENGTH;
      while (keys[at] != 0 && keys[at] != wanted)
        at = (at + 1) % LENGTH;
      return std::uint32_t(at);
    };
  }

private:
  static constexpr unsigned LENGTH = 1U << 14;
  array<unsigned> keys_;
};

class mandelbrot {
public:
  static constexpr const char* NAME = "Mandelbrot";
  static constexpr std::size_t SIZE = std::size_t(1) << 16;
  auto kernel() const {
    return [](std::size_t item) {
      const float a = float(item % 256) / 128 - 1.5f, b = float(item / 256) / 128 - 1;
      float x = 0, y = 0;
      std::uint32_t count = 0;
      for (; count < 200 && x * x + y * y < 4; ++count) {
        const float next = x * x - y * y + a;
        y = 2 * x * y + b;
        x = next;
      }
      return count;
    };
  }
};

class collatz {
public:
  static constexpr const char* NAME = "Collatz";
  static constexpr std::size_t SIZE = std::size_t(1) << 15;
  auto kernel() const {
    return [](std::size_t item) {
      std::uint32_t count = 0;
      for (std::uint64_t n = item + 1; n != 1; ++count)
        n = (n & 1) != 0 ? 3 * n + 1 : n / 2;
      return count;
    };
  }
};

/// Steps of a random walk with rare expensive events.
class rare_events {
public:
  static constexpr const char* NAME = "random walk, rare events";
  static constexpr std::size_t SIZE = std::size_t(1) << 13;
  auto kernel() const {
    return [](std::size_t item) {
      unsigned state = hash(unsigned(item)) | 1;
      float position = 0;
      for (unsigned step = 0; step < 200; ++step) {
        state = state * 1664525 + 1013904223;
        if ((state >> 24) < 4)
          position = sycl::sin(position) * sycl::exp(-position * position) + sycl::cos(3 * position);
        else
          position += float(state >> 24) * 0.001f;
      }
      return std::uint32_t(position + 2);
    };
  }
};

/// Insertion sort of a private array of 16.
class insertion_sort {
public:
  static constexpr const char* NAME = "insertion sort of 16";
  static constexpr std::size_t SIZE = std::size_t(1) << 14;
  auto kernel() const {
    return [](std::size_t item) {
      unsigned values[16];
      for (unsigned i = 0; i < 16; ++i)
        values[i] = hash(unsigned(item) * 16 + i);
      for (unsigned i = 1; i < 16; ++i) {
        const unsigned value = values[i];
        unsigned at = i;
        for (; at > 0 && values[at - 1] > value; --at)
          values[at] = values[at - 1];
        values[at] = value;
      }
      return std::uint32_t(values[0] ^ (values[7] * 3) ^ (values[15] * 5));
    };
  }
};

/// Text: each work-item looks for a word from its place on.
class text_search {
public:
  static constexpr const char* NAME = "text search";
  static constexpr std::size_t SIZE = std::size_t(1) << 17;
  text_search() : text_(SIZE + 16, [](std::size_t i) { return std::uint8_t('a' + hash(unsigned(i)) % 3); }) {}
  auto kernel() const {
    return [text = text_.data()](std::size_t item) {
      constexpr char WORD[] = "abacabab";
      unsigned same = 0;
      while (same < 8 && text[item + same] == std::uint8_t(WORD[same]))
        ++same;
      return std::uint32_t(same);
    };
  }

private:
  array<std::uint8_t> text_;
};

/// y = 0.5 x + 1 behind a test for the end, as nearly every kernel has it: all vectors but one are whole.
class guarded_element {
public:
  static constexpr const char* NAME = "element, if (i < n)";
  static constexpr std::size_t SIZE = std::size_t(1) << 16;
  auto kernel() const {
    return [x = x_.data(), y = y_.data(), end = SIZE - 3](std::size_t item) {
      if (item < end)
        y[item] = x[item] * 0.5f + 1.0f;
      return std::uint32_t(item);
    };
  }

private:
  array<float> x_{SIZE, [](std::size_t i) { return float(i % 100); }};
  array<float> y_{SIZE};
};

/// The same for four elements of each work-item, each behind a test of its own.
class guarded_elements {
public:
  static constexpr const char* NAME = "four elements, if (4 i + k < n)";
  static constexpr std::size_t SIZE = std::size_t(1) << 14;
  auto kernel() const {
    return [x = x_.data(), y = y_.data(), end = int(4 * SIZE - 3)](std::size_t item) {
      const int first = 4 * int(item);
      float values[4] = {};
#pragma unroll
      for (int k = 0; k < 4; ++k)
        if (first + k < end)
          values[k] = x[first + k];
#pragma unroll
      for (int k = 0; k < 4; ++k)
        if (first + k < end)
          y[first + k] = values[k] * 0.5f + 1.0f;
      return std::uint32_t(item);
    };
  }

private:
  array<float> x_{4 * SIZE, [](std::size_t i) { return float(i % 100); }};
  array<float> y_{4 * SIZE};
};

/// A structure of three words is copied behind a test.
class guarded_structure {
public:
  static constexpr const char* NAME = "structure, if (i < n)";
  static constexpr std::size_t SIZE = std::size_t(1) << 14;
  auto kernel() const {
    return [from = from_.data(), to = to_.data(), end = SIZE - 3](std::size_t item) {
      if (item < end)
        to[item] = from[item];
      return std::uint32_t(item);
    };
  }

private:
  struct point {
    double x, y, z;
  };
  array<point> from_{SIZE, [](std::size_t i) { return point{double(i), 1, 2}; }};
  array<point> to_{SIZE};
};

/// As long as the number has bits; instructions count them.
class bit_count {
public:
  static constexpr const char* NAME = "bits of 64, one by one";
  static constexpr std::size_t SIZE = std::size_t(1) << 15;
  auto kernel() const {
    return [](std::size_t item) {
      std::uint32_t count = 0;
      for (std::uint64_t n = hash(unsigned(item)) * 0x9e3779b97f4a7c15; n != 0; ++count)
        n &= n - 1;
      return count;
    };
  }
};

/// A sum that is a product, as many times as the data say.
class repeated_sum {
public:
  static constexpr const char* NAME = "the same number 1 to 256 times";
  static constexpr std::size_t SIZE = std::size_t(1) << 15;
  auto kernel() const {
    return [](std::size_t item) {
      std::uint32_t sum = 0;
      for (std::uint32_t k = 0, times = hash(unsigned(item)) % 256 + 1; k < times; ++k)
        sum += std::uint32_t(item);
      return sum;
    };
  }
};

/// Each work-item subtracts a multiple of one row from its own, as elimination does.
class rows_changed {
public:
  static constexpr const char* NAME = "rows changed by their work-items";
  static constexpr std::size_t SIZE = std::size_t(1) << 9;
  auto kernel() const {
    return [rows = rows_.data(), pivot = pivot_.data()](std::size_t item) {
      float* row = rows + item * LENGTH;
      const float factor = row[0] * 1e-6f;
      for (std::size_t i = 1; i < LENGTH; ++i)
        row[i] -= factor * pivot[i];
      return std::uint32_t(item);
    };
  }

private:
  static constexpr std::size_t LENGTH = 400;
  array<float> rows_{SIZE * LENGTH, [](std::size_t i) { return float(i % 100); }};
  array<float> pivot_{LENGTH, [](std::size_t i) { return float(i % 10); }};
};

/// How many of 16 bytes two strings have in common.
class strings_compared {
public:
  static constexpr const char* NAME = "strings of 16 bytes";
  static constexpr std::size_t SIZE = std::size_t(1) << 14;
  auto kernel() const {
    return [one = one_.data(), other = other_.data()](std::size_t item) {
      const std::uint8_t *first = one + 16 * item, *second = other + 16 * item;
      std::uint32_t equal = 0;
      while (equal < 16 && first[equal] == second[equal])
        ++equal;
      return equal;
    };
  }

private:
  array<std::uint8_t> one_{16 * SIZE, [](std::size_t i) { return std::uint8_t(hash(unsigned(i)) % 4 / 3); }};
  array<std::uint8_t> other_{16 * SIZE,
                             [](std::size_t i) { return std::uint8_t(hash(unsigned(i) + 7777) % 4 / 3); }};
};

} // namespace bench::divergence
