// Memory of other processes: read, written, and moved from one to the other by one of them.
#include "processes/remote_memory.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>
#include <string>

#include "processes/calls.hpp"
#include "processes/moving.hpp"
#include "processes/shared_memory.hpp"

namespace heddle::processes {
namespace {

constexpr std::size_t kMuch = 1 << 20;

/// A process with memory of its own at an address that is also the test's, which holds nothing but
/// the process's letter; it waits for the answer to a call, or for ever.
class WaitingProcess {
 public:
  WaitingProcess(char letter, bool calls) : memory_(own_memory()) {
    id_ = fork();
    if (id_ == 0) live(letter, calls);
    while (slot().thread == 0) usleep(100);
  }
  ~WaitingProcess() {
    kill(id_, SIGKILL);
    waitpid(id_, nullptr, 0);
    munmap(memory_, kMuch);
  }
  WaitingProcess(const WaitingProcess&) = delete;
  WaitingProcess& operator=(const WaitingProcess&) = delete;

  char* memory() const { return memory_; }
  const Slot& slot() { return channels_[0].slots[0]; }
  RemoteMemory space() { return RemoteMemory(channels_[0]); }
  std::string text(std::size_t size) {
    std::string text(size, '?');
    EXPECT_TRUE(space().read(text.data(), memory_, size));
    return text;
  }

 private:
  static char* own_memory() {
    return static_cast<char*>(
        mmap(nullptr, kMuch, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  }
  [[noreturn]] void live(char letter, bool calls) {
    std::memset(memory_, letter, kMuch);
    Channel& channel = channels_[0];
    Slot& slot = channel.slots[0];
    channel.process = static_cast<std::uint32_t>(getpid());
    channel.slots_used = 1;
    slot.call = static_cast<std::uint32_t>(CallNumber::PtlCTWait);
    slot.turn.store(static_cast<std::uint32_t>(calls ? Turn::simulator : Turn::process));
    slot.thread = static_cast<std::uint32_t>(getpid());
    while (!calls) pause();
    wait_for_answer(channel, slot);
    _exit(0);
  }

  SharedMemory<Channel> channels_{1};
  char* memory_;
  pid_t id_ = 0;
};

TEST(RemoteMemoryTest, ReadsAndWritesMemoryOfAnotherProcess) {
  WaitingProcess other('a', true);
  RemoteMemory space = other.space();
  EXPECT_EQ(other.text(3), "aaa");
  EXPECT_TRUE(space.write(other.memory() + 1, "xy", 2));
  EXPECT_EQ(other.text(4), "axya");
  char byte = 0;
  EXPECT_FALSE(space.read(&byte, nullptr, 1));
  EXPECT_FALSE(space.write(nullptr, &byte, 1));
  EXPECT_EQ(space.direct(other.memory(), 1), nullptr);
}

// The receiver, which waits for an answer, takes 1 MiB from the sender itself: it has been on an
// errand of that size, and waits again. The sender has been on none.
TEST(RemoteMemoryTest, MovesMuchOnceByTheProcessThatReceivesIt) {
  WaitingProcess from('a', true);
  WaitingProcess to('b', true);
  RemoteMemory target = to.space();
  EXPECT_TRUE(heddle::copy(target, to.memory(), from.space(), from.memory(), kMuch));
  EXPECT_EQ(to.text(kMuch), std::string(kMuch, 'a'));
  EXPECT_EQ(to.slot().errand.size, kMuch);
  EXPECT_TRUE(to.slot().errand.done);
  EXPECT_TRUE(is(to.slot(), Turn::simulator));
  EXPECT_EQ(from.slot().errand.size, 0U);
}

// Who computes cannot be sent: then the sender gives what the receiver does not take.
TEST(RemoteMemoryTest, MovesMuchByTheSenderIfTheReceiverIsBusy) {
  WaitingProcess from('a', true);
  WaitingProcess to('b', false);
  RemoteMemory target = to.space();
  EXPECT_TRUE(heddle::copy(target, to.memory(), from.space(), from.memory(), kMuch));
  EXPECT_EQ(to.text(kMuch), std::string(kMuch, 'a'));
  EXPECT_TRUE(from.slot().errand.done && from.slot().errand.writes);
}

TEST(RemoteMemoryTest, MovesByWayOfTheSimulatorIfBothAreBusyOrItIsLittle) {
  for (const bool call : {false, true}) {
    WaitingProcess from('a', call);
    WaitingProcess to('b', call);
    RemoteMemory target = to.space();
    const std::size_t size = call ? 100 : kMuch;
    EXPECT_TRUE(heddle::copy(target, to.memory(), from.space(), from.memory(), size));
    EXPECT_EQ(to.text(size), std::string(size, 'a'));
    EXPECT_EQ(from.slot().errand.size + to.slot().errand.size, 0U);
  }
}

TEST(RemoteMemoryTest, SaysThatMuchIsNotThere) {
  WaitingProcess from('a', true);
  WaitingProcess to('b', true);
  RemoteMemory target = to.space();
  EXPECT_FALSE(heddle::copy(target, to.memory(), from.space(), nullptr, kMuch));
  EXPECT_FALSE(heddle::copy(target, nullptr, from.space(), from.memory(), kMuch));
}

}  // namespace
}  // namespace heddle::processes
