#include "cli/cli.hpp"

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>

#include "cli/program.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "host/crash.hpp"
#include "report/version.hpp"

namespace heddle::cli {
namespace {

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
  return {run_command(),    platforms_command(), topo_command(),    traffic_command(),
          replay_command(), goal_command(),      convert_command(), trace_command(),
          plot_command(),   params_command()};
}

int fail(int status, const char* problem) {
  std::fflush(stdout);
  Logger().error("{}", problem);
  return status;
}

}  // namespace

int run(int argc, char** argv) {
  try {
    Program program("heddle " + std::string(report::version()), kExamples, command_kinds());
    const int status = program.run(argc, argv);
    return std::fflush(stdout) == 0 ? status : fail(kFailed, "cannot write the standard output");
  } catch (const InputError& error) {
    return fail(kWrongInput, error.what());
  } catch (const host::StopError& error) {
    fail(kFailed, error.what());
    std::signal(error.signal(), SIG_DFL);
    std::raise(error.signal());
    return kFailed;
  } catch (const host::CrashError& error) {
    return fail(error.status(), error.what());
  } catch (const host::AbortError& error) {
    return fail(error.status(), error.what());
  } catch (const RunError& error) {
    return fail(kFailed, error.what());
  } catch (const std::bad_alloc&) {
    return fail(kFailed, "not enough memory");
  } catch (const std::exception& error) {  // Such as a path that no system would take.
    return fail(kFailed, error.what());
  }
}

}  // namespace heddle::cli
