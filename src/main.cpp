#include "cli/cli.hpp"

int main(int argc, char** argv) {
  return heddle::cli::run(argc, argv);
}
