// Reading and writing what a view shows.
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "coll/datatype/external32.hpp"
#include "mpi/error.hpp"
#include "mpi/io/file.hpp"

namespace heddle::mpi {
namespace {

/// As much as there is, up to `size`.
std::int64_t read_at(int descriptor, std::byte* to, std::int64_t size, std::int64_t place) {
  std::int64_t done = 0;
  while (done < size) {
    const ssize_t got =
        ::pread(descriptor, to + done, static_cast<std::size_t>(size - done), place + done);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_system_error(errno, "reading");
    if (got == 0) break;
    done += got;
  }
  return done;
}
void write_at(int descriptor, const std::byte* from, std::int64_t size, std::int64_t place) {
  std::int64_t done = 0;
  while (done < size) {
    const ssize_t put =
        ::pwrite(descriptor, from + done, static_cast<std::size_t>(size - done), place + done);
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) throw_system_error(errno, "writing");
    done += put;
  }
}

/// Where data without gaps can be reached directly, or null.
std::byte* flat_memory(Process& process, const Buffer& data) {
  if (!data.type->contiguous()) return nullptr;
  return process.memory().direct(data.address, static_cast<std::size_t>(bytes(data)));
}

void check_conversion(int code) {
  if (code != MPI_SUCCESS) {
    throw Error{MPI_ERR_CONVERSION,
                "the function for converting data answered " + std::to_string(code)};
  }
}

void convert(MPI_Datarep_conversion_function* plain, MPI_Datarep_conversion_function_c* large,
             const Buffer& memory, std::byte* raw, std::int64_t place, void* extra) {
  if (large != nullptr) {
    check_conversion(large(memory.address, memory.type->handle(), memory.count, raw, place, extra));
  } else {
    check_conversion(plain(memory.address, memory.type->handle(), static_cast<int>(memory.count),
                           raw, place, extra));
  }
}

}  // namespace

std::int64_t File::file_bytes(const Buffer& data) const {
  if (view.representation == Representation::external32) {
    return data.count * external_size(*data.type);
  }
  return bytes(data);
}

std::int64_t File::etypes(const Buffer& data) const {
  const std::int64_t unit = view.unit();
  return unit == 0 ? 0 : file_bytes(data) / unit;
}

/// The file system serves one request after another, and so does each node's way to it.
Time File::take_time(std::int64_t size) {
  const MpiConfig& config = process_.world().config();
  IoState& io = process_.world().part<IoState>();
  const Time now = process_.now();
  Time& node = io.nodes[process_.rank().node()];
  io.free = std::max(io.free, now) + config.io_bandwidth.time_for(Bytes(size));
  node = std::max(node, now) + config.io_node_bandwidth.time_for(Bytes(size));
  return std::max(io.free, node) + config.io_latency;
}

std::int64_t File::read_stretches(std::byte* to, std::int64_t begin, std::int64_t size) {
  std::int64_t done = 0;
  view.for_stretches(begin, begin + size, [&](std::int64_t place, std::int64_t length) {
    const std::int64_t got = read_at(data_->descriptor, to + done, length, place);
    done += got;
    return got == length;
  });
  return done;
}

void File::write_stretches(const std::byte* from, std::int64_t begin, std::int64_t size) {
  view.for_stretches(begin, begin + size, [&](std::int64_t place, std::int64_t length) {
    write_at(data_->descriptor, from, length, place);
    from += length;
    return true;
  });
}

void File::decode(const Buffer& to, const std::vector<std::byte>& raw, std::int64_t place) {
  const std::int64_t size = std::ssize(raw);
  if (view.representation == Representation::external32) {
    const std::int64_t unit = external_size(*to.type);
    const std::int64_t whole = unit == 0 ? 0 : size / unit;
    std::vector<std::byte> packed(static_cast<std::size_t>(whole * to.type->size()));
    decode_external(*to.type, whole, raw.data(), packed.data());
    unpack(process_.memory(), to, packed.data(), std::ssize(packed));
    return;
  }
  const auto& known = process_.part<Files>().representations;
  const auto found = known.find(view.name);
  if (found != known.end() && (found->second.read != nullptr || found->second.large_read)) {
    Buffer filled = to;
    filled.count = to.type->size() == 0 ? 0 : size / to.type->size();
    convert(found->second.read, found->second.large_read, filled,
            const_cast<std::byte*>(raw.data()), place, found->second.extra);
    return;
  }
  unpack(process_.memory(), to, raw.data(), size);
}

std::vector<std::byte> File::encode(const Buffer& from, std::int64_t place) {
  std::vector<std::byte> raw(static_cast<std::size_t>(file_bytes(from)));
  if (view.representation == Representation::external32) {
    std::vector<std::byte> packed(static_cast<std::size_t>(bytes(from)));
    pack(process_.memory(), from, packed.data());
    encode_external(*from.type, from.count, packed.data(), raw.data());
    return raw;
  }
  const auto& known = process_.part<Files>().representations;
  const auto found = known.find(view.name);
  if (found != known.end() && (found->second.write != nullptr || found->second.large_write)) {
    convert(found->second.write, found->second.large_write, from, raw.data(), place,
            found->second.extra);
    return raw;
  }
  pack(process_.memory(), from, raw.data());
  return raw;
}

std::int64_t File::read(const Buffer& to, std::int64_t offset, Time& end) {
  const std::int64_t begin = view.byte_of(offset, bytes(to));
  const std::int64_t size = file_bytes(to);
  end = take_time(size);
  if (size == 0) return 0;
  std::byte* direct = flat_memory(process_, to);
  if (view.representation == Representation::native && direct != nullptr) {
    return read_stretches(direct, begin, size);
  }
  std::vector<std::byte> raw(static_cast<std::size_t>(size));
  const std::int64_t got = read_stretches(raw.data(), begin, size);
  raw.resize(static_cast<std::size_t>(got));
  decode(to, raw, offset);
  return size == 0 ? 0 : got * bytes(to) / size;
}

std::int64_t File::write(const Buffer& from, std::int64_t offset, Time& end) {
  const std::int64_t begin = view.byte_of(offset, bytes(from));
  const std::int64_t size = file_bytes(from);
  end = take_time(size);
  if (size == 0) return 0;
  const std::byte* direct = flat_memory(process_, from);
  if (view.representation == Representation::native && direct != nullptr) {
    write_stretches(direct, begin, size);
  } else {
    const std::vector<std::byte> raw = encode(from, offset);
    write_stretches(raw.data(), begin, size);
  }
  return bytes(from);
}

}  // namespace heddle::mpi
