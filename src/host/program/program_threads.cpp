#include "host/program/program_threads.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <span>

#include "host/libc/exit_handler.hpp"
#include "host/memory/executable_stack.hpp"
#include "host/program/thread_identity.hpp"
#include "host/rank/job.hpp"
#include "host/rank/rank.hpp"
#include "host/rank/waiting.hpp"

namespace heddle::host {
namespace {

/// Memory for a stack, with a guard below it that is no memory.
class StackMemory {
 public:
  StackMemory(std::size_t size, bool executable) : size_(size + kGuard) {
    memory_ = mmap(nullptr, size_, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (!valid()) return;
    mprotect(memory_, kGuard, PROT_NONE);
    if (executable) make_executable(usable());
  }
  ~StackMemory() {
    if (valid()) munmap(memory_, size_);
  }
  StackMemory(const StackMemory&) = delete;
  StackMemory& operator=(const StackMemory&) = delete;

  bool valid() const { return memory_ != MAP_FAILED; }
  std::span<std::byte> usable() const {
    return {static_cast<std::byte*>(memory_) + kGuard, size_ - kGuard};
  }

 private:
  static constexpr std::size_t kGuard = 64 * 1024;
  std::size_t size_;
  void* memory_;
};

/// What calls of ours need besides what the program asks for.
constexpr std::size_t kOwnStack = 64 * 1024;
constexpr std::size_t kDefaultStack = 8 << 20;

std::size_t stack_size(const pthread_attr_t* attributes) {
  std::size_t size = kDefaultStack;
  if (attributes != nullptr) pthread_attr_getstacksize(attributes, &size);
  constexpr std::size_t kPage = 64 * 1024;  // The largest that there is.
  return (size + kOwnStack + kPage - 1) / kPage * kPage;
}

bool starts_detached(const pthread_attr_t* attributes) {
  int state = PTHREAD_CREATE_JOINABLE;
  if (attributes != nullptr) pthread_attr_getdetachstate(attributes, &state);
  return state == PTHREAD_CREATE_DETACHED;
}

}  // namespace

/// One of them.
class ProgramThreads::ProgramThread final : public ThreadBody {
 public:
  ProgramThread(ProgramThreads& owner, std::uint32_t number, const pthread_attr_t* attributes,
                Function function, void* argument)
      : thread(owner.rank_, number),
        detached(starts_detached(attributes)),
        owner_(owner),
        stack_(stack_size(attributes), owner.executable_stacks_),
        function_(function),
        argument_(argument) {}

  bool valid() const { return stack_.valid() && identity_.valid(); }
  pthread_t handle() const { return identity_.handle(); }
  void start(FiberScheduler& scheduler) {
    thread.start(scheduler, this, {stack_.usable(), identity_.pointer()});
  }

  /// An exception that the program does not catch ends it, as anywhere else.
  void run() noexcept override {
    result = function_(argument_);
    owner_.finish_thread();
  }
  void ended() override { owner_.ended(*this); }

  Thread thread;
  void* result = nullptr;
  bool detached;
  bool over = false;

