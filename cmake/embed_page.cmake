# Writes a file into a C++ source: cmake -DINPUT=... -DOUTPUT=... -P this file.
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x..,){24})" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "#include \"report/page.hpp\"

namespace heddle::report {
namespace {

constexpr unsigned char kBytes[] = {
${bytes}
0};

}  // namespace

std::string_view empty_page() {
  return {reinterpret_cast<const char*>(kBytes), sizeof(kBytes) - 1};
}

}  // namespace heddle::report
")
