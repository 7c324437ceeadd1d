// A call that went wrong: an error class of MPI and a sentence.
#pragma once

#include <string>
#include <string_view>

namespace heddle::coll {

/// Thrown within calls; `call` (call.hpp) hands it to the error handler in charge. `code` is an
/// error class or a code that the program has added. `text` follows "rank 3: MPI_Send: ".
struct Error {
  int code;
  std::string text;
};

/// An argument that cannot be: "argument dest: 17 is not a rank of MPI_COMM_WORLD: accepted are 0
/// to 15, MPI_PROC_NULL".
[[noreturn]] inline void bad_argument(int error_class, std::string_view argument,
                                      std::string_view problem) {
  throw Error{error_class, "argument " + std::string(argument) + ": " + std::string(problem)};
}

}  // namespace heddle::coll
