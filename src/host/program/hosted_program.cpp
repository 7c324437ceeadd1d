#include "host/program/hosted_program.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

#include "core/error.hpp"
#include "host/memory/executable_stack.hpp"
#include "host/memory/kept_once.hpp"
#include "host/program/process.hpp"

namespace heddle::host {
namespace {

StreamSet streams_of(const ProgramFiles& files) {
  StreamSet set = 0;
  for (std::size_t i = 0; i < kStandardStreams.size(); ++i) {
    if (files.mentions(kStandardStreams[i])) set |= 1U << i;
  }
  return set;
}

/// A system call, because raise() is the program's simulated one.
void stop_for_debugger() {
  syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), SIGTRAP);
}

}  // namespace

HostedProgram::HostedProgram(const ProgramConfig& config, const ProgramFiles& files)
    : first_rank_(config.first_rank),
      file_(std::filesystem::canonical(files.program.absolute_path())),
      start_folder_(config.folder),
      arguments_(config.arguments),
      environment_(environ),
      folder_(std::filesystem::current_path()),
      places_(files.places),
      patches_(config.patches),
      streams_(streams_of(files)),
      own_threads_(config.own_threads),
      waits_by_itself_(files.uses_openmp()),
      reads_counter_(files.reads_counter()),
      opens_libraries_(files.mentions("dlopen") || files.mentions("dlsym")),
      registers_forks_(files.mentions("__register_atfork")),
      executable_stacks_(files.wants_executable_stacks()) {
  arguments_.insert(arguments_.begin(), config.path);
  name_ = arguments_.front().data();
  short_name_ = name_ + (arguments_.front().rfind('/') + 1);
}

HostedProgram::~HostedProgram() {
  // Who has not ended may have been stopped anywhere, also in what a thread does at its end.
  for (auto& [rank, thread] : threads_) (void)thread.release();
  program_invocation_name = own_name_;
  program_invocation_short_name = own_short_name_;
}

/// Never unwound: an exception that a program does not catch ends it as anywhere else.
int HostedProgram::run(Rank& rank) {
  [&]() noexcept {
    rank.begin_process(std::make_unique<Process>(rank, *this));
    Process& process = *process_of(rank);
    if (executable_stacks_) make_executable(rank.thread().fiber().context().stack());
    if (!start_folder_.empty() && ::chdir(start_folder_.c_str()) == 0) {
      process.set_folder(start_folder_);
    }
    const LoadedProgram& program = loaded(rank);
    if (stopped_ == rank.id()) stop_for_debugger();
    construct(process, rank);
    const int status = program.main(process.argc(), process.argv(), environ);
    FiberLead::come_back();
    process.exit(status);
  }();
  return 0;
}

void* HostedProgram::thread_pointer(Rank& rank) {
  if (!own_threads_) return nullptr;
  return threads_.emplace(rank.id(), std::make_unique<ThreadIdentity>()).first->second->pointer();
}

void HostedProgram::leave(Rank& rank) {
  KeptOnce* const kept = patches_.kept;
  if (kept != nullptr) kept->stopped(static_cast<std::uint32_t>(index(rank.id())));
}

void HostedProgram::ended(Rank& rank) {
  threads_.erase(rank.id());
}

void HostedProgram::construct(Process& process, const Rank& rank) {
  loaded(rank).construct(process.argc(), process.argv(), environ);
}

void HostedProgram::destruct(const Rank& rank) {
  loaded(rank).destruct();
}

}  // namespace heddle::host
