// Wide characters on the standard streams: C streams that call functions of ours cannot take them,
// so they get the bytes.
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <wchar.h>

#include <climits>
#include <string>
#include <string_view>

#include "host/libc/calls/rank_call.hpp"

namespace heddle::host {
namespace {

bool is_shared(FILE* file) {
  return RankStreams::stream_of(file).has_value();
}

/// Writes text in the bytes of the locale; false, and errno, if it has none for it.
bool put(FILE* file, std::wstring_view text) {
  std::mbstate_t state{};
  for (const wchar_t character : text) {
    char bytes[MB_LEN_MAX];
    const size_t size = wcrtomb(bytes, character, &state);
    if (size == static_cast<size_t>(-1) || fwrite(bytes, 1, size, file) != size) return false;
  }
  return true;
}

wint_t put_one(FILE* file, wchar_t character) {
  return put(file, {&character, 1}) ? static_cast<wint_t>(character) : WEOF;
}

/// As vfwprintf(3), whose text has no length that one could ask for.
int put_formatted(FILE* file, const wchar_t* format, va_list arguments) {
  constexpr size_t kMost = size_t{1} << 24;
  std::wstring text;
  for (size_t size = 256; size <= kMost; size *= 4) {
    text.resize(size);
    va_list again;
    va_copy(again, arguments);
    const int written = vswprintf(text.data(), size, format, again);
    va_end(again);
    if (written >= 0) return put(file, {text.data(), static_cast<size_t>(written)}) ? written : -1;
    if (errno == EILSEQ) return -1;
  }
  return -1;
}

}  // namespace
}  // namespace heddle::host

using namespace heddle::host;

extern "C" {

int __vfwprintf_chk(FILE* file, int flag, const wchar_t* format, va_list arguments);
int __vwprintf_chk(int flag, const wchar_t* format, va_list arguments);
int __fwprintf_chk(FILE* file, int flag, const wchar_t* format, ...);
int __wprintf_chk(int flag, const wchar_t* format, ...);

wint_t fputwc(wchar_t character, FILE* file) {
  return is_shared(file) ? put_one(file, character) : HEDDLE_REAL(fputwc)(character, file);
}

wint_t putwc(wchar_t character, FILE* file) {
  return fputwc(character, file);
}

wint_t putwchar(wchar_t character) {
  return fputwc(character, stdout);
}

int fputws(const wchar_t* text, FILE* file) {
  if (!is_shared(file)) return HEDDLE_REAL(fputws)(text, file);
  return put(file, text) ? 1 : -1;
}

int vfwprintf(FILE* file, const wchar_t* format, va_list arguments) {
  return is_shared(file) ? put_formatted(file, format, arguments)
                         : HEDDLE_REAL(vfwprintf)(file, format, arguments);
}

int vwprintf(const wchar_t* format, va_list arguments) {
  return vfwprintf(stdout, format, arguments);
}

int fwprintf(FILE* file, const wchar_t* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int written = vfwprintf(file, format, arguments);
  va_end(arguments);
  return written;
}

int wprintf(const wchar_t* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int written = vfwprintf(stdout, format, arguments);
  va_end(arguments);
  return written;
}

// What these are where the compiler checks more.

int __vfwprintf_chk(FILE* file, int flag, const wchar_t* format, va_list arguments) {
  return is_shared(file) ? put_formatted(file, format, arguments)
                         : HEDDLE_REAL(__vfwprintf_chk)(file, flag, format, arguments);
}

int __vwprintf_chk(int flag, const wchar_t* format, va_list arguments) {
  return __vfwprintf_chk(stdout, flag, format, arguments);
}

int __fwprintf_chk(FILE* file, int flag, const wchar_t* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int written = __vfwprintf_chk(file, flag, format, arguments);
  va_end(arguments);
  return written;
}

int __wprintf_chk(int flag, const wchar_t* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int written = __vfwprintf_chk(stdout, flag, format, arguments);
  va_end(arguments);
  return written;
}
}
