// SPDX-License-Identifier: MIT
#include "driverless/decode/decoder.h"

#include <set>

#include "driverless/decode/protocol.h"

namespace compass::decode {
namespace {

constexpr std::uint32_t kBatch = 64;
constexpr std::uint32_t kMaxTextBytes = 4096;
constexpr std::uint32_t kMaxInstructionBytes = 64;
/// How often bytes must end the helper before they are to blame: it may have been killed.
constexpr int kAttempts = 2;
/// Each costs the start of a process.
constexpr int kMostCrashes = 16;

bool is_sound(const Reply& reply) {
  if (reply.kind != Reply::Kind::kInstruction) return reply.text_bytes == 0;
  return reply.text_bytes <= kMaxTextBytes && reply.size_bytes != 0 &&
         reply.size_bytes <= kMaxInstructionBytes;
}

}  // namespace

/// The control flow from one entry, as far as it has been followed.
struct Decoder::Walk {
  ByteView code;
  Listing listing;
  std::set<std::uint64_t> seen;     // starts of paths
  std::vector<std::uint64_t> open;  // those still to follow
  int crashes = 0;

  void reach(std::uint64_t pc) {
    if (seen.insert(pc).second) open.push_back(pc);
  }
  bool knows(std::uint64_t pc) const {
    return listing.instructions.contains(pc) || listing.undecodable.contains(pc);
  }
  void refuse(std::uint64_t pc, std::string cause) {
    listing.undecodable[pc] = {pc, std::move(cause)};
  }
  // False if the path cannot go on behind it.
  bool keep(std::uint64_t pc, std::uint32_t size_bytes, std::string text) {
    if (listing.instructions.size() == kMostInstructions) {
      refuse(pc, concat("the kernel has more than ", kMostInstructions, " instructions"));
      return false;
    }
    auto parsed = parse_instruction(pc, size_bytes, std::move(text));
    if (!parsed) {
      refuse(pc, std::move(parsed).error().message);
      return false;
    }
    std::uint64_t target = 0;
    if (branch_target(*parsed, target)) reach(target);
    listing.instructions[pc] = *std::move(parsed);
    return true;
  }
};

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

bool Decoder::send_code(ByteView code) {
  const Request request{RequestKind::kCode, static_cast<std::uint32_t>(code.size()), 0};
  const bool sent =
      helper_.send(&request, sizeof request) && helper_.send(code.data(), code.size());
  sent_code_ = sent ? code.data() : nullptr;
  if (!sent) helper_.stop();
  return sent;
}

Result<void> Decoder::start(ByteView code) {
  if (helper_.running() && sent_code_ == code.data()) return {};
  // One that was left idle may have been ended since.
  if (helper_.running() && send_code(code)) return {};
  if (auto started = helper_.start(helper_path_, processor_); !started) {
    return std::move(started).error();
  }
  if (send_code(code)) return {};
  return Error{ErrorCode::kSystem, concat("the decoder '", helper_path_, "' ended at once")};
}

Result<Decoder::Answer> Decoder::request(Walk& walk, std::uint64_t& pc, std::uint32_t limit) {
  if (auto ready = start(walk.code); !ready) return std::move(ready).error();
  const Request request{RequestKind::kDecode, limit, pc};
  bool usable = helper_.send(&request, sizeof request);
  bool ends = false;
  for (std::uint32_t replies = 0; usable && replies <= limit; ++replies) {
    Reply reply{};
    usable = helper_.receive(&reply, sizeof reply) && is_sound(reply);
    if (!usable) break;
    if (reply.kind == Reply::Kind::kLimit) return ends ? Answer::kEnds : Answer::kGoesOn;
    if (reply.kind == Reply::Kind::kPathEnds) return Answer::kEnds;
    if (reply.kind == Reply::Kind::kUndecodable) {
      if (!ends) walk.refuse(pc, "no instruction");
      return Answer::kEnds;
    }
    std::string text(reply.text_bytes, '\0');
    usable = helper_.receive(text.data(), text.size());
    // What follows an instruction that is known already was decoded with it.
    ends = ends || walk.knows(pc);
    if (!usable || ends) continue;
    ends = !walk.keep(pc, reply.size_bytes, std::move(text));
    pc += reply.size_bytes;
  }
  helper_.stop();
  return ends ? Answer::kEnds : Answer::kHelperGone;
}

Result<void> Decoder::decode_path(Walk& walk, std::uint64_t pc) {
  std::uint32_t limit = kBatch;
  int attempts = 0;
  while (!walk.knows(pc)) {
    const std::uint64_t before = pc;
    ASSIGN_OR_RETURN(const Answer answer, request(walk, pc, limit));
    if (answer == Answer::kEnds) break;
    if (pc != before) attempts = 0;
    if (answer == Answer::kGoesOn) continue;
    // Somewhere from here on the bytes crash LLVM; one at a time, the culprit shows itself.
    if (limit == 1) ++attempts;
    limit = 1;
    if (++walk.crashes < kMostCrashes && attempts < kAttempts) continue;
    walk.refuse(pc, attempts >= kAttempts ? "the disassembler crashes on these bytes"
                                          : "the disassembler has crashed too often");
  }
  return {};
}

Result<Listing> Decoder::decode(ByteView code, std::uint64_t entry) {
  // The helper tells code apart by its address, which may have been reused since.
  sent_code_ = nullptr;
  Walk walk{.code = code};
  walk.reach(entry);
  while (!walk.open.empty()) {
    const std::uint64_t pc = walk.open.back();
    walk.open.pop_back();
    if (auto done = decode_path(walk, pc); !done) return std::move(done).error();
  }
  return std::move(walk.listing);
}

}  // namespace compass::decode
