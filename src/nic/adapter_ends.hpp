// What messages and requests ask of the adapters at their two ends, for those who stand below an
// adapter: the engines it is put together of, and the wire. Adapter answers (adapter.cpp).
#pragma once

#include "nic/statistics.hpp"

namespace heddle::nic {

class Adapter;
struct Exchange;
struct Message;

/// The next step of a command, at the initiator.
void step_command(Exchange& exchange);
/// The request has come to its end without an answer, which its initiator is told.
void conclude_at_initiator(Exchange& exchange);
/// The next step of sending a message, and of receiving it.
void step_sending(Message& message);
void step_receiving(Message& message);
/// All of it has left its sender.
void on_the_wire(Message& message);
/// It has reached its receiver, or will not.
void delivered(Message& message);
void lost(Message& message);
/// No copy of the request will come to this adapter any more.
void expect_no_more(Adapter& target, Exchange& exchange);
/// What the sender of a message counts.
AdapterStatistics& statistics_of_sender(const Message& message);

// A step is near: these fetch from memory what it needs, as Adapter has it.

void foresee_command(const Exchange& exchange);
void expect_command(const Exchange& exchange);
void foresee_sending(const Message& message);
void foresee_receiving(const Message& message);
void expect_sending(const Message& message);
void expect_receiving(const Message& message);
void expect_next(const Message& message);

}  // namespace heddle::nic
