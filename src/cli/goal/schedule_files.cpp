#include "cli/goal/schedule_files.hpp"

#include <streambuf>
#include <vector>

namespace heddle::cli {
namespace {

/// Passes what is written on in large pieces.
class Pieces final : public std::streambuf {
 public:
  explicit Pieces(report::OutputStream& out) : out_(out), buffer_(kSize) {
    setp(buffer_.data(), buffer_.data() + kSize);
  }
  void flush() {
    out_.append({pbase(), static_cast<std::size_t>(pptr() - pbase())});
    setp(buffer_.data(), buffer_.data() + kSize);
  }

 private:
  static constexpr std::size_t kSize = 1 << 16;

  int overflow(int c) override {
    flush();
    return c == traits_type::eof() ? 0 : sputc(traits_type::to_char_type(c));
  }

  report::OutputStream& out_;
  std::vector<char> buffer_;
};

}  // namespace

void write_through(const report::OutputFile& file,
                   const std::function<void(std::ostream&)>& write) {
  report::OutputStream out(file);
  Pieces pieces(out);
  std::ostream stream(&pieces);
  stream.exceptions(std::ios::badbit);  // An error of the file goes through.
  write(stream);
  pieces.flush();
  out.finish();
}

}  // namespace heddle::cli
