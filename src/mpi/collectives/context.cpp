#include "mpi/collectives/context.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include "mpi/check/check.hpp"
#include "mpi/comm/recorded_meeting.hpp"
#include "mpi/error.hpp"

namespace heddle::mpi::collectives {
namespace {

/// The number of a member among all of both groups.
std::uint32_t member_of(const Communicator& communicator) {
  const bool upper =
      communicator.inter() && communicator.group().process(0) > communicator.peers().process(0);
  return static_cast<std::uint32_t>(communicator.rank() +
                                    (upper ? communicator.peers().size() : 0));
}
/// Back.
std::uint32_t process_of_member(const Communicator& communicator, std::uint32_t member) {
  const auto number = static_cast<int>(member);
  if (!communicator.inter()) return communicator.group().process(number);
  const Group* groups[2] = {&communicator.group(), &communicator.peers()};
  if (groups[0]->process(0) > groups[1]->process(0)) std::swap(groups[0], groups[1]);
  const int first = groups[0]->size();
  return number < first ? groups[0]->process(number) : groups[1]->process(number - first);
}

}  // namespace

Context::Context(Communicator& communicator, Collective collective)
    : communicator_(&communicator), number_(communicator.next_collective()) {
  constexpr std::uint32_t kTags = 1U << 30;
  tag_ = static_cast<int>(number_ % kTags);
  Membership& member = membership(communicator);
  if (communicator.inter()) {
    remote_ = communicator.peers().size();
    local_ = member.local;
  }
  record_meeting(communicator);
  const auto clash = member.common->attendance.enter(number_, member_of(communicator), collective);
  if (!clash) return;
  throw Error{
      MPI_ERR_OTHER,
      fmt::format("the ranks of {} do not call the same operation: as their collective call "
                  "number {} rank {} of MPI_COMM_WORLD calls {}, rank {} has called {}",
                  communicator.label(), number_ + 1, process().id(), name_of(collective),
                  process_of_member(communicator, clash->member), name_of(clash->operation))};
}

void Context::tell(CollectiveCheck& check, const CommonTerms& common) const {
  const int remote = communicator_->inter() ? remote_ : 0;
  check.enters({*communicator_, number_, member_of(*communicator_),
                static_cast<std::uint32_t>(communicator_->size() + remote), op_, common});
}

void Context::tell_end(CollectiveCheck& check) const {
  check.leaves(process().id(), communicator_->data()->number, number_);
}

int Context::rank() const {
  return communicator_->rank() + (local_ ? remote_ : 0);
}
int Context::size() const {
  return communicator_->size() + (local_ ? remote_ : 0);
}

void Context::send(const Buffer& data, int peer, Completion& completion) const {
  const bool local = is_local(peer);
  const Communicator& way = local ? *local_ : *communicator_;
  engine_of(process()).send(process(), way.channel(Traffic::collective),
                            local ? peer - remote_ : peer, tag_, data, SendMode::standard,
                            completion);
}

void Context::receive(const Buffer& data, int peer, Completion& completion) const {
  const bool local = is_local(peer);
  const Communicator& way = local ? *local_ : *communicator_;
  engine_of(process()).receive(process(), way.channel(Traffic::collective),
                               local ? peer - remote_ : peer, tag_, data, completion);
}

void Context::see_ends(const Messages& messages) const {
  engine_of(process()).observers().tell([&](MessageObserver& one) {
    messages.for_each([&](const Ticket& ticket) { one.sees_end(process(), ticket); });
  });
}

void Context::see_end(const Messages& messages, std::uint32_t number) const {
  engine_of(process()).observers().tell([&](MessageObserver& one) {
    messages.for_one(number, [&](const Ticket& ticket) { one.sees_end(process(), ticket); });
  });
}

BufferCheck::Writing Context::writes() const {
  Check* const check = check_of(process());
  return {check == nullptr ? nullptr : &check->buffers(), process(), owner()};
}

std::uint64_t Context::owner() const {
  return owner_of(communicator_->channel(Traffic::collective).context, tag_);
}

/// Messages that the rank sends from now on wait for it.
void Context::charge(const coll::Overheads& cost, std::int64_t bytes) const {
  if (!cost.zero()) process().owe(cost.at(bytes));
}

void Context::copy(const Buffer& from, const Buffer& to) const {
  if (from.address == to.address && from.type == to.type) return;
  charge(process().world().config().copy_cost, bytes(from));
  if (!process().world().config().carries(bytes(from))) return;
  const BufferCheck::Writing writing = writes();
  move(process().memory(), to, process().memory(), from);
}

void Context::reduce(const Buffer& operand, const Buffer& result) const {
  charge(process().world().config().reduction_cost, bytes(result));
  if (!process().world().config().carries(bytes(result))) return;
  const BufferCheck::Writing writing = writes();
  // The program's own operations may do anything.
  if (!op_->is_predefined()) process().rank().fiber().lead().await_turn();
  if (result.count > 0) op_->apply(operand.address, result.address, result.count, *result.type);
}

std::uint32_t Context::process_of(int peer) const {
  if (is_local(peer)) return local_->group().process(peer - remote_);
  return communicator_->peers().process(peer);
}

std::string Context::absentees() const {
  constexpr std::size_t kShown = 4;
  const std::vector<std::uint32_t> missing =
      membership(*communicator_).common->attendance.missing(number_);
  if (missing.empty()) return "";
  std::string text = fmt::format("; not entered by {} of {}:", missing.size(),
                                 communicator_->size() + (local_ ? remote_ : 0));
  for (std::size_t i = 0; i < missing.size() && i < kShown; ++i) {
    const std::uint32_t id = process_of_member(*communicator_, missing[i]);
    const Process& other = process().world().process(id);
    const bool inside = other.blocked() != nullptr;
    text += fmt::format("{} rank {}{}{}", i == 0 ? "" : ",", id, inside ? " (in " : "",
                        inside ? fmt::format("{})", other.call) : "");
  }
  return missing.size() > kShown ? text + ", ..." : text;
}

std::string Context::describe(const Ticket* open) const {
  std::string text = communicator_->label();
  if (open != nullptr) {
    text += fmt::format(", {} rank {} of MPI_COMM_WORLD",
                        open->sends() ? "sends to" : "receives from", process_of(open->peer()));
  }
  return text + absentees();
}

void Context::check(int error) {
  if (error == MPI_ERR_TRUNCATE) {
    throw Error{error, "a message is longer than expected: the ranks disagree on counts or types"};
  }
  if (error == MPI_ERR_COUNT) {
    throw Error{error, "a message is shorter than expected: the ranks disagree on counts or types"};
  }
  if (error != 0) throw Error{error, "a message of the collective failed"};
}

}  // namespace heddle::mpi::collectives
