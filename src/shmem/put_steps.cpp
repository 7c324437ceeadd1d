#include "shmem/put_steps.hpp"

#include <fmt/core.h>

#include "coll/algorithms/parts.hpp"
#include "shmem/entry.hpp"

namespace heddle::shmem {

using coll::Buffer;
using coll::Step;

PutSteps::PutSteps(Pe& pe, Membership& member, coll::Collective collective, const Agreed& agreed,
                   const coll::Op* op)
    : Steps(member.number, member.team->members.size(), member.team->places,
            &pe.world().selector()),
      pe_(pe),
      team_(*member.team),
      op_(op),
      number_(enter(pe, member, collective, agreed)),
      workspace_(pe.world().workspaces().take()),
      receives_(workspace_->receives) {}

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
  operation->bytes = static_cast<std::size_t>(coll::bytes(data));
  operation->channel = channel(rank());
  operation.payload.resize(operation->bytes);
  if (operation->bytes > 0) coll::pack(pe_.memory(), data, operation.payload.data());
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
  coll::move(pe_.memory(), to, pe_.memory(), from);
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
  const int from = team_.members.pe(static_cast<int>(static_cast<std::uint32_t>(open.channel)));
  return fmt::format("waits in {}, {}, for PE {}{}", pe_.call, team_.label(), from,
                     not_entered(pe_, team_, number_));
}

}  // namespace heddle::shmem
