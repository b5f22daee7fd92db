// SPDX-License-Identifier: MIT
// What the recorder does with code and with launches of it.
#include <cstring>
#include <span>
#include <utility>

#include "capture/recorder_lock.h"
#include "ir/code_object/fat_binary.h"

namespace compass::capture {

void Recorder::add_fat_binary(std::uint64_t handle, const std::byte* start) {
  const Lock lock(*this);
  if (!lock) return;
  const auto fat_binary = registrations_.add(handle, start);
  if (!fat_binary) return note_loss(concat("a fat binary: ", fat_binary.error().message));
  if (state_ == State::kRecording) write_fat_binary(**fat_binary);
}

void Recorder::add_module(std::uint64_t handle, const std::byte* image) {
  const Result<std::uint64_t> size_bytes = fat_binary_size(image);
  if (!size_bytes) return lose(concat("a module: ", size_bytes.error().message));
  add_module(handle, Bytes(image, image + *size_bytes));
}

void Recorder::add_module(std::uint64_t handle, Bytes file) {
  const Lock lock(*this);
  if (!lock || !recording()) return;
  write_fat_binary(registrations_.add_owned(handle, std::move(file)));
}

void Recorder::add_function(Registrations::Function function) {
  const Lock lock(*this);
  if (!lock || !registrations_.add_function(function)) return;
  if (state_ != State::kRecording) return;
  write(journal::Function{function.fat_binary, function.host_function, std::move(function.kernel)});
}

void Recorder::add_function_of(std::uint64_t known_function, std::uint64_t function) {
  std::optional<Registrations::Function> same;
  if (const Lock lock(*this); lock) same = registrations_.find_function(known_function);
  if (!same) return;
  same->host_function = function;
  add_function(std::move(*same));
}

void Recorder::add_variable(Registrations::Variable variable) {
  const Lock lock(*this);
  if (lock) registrations_.add_variable(std::move(variable));
}

std::optional<Registrations::Variable> Recorder::find_variable(std::uint64_t host_variable) {
  const Lock lock(*this);
  if (!lock) return std::nullopt;
  return registrations_.find_variable(host_variable);
}

void Recorder::note_global(journal::Global global) {
  const Lock lock(*this);
  if (!lock || !recording() || !globals_.emplace(global.address, global.fat_binary).second) return;
  write(std::move(global));
}

void Recorder::forget_globals(std::uint64_t fat_binary) {
  std::erase_if(globals_, [fat_binary](const auto& each) { return each.second == fat_binary; });
}

void Recorder::remove_fat_binary(std::uint64_t handle) {
  const Lock lock(*this);
  if (!lock || !registrations_.remove(handle)) return;
  forget_globals(handle);
  if (state_ == State::kRecording) write(journal::UnloadFatBinary{handle});
}

Recorder::EndedModule Recorder::end_module(std::uint64_t handle) {
  const Lock lock(*this);
  if (!lock || !recording()) return {};
  EndedModule ended{0, registrations_.remove(handle)};
  if (!ended.module) return ended;
  forget_globals(handle);
  ended.entry = write(journal::UnloadFatBinary{handle});
  return ended;
}

void Recorder::keep_module(EndedModule ended, int status) {
  const Lock lock(*this);
  if (!lock || !recording() || !ended.module) return;
  registrations_.put_back(std::move(*ended.module));
  write(journal::Failed{ended.entry, status});
}

Recorder::AppendedLaunch Recorder::append_launch(const LaunchCall& call) {
  const std::uint64_t capture = capture_for(call.stream, call.work);
  if (capture == kNoCapture && keeps_inputs()) keep_inputs_of(call);
  const std::uint32_t call_site = call_sites_.current();
  const Lock lock(*this);
  if (!lock || !recording()) return {};
  const Result<const KernargLayout*> layout =
      registrations_.layout(call.host_function, architecture_);
  const auto refused = [](const Error& error) {
    return AppendedLaunch{0, concat("a launch was not recorded: ", error.message)};
  };
  if (!layout) return refused(layout.error());
  write_call_site(call_site);
  const Result<std::uint64_t> entry = write_launch(call, **layout, capture);
  if (capture == kNoCapture) order_launch(call.stream);
  if (capture != kNoCapture && entry && keeps_inputs()) {
    const ByteView kernarg = ByteView(launch_).last((*layout)->size_bytes);
    executables_.add_reads(*entry, host_memory_in(kernarg));
  }
  return entry ? AppendedLaunch{*entry, {}} : refused(entry.error());
}

Result<void> Recorder::pack(const LaunchCall& call, const KernargLayout& layout,
                            std::span<std::byte> kernarg) {
  const bool is_block = call.arguments == nullptr && !call.packed.empty();
  return is_block ? take_kernarg(layout, call.packed, kernarg)
                  : pack_kernarg(layout, call.arguments, kernarg);
}

/// In full the first time; then only as the same as before.
Result<std::uint64_t> Recorder::write_launch(const LaunchCall& call, const KernargLayout& layout,
                                             std::uint64_t capture) {
  const std::uint64_t head[] = {
      call.host_function,
      call.stream,
      call.grid_workgroups[0] | std::uint64_t{call.grid_workgroups[1]} << 32,
      call.grid_workgroups[2] | std::uint64_t{call.workgroup_workitems[0]} << 32,
      call.workgroup_workitems[1] | std::uint64_t{call.workgroup_workitems[2]} << 32,
      call.dynamic_lds_bytes | std::uint64_t{call.is_cooperative} << 32};
  launch_.assign(sizeof head + layout.size_bytes, std::byte{0});
  std::memcpy(launch_.data(), head, sizeof head);
  const std::span<std::byte> kernarg = std::span(launch_).subspan(sizeof head);
  if (auto packed = pack(call, layout, kernarg); !packed) return std::move(packed).error();
  std::uint64_t& first = launches_.find(launch_);
  if (first != 0) return write(journal::SameLaunch{first}, capture);
  first = write(journal::Launch{call.host_function, call.stream, call.grid_workgroups,
                                call.workgroup_workitems, call.dynamic_lds_bytes,
                                Bytes(kernarg.begin(), kernarg.end()), call.is_cooperative},
                capture);
  return first;
}

void Recorder::write_fat_binary(const Registrations::FatBinary& fat_binary) {
  write(journal::FatBinary{fat_binary.handle, {fat_binary.bytes.begin(), fat_binary.bytes.end()}});
}

}  // namespace compass::capture
