#include "cli/output_options.hpp"

#include <algorithm>

#include "core/error.hpp"

namespace heddle::cli {

void OutputOptions::add_to(CommandLine line, const char* about) {
  add_file(line, "--json", about);
}

Option OutputOptions::add_file(CommandLine line, std::string_view option, std::string_view help) {
  // By its long name: the last.
  Output& output = outputs_.emplace_back(Output{std::string(option.substr(option.rfind(',') + 1))});
  return line.add_option(option, output.path, help).type_name("FILE").check(not_empty());
}

void OutputOptions::open() {
  for (Output& output : outputs_) {
    if (output.path.empty()) continue;
    for (const Output& other : outputs_) {
      if (other.file && other.file->is_same(output.path)) {
        throw InputError({output.option},
                         "'" + output.path + "' is what " + other.option +
                             " writes already: accepted is another file" +
                             (output.path == "-" ? ", - for one of them only" : ""));
      }
    }
    output.file.emplace(output.option, output.path);
  }
}

void OutputOptions::keep_off(const std::vector<std::string>& inputs) const {
  for (const Output& output : outputs_) {
    if (output.file) output.file->keep_off(inputs);
  }
}

const report::OutputFile* OutputOptions::file(std::string_view option) const {
  for (const Output& output : outputs_) {
    if (output.option == option && output.file) return &*output.file;
  }
  return nullptr;
}

bool OutputOptions::text_wanted() const {
  return std::none_of(outputs_.begin(), outputs_.end(),
                      [](const Output& output) { return output.path == "-"; });
}

void OutputOptions::attempt(const std::function<void()>& write) {
  try {
    write();
  } catch (const RunError& error) {
    failures_.emplace_back(error.what());
  }
}

void OutputOptions::write(std::string_view option, const std::function<std::string()>& text) {
  if (const report::OutputFile* output = file(option)) {
    attempt([&] { output->write(text()); });
  }
}

void OutputOptions::write_json(const std::function<report::Json()>& document) {
  write("--json", [&] { return report::dump(document()); });
}

void OutputOptions::finish() const {
  if (!failures_.empty()) throw RunError(joined(failures_, "\nerror: "));
}

}  // namespace heddle::cli
