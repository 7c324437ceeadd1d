#include "mpi/comm/dynamic.hpp"

#include <fmt/core.h>
#include <mpi.h>

#include <algorithm>
#include <optional>

#include "core/error.hpp"
#include "mpi/comm/create.hpp"
#include "mpi/comm/objects.hpp"
#include "mpi/comm/registry.hpp"
#include "mpi/error.hpp"

namespace heddle::mpi {
namespace {

/// The tag of the first messages on an intercommunicator; meetings on it have other tags.
constexpr int kGreetingTag = 0;
constexpr std::int64_t kGreetingBytes = 16;

/// Starts processes in an event, for the loader is not to run on a rank's stack.
class Start final : private Event {
 public:
  Start(const Communicator& parents, const std::vector<SpawnCommand>& commands)
      : process_(parents.process()),
        parents_(parents.data()->group),
        commands_(commands),
        source_(process_.world().simulation().new_source()) {}
  ~Start() { process_.world().simulation().cancel(*this); }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  /// Waits for it; answers what went wrong, or nothing.
  std::optional<std::string> wait() {
    World& world = process_.world();
    world.simulation().schedule_in(*this, world.config().spawn_cost, source_);
    process_.wait_until([&] { return done_; }, reason_);
    return problem_;
  }
  /// What was started, if nothing went wrong.
  const Launch& launch() const { return *launch_; }

 private:
  class Reason final : public Blocked {
   public:
    std::string text() const override { return "waits in MPI_Comm_spawn for processes to start"; }
  };

  void fire() override {
    World& world = process_.world();
    try {
      std::vector<std::uint32_t> applications;
      std::uint32_t next = world.size();
      for (const SpawnCommand& command : commands_) {
        applications.push_back(next);
        next += command.processes;
      }
      world.part<Spawning>().spawn(commands_);
      launch_ = &world.part<Registry>().add_launch(std::move(applications), world.size(), parents_);
    } catch (const InputError& error) {
      problem_ = error.what();
    }
    done_ = true;
    process_.notify();
  }

  Process& process_;
  GroupRef parents_;
  const std::vector<SpawnCommand>& commands_;
  EventSource source_;
  Reason reason_;
  const Launch* launch_ = nullptr;
  std::optional<std::string> problem_;
  bool done_ = false;
};

void greet(Process& process, const CommunicatorData& data, GroupRef participants) {
  const std::uint32_t context =
      data.number * kTraffics + static_cast<std::uint32_t>(Traffic::management);
  Agreement agreement(process, std::move(participants), context, kGreetingTag, kGreetingBytes);
  agreement.start();
  agreement.wait();
}

class WaitsAtPort final : public Blocked {
 public:
  WaitsAtPort(const Process& process, const std::string& port) : process_(process), port_(port) {}
  std::string text() const override {
    return fmt::format("waits in {} for the other side of port '{}'", process_.call, port_);
  }

 private:
  const Process& process_;
  const std::string& port_;
};

/// What the root of one side learns of the other.
Contribution meet_other(Communicator& local, const std::string& port, Ports::Side side) {
  Process& process = local.process();
  Ports& ports = process.world().part<Ports>();
  Ports::Caller caller{process, local.data()->group};
  ports.call(port, side, caller);
  process.wait_until([&] { return caller.other != nullptr; }, WaitsAtPort(process, port));
  const std::uint32_t own = process.id();
  greet(process, {caller.number, nullptr},
        Group::of({std::min(own, caller.other_leader), std::max(own, caller.other_leader)}));
  return {true, 0, 0, caller.number, caller.other};
}

}  // namespace

int spawn(Communicator& local, int root, const std::vector<SpawnCommand>& commands) {
  Process& process = local.process();
  Contribution known;
  std::string problem = "rank " + std::to_string(root) + " of comm could not start them";
  if (local.rank() == root) {
    Start start(local, commands);
    if (const std::optional<std::string> wrong = start.wait()) {
      problem = *wrong;
    } else {
      known.number = start.launch().parent->number;
      known.group = start.launch().parent->group;
    }
  }
  const int handle = create_with_known(local, root, known);
  if (handle == MPI_COMM_NULL) throw Error{MPI_ERR_SPAWN, problem};
  const CommunicatorDataRef& data = communicator(process, handle).data();
  greet(process, *data, everybody(*data));
  return handle;
}

void join_parents(Process& process) {
  const Launch& launch = process.world().part<Registry>().launch_of(process.id());
  if (!launch.parent) return;
  Objects& objects = process.part<Objects>();
  Communicator& parent = adopt(*objects.world, launch.parent);
  parent.name = "MPI_COMM_PARENT";
  objects.parent = &parent;
  greet(process, *launch.parent, everybody(*launch.parent));
}

void Spawning::spawn(const std::vector<SpawnCommand>& commands) {
  if (spawner_ == nullptr) throw InputError({}, "this run cannot start further processes");
  spawner_->spawn(commands);
  world_.grow();
}

std::string Ports::open() {
  std::string name = fmt::format("heddle-port-{}", ++opened_);
  ports_.try_emplace(name);
  return name;
}

void Ports::close(const std::string& name) {
  if (ports_.erase(name) == 0) {
    bad_argument(MPI_ERR_PORT, "port_name", fmt::format("'{}' is no open port", name));
  }
}

void Ports::publish(const std::string& service, const std::string& port) {
  if (!services_.try_emplace(service, port).second) {
    throw Error{MPI_ERR_SERVICE, fmt::format("'{}' is published already", service)};
  }
}

void Ports::unpublish(const std::string& service) {
  if (services_.erase(service) == 0) {
    throw Error{MPI_ERR_SERVICE, fmt::format("'{}' is not published", service)};
  }
}

const std::string& Ports::look_up(const std::string& service) const {
  const auto found = services_.find(service);
  if (found == services_.end()) {
    throw Error{MPI_ERR_NAME, fmt::format("nobody has published '{}'", service)};
  }
  return found->second;
}

void Ports::call(const std::string& name, Side side, Caller& caller) {
  const auto found = ports_.find(name);
  if (found == ports_.end()) {
    bad_argument(MPI_ERR_PORT, "port_name", fmt::format("'{}' is no open port", name));
  }
  auto& others = found->second.callers[side == Side::accepts ? 1 : 0];
  if (others.empty()) {
    found->second.callers[side == Side::accepts ? 0 : 1].push_back(&caller);
    return;
  }
  Caller& other = *others.front();
  others.pop_front();
  caller.other = other.group;
  caller.other_leader = other.process.id();
  other.other = caller.group;
  other.other_leader = caller.process.id();
  caller.number = other.number = caller.process.world().part<Registry>().new_number();
  other.process.notify();
}

int meet_at_port(Communicator& local, int root, const std::string& port, Ports::Side side) {
  Contribution known;
  std::optional<Error> failure;
  if (local.rank() == root) {
    try {
      known = meet_other(local, port, side);
    } catch (const Error& error) {
      failure = error;
    }
  }
  const int handle = create_with_known(local, root, known);
  if (handle != MPI_COMM_NULL) return handle;
  if (failure) throw *failure;
  throw Error{MPI_ERR_PORT, fmt::format("rank {} of comm could not use the port", root)};
}

}  // namespace heddle::mpi
