#include "shmem/entry.hpp"

#include <fmt/core.h>

#include "shmem/world.hpp"

namespace heddle::shmem {
namespace {

/// For the recording of a run, if there is one.
void record_meeting(const Pe& pe, const Team& team) {
  const host::Job& job = pe.rank().job();
  if (job.recorder() == nullptr) return;
  const record::GroupKey key{job.number(), record::GroupKey::Of::teams, team.number()};
  const auto describe = [&] {
    return record::Group{key, job.recorded_as(host::RankId{0}),
                         static_cast<std::uint32_t>(team.members.size()), team.label()};
  };
  job.recorder()->meets(pe.rank().thread().lane(), job.recorder()->groups().number(key, describe));
}

}  // namespace

std::uint32_t enter(Pe& pe, Membership& member, coll::Collective collective, const Agreed& agreed) {
  Team& team = *member.team;
  const std::uint32_t number = member.collectives++;
  record_meeting(pe, team);
  const auto clash =
      team.attendance.enter(number, static_cast<std::uint32_t>(member.number), collective);
  const FirstSaid first = team.came(number, pe.now(), {agreed, pe.number(), pe.call});
  const auto differ = [&](const std::string& how) {
    pe.rank().ending().fail_job(
        fmt::format("PE {}: {}: the PEs of {} {}", pe.number(), pe.call, team.label(), how));
  };
  if (clash) {
    differ(
        fmt::format("do not call the same: as their collective call number {} PE {} has called {}",
                    number + 1, first.pe, first.call));
  }
  if (first.agreed.bytes != agreed.bytes) {
    differ(fmt::format("disagree on the number of elements: this one has {} bytes, PE {} has {}",
                       agreed.bytes, first.pe, first.agreed.bytes));
  }
  if (first.agreed.root != agreed.root) {
    differ(fmt::format("disagree on the root: this one says {}, PE {} says {}", agreed.root,
                       first.pe, first.agreed.root));
  }
  return number;
}

std::string not_entered(const Pe& pe, const Team& team, std::uint32_t number) {
  constexpr std::size_t kShown = 4;
  const std::vector<std::uint32_t> missing = team.attendance.missing(number);
  if (missing.empty()) return "";
  std::string text = fmt::format("; not entered by {} of {}:", missing.size(), team.members.size());
  for (std::size_t i = 0; i < missing.size() && i < kShown; ++i) {
    const int absent = team.members.pe(static_cast<int>(missing[i]));
    const Pe* other = pe.world().find_pe(static_cast<std::uint32_t>(absent));
    const bool inside = other != nullptr && *other->call != '\0';
    text += fmt::format("{} PE {}{}", i == 0 ? "" : ",", absent,
                        inside ? fmt::format(" (in {})", other->call) : "");
  }
  return missing.size() > kShown ? text + ", ..." : text;
}

}  // namespace heddle::shmem
