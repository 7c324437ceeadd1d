#include "shmem/call.hpp"

#include <fmt/core.h>

namespace heddle::shmem {
namespace {

Pe& usable_pe(const char* name) {
  Pe& pe = Pe::running(name);
  if (pe.phase == Phase::initialised) return pe;
  pe.rank().ending().fail_job(
      fmt::format("PE {}: {}: called {}", pe.number(), name,
                  pe.phase == Phase::before ? "before shmem_init" : "after shmem_finalize"));
}

}  // namespace

Call::Call(const Site& site)
    : pe_(usable_pe(site.name)),
      mark_(pe_.rank()),
      handle_(site.context),
      name_(site.name),
      outer_(std::exchange(pe_.call, site.name)),
      begin_(pe_.now()),
      waiting_(pe_.counters.waiting),
      bytes_(pe_.counters.bytes) {}

void Call::note() const {
  pe_.call = outer_;
  CallProfile& profile = pe_.profile_of(name_);
  ++profile.calls;
  profile.time += pe_.now() - begin_;
  profile.waiting += pe_.counters.waiting - waiting_;
  profile.bytes += pe_.counters.bytes - bytes_;
  record::RunRecorder* const recorder = pe_.rank().job().recorder();
  if (recorder == nullptr || !mark_.outermost()) return;
  recorder->call(mark_.thread().lane(), name_, begin_, pe_.now(), pe_.counters.bytes - bytes_);
}

void Call::refuse(const std::string& why) const {
  pe_.rank().ending().fail_job(fmt::format("PE {}: {}: {}", pe_.number(), name_, why));
}

Context& Call::context() const {
  const auto number = reinterpret_cast<std::uintptr_t>(handle_);
  if (number == 0) refuse("the context is SHMEM_CTX_INVALID");
  if (number > pe_.contexts.size() || !pe_.contexts[number - 1].alive) {
    refuse(
        fmt::format("there is no context {}: accepted are SHMEM_CTX_DEFAULT and those of "
                    "shmem_ctx_create that are not destroyed",
                    number));
  }
  return pe_.contexts[number - 1];
}

Membership& Call::team(shmem_team_t handle) const {
  const auto number = reinterpret_cast<std::uintptr_t>(handle);
  if (number == 0) refuse("the team is SHMEM_TEAM_INVALID");
  if (number > pe_.teams.size() || pe_.teams[number - 1].team == nullptr) {
    refuse(
        fmt::format("there is no team {}: accepted are SHMEM_TEAM_WORLD, SHMEM_TEAM_SHARED and "
                    "those of splits that are not destroyed",
                    number));
  }
  return pe_.teams[number - 1];
}

Pe& Call::target(const Context& context, int pe) const {
  const Members& members = context.team->members;
  if (pe < 0 || pe >= members.size()) {
    refuse(fmt::format("there is no PE {} in {}: accepted are 0 to {}", pe, context.team->label(),
                       members.size() - 1));
  }
  return world().pe(static_cast<std::uint32_t>(members.pe(pe)));
}

void* Call::at(Pe& target, const void* address, std::size_t size, const char* argument) const {
  SymmetricMemory& memory = world().memory();
  if (void* there = memory.translate(pe_.rank(), address, size, target.rank())) return there;
  refuse(fmt::format("{}: {}", argument, memory.objection(pe_.rank(), address, size)));
}

void Call::check_symmetric(const void* address, std::size_t size, const char* argument) const {
  if (size > 0) at(pe_, address, size, argument);
}

}  // namespace heddle::shmem
