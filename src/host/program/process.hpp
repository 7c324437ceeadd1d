// What a hosted process has to itself besides its memory: the state that the C library keeps once
// per process, and the ways to end.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/libc/exit_handler.hpp"
#include "host/libc/library_state.hpp"
#include "host/libc/signals.hpp"
#include "host/libc/stream_formats.hpp"
#include "host/libc/streams.hpp"
#include "host/program/opened_libraries.hpp"
#include "host/program/program_threads.hpp"
#include "host/rank/hosted_process.hpp"
#include "host/rank/rank.hpp"
#include "host/rank/unchecked.hpp"

namespace heddle::host {

class HostedProgram;

/// Process numbers of ranks count from here; the one before is their launcher's.
inline constexpr int kFirstProcess = 1000;

/// The process of a rank that runs a loaded program; made at its start, gone at its end. Parts that
/// few programs use are made when they are first used.
class Process final : public HostedProcess {
 public:
  Process(Rank& rank, HostedProgram& program);
  ~Process() override;

  int argc() const { return static_cast<int>(argv_.size()) - 1; }
  char** argv() { return argv_.data(); }

  void enter() override;
  void leave() override;
  void paused() override { drain_streams(); }
  bool writing() const override;

  // Ways to end. None of them unwinds the stack.
  [[noreturn]] void exit(int status) override;
  /// As quick_exit(3).
  [[noreturn]] void quick_exit(int status);
  /// As _exit(2).
  [[noreturn]] void exit_now(int status);
  [[noreturn]] void kill(int signal) override;

  enum class Ending : std::uint8_t { normal, quick };
  void at_exit(Ending ending, const ExitHandler& handler);

  /// Takes over what the rank has written, before another runs.
  void drain_streams();
  void flush_lines() override;

  /// Whether the program has begun to use PMI, and has not ended that.
  bool pmi_begun = false;

  ProgramThreads& threads();
  /// Whether the program has started any.
  bool has_threads() const;
  /// Libraries that the program has opened.
  OpenedLibraries& libraries();
  /// The program, for what it knows about its memory.
  HostedProgram& program() { return program_; }

  Signals& signals();
  /// Whether a handler is running.
  bool handles_signal() const { return signals_ != nullptr && signals_->handling(); }
  LibraryState& library() { return library_; }
  OwnStreams& streams() override { return streams_; }
  /// Those of its run; null before and after that.
  RankStreams* shared_streams() const;
  /// It works in another folder than the simulator from now on.
  void set_folder(std::string folder) { folder_ = std::move(folder); }

 private:
  bool deliver_signals() override { return signals_->deliver(); }

  /// Variables of the C library that programs see.
  struct Variables {
    char** environment;
    char* optarg = nullptr;
    int optind = 1;
    int opterr = 1;
    int optopt = '?';
  };

  void run_handlers(Ending ending, int status);

  // What enter() and leave() touch, for every turn of the rank: kTurn bytes.
  Rank& rank_;
  HostedProgram& program_;
  Variables variables_;
  std::unique_ptr<StreamFormats> formats_;
  std::unique_ptr<Signals> signals_;
  std::string folder_;  ///< Empty: the simulator's.

  std::string arguments_;  ///< One after the other, each with its terminating zero.
  std::vector<char*> argv_;
  std::array<std::vector<ExitHandler>, 2> handlers_;  ///< By Ending.
  std::unique_ptr<ProgramThreads> threads_;
  LibraryState library_;
  std::unique_ptr<OpenedLibraries> libraries_;
  OwnStreams streams_;
};

/// Of a rank that runs a loaded program; null for others.
HEDDLE_UNCHECKED inline Process* process_of(const Rank& rank) {
  return static_cast<Process*>(rank.process());
}

}  // namespace heddle::host
