#include "cli/cli.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "cli/command_tree.hpp"
#include "cli/held_signals.hpp"
#include "cli/notes.hpp"
#include "core/error.hpp"
#include "core/fiber.hpp"
#include "core/log.hpp"
#include "host/rank/crash.hpp"
#include "report/version.hpp"

namespace heddle::cli {
namespace {

constexpr const char* kUnwritable = "cannot write the standard output";

constexpr const char* kExamples =
    "Examples:\n"
    "  heddle run -n 4 ./hello              # a program, on a simulated machine\n"
    "  heddle platforms                     # the machines that come with the program\n"
    "  heddle topo bxi-v2 --svg bxi.svg     # describe one, and draw it\n"
    "  heddle traffic                       # latency against load, on a fat tree\n"
    "  heddle replay app.goal               # when each rank of a schedule is done\n"
    "  heddle params link                   # the parameters of cables\n"
    "`heddle help COMMAND` or `heddle COMMAND --help` explains a command.";

/// Every subcommand, in the order of the help.
std::vector<CommandKind> command_kinds() {
  return {run_command(),    mpirun_command(),    platforms_command(), topo_command(),
          design_command(), traffic_command(),   replay_command(),    jobs_command(),
          report_command(), sweep_command(),     goal_command(),      convert_command(),
          trace_command(),  plot_command(),      params_command(),    coll_command(),
          tune_command(),   calibrate_command(), testbed_command(),   setup_command(),
          serve_command(),  again_command()};
}

/// `cause` as in the `outcome` of runs.
int fail(const char* cause, int status, const std::string& problem) {
  std::fflush(stdout);
  Logger().error("{}", problem);
  Notes::error(cause, status, problem);
  return status;
}

int fail(const InputError& error) {
  std::fflush(stdout);
  Logger().error("{}", error.what());
  Notes::error(error);
  return kWrongInput;
}

/// Ends as the signal asked for would have ended the program, with a word.
int end_with(int signal, const char* problem) {
  fail("stopped", kFailed, problem);
  std::signal(signal, SIG_DFL);
  std::raise(signal);
  return kFailed;
}

/// Files that are opened must not come to stand where a standard stream was closed, and processes
/// of ranks rely on all three. Using one fails as before: it is open for the other direction.
void hold_standard_streams() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest number that is free: this one.
    if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
  }
}

}  // namespace

int run_words(const std::vector<std::string>& words) {
  CommandTree commands(report::long_version(), kExamples, command_kinds());
  return commands.run(words);
}

std::string problem_with_words(const std::vector<std::string>& words) {
  CommandTree commands(report::long_version(), kExamples, command_kinds());
  return commands.problem_with(words);
}

int run(int argc, char** argv) {
  hold_standard_streams();
  Notes::open();
  try {
    const int status = run_words({argv + 1, argv + argc});
    const bool written = std::fflush(stdout) == 0 && std::ferror(stdout) == 0;
    return written ? status : fail("failed", kFailed, kUnwritable);
  } catch (const InputError& error) {
    return fail(error);
  } catch (const host::StopError& error) {
    return end_with(error.signal(), error.what());
  } catch (const Interrupted& error) {
    return end_with(error.signal(), error.what());
  } catch (const host::CrashError& error) {
    const bool overflow = error.cause() == host::Crash::Cause::overflow;
    return fail("crash", error.status(), error.what() + std::string(overflow ? " (--stack)" : ""));
  } catch (const host::AbortError& error) {
    return fail("aborted", error.status(), error.what());
  } catch (const StackError& error) {
    return fail("failed", kFailed, error.what() + std::string(" (--stack)"));
  } catch (const DeadlockError& error) {
    return fail("deadlock", kFailed, error.what());
  } catch (const RunError& error) {
    return fail("failed", kFailed, error.what());
  } catch (const std::bad_alloc&) {
    return fail("failed", kFailed, "not enough memory");
  } catch (const std::exception& error) {  // Such as a path that no system would take.
    return fail("failed", kFailed, std::ferror(stdout) != 0 ? kUnwritable : error.what());
  }
}

}  // namespace heddle::cli
