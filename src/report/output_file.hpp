// Files of results: under their final name only when complete.
#pragma once

#include <string>
#include <string_view>

namespace heddle::report {

/// A file to be written at the end of a run; "-" is the standard output.
class OutputFile {
 public:
  /// Throws InputError at once, before any work is done, if nothing could be written at `path`.
  /// `option` is what the user gave the path to ("--json"), for the message.
  OutputFile(std::string option, std::string path);

  bool is_stdout() const { return path_ == "-"; }
  const std::string& path() const { return path_; }
  /// Puts `text` in the file, replacing what was there. The file appears whole or not at all;
  /// throws RunError if it cannot.
  void write(std::string_view text) const;

 private:
  std::string option_;
  std::string path_;
};

}  // namespace heddle::report
