// Functions of a program that run a few times and are charged without running then.
#pragma once

#include <link.h>

#include <cstdint>
#include <deque>
#include <string>
#include <unordered_map>
#include <vector>

#include "core/time.hpp"

namespace heddle::host {

class Rank;
class Thread;

/// Which calls of a function are run, and what decides what the others cost.
struct SampledFunction {
  /// One of the function's first six arguments that are no floating-point numbers, from 0.
  struct Argument {
    std::uint32_t number;
    bool pointed_to;  ///< An int at the address that the argument is.
  };
  std::string name;
  std::uint32_t first = 1;        ///< So many calls of all ranks are run.
  std::vector<Argument> by = {};  ///< The cost is linear in their product.
};

/// Reads "function=dgemm_,first=5,by=@3*@4*@5". Throws InputError for `option`.
SampledFunction parse_sampled_function(const std::string& text, const std::string& option);

/// What calls of one function have cost: a straight line over the product of its arguments.
class CostLine {
 public:
  void add(double product, double seconds);
  std::uint32_t count() const { return count_; }
  /// Never less than nothing. The mean where all products were the same.
  double seconds(double product) const;

 private:
  std::uint32_t count_ = 0;
  double x_ = 0, y_ = 0, xx_ = 0, xy_ = 0;
};

/// The functions of a run's programs that are sampled. Calls are found where the loader has written
/// the addresses of functions: those that the compiler bound by itself are not seen.
class SampledFunctions {
 public:
  /// Throws InputError if there are too many.
  explicit SampledFunctions(std::vector<SampledFunction> functions);

  /// Has the object's calls of these functions come to us.
  void patch(const link_map& object);
  /// Throws InputError if calls of a function were not found in any object.
  void check() const;

  // For the stubs that calls come to.

  /// Whether the rank's call is to be run; if not it has been charged. If so, `*back` leads to us.
  bool begins(Rank& rank, std::uint32_t function, const std::uint64_t* arguments, void** back);
  /// The end of a call that was run: where it returns to.
  void* ends(Rank& rank);

 private:
  struct State {
    SampledFunction function;
    bool found = false;       ///< An object has calls of it.
    std::uint32_t begun = 0;  ///< Calls that are run.
    CostLine cost = {};
  };
  /// A call that is being run.
  struct Running {
    std::uint32_t function;
    void* back;
    double product;
    Time computed;
    Time processor;
  };

  std::deque<State> states_;
  std::unordered_map<const Thread*, std::vector<Running>> running_;
};

}  // namespace heddle::host
