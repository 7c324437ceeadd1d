#include "host/libc/streams.hpp"

#include <fmt/core.h>
#include <stdio_ext.h>
#include <unistd.h>
#include <ext/stdio_sync_filebuf.h>

#include <cerrno>
#include <cstring>
#include <iostream>

#include "core/error.hpp"
#include "host/libc/stream_formats.hpp"
#include "host/libc/terminal_user.hpp"
#include "host/rank/job.hpp"
#include "host/rank/rank.hpp"

namespace heddle::host {
namespace {

constexpr std::array kStreams = {Stream::out, Stream::err};

/// The C library's `stdout` and `stderr`, and the buffers of C++, are one set for the process:
/// those of the run that began last are in their place.
RankStreams* in_place = nullptr;

/// Of a C stream: where its contents go.
struct Sink {
  RankStreams& streams;
  Stream stream;
};

ssize_t write_stream(void* cookie, const char* text, std::size_t size) {
  const Sink& sink = *static_cast<Sink*>(cookie);
  sink.streams.write(sink.stream, {text, size});
  return static_cast<ssize_t>(size);
}

std::FILE* open_stream(Sink& sink) {
  cookie_io_functions_t functions{};
  functions.write = write_stream;
  return fopencookie(&sink, "w", functions);
}

std::string prefix_of(const Rank& rank) {
  const std::uint32_t job = rank.job().number();
  return job == 0 ? fmt::format("[{}] ", index(rank.id()))
                  : fmt::format("[{}:{}] ", job, index(rank.id()));
}

}  // namespace

/// One of the two streams: what programs see, and what was there.
struct RankStreams::State {
  using Buffer = __gnu_cxx::stdio_sync_filebuf<char>;
  using WideBuffer = __gnu_cxx::stdio_sync_filebuf<wchar_t>;

