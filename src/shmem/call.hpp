// What the functions behind the extern "C" ones have in common.
#pragma once

#include <string>
#include <utility>

#include "shmem/engine.hpp"
#include "shmem/world.hpp"

// The header's generics would be in the way of functions of the same names.
#ifndef HEDDLE_SHMEM_NO_GENERICS
#define HEDDLE_SHMEM_NO_GENERICS
#endif
#include <shmem.h>

namespace heddle::shmem {

/// Which call of the program it is, and with which context.
struct Site {
  const char* name;
  shmem_ctx_t context = SHMEM_CTX_DEFAULT;
};

/// A call of the running rank, for the profile and for messages, for as long as it lives.
class Call {
 public:
  /// Ends the run if the PE has not called shmem_init, or has called shmem_finalize.
  explicit Call(const Site& site);
  ~Call() { note(); }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Pe& pe() const { return pe_; }
  World& world() const { return pe_.world(); }
  Engine& engine() const { return pe_.world().engine(); }

  /// Ends the run: "PE 3: shmem_put: ...".
  [[noreturn]] void refuse(const std::string& why) const;

  // What the arguments of the program name; ends the run where they name nothing.

  Context& context() const;
  Membership& team(shmem_team_t handle) const;
  /// A PE of the context's team.
  Pe& target(const Context& context, int pe) const;
  /// Where a PE has what the caller has at an address.
  void* at(Pe& target, const void* address, std::size_t size, const char* argument) const;
  /// The same for data of the caller's own that must be symmetric.
  void check_symmetric(const void* address, std::size_t size, const char* argument) const;

 private:
  void note() const;

  Pe& pe_;
  host::Call mark_;
  shmem_ctx_t handle_;
  const char* name_;
  const char* outer_;
  Time begin_;
  Time waiting_;
  std::int64_t bytes_;
};

}  // namespace heddle::shmem
