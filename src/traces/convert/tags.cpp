#include "traces/convert/tags.hpp"

#include "core/error.hpp"
#include "goal/schedule.hpp"

namespace heddle::traces {
namespace {

constexpr unsigned kCommShift = 24;
constexpr std::uint32_t kPlainComms = 64;
constexpr std::int32_t kPlainTags = 1 << kCommShift;
constexpr std::uint32_t kOtherMessages = kPlainComms << kCommShift;
/// Below it there is room for what is no collective: in that of each communicator.
constexpr std::uint32_t kFirstCollective = 1'000'000;
constexpr std::uint32_t kCollectives = (1U << kCommShift) - kFirstCollective;
constexpr std::uint32_t kOtherCollectives = goal::kFirstCollectiveTag + kOtherMessages;
constexpr std::uint32_t kRound = 256;

}  // namespace

std::uint32_t Tags::message(std::uint32_t comm, std::int32_t tag) {
  if (comm < kPlainComms && tag >= 0 && tag < kPlainTags) {
    return comm << kCommShift | static_cast<std::uint32_t>(tag);
  }
  const auto next = static_cast<std::uint32_t>(others_.size());
  if (next == goal::kFirstCollectiveTag - kOtherMessages) {
    throw InputError({}, "the traces use more than 2^30 different tags");
  }
  return others_.try_emplace({comm, tag}, kOtherMessages + next).first->second;
}

std::uint32_t Tags::collective(std::uint32_t comm, std::uint32_t number) const {
  if (comm < kPlainComms) {
    return goal::kFirstCollectiveTag + (comm << kCommShift) + kFirstCollective +
           number % kCollectives;
  }
  const std::uint64_t tag =
      kOtherCollectives + std::uint64_t{comm - kPlainComms} * kRound + number % kRound;
  if (tag >= goal::kAnyTag) {
    throw InputError({}, "the traces use more than 4 million communicators");
  }
  return static_cast<std::uint32_t>(tag);
}

std::uint32_t Tags::one_sided(std::uint32_t number) {
  return goal::kFirstCollectiveTag + number % kFirstCollective;
}

std::uint32_t Tags::acknowledgement(std::uint32_t number) {
  return goal::kFirstCollectiveTag + (1U << kCommShift) + number % kFirstCollective;
}

}  // namespace heddle::traces
