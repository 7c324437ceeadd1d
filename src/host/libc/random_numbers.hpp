// The C library's random numbers, one state per process.
#pragma once

#include <cstdlib>

namespace heddle::host {

/// What rand, random and drand48 remember. The numbers are those of the C library's own functions.
class RandomNumbers {
 public:
  RandomNumbers();
  RandomNumbers(const RandomNumbers&) = delete;
  RandomNumbers& operator=(const RandomNumbers&) = delete;

  /// For rand and random, which share one state.
  void seed(unsigned int seed);
  int next();
  char* use_state(unsigned int seed, char* state, std::size_t size);
  char* use_state(char* state);

  /// For the family of drand48.
  struct drand48_data& state48() {
    return state48_;
  }
  unsigned short* old48() { return old48_; }

 private:
  static constexpr std::size_t kStateSize = 128;
  char state_[kStateSize] = {};
  struct random_data data_ = {};
  struct drand48_data state48_ = {};
  unsigned short old48_[3] = {};
};

}  // namespace heddle::host
