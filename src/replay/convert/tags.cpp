#include "replay/convert/tags.hpp"

#include "core/error.hpp"

namespace heddle::replay {
namespace {

constexpr std::uint32_t kPlainComms = 128;
constexpr std::int32_t kFirstCollective = 1'000'000;
constexpr std::uint32_t kCollectives = (1U << 24) - kFirstCollective;
constexpr std::uint32_t kOtherMessages = 0x80000000;
constexpr std::uint32_t kOtherCollectives = 0xc0000000;
constexpr std::uint32_t kRound = 256;

}  // namespace

std::uint32_t Tags::message(std::uint32_t comm, std::int32_t tag) {
  if (comm < kPlainComms && tag >= 0 && tag < kFirstCollective)
    return comm << 24 | static_cast<std::uint32_t>(tag);
  const auto next = static_cast<std::uint32_t>(others_.size());
  if (next == kOtherCollectives - kOtherMessages)
    throw InputError({}, "the traces use more than 2^30 different tags");
  return others_.try_emplace({comm, tag}, kOtherMessages + next).first->second;
}

std::uint32_t Tags::collective(std::uint32_t comm, std::uint32_t number) const {
  if (comm < kPlainComms) return (comm << 24) + kFirstCollective + number % kCollectives;
  const std::uint64_t tag =
      kOtherCollectives + std::uint64_t{comm - kPlainComms} * kRound + number % kRound;
  if (tag >= UINT32_MAX) throw InputError({}, "the traces use more than 4 million communicators");
  return static_cast<std::uint32_t>(tag);
}

}  // namespace heddle::replay
