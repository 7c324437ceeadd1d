// Where a rank is, and what it has.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/address_space.hpp"
#include "core/ids.hpp"
#include "host/rank/hosted_process.hpp"
#include "host/rank/program.hpp"
#include "host/rank/rank_extensions.hpp"
#include "host/rank/rank_id.hpp"

namespace heddle::host {

class JobSite;
class Rank;
class Thread;

/// A rank without what runs in it: what its threads know of it, and what they tell it.
class RankSite {
 public:
  RankSite(JobSite& job, Program& program, RankId id, NodeId node, std::uint32_t local)
      : job_(job), program_(program), id_(id), node_(node), local_(local) {}
  RankSite(const RankSite&) = delete;
  RankSite& operator=(const RankSite&) = delete;

  /// The whole of it.
  virtual Rank& self() = 0;
  /// Its life, on the fiber of the first thread.
  virtual void run() = 0;
  /// A thread's code goes on soon: fetches from memory what that needs.
  virtual void foresee() const = 0;
  /// A thread's code goes on next; from the event loop.
  virtual void resumed(Thread& thread) = 0;
  /// Whether one of its threads has ended it; that is gone then, from the event loop.
  virtual bool over() const = 0;
  virtual void ended() = 0;

  JobSite& job_site() const { return job_; }
  /// What it runs.
  Program& program() const { return program_; }
  RankId id() const { return id_; }
  NodeId node() const { return node_; }
  std::uint32_t local() const { return local_; }  ///< Its number among the ranks of its node.
  /// "rank 3", or "rank 3 of program 2" where several jobs share the machine.
  std::string name() const;
  std::string node_name() const;
  AddressSpace& memory() const { return *memory_; }
  /// Whether its messages travel on the service networks rather than on those for computing.
  bool uses_service_network() const { return service_network_; }
  void use_service_network(bool yes) { service_network_ = yes; }
  /// Whether it has other threads than the first.
  bool has_threads() const { return has_threads_; }
  void have_threads(bool yes) { has_threads_ = yes; }

  /// What layers above keep for it.
  RankExtensions& extensions() { return extensions_; }
  /// What it has of its own in the C library, or null if it runs no loaded program.
  HostedProcess* process() const { return process_.get(); }
  /// It runs a loaded program from here on.
  void begin_process(std::unique_ptr<HostedProcess> process);
  /// Runs handlers of signals that have come; true if any ran.
  bool handle_signals() { return process_ != nullptr && process_->handle_signals(); }

 protected:
  ~RankSite() = default;
  void use_memory(AddressSpace& memory) { memory_ = &memory; }
  void end_process() { process_.reset(); }
  /// Fetches from memory what it has for its turn.
  void foresee_belongings() const;

 private:
  JobSite& job_;
  Program& program_;
  RankId id_;
  NodeId node_;
  std::uint32_t local_;
  bool has_threads_ = false;
  bool service_network_ = false;
  AddressSpace* memory_ = nullptr;
  RankExtensions extensions_;
  std::unique_ptr<HostedProcess> process_;
};

}  // namespace heddle::host
