#include "mpi/comm/create.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "mpi/comm/meeting.hpp"
#include "mpi/comm/objects.hpp"
#include "mpi/comm/recorded_meeting.hpp"
#include "mpi/comm/registry.hpp"
#include "mpi/error.hpp"
#include "mpi/request.hpp"
#include "mpi/world.hpp"

namespace heddle::mpi {
namespace {

/// Bytes of the messages by which processes agree on a new communicator.
constexpr std::int64_t kAgreementBytes = 16;
constexpr int kNoTag = -1;

GroupRef both_groups(const GroupRef& first, const GroupRef& second) {
  std::vector<std::uint32_t> members;
  for (const GroupRef& group : {first, second}) {
    for (int i = 0; i < group->size(); ++i) members.push_back(group->process(i));
  }
  return Group::of(std::move(members));
}

/// Whether this process is on the side of an intercommunicator that comes first.
bool on_first_side(const CommunicatorData& data) {
  return data.group->process(0) < data.remote->process(0);
}

/// The part of one process in a meeting, from its joining to its leaving.
class Participation {
 public:
  Participation(Communicator& parent, GroupRef participants, Contribution contribution,
                int tag = kNoTag, std::uint64_t members = 0)
      : process_(parent.process()),
        participants_(std::move(participants)),
        key_{parent.data()->number, tag, members},
        meeting_(meetings().join(key_, participants_, process_.id(), std::move(contribution))),
        agreement_(process_, participants_, parent.channel(Traffic::management).context,
                   meeting_.id, kAgreementBytes) {
    agreement_.start();
  }
  /// All of the communicator take part.
  Participation(Communicator& parent, Contribution contribution)
      : Participation(parent, all_of(parent), std::move(contribution)) {
    record_meeting(parent);
  }
  ~Participation() { meetings().leave(key_, meeting_); }
  Participation(const Participation&) = delete;
  Participation& operator=(const Participation&) = delete;

  void wait() { agreement_.wait(); }
  Agreement& agreement() { return agreement_; }
  const Contribution& of(std::uint32_t process) const {
    return meeting_.contributions[static_cast<std::size_t>(participants_->rank(process))];
  }
  /// What all know together, once all have come.
  Meeting& meeting() { return meeting_; }
  std::uint32_t number(int colour) {
    auto [found, made] = meeting_.numbers.try_emplace(colour, 0);
    if (made) found->second = process_.world().part<Registry>().new_number();
    return found->second;
  }
  /// What is made of a colour on a side: by `make()` for the first who asks, else what that made.
  template <class Make>
  CommunicatorDataRef result(int colour, int side, const Make& make) {
    CommunicatorDataRef& place = meeting_.results[{colour, side}];
    if (!place) place = std::make_shared<const CommunicatorData>(make());
    return place;
  }

