// Who decides for outputs that do not choose by themselves.
#pragma once

namespace heddle::network {

class OutputPort;

class OutputDecider {
 public:
  /// Packets wait for the output, which is one of its own: it takes part in the next decision.
  virtual void ask(OutputPort& output) = 0;

 protected:
  ~OutputDecider() = default;
};

}  // namespace heddle::network
