// The `heddle` command: one file per subcommand, each of which parses, calls and prints.
#pragma once

namespace heddle::cli {

/// Runs the command line; returns the exit status (0 done, 1 the run failed, 2 the input is wrong,
/// 3 something was found).
int run(int argc, char** argv);

}  // namespace heddle::cli
