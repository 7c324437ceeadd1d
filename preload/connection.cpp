#include "connection.hpp"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>

#include "counter.hpp"
#include "processes/moving.hpp"
#include "watched.hpp"

namespace heddle::preload {
namespace {

using processes::Channel;
using processes::kSlots;
using processes::Slot;
using State = processes::Turn;

Channel* mapped = nullptr;   ///< Of the rank that this process may be; null if it may be none.
Channel* channel = nullptr;  ///< The same once it is.
pthread_key_t thread_end;    ///< Has a value in threads that have a slot.

struct ThisThread {
  std::uint32_t slot = kSlots;
  bool calling = false;
  bool service = false;
  std::uint32_t calls = 0;
};
__attribute__((tls_model("initial-exec"))) thread_local ThisThread this_thread;

std::uint32_t word(State state) {
  return static_cast<std::uint32_t>(state);
}

std::uint32_t thread_id() {
  return static_cast<std::uint32_t>(syscall(SYS_gettid));
}

std::uint32_t process_id() {
  return static_cast<std::uint32_t>(syscall(SYS_getpid));
}

/// The channel that the environment names.
Channel* find_channel() {
  const char* place = getenv(processes::kChannelVariable);
  int file = -1;
  unsigned rank = 0;
  if (place == nullptr || sscanf(place, "%d:%u", &file, &rank) != 2) return nullptr;
  void* memory = mmap(nullptr, sizeof(Channel), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
                      file, static_cast<off_t>(sizeof(Channel)) * rank);
  return memory == MAP_FAILED ? nullptr : static_cast<Channel*>(memory);
}

void begin() {
  channel = mapped;
  this_thread.slot = 0;
  channel->slots[0].thread.store(thread_id());
  channel->slots[0].turn.store(word(State::process));
  // Other ranks' processes may reach this one's memory, not only the simulator, which started it.
  prctl(PR_SET_PTRACER, PR_SET_PTRACER_ANY, 0, 0, 0);
  be_watched();
  if (channel->slots_used.load() == 0) channel->slots_used.store(1);
  call_or(0, CallNumber::begin);
  if (channel->circumstances.counts) simulate_counter();
}

/// Takes the place of the process that was started, such as a shell that waits for this one.
void join() {
  mapped->process.store(process_id());
  begin();
}

void in_child() {
  read_real_counter();
  mapped = channel = nullptr;
}

void at_thread_end(void*) {
  if (channel == nullptr || this_thread.slot == kSlots || this_thread.slot == 0) return;
  free_slot(this_thread.slot);
  this_thread.slot = kSlots;
}

__attribute__((constructor)) void connect() {
  mapped = find_channel();
  if (mapped == nullptr) return;
  pthread_key_create(&thread_end, at_thread_end);
  pthread_atfork(nullptr, nullptr, in_child);
  if (mapped->process.load() == process_id()) {
    begin();
  } else if (dlsym(RTLD_DEFAULT, "MPI_Init") != nullptr) {
    join();
  }
}

std::int64_t processor_ns() {
  timespec t{};
  syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
  return t.tv_sec * std::int64_t{1'000'000'000} + t.tv_nsec;
}

/// The slot of this thread, which may take one for it.
std::uint32_t own_slot() {
  if (this_thread.slot != kSlots) return this_thread.slot;
  this_thread.slot = take_slot();
  if (this_thread.slot == kSlots) {
    static const char kProblem[] = "heddle: too many threads of a process call at a time\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kProblem, sizeof kProblem - 1);
    abort();
  }
  channel->slots[this_thread.slot].thread.store(thread_id());
  pthread_setspecific(thread_end, &this_thread);
  return this_thread.slot;
}

}  // namespace

bool simulated() {
  return channel != nullptr && !this_thread.service;
}

bool in_own_code() {
  return simulated() && !this_thread.calling && this_thread.slot != kSlots;
}

std::uint32_t calls_so_far() {
  return this_thread.calls;
}

bool simulated_or_joined() {
  if (channel == nullptr && mapped != nullptr) join();
  return channel != nullptr;
}

const processes::Circumstances& circumstances() {
  return channel->circumstances;
}

std::uint32_t take_slot() {
  for (std::uint32_t i = 1; i < kSlots; ++i) {
    std::uint32_t unused = word(State::free);
    if (!channel->slots[i].turn.compare_exchange_strong(unused, word(State::process))) continue;
    channel->slots[i].looks = 0;
    channel->slots[i].thread.store(0);
    for (std::uint32_t used = channel->slots_used.load(); used <= i;) {
      if (channel->slots_used.compare_exchange_weak(used, i + 1)) break;
    }
    return i;
  }
  return kSlots;
}

/// Nobody waits for an answer: the simulator frees the slot when it has understood.
void free_slot(std::uint32_t number) {
  Slot& slot = channel->slots[number];
  slot.call = static_cast<std::uint32_t>(CallNumber::end_thread);
  slot.turn.store(word(State::simulator));
  processes::tell_simulator(*channel);
}

void* begin_thread(void* started) {
  const StartedThread thread = *static_cast<StartedThread*>(started);
  free(started);
  this_thread.service = thread.service;
  if (thread.service) read_real_counter();
  if (thread.slot != kSlots) {
    this_thread.slot = thread.slot;
    channel->slots[thread.slot].thread.store(thread_id());
    pthread_setspecific(thread_end, &this_thread);
  }
  return thread.function(thread.argument);
}

Turn::Turn() : nested_(this_thread.calling) {
  if (nested_) {
    const std::uint32_t own = this_thread.slot;
    this_thread.slot = kSlots;
    number_ = own_slot();
    this_thread.slot = own;
  } else {
    number_ = own_slot();
  }
  this_thread.calling = true;
  ++this_thread.calls;
}

Turn::~Turn() {
  if (nested_) free_slot(number_);
  this_thread.calling = nested_;
}

processes::Room Turn::room() const {
  return {channel->rooms[number_], processes::kRoom};
}

std::uint64_t Turn::take(CallNumber call) {
  Slot& slot = channel->slots[number_];
  slot.call = static_cast<std::uint32_t>(call);
  if (channel->circumstances.measured) slot.processor_ns = processor_ns();
  slot.turn.store(word(State::simulator));
  processes::tell_simulator(*channel);
  processes::wait_for_answer(*channel, slot);
  return slot.answer;
}

std::int64_t look_at_clock() {
  constexpr std::int64_t kLooksAtOnce = 64;  // Then others may go on.
  const std::uint32_t number = own_slot();
  if (this_thread.calling) return channel->now_ps.load();
  Slot& slot = channel->slots[number];
  if (!channel->circumstances.local_clock || slot.looks >= kLooksAtOnce) {
    return call_or(std::int64_t{0}, CallNumber::look_at_clock);
  }
  return channel->now_ps.load() + ++slot.looks * channel->circumstances.clock_cost_ps;
}

}  // namespace heddle::preload
