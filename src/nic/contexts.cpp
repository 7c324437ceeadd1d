#include "nic/contexts.hpp"

namespace heddle::nic {

bool Contexts::open(Message& message) {
  Context& context = message.context();
  if (context.state == Context::State::closed) {
    Room& room = this->room(context);
    if (room.used >= params_.e2e_contexts) {
      room.waiting.push(message);
      return false;
    }
    ++room.used;
    ++context.exchange->references;
  }
  arm(context);
  return true;
}

void Contexts::hold(Context& context) {
  if (context.state == Context::State::armed) unlink(context);
  context.state = Context::State::held;
}

bool Contexts::close(Context& context) {
  if (context.state == Context::State::closed) return false;
  hold(context);
  context.state = Context::State::closed;
  Room& room = this->room(context);
  --room.used;
  if (Message* const message = room.waiting.pop()) {
    open(*message);
    owner_.context_ready(*message);
  }
  return true;
}

void Contexts::arm(Context& context) {
  if (context.state == Context::State::armed) unlink(context);
  context.state = Context::State::armed;
  context.deadline = simulation_.now() + params_.e2e_timeout;
  context.previous = last_;
  context.next = nullptr;
  (last_ ? last_->next : first_) = &context;
  last_ = &context;
  idle_timers_.armed();
  watch();
}

void Contexts::unlink(Context& context) {
  (context.previous ? context.previous->next : first_) = context.next;
  (context.next ? context.next->previous : last_) = context.previous;
  if (!first_ && !idle_) {
    idle_ = true;
    idle_timers_.add(*this);
  }
  idle_timers_.disarmed();
}

void Contexts::rest() {
  idle_ = false;
  if (!first_) simulation_.cancel(timer_);
}

void IdleTimers::disarmed() {
  if (--armed_ > 0) return;
  for (Contexts* const contexts : idle_) contexts->rest();
  idle_.clear();
}

/// The timer may be early, for a context that was closed since; it is never late.
void Contexts::watch() {
  if (first_ && !timer_.scheduled()) simulation_.schedule(timer_, first_->deadline, source_);
}

void Contexts::expire() {
  while (first_ && first_->deadline <= simulation_.now()) {
    Context& context = *first_;
    hold(context);
    owner_.context_expired(context);
  }
  watch();
}

}  // namespace heddle::nic
