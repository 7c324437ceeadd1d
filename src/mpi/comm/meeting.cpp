#include "mpi/comm/meeting.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include "mpi/datatype/type_table.hpp"

namespace heddle::mpi {
namespace {

/// A process waits for others in a call that makes communicators.
class WaitsForOthers final : public Blocked {
 public:
  WaitsForOthers(const Process& process, const Group& participants)
      : process_(process), participants_(participants) {}
  std::string text() const override {
    return fmt::format("waits in {} for others of its {} ranks", process_.call,
                       participants_.size());
  }

 private:
  const Process& process_;
  const Group& participants_;
};

}  // namespace

GroupRef Meetings::participants(const MeetingKey& key) const {
  const auto found = meetings_.find(key);
  return found == meetings_.end() ? nullptr : found->second.front().participants;
}

Meeting& Meetings::join(const MeetingKey& key, const GroupRef& participants, std::uint32_t process,
                        Contribution contribution) {
  std::list<Meeting>& list = meetings_[key];
  const auto rank = static_cast<std::size_t>(participants->rank(process));
  contribution.present = true;
  for (Meeting& meeting : list) {
    if (meeting.contributions[rank].present) continue;
    meeting.contributions[rank] = std::move(contribution);
    return meeting;
  }
  constexpr int kIds = 1 << 30;
  ids_ = (ids_ + 1) % kIds;
  const auto size = static_cast<std::size_t>(participants->size());
  Meeting& made = list.emplace_back(Meeting{ids_, participants, std::vector<Contribution>(size)});
  made.contributions[rank] = std::move(contribution);
  return made;
}

void Meetings::leave(const MeetingKey& key, Meeting& meeting) {
  if (++meeting.left < meeting.participants->size()) return;
  const auto found = meetings_.find(key);
  found->second.remove_if([&](const Meeting& m) { return &m == &meeting; });
  if (found->second.empty()) meetings_.erase(found);
}

Agreement::Agreement(Process& process, GroupRef participants, std::uint32_t context, int tag,
                     std::int64_t bytes)
    : process_(process),
      participants_(std::move(participants)),
      context_(context),
      tag_(tag),
      bytes_(bytes),
      rank_(participants_->rank(process.id())),
      round_(process),
      payload_(static_cast<std::size_t>(bytes)) {}

Agreement::~Agreement() {
  if (!done_) process_.background().remove(*this);
}

void Agreement::start() {
  process_.background().add(*this);
  advance();
}

void Agreement::advance() {
  // Sends take time, in which others may ask for progress.
  if (advancing_ || done_) return;
  advancing_ = true;
  while (round_.done() && distance_ < participants_->size()) begin_round();
  advancing_ = false;
  if (!round_.done()) return;
  see_end_of_round();
  done_ = true;
  process_.background().remove(*this);
}

void Agreement::see_end_of_round() {
  engine_of(process_).observers().tell(
      [&](MessageObserver& one) { one.sees_end(process_, round_); });
}

/// Round k: to the participant 2^k further on, from that 2^k before.
void Agreement::begin_round() {
  see_end_of_round();
  Engine& engine = engine_of(process_);
  const int size = participants_->size();
  const auto step = static_cast<int>(distance_);
  const std::uint32_t to = participants_->process((rank_ + step) % size);
  const std::uint32_t from = participants_->process((rank_ - step + size) % size);
  distance_ *= 2;
  round_.add();
  round_.add();
  const Buffer payload{payload_.data(), bytes_, &datatype(process_, MPI_BYTE)};
  engine.receive(process_, SourceAddress{context_, static_cast<int>(from)}, tag_, payload, round_);
  engine.send(process_, Address{context_, static_cast<int>(process_.id()), to}, tag_, payload,
              SendMode::standard, round_);
}

void Agreement::wait() {
  process_.wait_until([&] { return done_; }, WaitsForOthers(process_, *participants_));
}

}  // namespace heddle::mpi