 private:
  ProgramThreads& owner_;
  ThreadIdentity identity_;
  StackMemory stack_;
  Function function_;
  void* argument_;
};

ProgramThreads::ProgramThreads(Rank& rank, bool executable_stacks)
    : rank_(rank), executable_stacks_(executable_stacks) {}
ProgramThreads::~ProgramThreads() = default;

int ProgramThreads::create(pthread_t& handle, const pthread_attr_t* attributes, Function function,
                           void* argument) {
  auto thread = std::make_unique<ProgramThread>(*this, ++started_, attributes, function, argument);
  if (!thread->valid()) return EAGAIN;
  handle = thread->handle();
  rank_.threads().add(thread->thread);
  thread->start(rank_.thread().fiber().scheduler());
  threads_[handle] = std::move(thread);
  return 0;
}

ProgramThreads::ProgramThread* ProgramThreads::find(pthread_t handle) const {
  const auto found = threads_.find(handle);
  return found == threads_.end() ? nullptr : found->second.get();
}

int ProgramThreads::join(pthread_t handle, void** result, Time deadline) {
  ProgramThread* thread = find(handle);
  if (thread == nullptr) return ESRCH;
  if (&thread->thread == &rank_.thread()) return EDEADLK;
  if (thread->detached) return EINVAL;
  const auto reason = [&] { return "waits in pthread_join for " + thread->thread.name(); };
  while (!thread->over) {
    if (rank_.now() >= deadline) return ETIMEDOUT;
    wait_in(rank_.job().waits(), rank_.thread(), {thread, &rank_}, reason, deadline);
  }
  if (result != nullptr) *result = thread->result;
  forget(*thread);
  return 0;
}

int ProgramThreads::detach(pthread_t handle) {
  ProgramThread* thread = find(handle);
  if (thread == nullptr) return ESRCH;
  if (thread->detached) return EINVAL;
  thread->detached = true;
  if (thread->over) forget(*thread);
  return 0;
}

void ProgramThreads::exit(void* result) {
  finish_thread();
  for (auto& [handle, thread] : threads_) {
    if (&thread->thread != &rank_.thread()) continue;
    thread->result = result;
    rank_.thread().fiber().end();
  }
  // Any thread but the first has ended now.
  const auto running = [&] {
    return std::any_of(threads_.begin(), threads_.end(),
                       [](const auto& entry) { return !entry.second->over; });
  };
  while (running()) {
    wait_in(rank_.job().waits(), rank_.thread(), {this, &rank_},
            "waits in pthread_exit for its other threads", Time::never());
  }
  rank_.process()->exit(0);
  __builtin_unreachable();  // Compilers do not see that from a virtual function.
}

void ProgramThreads::ended(ProgramThread& thread) {
  thread.over = true;
  WaitTable& waits = rank_.job().waits();
  waits.wake({&thread, &rank_}, SIZE_MAX, &thread.thread);
  waits.wake({this, &rank_}, SIZE_MAX, &thread.thread);
  if (thread.detached) forget(thread);
}

void ProgramThreads::forget(ProgramThread& thread) {
  rank_.threads().remove(thread.thread);
  locals_.erase(&thread.thread);
  threads_.erase(thread.handle());
}

ProgramThreads::Locals& ProgramThreads::locals() {
  return locals_[&rank_.thread()];
}

void ProgramThreads::at_exit(const ExitHandler& handler) {
  locals().handlers.push_back(handler);
}

void ProgramThreads::run_handlers() {
  Locals& mine = locals();
  // A handler may register another, which then comes first.
  while (!mine.handlers.empty()) {
    const ExitHandler handler = mine.handlers.back();
    mine.handlers.pop_back();
    handler.run(0);
  }
}

void ProgramThreads::finish_thread() {
  run_handlers();
  Locals& mine = locals();
  constexpr int kRounds = 4;  // PTHREAD_DESTRUCTOR_ITERATIONS
  for (int i = 0; i < kRounds && run_destructors(mine); ++i) {
  }
}

/// Whether there was any.
bool ProgramThreads::run_destructors(Locals& locals) {
  bool any = false;
  for (std::size_t k = 0; k < locals.values.size(); ++k) {
    void* value = std::exchange(locals.values[k], nullptr);
    if (value == nullptr || keys_[k].destructor == nullptr) continue;
    keys_[k].destructor(value);
    any = true;
  }
  return any;
}

int ProgramThreads::create_key(pthread_key_t& key, void (*destructor)(void*)) {
  auto place = std::find_if(keys_.begin(), keys_.end(), [](const Key& k) { return !k.used; });
  if (place == keys_.end()) place = keys_.insert(keys_.end(), Key{});
  *place = {true, destructor};
  key = kFirstKey + static_cast<pthread_key_t>(place - keys_.begin());
  return 0;
}

int ProgramThreads::delete_key(pthread_key_t key) {
  const std::size_t place = key - kFirstKey;
  if (key < kFirstKey || place >= keys_.size() || !keys_[place].used) return EINVAL;
  keys_[place] = {};
  for (auto& [thread, locals] : locals_) {
    if (place < locals.values.size()) locals.values[place] = nullptr;
  }
  return 0;
}

int ProgramThreads::set(pthread_key_t key, const void* value) {
  const std::size_t place = key - kFirstKey;
  if (key < kFirstKey || place >= keys_.size() || !keys_[place].used) return EINVAL;
  auto& values = locals().values;
  if (place >= values.size()) values.resize(keys_.size());
  values[place] = const_cast<void*>(value);
  return 0;
}

void* ProgramThreads::get(pthread_key_t key) {
  const std::size_t place = key - kFirstKey;
  const auto& values = locals().values;
  return key >= kFirstKey && place < values.size() ? values[place] : nullptr;
}

}  // namespace heddle::host
