#include "nic/contexts.hpp"

namespace heddle::nic {

bool Contexts::open(Message& message) {
  Exchange& exchange = *message;
  const Half half = message.half();
  if (exchange.context(half).state == Context::State::closed) {
    const auto room = static_cast<std::size_t>(half);
    if (used_[room] >= params_.e2e_contexts) {
      waiting_[room].push(message);
      return false;
    }
    ++used_[room];
    ++exchange.references;
  }
  arm(exchange, half);
  return true;
}

void Contexts::hold(Exchange& exchange, Half half) {
  Context& context = exchange.context(half);
  if (context.state == Context::State::armed) disarm();
  context.state = Context::State::held;
}

bool Contexts::close(Exchange& exchange, Half half) {
  Context& context = exchange.context(half);
  if (context.state == Context::State::closed) return false;
  hold(exchange, half);
  context.state = Context::State::closed;
  const auto room = static_cast<std::size_t>(half);
  --used_[room];
  if (Message* const message = waiting_[room].pop()) {
    open(*message);
    owner_.context_ready(*message);
  }
  return true;
}

void Contexts::arm(Exchange& exchange, Half half) {
  Context& context = exchange.context(half);
  if (context.state == Context::State::armed) disarm();
  context.state = Context::State::armed;
  armed_.push(exchange, half, clock_.now() + params_.e2e_timeout);
  idle_timers_.armed();
  watch();
}

void Contexts::disarm() {
  armed_.left();
  if (armed_.empty() && !idle_) {
    idle_ = true;
    idle_timers_.add(*this);
  }
  idle_timers_.disarmed();
}

void Contexts::rest() {
  idle_ = false;
  if (armed_.empty()) clock_.cancel(*this);
}

void IdleTimers::disarmed() {
  if (--armed_ > 0) return;
  for (Contexts* const contexts : idle_) contexts->rest();
  idle_.clear();
}

/// The timer may be early, for a context that was closed since; it is never late.
void Contexts::watch() {
  if (!armed_.empty() && !scheduled()) {
    clock_.alarm(*this, armed_.front().deadline());
  }
}

void Contexts::fire() {
  while (!armed_.empty() && armed_.front().deadline() <= clock_.now()) {
    const ArmedQueue::Armed armed = armed_.front();
    hold(armed.exchange(), armed.half());
    owner_.context_expired(armed.exchange(), armed.half());
  }
  watch();
}

}  // namespace heddle::nic
