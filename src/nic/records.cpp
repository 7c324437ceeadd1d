#include "nic/records.hpp"

#include "core/prefetch.hpp"
#include "nic/adapter_ends.hpp"

namespace heddle::nic {

void Exchange::fire() {
  step_command(*this);
}
void Exchange::fetch() const {
  prefetch(this);
  prefetch(&contexts);
}
void Exchange::foresee() const {
  foresee_command(*this);
}
void Exchange::expect() const {
  expect_command(*this);
}

void Message::fire() {
  step_sending(*this);
}
void Message::receive_step() {
  step_receiving(*this);
}
void Message::glimpse() const {
  exchange->fetch();
  if (scheduled()) return foresee_sending(*this);
  foresee_receiving(*this);
}
void Message::foresee() const {
  if (scheduled()) return expect_sending(*this);
  expect_receiving(*this);
}

}  // namespace heddle::nic
