#include "cli/cli.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "core/error.hpp"

namespace heddle::cli {

int run(int, char**) {
  try {
    return 0;
  } catch (const InputError& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  } catch (const RunError& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}

}  // namespace heddle::cli
