// An assembler that compilers call in place of the system's, which is named by HEDDLE_AS: what they
// wrote counts what it does.
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "counts/assembly.hpp"

namespace {

using heddle::counts::counted;
using heddle::counts::Machine;
using heddle::counts::machine_of;

/// Where the input's name is among the arguments; their number if the input is standard input.
int input_of(int count, char** arguments) {
  for (int i = 1; i < count; ++i) {
    const std::string_view word = arguments[i];
    if (word == "-o" || word == "-I" || word == "--MD" || word == "--defsym") {
      ++i;
    } else if (!word.empty() && (word[0] != '-' || word == "-")) {
      return word == "-" ? count : i;
    }
  }
  return count;
}

std::string text_of(std::istream& from) {
  return {std::istreambuf_iterator<char>(from), {}};
}

/// A file that is gone at the end.
class Temporary {
 public:
  explicit Temporary(const std::string& text) {
    const char* folder = std::getenv("TMPDIR");
    path_ = std::string(folder == nullptr ? "/tmp" : folder) + "/heddle-count-XXXXXX.s";
    const int file = mkstemps(path_.data(), 2);
    if (file < 0) {
      path_.clear();
    } else {
      close(file);
      std::ofstream(path_) << text;
    }
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  ~Temporary() {
    if (!path_.empty()) unlink(path_.c_str());
  }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

int assembled(std::vector<std::string> words) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  const pid_t child = fork();
  if (child == 0) {
    execvp(arguments[0], arguments.data());
    std::perror(arguments[0]);
    _exit(127);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0) return 1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

}  // namespace

int main(int count, char** arguments) {
  const char* real = std::getenv("HEDDLE_AS");
  std::vector<std::string> words = {real == nullptr ? "as" : real};
  words.insert(words.end(), arguments + 1, arguments + count);
  const int input = input_of(count, arguments);
  std::string text;
  if (input == count) {
    text = text_of(std::cin);
  } else {
    std::ifstream file(arguments[input]);
    if (!file) return assembled(words);
    text = text_of(file);
  }
  const std::optional<Machine> machine = machine_of(text);
  const Temporary copy(machine ? counted(text, *machine) : text);
  if (copy.path().empty()) {
    std::perror("heddlecc --count: a temporary file");
    return 1;
  }
  if (input == count) {
    std::erase(words, "-");
    words.push_back(copy.path());
  } else {
    words[static_cast<std::size_t>(input)] = copy.path();
  }
  return assembled(words);
}
