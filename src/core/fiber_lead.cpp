#include "core/fiber_lead.hpp"

#include <algorithm>
#include <atomic>
#include <utility>

#include "core/fiber.hpp"

namespace heddle {

bool FiberLead::come_to_turn() {
  if (departed_ && stays_aside()) return false;
  if (early_ && !fiber_.task().aside()->early_wait_is_over()) {
    fiber_.ask_again(Time::never());
    return false;
  }
  early_ = false;
  RunAhead& ahead = *fiber_.scheduler().ahead();
  if (stage() != Stage::back) ahead.look_around();
  ahead.take_back(fiber_);
  return true;
}

void FiberLead::give_up() {
  RunAhead* const ahead = fiber_.scheduler().ahead();
  if (ahead == nullptr) return;
  if (stage() != Stage::none) ahead->take_back(fiber_);
}

/// Nothing of this is done by then but to come here.
void FiberLead::wait_for_turn() {
  enter(Stage::back);
  fiber_.leave();
  fiber_.task().aside()->come_back();
}

void FiberLead::look_around() {
  enter(Stage::looks);
  fiber_.leave();
}

void FiberLead::leave_ahead() {
  departed_ = false;
  go_on_aside();
}

void FiberLead::depart() {
  departed_ = true;
  fiber_.ask_again(fiber_.scheduler().simulation().now());
  go_on_aside();
}

/// Whether others may go on before it needs its turn: it is asked again later then.
bool FiberLead::stays_aside() {
  const FiberScheduler& scheduler = fiber_.scheduler();
  const auto computed = scheduler.ahead()->computed(fiber_);
  if (!computed) return false;
  fiber_.ask_again(
      std::max(fiber_.task().aside()->aside_until(*computed), scheduler.simulation().now()));
  return true;
}

void FiberLead::go_on_aside() {
  enter(Stage::leaves);
  fiber_.leave();
  if (side_ == nullptr) return fiber_.task().aside()->come_back();  // Its turn came sooner.
  aside_ = this;
  fiber_.task().aside()->gone_aside();
}

void FiberLead::visit_aside(SidePlace& from) {
  side_ = &from;
  fiber_.context().visit_aside(from);
}

void FiberLead::leave_side_thread() {
  aside_ = nullptr;
  // A recall may have come right before that, and the turn with it.
  std::atomic_signal_fence(std::memory_order_seq_cst);
  if (side_ == nullptr) return;
  fiber_.task().aside()->coming_back();
  fiber_.context().leave_aside(*std::exchange(side_, nullptr));
  fiber_.scheduler().throw_if_ending();
  fiber_.task().aside()->come_back();
}

}  // namespace heddle
