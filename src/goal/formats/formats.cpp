#include "goal/formats/formats.hpp"

#include "goal/formats/compact.hpp"

namespace heddle::goal {
namespace {

constexpr char kBinaryMagic[] = {0x7f, 0x10, 0, 0, 0, 0, 0, 0};   // 4223
constexpr char kInvalidMagic[] = {0x26, 0x09, 0, 0, 0, 0, 0, 0};  // 2342: used up by a run

}  // namespace

Format recognise(std::string_view bytes) {
  const std::string_view begin = bytes.substr(0, 8);
  if (begin == std::string_view(kBinaryMagic, 8) || begin == std::string_view(kInvalidMagic, 8)) {
    return Format::binary;
  }
  return begin == kCompactMagic ? Format::compact : Format::text;
}

Schedule parse_schedule(std::string_view bytes, const std::string& name, const ReadLimits& limits,
                        const MappedFile* file) {
  switch (recognise(bytes)) {
    case Format::binary:
      return parse_binary(bytes, name, limits, file);
    case Format::compact:
      return parse_compact(bytes, name, limits);
    case Format::text:
      break;
  }
  return parse_text(bytes, name, limits, file);
}

Schedule read_schedule(const std::string& path, const ReadLimits& limits) {
  const MappedFile file(path, "schedule");
  return parse_schedule(file.bytes(), path == "-" ? "standard input" : path, limits, &file);
}

void write_schedule(const Schedule& schedule, Format format, std::ostream& out) {
  switch (format) {
    case Format::text:
      return write_text(schedule, out);
    case Format::binary:
      return write_binary(schedule, out);
    case Format::compact:
      return write_compact(schedule, out);
  }
}

}  // namespace heddle::goal
