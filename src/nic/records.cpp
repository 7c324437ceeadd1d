#include "nic/records.hpp"

#include "core/prefetch.hpp"
#include "nic/adapter.hpp"

namespace heddle::nic {

void Exchange::fire() {
  initiator->command_queues().step(*this);
}
void Exchange::fetch() const {
  prefetch(this);
  prefetch(&contexts);
}
void Exchange::foresee() const {
  initiator->foresee_command(*this);
}
void Exchange::expect() const {
  initiator->expect_command(*this);
}

void Message::fire() {
  from->transmitter().step(*this);
}
void Message::receive_step() {
  to->match_engine().step(*this);
}
void Message::glimpse() const {
  exchange->fetch();
  if (scheduled()) return from->foresee_sending(*this);
  to->foresee_receiving(*this);
}
void Message::foresee() const {
  if (scheduled()) return from->expect_sending(*this);
  to->expect_receiving(*this);
}

}  // namespace heddle::nic
