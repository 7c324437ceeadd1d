// `heddle serve`: a page on this computer that runs the program.
#include <fmt/core.h>
#include <unistd.h>

#include <cstdint>
#include <filesystem>

#include "cli/command.hpp"
#include "core/error.hpp"

namespace heddle::cli {
namespace {

constexpr std::uint32_t kLastPort = 65535;

/// The server is a program of its own, so that no other command waits for its libraries: beside
/// this one, or where it is installed.
std::string server_program() {
  const std::filesystem::path here = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const char* place : {"heddle-serve", "../lib/heddle/heddle-serve"}) {
    if (access((here / place).c_str(), X_OK) == 0) return here / place;
  }
  throw RunError(
      "this heddle was built without its server: install cpp-httplib (on Debian: "
      "libcpp-httplib-dev) and build it again");
}

class ServeCommand final : public Command {
 public:
  explicit ServeCommand(CommandLine line) {
    line.add_option("folder", folder_, "Where its files are: nothing is read or written elsewhere")
        .type_name("FOLDER");
    line.add_option("--port", port_, "Port of this computer; 0: any that is free")
        .type_name("N")
        .check(whole_number(0, kLastPort));
  }

  void run() override {
    if (!std::filesystem::is_directory(folder_)) {
      throw InputError({folder_}, "there is no such folder");
    }
    const std::string server = server_program();
    const std::string self = std::filesystem::read_symlink("/proc/self/exe");
    const std::string port = std::to_string(port_);
    execl(server.c_str(), server.c_str(), self.c_str(), folder_.c_str(), port.c_str(), nullptr);
    throw RunError("cannot start " + server);
  }

 private:
  std::string folder_ = ".";
  std::uint32_t port_ = 0;
};

}  // namespace

CommandKind serve_command() {
  return {"serve", "Open a page on this computer that draws machines and runs things on them",
          "  heddle serve             # prints an address for a browser; Ctrl-C ends it\n"
          "  heddle serve study/      # with the programs and schedules of a folder",
          make_command<ServeCommand>};
}

}  // namespace heddle::cli
