// SPDX-License-Identifier: MIT
#include "driverless/decode/decoder.h"

#include <set>

#include "driverless/decode/protocol.h"

namespace compass::decode {
namespace {

constexpr std::uint32_t kBatch = 64;
constexpr std::uint32_t kMaxTextBytes = 4096;

// True if the instruction was kept, false if it is undecodable.
bool keep(Listing& listing, std::uint64_t pc, std::uint32_t size_bytes, std::string text) {
  auto parsed = parse_instruction(pc, size_bytes, std::move(text));
  if (!parsed) {
    listing.undecodable[pc] = {pc, std::move(parsed).error().message};
    return false;
  }
  listing.instructions[pc] = *std::move(parsed);
  return true;
}

}  // namespace

Listing relative_to(const Listing& listing, std::uint64_t start) {
  Listing result;
  for (auto [pc, instruction] : listing.instructions) {
    instruction.pc -= start;
    result.instructions.emplace(pc - start, std::move(instruction));
  }
  for (auto [pc, bad] : listing.undecodable) {
    bad.pc -= start;
    result.undecodable.emplace(pc - start, std::move(bad));
  }
  return result;
}

Result<void> Decoder::start(ByteView code) {
  if (helper_.running() && sent_code_ == code.data()) return {};
  if (!helper_.running()) {
    if (auto started = helper_.start(helper_path_, processor_); !started) {
      return std::move(started).error();
    }
  }
  const Request request{RequestKind::kCode, static_cast<std::uint32_t>(code.size()), 0};
  if (!helper_.send(&request, sizeof request) || !helper_.send(code.data(), code.size())) {
    helper_.stop();
    return Error{ErrorCode::kSystem, concat("the decoder '", helper_path_, "' ended at once")};
  }
  sent_code_ = code.data();
  return {};
}

Result<bool> Decoder::request(ByteView code, std::uint64_t& pc, std::uint32_t limit,
                              Listing& listing) {
  if (auto ready = start(code); !ready) return std::move(ready).error();
  const Request request{RequestKind::kDecode, limit, pc};
  bool usable = helper_.send(&request, sizeof request);
  bool known = false;
  while (usable) {
    Reply reply{};
    usable = helper_.receive(&reply, sizeof reply) && reply.text_bytes <= kMaxTextBytes;
    if (!usable) break;
    if (reply.kind == Reply::Kind::kLimit) return !known;
    if (reply.kind == Reply::Kind::kPathEnds) return false;
    if (reply.kind == Reply::Kind::kUndecodable) {
      if (!known) listing.undecodable[pc] = {pc, "no instruction"};
      return false;
    }
    std::string text(reply.text_bytes, '\0');
    usable = helper_.receive(text.data(), text.size());
    // What follows an instruction that is known already was decoded with it.
    known = known || listing.instructions.contains(pc);
    if (!usable || known) continue;
    if (!keep(listing, pc, reply.size_bytes, std::move(text))) known = true;
    pc += reply.size_bytes;
  }
  helper_.stop();
  if (known) return false;
  // Somewhere from here on the bytes crash LLVM; alone, the culprit shows itself.
  if (limit > 1) return true;
  listing.undecodable[pc] = {pc, "the disassembler crashes on these bytes"};
  return false;
}

Result<void> Decoder::decode_path(ByteView code, std::uint64_t pc, Listing& listing) {
  std::uint32_t limit = kBatch;
  while (!listing.instructions.contains(pc) && !listing.undecodable.contains(pc)) {
    ASSIGN_OR_RETURN(const bool goes_on, request(code, pc, limit, listing));
    if (!goes_on) break;
    if (!helper_.running()) limit = 1;
  }
  return {};
}

Result<Listing> Decoder::decode(ByteView code, std::uint64_t entry) {
  // The helper tells code apart by its address, which may have been reused since.
  sent_code_ = nullptr;
  Listing listing;
  std::set<std::uint64_t> seen{entry};
  std::vector<std::uint64_t> open{entry};
  std::uint64_t scanned = 0;
  while (!open.empty()) {
    const std::uint64_t pc = open.back();
    open.pop_back();
    if (auto done = decode_path(code, pc, listing); !done) return std::move(done).error();
    if (listing.instructions.size() == scanned) continue;
    scanned = listing.instructions.size();
    for (const auto& [at, instruction] : listing.instructions) {
      std::uint64_t target = 0;
      if (branch_target(instruction, target) && seen.insert(target).second) open.push_back(target);
    }
  }
  return listing;
}

}  // namespace compass::decode
