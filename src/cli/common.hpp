// Options that several subcommands share.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "core/params.hpp"
#include "report/json.hpp"
#include "report/output_file.hpp"

namespace heddle::cli {

/// Every section of parameters there is; the one list of them.
std::vector<const ParamSection*> all_sections();

/// Where results go: `--json FILE`.
class OutputOptions {
 public:
  void add_to(CLI::App& app);
  /// Checks that what was asked for can be written; throws InputError if not. Call it before the
  /// work.
  void open();
  /// Whether the standard output is for people: not taken by the JSON.
  bool text_wanted() const { return json_path_ != "-"; }
  bool json_wanted() const { return !json_path_.empty(); }
  /// Writes the document if it was asked for.
  void write(const report::Json& document) const;

 private:
  std::string json_path_;
  std::optional<report::OutputFile> json_;
};

}  // namespace heddle::cli
