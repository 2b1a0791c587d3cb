// SPDX-License-Identifier: Apache-2.0
#pragma once
/// \file A network's record of a transaction: its origin, and the times of its packets.
#include <tlm>

#include <starloom/core/ids.hpp>

namespace starloom {

/// An ignorable extension. The network adds it to every transaction that it carries, for targets and for receivers of
/// the response, and removes it when the transaction is over. Initiators that want to keep it add one of their own,
/// which is filled in and not removed.
struct TransportRecord final : tlm::tlm_extension<TransportRecord> {
  int initiator = -1;            ///< bound to target_socket[initiator]
  int target = -1;               ///< bound to initiator_socket[target]
  NodeId source = no_node;       ///< the node of the initiator
  NodeId destination = no_node;  ///< of the target
  int hops = 0;                  ///< links on a path between the two
  // Steps; no_step: not yet.
  Step request_created = no_step;
  Step request_delivered = no_step;
  Step response_created = no_step;
  Step response_delivered = no_step;

  tlm_extension_base* clone() const override { return new TransportRecord(*this); }
  void copy_from(const tlm_extension_base& other) override { *this = static_cast<const TransportRecord&>(other); }
};

}  // namespace starloom
