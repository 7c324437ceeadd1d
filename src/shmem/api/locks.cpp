// Locks: a queue whose end PE 0 knows, and in which each PE knows who comes after it.
#include <cstring>

#include "shmem/access.hpp"
#include "shmem/api/calls.hpp"
#include "shmem/variables.hpp"

namespace heddle::shmem::api {
namespace {

constexpr int kHome = 0;
constexpr Type kWord = type_of<std::uint32_t>();
/// In a PE's own word, beside the number of who comes after it: the lock is its own.
constexpr std::uint32_t kGranted = 1U << 31;

/// The two halves of a lock: at kHome who came last, at each PE what its neighbours tell it. PEs
/// are called by their numbers and one more.
struct Lock {
  Lock(const Call& call, long* lock) : last(lock), own(reinterpret_cast<std::uint32_t*>(lock) + 1) {
    static_assert(sizeof *lock == 2 * sizeof *own);
    call.check_symmetric(lock, sizeof *lock, "lock");
  }
  long* last;
  std::uint32_t* own;
};

std::uint32_t name_of(const Pe& pe) {
  return static_cast<std::uint32_t>(pe.number()) + 1;
}

/// Waits until the PE's own word has one of the bits.
std::uint32_t await(const Call& call, const Lock& lock, std::uint32_t bits) {
  struct Told final : Watch {
    Told(const Pe& pe, const std::uint32_t* word, std::uint32_t bits)
        : pe_(pe), word_(word), bits_(bits) {}
    std::uint32_t value() const {
      std::uint32_t word = 0;
      pe_.memory().read(&word, word_, sizeof word);
      return word;
    }
    bool holds() const override { return (value() & bits_) != 0; }
    const Pe& pe_;
    const std::uint32_t* word_;
    std::uint32_t bits_;
  };
  const Told told(call.pe(), lock.own, bits);
  call.pe().wait_for(told, [&] {
    return std::string("waits in ") + call.pe().call + " for the lock at " +
           call.world().memory().place(call.pe().rank(), lock.last);
  });
  return told.value();
}

}  // namespace

void set_lock(const Site& site, long* lock) {
  const Call call(site);
  const Lock parts(call, lock);
  const std::uint32_t me = name_of(call.pe());
  *parts.own = 0;
  const std::uint64_t before = fetch(call, parts.last, {Atomic::set, kWord, me}, kHome);
  if (before == 0) return;
  update(call, parts.own, {Atomic::bit_or, kWord, me}, static_cast<int>(before) - 1);
  await(call, parts, kGranted);
}

void clear_lock(const Site& site, long* lock) {
  const Call call(site);
  const Lock parts(call, lock);
  const std::uint32_t me = name_of(call.pe());
  // What was done under the lock is to be seen by who gets it next.
  call.engine().quiet(call.pe(), call.context());
  const Update leave{Atomic::compare_swap, kWord, 0, me};
  const std::uint64_t last = fetch(call, parts.last, leave, kHome);
  if (last == me) return;
  if (last == 0) {
    call.refuse("nobody has the lock at " + call.world().memory().place(call.pe().rank(), lock));
  }
  const std::uint32_t next = await(call, parts, ~kGranted) & ~kGranted;
  update(call, parts.own, {Atomic::bit_or, kWord, kGranted}, static_cast<int>(next) - 1);
}

int test_lock(const Site& site, long* lock) {
  const Call call(site);
  const Lock parts(call, lock);
  *parts.own = 0;
  const Update enter{Atomic::compare_swap, kWord, name_of(call.pe()), 0};
  return static_cast<int>(fetch(call, parts.last, enter, kHome) != 0);
}

}  // namespace heddle::shmem::api
