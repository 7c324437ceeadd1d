#include "mpi/collectives/exchange_series.hpp"

#include <utility>

#include "core/floating_point.hpp"
#include "core/prefetch.hpp"
#include "mpi/wait_ahead.hpp"

namespace heddle::mpi::collectives {
namespace {

/// Whether the rank's own addresses can be used while its code does not run.
bool in_place(const AddressSpace& memory, const Buffer& buffer) {
  const auto size = static_cast<std::size_t>(buffer.count * buffer.type->extent());
  return memory.direct(buffer.address, size) == buffer.address;
}

}  // namespace

bool ExchangeSeries::fits(const Context& context) {
  const Process& process = context.process();
  return process.may_run_ahead() && engine_of(process).observers().empty() &&
         !process.rank().has_threads();
}

ExchangeSeries::ExchangeSeries(const Context& context, Messages& messages, const Blocked& reason,
                               NextExchange next)
    : process_(context.process()),
      waits_(process_.rank().thread().waits()),
      messages_(messages),
      reason_(reason),
      context_(context),
      next_(std::move(next)),
      floating_point_mode_(FloatingPoint::now().mode()) {}

void ExchangeSeries::run() {
  while (go_on(Where::on_fiber) != Stop::at_end) {
    process_.background().advance();
    if (awaited_done()) continue;
    fall_asleep();
    waits_.wait(reason_, *this, wait_);
    ahead_ = false;
    if (!process_.ahead()) process_.turn_has_come();
    if (std::exchange(asleep_, false)) settled_ = process_.wake_up(sleep_);
    if (failure_) std::rethrow_exception(failure_);
  }
}

bool ExchangeSeries::act() {
  if (std::exchange(ahead_, false)) {
    process_.rank().fiber().says(own_reason_);
    if (failure_ || !waits_.deputy_may_act()) return true;
    if (!process_.wait_ahead()->catch_up(false)) return true;
  } else {
    if (!process_.background().empty() || !waits_.deputy_may_act()) return true;
    waits_.end(wait_);
    settled_ = process_.wake_up(sleep_);
    asleep_ = false;
  }
  try {
    if (go_on(Where::in_event) != Stop::message) return true;
  } catch (...) {
    failure_ = std::current_exception();
    return true;
  }
  fall_asleep();
  waits_.begin(wait_);
  return false;
}

bool ExchangeSeries::act_ahead() {
  ahead_ = true;
  waits_.end(wait_);
  settled_ = process_.wake_up(sleep_);
  asleep_ = false;
  try {
    return go_on(Where::ahead) == Stop::at_end;
  } catch (...) {
    failure_ = std::current_exception();
    return false;
  }
}

void ExchangeSeries::foresee() const {
  process_.foresee();
  messages_.foresee();
  next_.foresee();
  prefetch(&context_.communicator());
}

void ExchangeSeries::fall_asleep() {
  sleep_ = process_.fall_asleep(reason_);
  asleep_ = true;
}

ExchangeSeries::Stop ExchangeSeries::go_on(Where where) {
  const auto must_wait = [&] { return where == Where::in_event && process_.unsettled(); };
  for (;;) {
    switch (stage_) {
      case Stage::next:
        if (where != Where::on_fiber && !may_combine()) return Stop::fiber;
        stage_ = next_(*this, exchange_) ? Stage::receive : Stage::end;
        break;
      case Stage::receive:
        if (where == Where::ahead || must_wait()) return Stop::fiber;
        begin_receive();
        stage_ = Stage::send;
        break;
      case Stage::send:
        if (must_wait()) return Stop::fiber;
        begin_send();
        stage_ = Stage::await_received;
        break;
      case Stage::await_received:
      case Stage::await_sent:
        if (where == Where::ahead ? !is_there() : !awaited_done()) return Stop::message;
        if (!settled_ && must_wait()) return Stop::fiber;
        if (!std::exchange(settled_, false)) process_.settle();
        stage_ = stage_ == Stage::await_received ? Stage::await_sent : Stage::next;
        break;
      case Stage::end:
        return Stop::at_end;
    }
  }
}

void ExchangeSeries::begin_receive() {
  Ticket& ticket = messages_.begin_receive(exchange_.from, bytes(exchange_.in));
  received_ = messages_.last_number();
  context_.receive(exchange_.in, exchange_.from, ticket);
}

void ExchangeSeries::begin_send() {
  Ticket& ticket = messages_.begin_send(exchange_.to);
  sent_ = messages_.last_number();
  context_.send(exchange_.out, exchange_.to, ticket);
}

std::uint32_t ExchangeSeries::awaited() const {
  return stage_ == Stage::await_received ? received_ : sent_;
}

bool ExchangeSeries::is_there() const {
  return messages_.done(awaited());
}

/// The message that is waited for; it is expected from then on.
bool ExchangeSeries::awaited_done() const {
  if (is_there()) return true;
  messages_.expect(awaited());
  return false;
}

/// Operations of the program run on its stack, and predefined ones where its data can be reached,
/// as its processor rounds.
bool ExchangeSeries::may_combine() const {
  const Op* const op = context_.operation();
  if (op == nullptr) return true;
  return op->is_predefined() && FloatingPoint::now().mode() == floating_point_mode_ &&
         in_place(process_.memory(), exchange_.out) && in_place(process_.memory(), exchange_.in);
}

}  // namespace heddle::mpi::collectives
