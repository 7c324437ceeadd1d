#include "host/libc/random_numbers.hpp"

namespace heddle::host {

RandomNumbers::RandomNumbers() {
  initstate_r(1, state_, sizeof state_, &data_);
}

void RandomNumbers::seed(unsigned int seed) {
  srandom_r(seed, &data_);
}

int RandomNumbers::next() {
  int value = 0;
  random_r(&data_, &value);
  return value;
}

char* RandomNumbers::use_state(unsigned int seed, char* state, std::size_t size) {
  auto* old = reinterpret_cast<char*>(data_.state - 1);
  return initstate_r(seed, state, size, &data_) == 0 ? old : nullptr;
}

char* RandomNumbers::use_state(char* state) {
  auto* old = reinterpret_cast<char*>(data_.state - 1);
  return setstate_r(state, &data_) == 0 ? old : nullptr;
}

}  // namespace heddle::host
