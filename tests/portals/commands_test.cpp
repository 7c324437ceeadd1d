#include "portals/commands.hpp"

#include "support.hpp"

namespace heddle::portals {
namespace {

std::vector<std::uint32_t> under_way(const Process& process) {
  std::vector<std::uint32_t> numbers;
  process.commands.for_each([&](std::uint32_t number) { numbers.push_back(number); });
  return numbers;
}

/// Two commands of a process are under way, then the second only, then none.
TEST(Commands, AreKnownToTheirProcess) {
  Bed bed(1);
  Process& process = *Process::of(bed.machine().directory().rank(0));
  Commands commands;
  const std::uint32_t first = commands.add(process, CommandKind::request);
  const std::uint32_t second = commands.add(process, CommandKind::request);
  commands.link(first);
  commands.link(second);
  EXPECT_THAT(under_way(process), ElementsAre(first, second));
  commands.unlink(first);
  commands.discard(first);
  EXPECT_THAT(under_way(process), ElementsAre(second));
  EXPECT_EQ(commands.in_use(), 1U);
  commands.unlink(second);
  commands.discard(second);
  EXPECT_THAT(under_way(process), IsEmpty());
  EXPECT_EQ(commands.in_use(), 0U);
}

/// A record starts anew, but keeps the room of a small payload for the next; a large one is given
/// back.
TEST(Commands, StartAnew) {
  Bed bed(1);
  Process& process = *Process::of(bed.machine().directory().rank(0));
  Commands commands;
  for (const std::size_t size : {64, 1 << 20}) {
    const std::uint32_t number = commands.add(process, CommandKind::request);
    commands[number].payload.resize(size);
    commands[number].staged = commands[number].arrived = true;
    commands.discard(number);
    EXPECT_EQ(commands.add(process, CommandKind::resource), number);
    EXPECT_FALSE(commands[number].staged);
    EXPECT_FALSE(commands[number].arrived);
    EXPECT_EQ(commands[number].payload.capacity() >= 64, size == 64);
    commands.discard(number);
  }
}

}  // namespace
}  // namespace heddle::portals
