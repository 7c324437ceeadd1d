#include "run/host_use.hpp"

#include <sys/resource.h>

#include <fstream>
#include <string>

namespace heddle::run {
namespace {

double seconds(const timeval& t) {
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
}

/// What the kernel keeps to find the pages of this process, which it does not count as theirs.
std::int64_t page_tables_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::int64_t size = 0;
    if (word == "VmPTE:" && status >> size) return size;
  }
  return 0;
}

}  // namespace

HostUse usage() {
  constexpr std::int64_t kKiB = 1024;
  rusage use{};
  getrusage(RUSAGE_SELF, &use);
  return {seconds(use.ru_utime) + seconds(use.ru_stime),
          Bytes((use.ru_maxrss + page_tables_kib()) * kKiB)};
}

}  // namespace heddle::run
