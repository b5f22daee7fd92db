// SPDX-License-Identifier: MIT
#include "capture/recorder.h"

/// Where the program's code asks for what is recorded, if that is wanted.
namespace compass::capture {
namespace {

/// Of what append() takes; launches and copies have functions of their own.
bool has_call_site(const journal::Body& body) {
  return std::holds_alternative<journal::Allocate>(body) ||
         std::holds_alternative<journal::Fill>(body);
}

}  // namespace

void Recorder::prepare_call_sites() {
  if (!folder_.empty() && !call_sites_.prepare()) {
    lose("call sites are not recorded: the C library cannot unwind (is libgcc_s.so.1 there?)");
  }
}

std::uint32_t Recorder::call_site_of(const journal::Body& body) {
  return call_sites_.are_wanted() && has_call_site(body) ? call_sites_.current() : 0;
}

void Recorder::write_call_site(std::uint32_t number) {
  if (number == 0) return;
  if (written_call_sites_.insert(number).second) {
    write(journal::CallSite{number, call_sites_.at(number).frames});
  }
  write(journal::CalledFrom{number});
}

}  // namespace compass::capture
