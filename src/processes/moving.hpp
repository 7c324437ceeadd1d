// Memory moved between the process that asks for it and another one, and errands to do so. Compiled
// into the simulator and the processes of ranks.
#pragma once

#include <sys/types.h>
#include <sys/uio.h>

#include <cstddef>
#include <cstdint>

#include "processes/channel.hpp"

namespace heddle::processes {

/// process_vm_readv or process_vm_writev.
using MoveCall = ssize_t (*)(pid_t, const iovec*, unsigned long, const iovec*, unsigned long,
                             unsigned long);

/// Moves all; false if that cannot be done. Carries on where the kernel stopped before the end, as
/// it does at the border of a mapping.
inline bool move_all(MoveCall move, std::uint32_t process, void* own, const void* others,
                     std::size_t size) {
  for (std::size_t done = 0; done < size;) {
    const iovec here{static_cast<std::byte*>(own) + done, size - done};
    const iovec there{static_cast<std::byte*>(const_cast<void*>(others)) + done, size - done};
    const ssize_t moved = move(static_cast<pid_t>(process), &here, 1, &there, 1, 0);
    if (moved <= 0) return false;
    done += static_cast<std::size_t>(moved);
  }
  return true;
}

/// The thread of a slot, which waits for an answer, does the errand that it may have been sent on;
/// false if there is none.
inline bool do_errand(Channel& channel, Slot& slot) {
  auto sent = static_cast<std::uint32_t>(Turn::errand);
  const auto begun = static_cast<std::uint32_t>(Turn::errand_begun);
  if (!slot.turn.compare_exchange_strong(sent, begun)) return false;
  Errand& errand = slot.errand;
  errand.done = move_all(errand.writes ? process_vm_writev : process_vm_readv, errand.other,
                         errand.own, errand.others, errand.size);
  slot.turn.store(static_cast<std::uint32_t>(Turn::simulator));
  tell_simulator(channel);
  return true;
}

/// The thread of a slot waits until its call is answered.
inline void wait_for_answer(Channel& channel, Slot& slot) {
  slot.waiting.store(1);
  for (std::uint32_t turn = 0;
       (turn = slot.turn.load()) != static_cast<std::uint32_t>(Turn::process);) {
    if (!do_errand(channel, slot)) wait_while(slot.turn, turn);
  }
  slot.waiting.store(0);
}

}  // namespace heddle::processes
