// Info objects.
#include <fmt/core.h>

#include <cstring>

#include "mpi/api/call.hpp"
#include "mpi/comm/objects.hpp"

namespace heddle::mpi {
namespace {

Info& known_info(Process& process, MPI_Info handle, std::shared_ptr<Info>& keep) {
  keep = info(process, handle);
  if (!keep) bad_argument(MPI_ERR_INFO, "info", "MPI_INFO_NULL is no info object here");
  return *keep;
}

/// Blanks at its ends do not belong to a key or a value.
std::string without_blanks(const char* text) {
  std::string_view view(text);
  while (!view.empty() && view.front() == ' ') view.remove_prefix(1);
  while (!view.empty() && view.back() == ' ') view.remove_suffix(1);
  return std::string(view);
}

std::string key_of(const char* key) {
  if (key == nullptr || *key == '\0') bad_argument(MPI_ERR_INFO_KEY, "key", "it is empty");
  if (std::strlen(key) > MPI_MAX_INFO_KEY) {
    bad_argument(MPI_ERR_INFO_KEY, "key",
                 fmt::format("it is longer than {} characters", MPI_MAX_INFO_KEY));
  }
  return without_blanks(key);
}

/// At most `limit` characters and an end mark.
void put(const std::string& text, std::size_t limit, char* to) {
  const std::size_t size = std::min(text.size(), limit);
  std::memcpy(to, text.data(), size);
  to[size] = '\0';
}

/// A call on an info object.
template <class Body>
int on_info(const char* name, MPI_Info handle, const Body& body) {
  return call_any_time(name, [&](Process& process) {
    std::shared_ptr<Info> keep;
    body(process, known_info(process, handle, keep));
  });
}

}  // namespace
}  // namespace heddle::mpi

using namespace heddle::mpi;

extern "C" {

int PMPI_Info_create(MPI_Info* info) {
  return call_any_time("MPI_Info_create", [&](Process& process) {
    need(info, "info");
    *info = new_info(process, {});
  });
}

int PMPI_Info_create_env(int, char**, MPI_Info* info) {
  return call_any_time("MPI_Info_create_env", [&](Process& process) {
    need(info, "info");
    *info = new_info(process, environment_info(process));
  });
}

int PMPI_Info_dup(MPI_Info info, MPI_Info* newinfo) {
  return on_info("MPI_Info_dup", info, [&](Process& process, Info& found) {
    need(newinfo, "newinfo");
    *newinfo = new_info(process, found);
  });
}

int PMPI_Info_free(MPI_Info* info) {
  return on_info("MPI_Info_free", *info, [&](Process& process, Info&) {
    need(info, "info");
    if (*info == MPI_INFO_ENV) bad_argument(MPI_ERR_INFO, "info", "MPI_INFO_ENV cannot be freed");
    process.part<Infos>().table.remove(*info);
    *info = MPI_INFO_NULL;
  });
}

int PMPI_Info_set(MPI_Info info, const char* key, const char* value) {
  return on_info("MPI_Info_set", info, [&](Process&, Info& found) {
    const std::string name = key_of(key);
    if (value == nullptr || std::strlen(value) > MPI_MAX_INFO_VAL) {
      bad_argument(MPI_ERR_INFO_VALUE, "value", "it is null or too long");
    }
    found.set(name, without_blanks(value));
  });
}

int PMPI_Info_delete(MPI_Info info, const char* key) {
  return on_info("MPI_Info_delete", info, [&](Process&, Info& found) {
    if (!found.remove(key_of(key))) {
      throw Error{MPI_ERR_INFO_NOKEY, fmt::format("there is no key '{}'", key)};
    }
  });
}

int PMPI_Info_get(MPI_Info info, const char* key, int valuelen, char* value, int* flag) {
  return on_info("MPI_Info_get", info, [&](Process&, Info& found) {
    need(flag, "flag");
    if (valuelen < 0) {
      bad_argument(MPI_ERR_ARG, "valuelen", fmt::format("{} is negative", valuelen));
    }
    const std::string* text = found.find(key_of(key));
    *flag = static_cast<int>(text != nullptr);
    if (text != nullptr) put(*text, static_cast<std::size_t>(valuelen), value);
  });
}

int PMPI_Info_get_string(MPI_Info info, const char* key, int* buflen, char* value, int* flag) {
  return on_info("MPI_Info_get_string", info, [&](Process&, Info& found) {
    need(buflen, "buflen");
    need(flag, "flag");
    const std::string* text = found.find(key_of(key));
    *flag = static_cast<int>(text != nullptr);
    if (text == nullptr) return;
    if (*buflen > 0) put(*text, static_cast<std::size_t>(*buflen) - 1, value);
    *buflen = static_cast<int>(text->size()) + 1;
  });
}

int PMPI_Info_get_valuelen(MPI_Info info, const char* key, int* valuelen, int* flag) {
  return on_info("MPI_Info_get_valuelen", info, [&](Process&, Info& found) {
    need(valuelen, "valuelen");
    need(flag, "flag");
    const std::string* text = found.find(key_of(key));
    *flag = static_cast<int>(text != nullptr);
    if (text != nullptr) *valuelen = static_cast<int>(text->size());
  });
}

int PMPI_Info_get_nkeys(MPI_Info info, int* nkeys) {
  return on_info("MPI_Info_get_nkeys", info, [&](Process&, Info& found) {
    need(nkeys, "nkeys");
    *nkeys = static_cast<int>(found.entries().size());
  });
}

int PMPI_Info_get_nthkey(MPI_Info info, int n, char* key) {
  return on_info("MPI_Info_get_nthkey", info, [&](Process&, Info& found) {
    const auto& entries = found.entries();
    if (n < 0 || static_cast<std::size_t>(n) >= entries.size()) {
      bad_argument(
          MPI_ERR_ARG, "n",
          fmt::format("{} is no number of a key: accepted are 0 to {}", n, entries.size() - 1));
    }
    put(entries[static_cast<std::size_t>(n)].first, MPI_MAX_INFO_KEY, key);
  });
}

}  // extern "C"
