#include "host/rank/rank_threads.hpp"

namespace heddle::host {

void RankThreads::add(Thread& thread) {
  if (others_ == nullptr) others_ = std::make_unique<Others>();
  others_->threads.push_back(&thread);
  first_.rank_site().have_threads(true);
}

void RankThreads::remove(Thread& thread) {
  others_->past_processor_time += thread.account().processor_time();
  std::erase(others_->threads, &thread);
  first_.rank_site().have_threads(!others_->threads.empty());
}

std::span<Thread* const> RankThreads::others() const {
  if (others_ == nullptr) return {};
  return others_->threads;
}

const Thread* RankThreads::find(int id) const {
  if (first_.id() == id) return &first_;
  for (const Thread* thread : others()) {
    if (thread->id() == id) return thread;
  }
  return nullptr;
}

void RankThreads::ring() {
  first_.waits().ring();
  for (Thread* thread : others()) thread->waits().ring();
}

void RankThreads::wake() {
  first_.waits().wake();
  for (Thread* thread : others()) thread->waits().wake();
}

void RankThreads::discard_others(Waiters& waiters) {
  discard(first_, waiters);
  for (Thread* thread : others()) discard(*thread, waiters);
}

void RankThreads::discard(Thread& thread, Waiters& waiters) {
  if (&thread == running_) return;
  waiters.remove(thread.fiber());
  thread.fiber().discard();
}

Time RankThreads::processor_time() const {
  Time time = first_.account().processor_time();
  if (others_ != nullptr) time += others_->past_processor_time;
  for (const Thread* thread : others()) time += thread->account().processor_time();
  return time;
}

}  // namespace heddle::host