 private:
  Meetings& meetings() { return process_.world().part<Registry>().meetings(); }
  /// Both groups of an intercommunicator are put together by the first who comes.
  static GroupRef all_of(const Communicator& parent) {
    const CommunicatorData& data = *parent.data();
    if (!data.remote) return data.group;
    const Meetings& meetings = parent.process().world().part<Registry>().meetings();
    const GroupRef known = meetings.participants({data.number, kNoTag, 0});
    return known ? known : everybody(data);
  }
  Process& process_;
  GroupRef participants_;
  MeetingKey key_;
  Meeting& meeting_;
  Agreement agreement_;
};

int side_of(const CommunicatorData& data) {
  return data.remote && !on_first_side(data) ? 1 : 0;
}

/// Divides a group by colours, each part in the order of its keys.
void divide(const Participation& attendance, const Group& group, int side,
            std::map<std::pair<int, int>, GroupRef>& colours) {
  std::vector<std::tuple<int, int, std::uint32_t>> all;  // Colour, key, process.
  for (int i = 0; i < group.size(); ++i) {
    const Contribution& contribution = attendance.of(group.process(i));
    if (contribution.colour != MPI_UNDEFINED) {
      all.emplace_back(contribution.colour, contribution.key, group.process(i));
    }
  }
  const auto order = [](const auto& each) {
    return std::tie(std::get<0>(each), std::get<1>(each));
  };
  std::ranges::stable_sort(all, {}, order);
  for (std::size_t begin = 0; begin < all.size();) {
    const int colour = std::get<0>(all[begin]);
    std::vector<std::uint32_t> members;
    for (; begin < all.size() && std::get<0>(all[begin]) == colour; ++begin) {
      members.push_back(std::get<2>(all[begin]));
    }
    colours[{side, colour}] = Group::of(std::move(members));
  }
}

/// Those of one side, or of the other, that gave a colour; null if nobody did.
GroupRef of_colour(Participation& attendance, const CommunicatorData& data, int side, int colour) {
  auto& colours = attendance.meeting().colours;
  if (colours.empty()) {
    divide(attendance, *data.group, side_of(data), colours);
    if (data.remote) divide(attendance, *data.remote, 1 - side_of(data), colours);
  }
  const auto found = colours.find({side, colour});
  return found == colours.end() ? nullptr : found->second;
}

/// Whether groups have no process in common, for all that ask in a meeting.
bool are_disjoint(Meeting& meeting, const Group& a, const Group& b) {
  if (meeting.disjoint) return *meeting.disjoint;
  bool apart = true;
  for (int i = 0; i < a.size() && apart; ++i) apart = b.rank(a.process(i)) == MPI_UNDEFINED;
  meeting.disjoint = apart;
  return apart;
}

}  // namespace

GroupRef everybody(const CommunicatorData& data) {
  if (!data.remote) return data.group;
  return on_first_side(data) ? both_groups(data.group, data.remote)
                             : both_groups(data.remote, data.group);
}

void disconnect(Communicator& communicator) {
  {
    Participation attendance(communicator, {});
    attendance.wait();
  }
  free_communicator(communicator);
}

Communicator& adopt(Communicator& parent, CommunicatorDataRef data) {
  Process& process = parent.process();
  const CommunicatorRef made = make_ref<Communicator>(process, MPI_COMM_NULL, std::move(data));
  made->error_handler = parent.error_handler;
  made->set_handle(process.part<Objects>().communicators.add(made));
  return *made;
}

void free_communicator(Communicator& communicator) {
  communicator.attributes.clear(communicator.handle());
  communicator.process().part<Objects>().communicators.remove(communicator.handle());
}

int create_communicator(Communicator& parent, const GroupRef& group,
                        std::shared_ptr<const Topology> topology) {
  const CommunicatorDataRef& data = parent.data();
  const bool member = group->rank(parent.process().id()) != MPI_UNDEFINED;
  Participation attendance(parent, {true, member ? 1 : MPI_UNDEFINED, 0, 0, group});
  attendance.wait();
  if (!member) return MPI_COMM_NULL;
  // Of an intercommunicator, the other side's group is what any of its members that take part say.
  GroupRef remote;
  if (data->remote) {
    for (int i = 0; i < data->remote->size() && !remote; ++i) {
      const Contribution& other = attendance.of(data->remote->process(i));
      if (other.colour != MPI_UNDEFINED) remote = other.group;
    }
    if (!remote) return MPI_COMM_NULL;
  }
  const int colour = data->remote ? 0 : static_cast<int>(group->process(0));
  Communicator& made = adopt(parent, attendance.result(colour, side_of(*data), [&] {
    return CommunicatorData{attendance.number(colour), group, remote};
  }));
  made.set_topology(std::move(topology));
  return made.handle();
}

int create_from_group(Communicator& parent, const GroupRef& group, int tag) {
  if (group->rank(parent.process().id()) == MPI_UNDEFINED) return MPI_COMM_NULL;
  Participation attendance(parent, group, {}, tag, group->fingerprint());
  attendance.wait();
  return adopt(parent, attendance.result(0, 0,
                                         [&] {
                                           return CommunicatorData{attendance.number(0), group};
                                         }))
      .handle();
}

namespace {

Communicator& duplicate(Communicator& parent, Participation& attendance) {
  const CommunicatorDataRef& data = parent.data();
  Communicator& made = adopt(parent, attendance.result(0, side_of(*data), [&] {
    return CommunicatorData{attendance.number(0), data->group, data->remote};
  }));
  made.set_topology(parent.shared_topology());
  return made;
}

/// MPI_Comm_idup: the handle is made when all have come.
class DuplicateRequest final : public Request, private Progress {
 public:
  DuplicateRequest(Communicator& parent, int* handle, InfoRef info)
      : Request(parent.process()),
        parent_(&parent),
        handle_(handle),
        info_(std::move(info)),
        attendance_(parent, {}) {
    // Attributes are those of now.
    parent.attributes.copy_to(attributes_, parent.handle());
  }
  ~DuplicateRequest() override { process().background().remove(*this); }
  void watch() {
    process().background().add(*this);
    advance();
  }
  std::string describe() const override { return "MPI_Comm_idup of " + parent_->label(); }

