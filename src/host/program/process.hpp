// What a hosted process has to itself besides its memory: the state that the C library keeps once
// per process, and the ways to end.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/libc/environment.hpp"
#include "host/libc/exit_handler.hpp"
#include "host/libc/getopt.hpp"
#include "host/libc/random_numbers.hpp"
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
  static void drain_streams();
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
  Environment& environment() { return made(environment_); }
  RandomNumbers& random() { return made(random_); }
  GetoptState& getopt() { return made(getopt_); }
  OwnStreams& streams() override { return streams_; }
  char*& strtok_place() { return strtok_place_; }
  /// The folder it works in; empty: the simulator's.
  const std::string& folder() const { return folder_; }
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

  template <class T>
  static T& made(std::unique_ptr<T>& part) {
    if (part == nullptr) part = std::make_unique<T>();
    return *part;
  }
  void run_handlers(Ending ending, int status);
  void leave_streams();

  // What enter() and leave() touch, for every turn of the rank: kTurn bytes.
  Rank& rank_;
  HostedProgram& program_;
  Variables variables_;
  std::unique_ptr<StreamFormats> formats_;
  std::unique_ptr<Signals> signals_;
  std::string folder_;

  std::string arguments_;  ///< One after the other, each with its terminating zero.
  std::vector<char*> argv_;
  std::array<std::vector<ExitHandler>, 2> handlers_;  ///< By Ending.
  std::unique_ptr<ProgramThreads> threads_;
  std::unique_ptr<Environment> environment_;
  std::unique_ptr<RandomNumbers> random_;
  std::unique_ptr<GetoptState> getopt_;
  std::unique_ptr<OpenedLibraries> libraries_;
  char* strtok_place_ = nullptr;
  OwnStreams streams_;
};

/// Of a rank that runs a loaded program; null for others.
HEDDLE_UNCHECKED inline Process* process_of(const Rank& rank) {
  return static_cast<Process*>(rank.process());
}

}  // namespace heddle::host
