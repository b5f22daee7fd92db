// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "ir/hip/graph_abi.h"

namespace compass {

/// Something of the program's that graphs keep alive by references to it: hipUserObject_t. The
/// program's destructor is called when nobody has one any more. Threads: as references.
struct UserObject {
  hip::UserObject handle = nullptr;
  void* object = nullptr;
  hip::HostFunction destroy = nullptr;
  std::uint64_t references = 0;  ///< of the program and of graphs
};

/// A graph's references to user objects. A copy has as many of its own. Threads: whoever holds the
/// runtime's mutex.
///
/// References end with it. The program's destructors may take locks, so they wait for
/// destroy_unreferenced().
class UserReferences {
 public:
  UserReferences() = default;
  UserReferences(const UserReferences& other);
  UserReferences& operator=(const UserReferences&) = delete;
  ~UserReferences();

  bool empty() const { return counts_.empty(); }
  /// Adds references that the object counts already.
  void add(const std::shared_ptr<UserObject>& object, unsigned count) { counts_[object] += count; }
  /// Ends references; false if it has not so many.
  bool end(const std::shared_ptr<UserObject>& object, unsigned count);

 private:
  std::map<std::shared_ptr<UserObject>, std::uint64_t> counts_;
};

/// Ends references to an object.
void end_references(const std::shared_ptr<UserObject>& object, std::uint64_t count);

/// Calls the destructors of objects that nobody refers to any more, on this thread, which holds no
/// lock.
void destroy_unreferenced();

}  // namespace compass