 private:
  void advance() override {
    if (complete() || !attendance_.agreement().done()) return;
    Communicator& made = duplicate(*parent_, attendance_);
    made.attributes = std::move(attributes_);
    made.info = info_;
    *handle_ = made.handle();
    finish({});
  }
  CommunicatorRef parent_;
  int* handle_;
  InfoRef info_;
  Attributes attributes_;
  Participation attendance_;
};

}  // namespace

int duplicate(Communicator& parent) {
  Participation attendance(parent, {});
  attendance.wait();
  return duplicate(parent, attendance).handle();
}

int start_duplicate(Communicator& parent, int* handle, InfoRef info, bool with_info) {
  int made = MPI_REQUEST_NULL;
  add_request(
      make_request<DuplicateRequest>(parent, handle, with_info ? std::move(info) : parent.info),
      &made)
      .watch();
  return made;
}

int split(Communicator& parent, int colour, int key) {
  const CommunicatorDataRef& data = parent.data();
  Participation attendance(parent, {true, colour, key});
  attendance.wait();
  if (colour == MPI_UNDEFINED) return MPI_COMM_NULL;
  const int side = side_of(*data);
  const GroupRef remote = data->remote ? of_colour(attendance, *data, 1 - side, colour) : nullptr;
  if (data->remote && !remote) return MPI_COMM_NULL;
  const auto make = [&] {
    return CommunicatorData{attendance.number(colour), of_colour(attendance, *data, side, colour),
                            remote};
  };
  return adopt(parent, attendance.result(colour, side, make)).handle();
}

namespace {

/// The leaders of two groups tell one another of these: the other's group and the number of what
/// they make.
Contribution meet_leader(Communicator& local, Communicator& peer, int remote_leader, int tag) {
  const std::uint32_t own = local.process().id();
  const std::uint32_t other = peer.peers().process(remote_leader);
  const auto [low, high] = std::minmax(own, other);
  const GroupRef leaders = Group::of({low, high});
  Participation attendance(peer, leaders, {true, 0, 0, 0, local.data()->group}, tag,
                           leaders->fingerprint());
  attendance.wait();
  return {true, 0, 0, attendance.number(0), attendance.of(other).group};
}

}  // namespace

int create_intercommunicator(Communicator& local, int local_leader, Communicator& peer,
                             int remote_leader, int tag) {
  Contribution contribution;
  if (local.rank() == local_leader) contribution = meet_leader(local, peer, remote_leader, tag);
  return create_with_known(local, local_leader, contribution);
}

int create_with_known(Communicator& local, int local_leader, const Contribution& known) {
  Participation attendance(local, known);
  attendance.wait();
  const Contribution& leader = attendance.of(local.group().process(local_leader));
  if (!leader.group) return MPI_COMM_NULL;
  if (!are_disjoint(attendance.meeting(), *leader.group, local.group())) {
    throw Error{MPI_ERR_COMM, "the two groups have a process in common"};
  }
  return adopt(local,
               attendance.result(
                   0, 0,
                   [&] {
                     return CommunicatorData{leader.number, local.data()->group, leader.group};
                   }))
      .handle();
}

int merge(Communicator& inter, bool high) {
  const CommunicatorDataRef& data = inter.data();
  Participation attendance(inter, {true, high ? 1 : 0});
  attendance.wait();
  const bool other_high = attendance.of(data->remote->process(0)).colour != 0;
  const bool first = high == other_high ? on_first_side(*data) : !high;
  return adopt(inter, attendance.result(0, 0,
                                        [&] {
                                          return CommunicatorData{
                                              attendance.number(0),
                                              first ? both_groups(data->group, data->remote)
                                                    : both_groups(data->remote, data->group)};
                                        }))
      .handle();
}

}  // namespace heddle::mpi
