#include "host/program/loading/guarded_loading.hpp"

#include <dlfcn.h>
#include <setjmp.h>
#include <signal.h>

#include <array>

#include "core/error.hpp"
#include "host/rank/signal_name.hpp"

namespace heddle::host {
namespace {

constexpr std::array<int, 4> kLoaderFaults = {SIGSEGV, SIGBUS, SIGFPE, SIGILL};

/// Where a crash of the loader leads. Signals have no other way to find it; one program is loaded
/// at a time.
sigjmp_buf escape;

void leave(int signal) {
  siglongjmp(escape, signal);
}

/// As long as it lives, faults lead to `escape`.
class FaultsEscape {
 public:
  FaultsEscape() {
    struct sigaction action {};
    action.sa_handler = leave;
    for (std::size_t i = 0; i < kLoaderFaults.size(); ++i) {
      sigaction(kLoaderFaults[i], &action, &before_[i]);
    }
  }
  ~FaultsEscape() {
    for (std::size_t i = 0; i < kLoaderFaults.size(); ++i) {
      sigaction(kLoaderFaults[i], &before_[i], nullptr);
    }
  }
  FaultsEscape(const FaultsEscape&) = delete;
  FaultsEscape& operator=(const FaultsEscape&) = delete;

 private:
  std::array<struct sigaction, kLoaderFaults.size()> before_{};
};

}  // namespace

void* load_guarded(const std::string& name, int flags, const std::string& path) {
  const FaultsEscape guard;
  constexpr int kKeepMask = 1;
  if (const int signal = sigsetjmp(escape, kKeepMask); signal != 0) {
    throw InputError({path}, "the file is damaged: the system's loader crashed on it, with " +
                                 signal_name(signal));
  }
  return dlopen(name.c_str(), flags);
}

}  // namespace heddle::host
