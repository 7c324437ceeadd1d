// What the C library keeps for each rank that runs a loaded program.
#pragma once

#include <memory>

#include "host/libc/environment.hpp"
#include "host/libc/getopt.hpp"
#include "host/libc/random_numbers.hpp"

namespace heddle::host {

/// Parts are made when they are first used: few programs use them.
class LibraryState {
 public:
  Environment& environment() { return made(environment_); }
  RandomNumbers& random() { return made(random_); }
  GetoptState& getopt() { return made(getopt_); }
  char*& strtok_place() { return strtok_place_; }

 private:
  template <class T>
  static T& made(std::unique_ptr<T>& part) {
    if (part == nullptr) part = std::make_unique<T>();
    return *part;
  }

  std::unique_ptr<Environment> environment_;
  std::unique_ptr<RandomNumbers> random_;
  std::unique_ptr<GetoptState> getopt_;
  char* strtok_place_ = nullptr;
};

}  // namespace heddle::host
