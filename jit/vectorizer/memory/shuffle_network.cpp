// Part of Falx, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Of %v.0 = x y z x, %v.1 = y z x y, %v.2 = z x y z, structures of three in memory, wanted are x, y and z:
//   picked      x y z each takes an element or two of %v.0, then %v.1, then %v.2; what was taken before stays
//               where it is. A vector that is wanted takes as many shuffles as it has sources, less one.
// Structures of an even number of elements are halved: the elements at even places are structures of half
// the size, as are those at odd ones. So four members of four take 8 shuffles rather than 12.
//   sources     %even = shufflevector %v.0, %v.1, 0 2 4 6; %odd = shufflevector %v.0, %v.1, 1 3 5 7; …
//   wanted      the same backwards: of an even and an odd vector, two whose elements come in turns
// Where a bit of an element's number, vector * length + place, becomes a bit of another, as in
// transpositions, each shuffle of two vectors exchanges one that says which vector for one that says which
// place. In which order, and where among the places' bits the new one comes, is what the target's costs
// decide: of 8 by 8 floats with AVX2 two are exchanged within halves, and one for the halves themselves.
//   bits        a b c d, e f g h -> a e b f, c g d h     the lowest bit of a place says which vector it was

#include "shuffle_network.hpp"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallVectorExtras.h>
#include <llvm/Analysis/VectorUtils.h>

#include <cassert>
#include <map>
#include <optional>
#include <set>

using namespace llvm;

