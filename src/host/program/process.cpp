#include "host/program/process.hpp"

#include <getopt.h>
#include <unistd.h>

#include "host/program/hosted_program.hpp"
#include "host/rank/job.hpp"
#include "host/rank/rank.hpp"

namespace heddle::host {
namespace {

std::string packed(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text.append(word.c_str(), word.size() + 1);
  return text;
}

}  // namespace

Process::Process(Rank& rank, HostedProgram& program)
    : rank_(rank),
      program_(program),
      variables_{program.environment()},
      arguments_(packed(program.arguments())) {
  char* next = arguments_.data();
  argv_.reserve(program.arguments().size() + 1);
  for (const std::string& word : program.arguments()) {
    argv_.push_back(next);
    next += word.size() + 1;
  }
  argv_.push_back(nullptr);
}

Process::~Process() = default;

RankStreams* Process::shared_streams() const {
  return rank_.job().shared().streams();
}

void Process::enter() {
  program_.take_name();
  environ = variables_.environment;
  ::optarg = variables_.optarg;
  ::optind = variables_.optind;
  ::opterr = variables_.opterr;
  ::optopt = variables_.optopt;
  if (formats_ != nullptr) formats_->give(program_.streams());
  if (!folder_.empty() && ::chdir(folder_.c_str()) != 0) folder_.clear();
}

void Process::leave() {
  variables_ = {environ, ::optarg, ::optind, ::opterr, ::optopt};
  environ = program_.environment();
  const StreamSet streams = program_.streams();
  const StreamFormats::Normal* const normal = streams == 0 ? nullptr : RankStreams::normal();
  if (normal == nullptr || !normal->changed(streams)) {
    formats_.reset();
  } else {
    if (formats_ == nullptr) formats_ = std::make_unique<StreamFormats>();
    formats_->take(streams, *normal);
  }
  if (!folder_.empty() && ::chdir(program_.folder().c_str()) != 0) folder_.clear();
}

OpenedLibraries& Process::libraries() {
  if (libraries_ == nullptr) {
    libraries_ = std::make_unique<OpenedLibraries>(rank_, program_, argc(), argv());
  }
  return *libraries_;
}

Signals& Process::signals() {
  if (signals_ == nullptr) {
    signals_ = std::make_unique<Signals>(rank_);
    use_signals();
  }
  return *signals_;
}

bool Process::has_threads() const {
  return threads_ != nullptr && threads_->any();
}

ProgramThreads& Process::threads() {
  if (threads_ == nullptr) {
    threads_ = std::make_unique<ProgramThreads>(rank_, program_.executable_stacks());
  }
  return *threads_;
}

void Process::at_exit(Ending ending, const ExitHandler& handler) {
  if (!program_.takes(handler)) handlers_[static_cast<std::size_t>(ending)].push_back(handler);
}

void Process::run_handlers(Ending ending, int status) {
  // A handler may register another, which then comes first.
  auto& handlers = handlers_[static_cast<std::size_t>(ending)];
  while (!handlers.empty()) {
    const ExitHandler handler = handlers.back();
    handlers.pop_back();
    handler.run(status);
  }
}

void Process::exit(int status) {
  if (threads_ != nullptr) threads_->run_handlers();
  run_handlers(Ending::normal, status);
  if (libraries_ != nullptr) libraries_->destruct();
  program_.destruct(rank_);
  exit_now(status);
}

void Process::quick_exit(int status) {
  run_handlers(Ending::quick, status);
  exit_now(status);
}

void Process::exit_now(int status) {
  flush_lines();
  rank_.ending().exit(status & 0xff);
}

void Process::kill(int signal) {
  flush_lines();
  const Crash* fault = signals_ == nullptr ? nullptr : signals_->fault();
  if (fault != nullptr && fault->signal == signal) rank_.ending().crash(*fault);
  const bool is_fault = signal == SIGABRT || signal == SIGSEGV || signal == SIGBUS ||
                        signal == SIGFPE || signal == SIGILL || signal == SIGTRAP;
  rank_.ending().crash({is_fault ? Crash::Cause::fault : Crash::Cause::signal, signal});
}

bool Process::writing() const {
  const RankStreams* streams = shared_streams();
  return streams != nullptr && streams->writing();
}

void Process::drain_streams() {
  if (RankStreams* streams = shared_streams()) streams->drain();
}

void Process::flush_lines() {
  drain_streams();
  RankStreams* streams = shared_streams();
  PartialLines* const lines = streams_.begun_lines();
  if (streams != nullptr && lines != nullptr) streams->finish(rank_, *lines);
}

}  // namespace heddle::host
