#include "report/version.hpp"

#include "report/commit.hpp"

namespace heddle::report {
namespace {

/// The compiler calls itself by more than its name and number.
std::string compiler() {
#ifdef __clang__
  return "clang " __clang_version__;
#else
  return "GCC " __VERSION__;
#endif
}

}  // namespace

std::string_view version() {
  return HEDDLE_VERSION;
}

std::string_view commit() {
  return HEDDLE_COMMIT;
}

std::string long_version() {
  return "heddle " HEDDLE_VERSION " (commit " HEDDLE_COMMIT ", " + compiler() +
         ", " HEDDLE_BUILD_TYPE ")";
}

}  // namespace heddle::report
