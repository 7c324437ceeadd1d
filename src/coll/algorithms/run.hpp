// Running an algorithm where it fits, and what it stands for where not.
#pragma once

#include "coll/algorithms/algorithm.hpp"

namespace heddle::coll {

/// The names of algorithms as users write them: case does not matter, nor do '-' and '_', nor the
/// library that a name may begin with ("ompi_", "mpich_", "mvapich2_", "impi_").
bool same_name(std::string_view written, std::string_view name);
/// Whether the field calls by the word `written` what is called `name` here: an operation that has
/// an algorithm of that very name means that one.
bool commonly_called(std::string_view written, std::string_view name);

/// The one called `name`, or null.
template <class Work>
const Algorithm<Work>* find_algorithm(std::span<const Algorithm<Work>> all, std::string_view name) {
  for (const Algorithm<Work>& one : all) {
    if (one.name == name) return &one;
  }
  for (const Algorithm<Work>& one : all) {
    if (same_name(name, one.name)) return &one;
  }
  for (const Algorithm<Work>& one : all) {
    if (commonly_called(name, one.name)) return &one;
  }
  return nullptr;
}

/// Whether what an algorithm cannot do without (but for what run() sees to) is there: an operation
/// that commutes, or elements enough.
bool fits(Needs needs, const Steps& steps, bool commutative, std::int64_t elements);
template <class Work>
bool fits(Needs needs, const Steps& steps, const Work& work) {
  return fits(needs, steps, commutes(work), elements_of(work));
}

/// `algorithm` if it fits, else the one that it names, and so on.
template <class Work>
const Algorithm<Work>& fitting(std::span<const Algorithm<Work>> all,
                               const Algorithm<Work>& algorithm, const Steps& steps,
                               const Work& work) {
  const Algorithm<Work>* one = &algorithm;
  while (!fits(one->needs, steps, work)) one = find_algorithm(all, one->otherwise);
  return *one;
}

// Carry out an algorithm that fits: data that it cannot take as it is goes through a copy.

template <class Work>
void run(Steps& steps, const Algorithm<Work>& algorithm, const Work& work, const Tuning& tuning) {
  algorithm.run(steps, work, tuning);
}
void run(Steps& steps, const Algorithm<Bcast>& algorithm, const Bcast& work, const Tuning& tuning);
void run(Steps& steps, const Algorithm<Allgather>& algorithm, const Allgather& work,
         const Tuning& tuning);

}  // namespace heddle::coll
