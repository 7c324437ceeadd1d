#include "host/rank/rank.hpp"

#include "core/prefetch.hpp"
#include "host/rank/job.hpp"
#include "host/rank/unchecked.hpp"

namespace heddle::host {

HEDDLE_UNCHECKED Rank* current_rank() {
  Thread* thread = current_thread();
  return thread == nullptr ? nullptr : static_cast<Rank*>(&thread->rank_site());
}

Rank::Rank(Job& job, Program& program, RankId id, NodeId node, std::uint32_t local)
    : RankSite(job, program, id, node, local), job_(job), threads_(*this), ending_(*this) {}

void Rank::start(FiberScheduler& scheduler, AddressSpace& memory) {
  use_memory(memory);
  memory.tell(&job_.shared().waiters());
  threads_.first().start(scheduler, nullptr, {{}, program().thread_pointer(*this)});
}

bool Rank::in_own_code() const {
  return process() != nullptr && !thread().calls().under_way() && !process()->writing();
}

void Rank::run() {
  ending_.finish(program().run(*this));
}

void Rank::foresee() const {
  constexpr std::size_t kTurn = 400;  ///< Bytes; the rest is for its beginning and its end.
  prefetch_bytes(this, kTurn);
  foresee_belongings();
}

void Rank::resumed(Thread& thread) {
  job_.shared().turn().enter(*this);
  threads_.resume(thread);
}

void Rank::ended() {
  ending_.complete();
  end_process();
}

}  // namespace heddle::host
