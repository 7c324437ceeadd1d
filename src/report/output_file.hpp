// Files of results: under their final name only when complete.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "files/packing.hpp"

namespace heddle::report {

/// From here on what is written to the standard output of this process, and of those that it
/// starts, comes out on its standard error. The standard output is for results alone: for files
/// called "-".
void keep_results_apart();

/// A file to be written at the end of a run; "-" is the standard output. One whose name ends in .gz
/// or .zst is packed.
class OutputFile {
 public:
  /// Throws InputError at once, before any work is done, if nothing could be written at `path`.
  /// `option` is what the user gave the path to ("--json"), for the message.
  OutputFile(std::string option, std::string path);

  bool is_stdout() const { return path_ == "-"; }
  const std::string& path() const { return path_; }
  /// Whether what is written at `path` would replace this file, or mix with it on the standard
  /// output.
  bool is_same(const std::string& path) const;
  /// Throws InputError if writing would replace a file that the command has read, or one of
  /// `inputs`, which it is going to read; those that are "" or "-" are no files. To be asked before
  /// the work: what is written makes sure of it in any case.
  void keep_off(const std::vector<std::string>& inputs) const;
  /// Puts `text` in the file, replacing what was there. The file appears whole or not at all;
  /// throws RunError if it cannot.
  void write(std::string_view text) const;

 private:
  friend class OutputStream;
  void keep_off_inputs() const;

  std::string option_;
  std::string path_;
};

/// Writes an OutputFile piece by piece, for what is too long to keep. What was not finished
/// disappears with the stream; only a device, a pipe or the standard output may have seen it.
class OutputStream {
 public:
  /// Throws RunError if nothing can be written.
  explicit OutputStream(const OutputFile& file);
  ~OutputStream();
  OutputStream(const OutputStream&) = delete;
  OutputStream& operator=(const OutputStream&) = delete;

  /// Throws RunError if it cannot be written.
  void append(std::string_view text);
  /// The file is complete and gets its name; throws RunError if it cannot, also because something
  /// could not be appended.
  void finish();

 private:
  /// Nothing more will be written, nor will the file get its name.
  [[noreturn]] void fail();
  void put(std::string_view text);
  void keep_mode();

  OutputFile file_;
  std::string target_;
  std::string temporary_;  ///< Empty for what is written to directly.
  std::FILE* stream_ = nullptr;
  std::unique_ptr<files::Packer> packer_;  ///< Null for what is not packed.
  std::string failure_;                    ///< The first, or "".
};

}  // namespace heddle::report
