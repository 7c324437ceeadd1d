# Writes a file into a C++ source: cmake -DINPUT=... -DOUTPUT=... -P this file. The function that answers it is that of the
# page of reports, unless HEADER, NAMESPACE and FUNCTION say otherwise.
if(NOT HEADER)
  set(HEADER report/page.hpp)
  set(NAMESPACE heddle::report)
  set(FUNCTION empty_page)
endif()
file(READ ${INPUT} bytes HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
string(REGEX REPLACE "((0x..,){24})" "\\1\n" bytes "${bytes}")
file(WRITE ${OUTPUT} "#include \"${HEADER}\"

namespace ${NAMESPACE} {
namespace {

constexpr unsigned char kBytes[] = {
${bytes}
0};

}  // namespace

std::string_view ${FUNCTION}() {
  return {reinterpret_cast<const char*>(kBytes), sizeof(kBytes) - 1};
}

}  // namespace ${NAMESPACE}
")