  SharedRun& run;
  Lines lines;
  std::array<Sink, 2> sinks;
  RankStreams* before = in_place;
  std::array<std::FILE*, 2> real{stdout, stderr};
  std::array<std::FILE*, 2> seen{open_stream(sinks[0]), open_stream(sinks[1])};
  std::array<Buffer, 2> buffers{Buffer(seen[0]), Buffer(seen[1])};
  std::streambuf* real_cout = std::cout.rdbuf(&buffers[0]);
  std::streambuf* real_cerr = std::cerr.rdbuf(&buffers[1]);
  std::streambuf* real_clog = std::clog.rdbuf(&buffers[1]);
  std::array<WideBuffer, 2> wide_buffers{WideBuffer(seen[0]), WideBuffer(seen[1])};
  std::wstreambuf* real_wcout = std::wcout.rdbuf(&wide_buffers[0]);
  std::wstreambuf* real_wcerr = std::wcerr.rdbuf(&wide_buffers[1]);
  std::wstreambuf* real_wclog = std::wclog.rdbuf(&wide_buffers[1]);
  StreamFormats::Normal normal{};
};

RankStreams::RankStreams(SharedRun& run, Lines lines)
    : state_(new State{run, lines, {Sink{*this, Stream::out}, Sink{*this, Stream::err}}}) {
  in_place = this;
  run.set_streams(this);
  std::setvbuf(state_->seen[1], nullptr, _IONBF, 0);
  stdout = state_->seen[0];
  stderr = state_->seen[1];
}

RankStreams::~RankStreams() {
  std::cout.rdbuf(state_->real_cout);
  std::cerr.rdbuf(state_->real_cerr);
  std::clog.rdbuf(state_->real_clog);
  std::wcout.rdbuf(state_->real_wcout);
  std::wcerr.rdbuf(state_->real_wcerr);
  std::wclog.rdbuf(state_->real_wclog);
  stdout = state_->real[0];
  stderr = state_->real[1];
  for (std::FILE* file : state_->seen) std::fclose(file);
  for (std::FILE* file : state_->real) std::fflush(file);
  state_->run.set_streams(nullptr);
  in_place = state_->before;
}

const StreamFormats::Normal* RankStreams::normal() {
  return in_place == nullptr ? nullptr : &in_place->state_->normal;
}

std::FILE* RankStreams::file(Stream stream) const {
  return state_->seen[static_cast<std::size_t>(stream)];
}

std::optional<Stream> RankStreams::stream_of(std::FILE* file) {
  for (const RankStreams* one = in_place; one != nullptr; one = one->state_->before) {
    for (const Stream stream : kStreams) {
      if (file == one->file(stream)) return stream;
    }
  }
  return std::nullopt;
}

/// Asked each time that a rank stops: hence with a look into the stream first, which tells all but
/// what is pending in wide characters.
inline void RankStreams::flush() const {
  std::FILE* out = state_->seen[0];
  if (out->_IO_write_ptr == out->_IO_write_base && out->_mode <= 0) return;
  if (__fpending(out) > 0) std::fflush(out);
}

/// It writes to those that are in place.
void RankStreams::drain() {
  for (const RankStreams* one = in_place;; one = one->state_->before) {
    one->flush();
    if (one == this) return;
  }
}

void RankStreams::write(Stream stream, std::string_view text) {
  writing_ = true;
  take(stream, text);
  writing_ = false;
}

void RankStreams::take(Stream stream, std::string_view text) {
  Rank* rank = current_rank();
  if (rank == nullptr || rank->process() == nullptr || &rank->job().shared() != &state_->run) {
    if (TerminalUser::current != nullptr) TerminalUser::current->give_way();
    std::fwrite(text.data(), 1, text.size(), state_->real[static_cast<std::size_t>(stream)]);
    return;
  }
  OwnStreams& own = rank->process()->streams();
  if (own.closed(stream == Stream::out ? STDOUT_FILENO : STDERR_FILENO)) return;
  if (std::FILE* file = own.redirected(stream)) {
    std::fwrite(text.data(), 1, text.size(), file);
    return;
  }
  write(stream, *rank, own.lines(), text);
}

void RankStreams::write(Stream stream, const Rank& rank, PartialLines& lines,
                        std::string_view text) {
  std::string& partial = lines[static_cast<std::size_t>(stream)];
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    partial.append(text.substr(0, end + 1));
    put_line(stream, rank, partial);
    partial.clear();
    text.remove_prefix(end + 1);
  }
  partial.append(text);
}

bool RankStreams::redirect(Stream stream, const char* path, const char* mode) {
  std::FILE* file = std::fopen(path, mode);
  if (file == nullptr) return false;
  // What the program writes is buffered in front of it already.
  std::setvbuf(file, nullptr, _IONBF, 0);
  HostedProcess& process = *current_rank()->process();
  process.flush_lines();
  process.streams().redirect(stream, file);
  return true;
}

void RankStreams::put_line(Stream stream, const Rank& rank, std::string_view line) {
  if (state_->lines == Lines::dropped) return;
  if (TerminalUser::current != nullptr) TerminalUser::current->give_way();
  // What is seen on a terminal keeps its order.
  if (stream == Stream::err) std::fflush(state_->real[0]);
  std::FILE* file = state_->real[static_cast<std::size_t>(stream)];
  if (state_->lines == Lines::prefixed) fmt::print(file, "{}", prefix_of(rank));
  std::fwrite(line.data(), 1, line.size(), file);
}

void RankStreams::check() const {
  std::FILE* out = state_->real[0];
  const int error = std::fflush(out) == 0 ? 0 : errno;
  if (error == 0 && std::ferror(out) == 0) return;
  throw RunError(fmt::format("cannot write the program's output: {}",
                             error == 0 ? "some of it is lost" : std::strerror(error)));
}

void RankStreams::finish(const Rank& rank, PartialLines& lines) {
  for (const Stream stream : kStreams) {
    std::string& line = lines[static_cast<std::size_t>(stream)];
    if (line.empty()) continue;
    // With other ranks' lines behind it, an open end would tear theirs.
    line += '\n';
    put_line(stream, rank, line);
    line.clear();
  }
}

}  // namespace heddle::host
