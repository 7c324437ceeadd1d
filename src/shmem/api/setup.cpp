// Beginning, end, and what is around a program.
#include <fmt/core.h>

#include <cstdlib>
#include <cstring>
#include <optional>

#include "core/units.hpp"
#include "host/program/process.hpp"
#include "shmem/api/calls.hpp"
#include "shmem/collectives.hpp"

namespace heddle::shmem::api {
namespace {

constexpr const char* kFinalize = "shmem_finalize";

/// Sizes in the environment may have a factor: 64M, 1.5g.
std::optional<std::size_t> size_in(const char* text) {
  char* end = nullptr;
  const double number = std::strtod(text, &end);
  constexpr const char* kFactors = "kmgt";
  double factor = 1;
  if (*end != '\0') {
    const char* found = std::strchr(kFactors, std::tolower(static_cast<unsigned char>(*end)));
    if (found == nullptr || (end[1] != '\0' && std::toupper(end[1]) != 'B')) return std::nullopt;
    for (const char* f = kFactors; f <= found; ++f) factor *= 1024;
  }
  if (end == text || !(number * factor >= 1)) return std::nullopt;
  return static_cast<std::size_t>(number * factor);
}

/// What the PE's environment says of the heap.
std::optional<std::size_t> wanted_heap(Pe& pe, const char* call) {
  for (const char* name : {"SHMEM_SYMMETRIC_SIZE", "SMA_SYMMETRIC_SIZE"}) {
    const char* text = std::getenv(name);
    if (text == nullptr) continue;
    const auto size = size_in(text);
    if (size) return size;
    pe.rank().ending().fail_job(fmt::format(
        "PE {}: {}: {} is \"{}\": accepted is a size such as 64M", pe.number(), call, name, text));
  }
  return std::nullopt;
}

/// Says what the environment asks for, in PE 0's output.
void introduce(const Pe& pe) {
  if (pe.number() != 0) return;
  const bool all = std::getenv("SHMEM_INFO") != nullptr;
  if (all || std::getenv("SHMEM_VERSION") != nullptr) {
    fmt::print("{}, OpenSHMEM {}.{}\n", SHMEM_VENDOR_STRING, SHMEM_MAJOR_VERSION,
               SHMEM_MINOR_VERSION);
  }
  if (!all) return;
  World& world = pe.world();
  fmt::print("{} PEs, symmetric heaps of {} bytes, transport {}\n", world.size(),
             world.memory().heap_size(),
             world.config().transport == TransportKind::portals ? "portals" : "hybrid");
  fmt::print(
      "environment: SHMEM_SYMMETRIC_SIZE (or SMA_SYMMETRIC_SIZE), the heap's bytes; "
      "SHMEM_VERSION, SHMEM_INFO, this text\n");
}

void end(const Call& call) {
  Pe& pe = call.pe();
  for (Context& context : pe.contexts) {
    if (context.alive) call.engine().quiet(pe, context);
  }
  meet(call, pe.teams.front());
}

/// A program that ends without shmem_finalize has called it, unless it failed.
void end_at_exit(int status, void*) {
  Pe& pe = Pe::running(kFinalize);
  if (status != 0 || pe.phase != Phase::initialised) return;
  end(Call({kFinalize}));
  pe.phase = Phase::finalised;
}

void begin(const Site& site, int threads) {
  Pe& pe = Pe::running(site.name);
  const host::Call mark(pe.rank());
  if (pe.phase == Phase::initialised) return;
  if (pe.phase == Phase::finalised) {
    pe.rank().ending().fail_job(
        fmt::format("PE {}: {}: called after shmem_finalize", pe.number(), site.name));
  }
  World& world = pe.world();
  world.memory(wanted_heap(pe, site.name));
  const Time cost = world.config().init_cost;
  if (cost > Time::zero()) pe.rank().thread().work().charge(cost);
  pe.thread_level = threads;
  Context& standard = pe.contexts.emplace_back();
  standard.team = &world.teams().world();
  standard.alive = true;
  Team& shared = world.teams().shared(pe.rank().node());
  pe.teams.push_back({standard.team, pe.number()});
  pe.teams.push_back({&shared, shared.members.number(pe.number())});
  pe.phase = Phase::initialised;
  pe.rank().extensions().others_write();
  introduce(pe);
  if (host::Process* process = host::process_of(pe.rank())) {
    process->at_exit(host::Process::Ending::normal,
                     host::ExitHandler{nullptr, end_at_exit, nullptr});
  }
}

}  // namespace

void init(const Site& site) {
  begin(site, SHMEM_THREAD_SINGLE);
}

void start_pes(const Site& site, int) {
  begin(site, SHMEM_THREAD_SINGLE);
}

int init_thread(const Site& site, int requested, int* provided) {
  if (requested < SHMEM_THREAD_SINGLE || requested > SHMEM_THREAD_MULTIPLE) return -1;
  begin(site, requested);
  *provided = requested;
  return 0;
}

void query_thread(const Site& site, int* provided) {
  *provided = Call(site).pe().thread_level;
}

void finalize(const Site& site) {
  const Call call(site);
  end(call);
  call.pe().phase = Phase::finalised;
}

void global_exit(const Site& site, int status) {
  Pe::running(site.name).rank().ending().abort_job("shmem_global_exit", status);
}

int my_pe(const Site& site) {
  return Call(site).pe().number();
}

int n_pes(const Site& site) {
  return static_cast<int>(Call(site).world().size());
}

int pe_accessible(const Site& site, int pe) {
  return static_cast<int>(pe >= 0 && pe < static_cast<int>(Call(site).world().size()));
}

int addr_accessible(const Site& site, const void* addr, int pe) {
  const Call call(site);
  if (pe < 0 || pe >= static_cast<int>(call.world().size())) return 0;
  host::Rank& target = call.world().pe(static_cast<std::uint32_t>(pe)).rank();
  return static_cast<int>(call.world().memory().translate(call.pe().rank(), addr, 1, target) !=
                          nullptr);
}

void* ptr(const Site& site, const void* dest, int pe) {
  const Call call(site);
  Pe& target = call.target(call.pe().contexts.front(), pe);
  return direct_address(call, target, dest);
}

void info_get_version(const Site&, int* major, int* minor) {
  *major = SHMEM_MAJOR_VERSION;
  *minor = SHMEM_MINOR_VERSION;
}

void info_get_name(const Site&, char* name) {
  std::strcpy(name, SHMEM_VENDOR_STRING);
}

void pcontrol(const Site&, int) {}

void clear_cache_inv(const Site&) {}
void set_cache_inv(const Site&) {}
void clear_cache_line_inv(const Site&, void*) {}
void set_cache_line_inv(const Site&, void*) {}
void udcflush(const Site&) {}
void udcflush_line(const Site&, void*) {}

}  // namespace heddle::shmem::api
