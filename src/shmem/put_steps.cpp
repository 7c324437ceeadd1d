#include "shmem/put_steps.hpp"

#include <fmt/format.h>

#include "mpi/coll/parts.hpp"

namespace heddle::shmem {

using mpi::Buffer;
using mpi::coll::Step;

PutSteps::PutSteps(Pe& pe, Membership& member, mpi::coll::Collective collective, const mpi::Op* op)
    : Steps(member.number, member.team->members.size(), member.team->places),
      pe_(pe),
      team_(*member.team),
      op_(op),
      number_(member.collectives++),
      workspace_(pe.world().workspaces().take()),
      receives_(workspace_->receives) {
  team_.came(number_, pe.now());
  const auto clash =
      team_.attendance.enter(number_, static_cast<std::uint32_t>(member.number), collective);
  if (!clash) return;
  pe.rank().fail_job(fmt::format(
      "PE {}: {}: the PEs of {} do not call the same: as their collective call number {} PE {} has "
      "called {}, and this is {}",
      pe.number(), pe.call, team_.label(), number_ + 1,
      team_.members.pe(static_cast<int>(clash->member)), mpi::coll::name_of(clash->operation),
      mpi::coll::name_of(collective)));
}

PutSteps::~PutSteps() {
  pe_.world().workspaces().give_back(std::move(workspace_));
}

std::uint64_t PutSteps::channel(int from) const {
  return (std::uint64_t{team_.number()} << 32) | static_cast<std::uint32_t>(from);
}

Step PutSteps::send(const Buffer& data, int peer) {
  World& world = pe_.world();
  Pe& target = world.pe(static_cast<std::uint32_t>(team_.members.pe(peer)));
  Operation& operation = world.engine().begin(Operation::Kind::message, pe_, target);
  operation->bytes = static_cast<std::size_t>(mpi::bytes(data));
  operation->channel = channel(rank());
  operation.payload.resize(operation->bytes);
  if (operation->bytes > 0) mpi::pack(pe_.memory(), data, operation.payload.data());
  world.engine().send(operation);
  // The data has been taken: the step is complete.
  return Step{UINT32_MAX};
}

Step PutSteps::receive(const Buffer& data, int peer) {
  Receive& receive = workspace_->pool.take();
  receive = {data, channel(peer)};
  receives_.push_back(&receive);
  pe_.world().engine().receive(pe_, receive);
  return Step{static_cast<std::uint32_t>(receives_.size() - 1)};
}

void PutSteps::copy(const Buffer& from, const Buffer& to) {
  if (from.address == to.address && from.type == to.type) return;
  mpi::move(pe_.memory(), to, pe_.memory(), from);
}

void PutSteps::reduce(const Buffer& operand, const Buffer& result) {
  if (result.count > 0) op_->apply(operand.address, result.address, result.count, *result.type);
}

void PutSteps::await(const Receive& receive) {
  if (receive.done) return pe_.settle();
  pe_.wait_until([&] { return receive.done; }, [&] { return waiting_text(receive); });
}

void PutSteps::wait() {
  while (closed_ < receives_.size()) {
    await(*receives_[closed_]);
    ++closed_;
  }
  pe_.settle();
}

void PutSteps::wait(Step step) {
  const auto number = static_cast<std::uint32_t>(step);
  if (number != UINT32_MAX) return await(*receives_[number]);
  pe_.settle();
}

bool PutSteps::complete(Step step) {
  const auto number = static_cast<std::uint32_t>(step);
  return number == UINT32_MAX || receives_[number]->done;
}

std::string PutSteps::waiting_text(const Receive& open) const {
  constexpr std::size_t kShown = 4;
  const int from = team_.members.pe(static_cast<int>(static_cast<std::uint32_t>(open.channel)));
  std::string text = fmt::format("waits in {}, {}, for PE {}", pe_.call, team_.label(), from);
  const std::vector<std::uint32_t> missing = team_.attendance.missing(number_);
  if (missing.empty()) return text;
  text += fmt::format("; not entered by {} of {}:", missing.size(), size());
  for (std::size_t i = 0; i < missing.size() && i < kShown; ++i) {
    const int number = team_.members.pe(static_cast<int>(missing[i]));
    const Pe* other = pe_.world().find_pe(static_cast<std::uint32_t>(number));
    const bool inside = other != nullptr && *other->call != '\0';
    text += fmt::format("{} PE {}{}", i == 0 ? "" : ",", number,
                        inside ? fmt::format(" (in {})", other->call) : "");
  }
  return missing.size() > kShown ? text + ", ..." : text;
}

}  // namespace heddle::shmem
