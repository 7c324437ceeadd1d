#include "mpi/collectives/direct_steps.hpp"

#include <fmt/core.h>

#include "mpi/call_log.hpp"
#include "mpi/collectives/exchange_series.hpp"

namespace heddle::mpi::collectives {
namespace {

/// What a rank that waits inside a collective says of it.
class InCollective final : public Blocked {
 public:
  InCollective(const Context& context, Messages& messages)
      : context_(context), messages_(messages) {}
  std::string text() const override {
    return fmt::format("waits in {}, {}", context_.process().call,
                       context_.describe(messages_.first_open()));
  }
  std::optional<std::uint32_t> peer() const override {
    const Ticket* open = messages_.first_open();
    if (open == nullptr) return std::nullopt;
    return context_.process_of(open->peer());
  }
  bool awaits(std::vector<Completion*>& list) const override {
    return messages_.list_awaited(list);
  }

 private:
  const Context& context_;
  Messages& messages_;
};

}  // namespace

DirectSteps::DirectSteps(const Context& context)
    : Steps(context.rank(), context.size(), context.places(),
            &collectives_of(context.process()).selector()),
      context_(context),
      workspace_(collectives_of(context.process()).take_workspace()),
      messages_(workspace_->messages) {
  messages_.tell(context.process(), Messages::Tell::satisfied);
}

DirectSteps::~DirectSteps() {
  messages_.tell_nobody();
  collectives_of(context_.process()).give_back(std::move(workspace_));
}

Step DirectSteps::send(const Buffer& data, int peer) {
  Ticket& ticket = messages_.begin_send(peer);
  const Step step{messages_.last_number()};
  context_.send(data, peer, ticket);
  return step;
}

Step DirectSteps::receive(const Buffer& data, int peer) {
  Ticket& ticket = messages_.begin_receive(peer, bytes(data));
  const Step step{messages_.last_number()};
  context_.receive(data, peer, ticket);
  return step;
}

void DirectSteps::wait() {
  // What is told from then on depends on what is expected.
  if (!messages_.all_done()) context_.process().await_turn();
  messages_.expect_all();
  context_.process().wait_until([this] { return messages_.all_done(); },
                                InCollective(context_, messages_));
  context_.see_ends(messages_);
}

void DirectSteps::wait(Step step) {
  const auto number = static_cast<std::uint32_t>(step);
  if (!messages_.done(number)) context_.process().await_turn();
  if (!messages_.done(number)) {
    messages_.expect(number);
    context_.process().wait_until([&] { return messages_.done(number); },
                                  InCollective(context_, messages_));
  } else {
    context_.process().settle();
  }
  context_.see_end(messages_, number);
}

void DirectSteps::finish() {
  wait();
  Context::check(messages_.error());
}

void DirectSteps::exchanges(NextExchange next) {
  if (!ExchangeSeries::fits(context_)) return Steps::exchanges(std::move(next));
  const InCollective reason(context_, messages_);
  // Not on the stack, which is to rest meanwhile.
  const auto series =
      std::make_unique<ExchangeSeries>(context_, messages_, reason, std::move(next));
  series->run();
}

bool DirectSteps::complete(Step step) {
  context_.process().rank().fiber().lead().await_turn();
  context_.process().background().advance();
  return messages_.done(static_cast<std::uint32_t>(step));
}

}  // namespace heddle::mpi::collectives
