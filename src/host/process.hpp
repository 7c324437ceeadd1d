// What a hosted process has to itself besides its memory: the state that the C library keeps once
// per process, and the ways to end.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "host/environment.hpp"
#include "host/getopt.hpp"
#include "host/opened_libraries.hpp"
#include "host/program_threads.hpp"
#include "host/random_numbers.hpp"
#include "host/signals.hpp"
#include "host/stream_formats.hpp"
#include "host/streams.hpp"

namespace heddle::host {

class Rank;
class HostedProgram;

/// Process numbers of ranks count from here; the one before is their launcher's.
inline constexpr int kFirstProcess = 1000;

/// A function to call at the end, with its argument, and with the status if it wants it.
struct ExitHandler {
  void (*plain)(void* argument) = nullptr;
  void (*with_status)(int status, void* argument) = nullptr;
  void* argument = nullptr;

  void run(int status) const {
    if (plain != nullptr)
      plain(argument);
    else
      with_status(status, argument);
  }
};

/// The process of a rank that runs a loaded program; made at its start, gone at its end. Parts that
/// few programs use are made when they are first used.
class Process {
 public:
  Process(Rank& rank, HostedProgram& program);
  ~Process();

  /// So much of it, from its beginning, is needed for every turn of its rank.
  static constexpr std::size_t kTurn = 128;

  int argc() const { return static_cast<int>(argv_.size()) - 1; }
  char** argv() { return argv_.data(); }

  /// Puts the process's variables where the C library has them, and takes them away again.
  void enter();
  void leave();

  // Ways to end. None of them unwinds the stack.
  /// As exit(3): handlers, then destructors, then the end.
  [[noreturn]] void exit(int status);
  /// As quick_exit(3).
  [[noreturn]] void quick_exit(int status);
  /// As _exit(2).
  [[noreturn]] void exit_now(int status);
  /// As by a signal: ends the whole run, with an error that names the rank.
  [[noreturn]] void kill(int signal);

  enum class Ending : std::uint8_t { normal, quick };
  void at_exit(Ending ending, const ExitHandler& handler);

  /// Takes over what the rank has written, before another runs.
  static void drain_streams();
  /// Writes what the rank has written of a line that it has not ended.
  void flush_lines();

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
  /// Runs handlers of signals that have come; true if any ran.
  bool handle_signals() { return signals_ != nullptr && signals_->deliver(); }
  /// Whether the program has anything to do with signals, or somebody has sent it one.
  bool uses_signals() const { return signals_ != nullptr; }
  /// Whether a handler is running.
  bool handles_signal() const { return signals_ != nullptr && signals_->handling(); }
  Environment& environment() { return made(environment_); }
  RandomNumbers& random() { return made(random_); }
  GetoptState& getopt() { return made(getopt_); }
  PartialLines& partial_lines() { return made(lines_); }
  Redirections& redirections() { return made(redirections_); }
  /// The file that a stream goes to instead, or null.
  std::FILE* redirected(Stream stream) const {
    return redirections_ ? (*redirections_)[static_cast<std::size_t>(stream)].get() : nullptr;
  }
  /// Whether it has closed one of the three standard descriptors, for itself.
  bool& closed(int descriptor) { return closed_[static_cast<std::size_t>(descriptor)]; }
  char*& strtok_place() { return strtok_place_; }
  /// The folder it works in; empty: the simulator's.
  const std::string& folder() const { return folder_; }
  void set_folder(std::string folder) { folder_ = std::move(folder); }

 private:
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
  std::unique_ptr<PartialLines> lines_;
  std::unique_ptr<Redirections> redirections_;
  std::unique_ptr<OpenedLibraries> libraries_;
  char* strtok_place_ = nullptr;
  std::array<bool, 3> closed_{};
};

}  // namespace heddle::host
