#include "platform/text_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "core/text.hpp"
#include "files/input_stream.hpp"

namespace heddle::platform {
namespace {

constexpr std::size_t kLargest = std::size_t{256} << 20;
/// An endless file, and one that unpacks to more than a computer has, are known by it.
constexpr const char* kTooLarge = "is larger than 256 MiB, the most that is accepted";

/// Some editors begin UTF-8 with a mark that is no part of the text.
void drop_byte_order_mark(std::string& text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  if (text.starts_with(kMark)) text.erase(0, kMark.size());
}

}  // namespace

std::string read_text_file(const std::string& path, const SourceLocation& where) {
  const auto fail = [&](const std::string& problem) {
    if (where.str().empty()) throw InputError({path}, problem);
    throw InputError(where, "'" + path + "': " + problem);
  };
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) fail("is a directory: accepted is a file");
  files::InputStream in(path);
  if (!in.is_open()) fail("cannot be opened: accepted is the path of a readable file");
  std::string text = files::read_at_most(in, kLargest);
  if (text.size() > kLargest) fail(kTooLarge);
  drop_byte_order_mark(text);
  return text;
}

void require_text(std::string_view text, const std::string& file) {
  const std::size_t at = first_not_text(text);
  if (at == std::string_view::npos) return;
  const std::string_view before = text.substr(0, at);
  const std::size_t line_begin = before.rfind('\n') + 1;  // After none: 0.
  throw InputError({file, static_cast<std::uint32_t>(std::ranges::count(before, '\n')) + 1,
                    static_cast<std::uint32_t>(at - line_begin) + 1},
                   fmt::format("the byte 0x{:02x} is no text: accepted is UTF-8 without control "
                               "characters",
                               static_cast<unsigned char>(text[at])));
}

TextInput read_text_input(const std::string& path) {
  if (path != "-") return {path, read_text_file(path)};
  files::InputStream in(path);
  TextInput input{"standard input", files::read_at_most(in, kLargest)};
  if (input.text.size() > kLargest) throw InputError({input.name}, kTooLarge);
  drop_byte_order_mark(input.text);
  return input;
}

}  // namespace heddle::platform