namespace falx::jit::simd {

shuffle_network::number shuffle_network::shuffle(number left, number right, ArrayRef<int> places,
                                                 shuffle_cost cost) {
  assert(places.size() == length_ && "a shuffle keeps the length of what it shuffles");
  const auto length = int(length_);
  // Of one vector, if the other one has any values.
  const int first = left == ANY ? length : 0;
  SmallVector<int, 16> from;
  for (const int place : places)
    from.push_back(place < 0 || (place < length ? left : right) == ANY ? -1 : place - first);
  if (left == ANY)
    std::swap(left, right);
  const bool is_whole = all_of(enumerate(from), [](const auto& place) {
    return place.value() < 0 || place.value() == int(place.index());
  });
  if (left == ANY || is_whole)
    return left;
  cost_ += cost(from, right != ANY);
  steps_.push_back({left, right, std::move(from)});
  return number(inputs_ + steps_.size() - 1);
}

/// One source after the other; what was picked before stays where it is.
shuffle_network::number shuffle_network::pick(ArrayRef<number> sources, const wanted_vector& wanted,
                                              shuffle_cost cost) {
  SmallVector<int, 8> used;
  for (const vector_element& each : wanted)
    if (each.vector >= 0 && !is_contained(used, each.vector))
      used.push_back(each.vector);
  if (used.empty())
    return ANY;
  sort(used);
  const auto length = int(length_);
  number result = sources[unsigned(used.front())];
  for (unsigned next = 1; next == 1 || next < used.size(); ++next) {
    SmallVector<int, 16> places;
    for (const auto& [place, each] : enumerate(wanted)) {
      const auto source = unsigned(find(used, each.vector) - used.begin());
      if (each.vector < 0 || source > next)
        places.push_back(-1);
      else if (source == next)
        places.push_back(length + int(each.at));
      else
        places.push_back(next == 1 ? int(each.at) : int(place));
    }
    result = shuffle(result, next < used.size() ? sources[unsigned(used[next])] : ANY, places, cost);
  }
  return result;
}

/// Each wanted vector has the elements of even places only, or of odd ones.
bool shuffle_network::can_split_sources(unsigned sources, ArrayRef<wanted_vector> wanted) const {
  return sources % 2 == 0 && length_ % 2 == 0 && all_of(wanted, [](const wanted_vector& vector) {
           return all_of(vector, [&](const vector_element& each) {
             return each.vector >= 0 && each.at % 2 == vector.front().at % 2;
           });
         });
}

/// Each source is wanted at even places only, or at odd ones.
bool shuffle_network::can_split_wanted(unsigned sources, ArrayRef<wanted_vector> wanted) const {
  SmallVector<unsigned, 8> seen(sources, 0);
  for (const wanted_vector& vector : wanted)
    for (const auto& [place, each] : enumerate(vector))
      if (each.vector >= 0)
        seen[unsigned(each.vector)] |= place % 2 == 0 ? 1U : 2U;
  return wanted.size() % 2 == 0 && length_ % 2 == 0 && !is_contained(seen, 3U);
}

SmallVector<shuffle_network::number>
shuffle_network::split_sources(ArrayRef<number> sources, ArrayRef<wanted_vector> wanted, shuffle_cost cost) {
  SmallVector<number> result(wanted.size(), ANY);
  for (unsigned odd = 0; odd < 2; ++odd) {
    SmallVector<wanted_vector, 4> narrow;
    SmallVector<unsigned, 4> of;
    SmallVector<number, 4> halves(sources.size() / 2, ANY);
    for (const auto& [index, vector] : enumerate(wanted)) {
      if (vector.front().at % 2 != odd)
        continue;
      of.push_back(unsigned(index));
      for (vector_element& each : narrow.emplace_back(vector)) {
        each.at = (unsigned(each.vector % 2) * length_ + each.at) / 2;
        each.vector /= 2;
        number& half = halves[unsigned(each.vector)];
        if (half == ANY)
          half = shuffle(sources[2 * std::size_t(each.vector)], sources[2 * std::size_t(each.vector) + 1],
                         createStrideMask(odd, 2, length_), cost);
      }
    }
    for (const auto& [index, made] : zip(of, make(halves, narrow, cost)))
      result[index] = made;
  }
  return result;
}

SmallVector<shuffle_network::number>
shuffle_network::split_wanted(ArrayRef<number> sources, ArrayRef<wanted_vector> wanted, shuffle_cost cost) {
  SmallVector<number> halves[2];
  for (unsigned odd = 0; odd < 2; ++odd) {
    SmallVector<wanted_vector, 4> narrow;
    for (unsigned pair = 0; pair < wanted.size(); pair += 2) {
      wanted_vector& both = narrow.emplace_back();
      for (unsigned place = odd; place < 2 * length_; place += 2)
        both.push_back(wanted[pair + place / length_][place % length_]);
    }
    halves[odd] = make(sources, narrow, cost);
  }
  SmallVector<number> result;
  const SmallVector<int, 16> in_turns = createInterleaveMask(length_, 2);
  for (const auto& [index, vector] : enumerate(wanted)) {
    SmallVector<int, 16> places(ArrayRef(in_turns).slice(index % 2 * length_, length_));
    for (const auto& [place, from] : enumerate(places))
      from = vector[place].vector < 0 ? -1 : from;
    result.push_back(shuffle(halves[0][index / 2], halves[1][index / 2], places, cost));
  }
  return result;
}

/// Places whose bits are exchanged: the search grows with the factorial of the bits.
constexpr unsigned MOST_EXCHANGED = 8;

namespace {

/// By bit of a place, from the lowest one: the bit of the number that the element had among the sources.
using place_bits = SmallVector<unsigned, 3>;

/// The bit \p in is in other vectors from here on: the shuffles' results are of vectors that differ in it,
/// and differ in the bit that was at \p from.
struct bit_exchange {
  unsigned in, from, to;
};

/// Finds the cheapest exchanges.
class bit_search {
public:
  bit_search(place_bits goal, unsigned length, shuffle_network::shuffle_cost cost)
      : goal_(std::move(goal)), length_(length), cost_(cost) {}
  /// Nothing if there are none from \p bits on.
  struct found {
    double cost = 0;
    SmallVector<bit_exchange, 3> exchanges;
  };
  const std::optional<found>& from(const place_bits& bits);

private:
  place_bits goal_;
  unsigned length_;
  shuffle_network::shuffle_cost cost_;
  std::map<place_bits, std::optional<found>> known_;
};

} // namespace

/// Of two vectors, those elements whose places had \p has_bit at \p each.from. Which vector is the bit at
/// each.to.
static SmallVector<int, 16> places_of(const bit_exchange& each, bool has_bit, unsigned length) {
  SmallVector<int, 16> places;
  for (unsigned place = 0; place < length; ++place) {
    const unsigned low = (1U << each.to) - 1;
    const unsigned others = (place & low) | (place >> 1 & ~low), below = (1U << each.from) - 1;
    const unsigned source = (others & below) | unsigned(has_bit) << each.from | (others & ~below) << 1;
    places.push_back(int(source + (place >> each.to & 1) * length));
  }
  return places;
}

const std::optional<bit_search::found>& bit_search::from(const place_bits& bits) {
  const auto [known, is_new] = known_.try_emplace(bits);
  if (!is_new)
    return known->second;
  if (bits == goal_)
    return known->second = found{};
  std::optional<found> best;
  for (unsigned from = 0; from < bits.size(); ++from)
    for (const unsigned in : goal_) {
      if (is_contained(bits, in) || is_contained(goal_, bits[from]))
        continue;
      for (unsigned to = 0; to < bits.size(); ++to) {
        place_bits next = bits;
        next.erase(next.begin() + from);
        next.insert(next.begin() + to, in);
        const std::optional<found>& rest = this->from(next);
        if (!rest)
          continue;
        const bit_exchange each{in, from, to};
        const double cost = rest->cost + cost_(places_of(each, false, length_), true) +
                            cost_(places_of(each, true, length_), true);
        if (best && best->cost <= cost)
          continue;
        best = found{cost, {each}};
        append_range(best->exchanges, rest->exchanges);
      }
    }
  return known_[bits] = std::move(best);
}

/// If \p wanted are so: by bit of a place, which bit of its number an element's place has.
static std::optional<place_bits> exchanged_bits(ArrayRef<wanted_vector> wanted, unsigned length) {
  const auto number_of = [&](const vector_element& each) { return unsigned(each.vector) * length + each.at; };
  place_bits bits;
  for (unsigned bit = 1; bit < length; bit *= 2) {
    const vector_element &first = wanted.front().front(), &other = wanted.front()[bit];
    const unsigned changed = number_of(first) ^ number_of(other);
    if (first.vector < 0 || other.vector < 0 || !isPowerOf2_32(changed) ||
        is_contained(bits, Log2_32(changed)))
      return std::nullopt;
    bits.push_back(Log2_32(changed));
  }
  for (const wanted_vector& vector : wanted)
    for (const auto& [place, each] : enumerate(vector)) {
      unsigned number = number_of(vector.front());
      for (const auto& [at, bit] : enumerate(bits)) {
        if (number >> bit & 1 && place == 0)
          return std::nullopt;
        number |= unsigned(place >> at & 1) << bit;
      }
      if (each.vector < 0 || number_of(each) != number)
        return std::nullopt;
    }
  return bits;
}

/// None if \p wanted differ from \p sources in more than the order of bits.
SmallVector<shuffle_network::number>
shuffle_network::exchange_bits(ArrayRef<number> sources, ArrayRef<wanted_vector> wanted, shuffle_cost cost) {
  if (!isPowerOf2_32(length_) || length_ > MOST_EXCHANGED || wanted.empty())
    return {};
  const std::optional<place_bits> goal = exchanged_bits(wanted, length_);
  if (!goal)
    return {};
  place_bits bits;
  for (unsigned bit = 0; bit < goal->size(); ++bit)
    bits.push_back(bit);
  const std::optional<bit_search::found> best = bit_search(*goal, length_, cost).from(bits);
  if (!best)
    return {};
  // Vectors are known by the number of their first element. Backwards: which ones the results are made of.
  const auto number_of = [&](const wanted_vector& vector) {
    return unsigned(vector.front().vector) * length_ + vector.front().at;
  };
  SmallVector<std::set<unsigned>, 4> needed(best->exchanges.size() + 1);
  for (const wanted_vector& vector : wanted)
    needed.back().insert(number_of(vector));
  SmallVector<unsigned, 3> out;
  for (const bit_exchange& each : best->exchanges) {
    out.push_back(1U << bits[each.from]);
    bits.erase(bits.begin() + each.from);
    bits.insert(bits.begin() + each.to, each.in);
  }
  for (std::size_t step = best->exchanges.size(); step-- > 0;)
    for (const unsigned result : needed[step + 1]) {
      needed[step].insert(result & ~out[step]);
      needed[step].insert((result & ~out[step]) | 1U << best->exchanges[step].in);
    }
  std::map<unsigned, number> vectors;
  for (const unsigned first : needed.front())
    vectors[first] = sources[first / length_];
  for (const auto& [step, each] : enumerate(best->exchanges)) {
    std::map<unsigned, number> next;
    for (const unsigned result : needed[step + 1]) {
      const unsigned left = result & ~out[step];
      next[result] = shuffle(vectors.at(left), vectors.at(left | 1U << each.in),
                             places_of(each, result != left, length_), cost);
    }
    vectors = std::move(next);
  }
  return map_to_vector(wanted, [&](const wanted_vector& vector) { return vectors.at(number_of(vector)); });
}

SmallVector<shuffle_network::number>
shuffle_network::make(ArrayRef<number> sources, ArrayRef<wanted_vector> wanted, shuffle_cost cost) {
  shuffle_network best = *this;
  SmallVector<number> result;
  for (const wanted_vector& vector : wanted)
    result.push_back(best.pick(sources, vector, cost));
  const auto attempt = [&](auto split) {
    shuffle_network other = *this;
    SmallVector<number> made = (other.*split)(sources, wanted, cost);
    if (other.cost_ <= best.cost_) {
      best = std::move(other);
      result = std::move(made);
    }
  };
  const bool shuffles = best.steps_.size() > steps_.size();
  if (shuffles && can_split_sources(unsigned(sources.size()), wanted))
    attempt(&shuffle_network::split_sources);
  if (shuffles && can_split_wanted(unsigned(sources.size()), wanted))
    attempt(&shuffle_network::split_wanted);
  shuffle_network other = *this;
  if (SmallVector<number> made = other.exchange_bits(sources, wanted, cost);
      !made.empty() && other.cost_ < best.cost_) {
    best = std::move(other);
    result = std::move(made);
  }
  *this = std::move(best);
  return result;
}

shuffle_network::shuffle_network(unsigned inputs, unsigned length, ArrayRef<wanted_vector> wanted,
                                 shuffle_cost cost)
    : inputs_(inputs), length_(length) {
  assert(all_of(wanted, [&](const wanted_vector& vector) { return vector.size() == length; }) &&
         "all vectors have one length");
  SmallVector<number> sources;
  for (unsigned input = 0; input < inputs; ++input)
    sources.push_back(number(input));
  outputs_ = make(sources, wanted, cost);
}

SmallVector<int, 16> shuffle_network::side_by_side(ArrayRef<int> places, unsigned length, unsigned together) {
  SmallVector<int, 16> result;
  for (unsigned copy = 0; copy < together; ++copy)
    for (const int place : places) {
      const unsigned vector = unsigned(place) / length, at = unsigned(place) % length;
      result.push_back(place < 0 ? place : int((vector * together + copy) * length + at));
    }
  return result;
}

SmallVector<Value*> shuffle_network::emit(IRBuilderBase& builder, ArrayRef<Value*> inputs,
                                          unsigned together) const {
  assert(inputs.size() == inputs_ && "these are other vectors");
  SmallVector<Value*> values(inputs);
  Value* any = PoisonValue::get(inputs.front()->getType());
  const auto value_of = [&](number which) { return which == ANY ? any : values[unsigned(which)]; };
  for (const step& each : steps_)
    values.push_back(builder.CreateShuffleVector(value_of(each.left), value_of(each.right),
                                                 side_by_side(each.places, length_, together)));
  return map_to_vector(outputs_, value_of);
}

} // namespace falx::jit::simd
