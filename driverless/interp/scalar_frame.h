// SPDX-License-Identifier: MIT
#pragma once

#include "driverless/interp/signature.h"

/// Scalar operations: once per wavefront, EXEC ignored.
namespace compass::interp {

/// The words of a scalar source.
inline std::uint32_t scalar_word(const Wavefront& wave, const Source& source, unsigned n) {
  switch (source.kind) {
    case SourceKind::kSgpr:
      return wave.sgpr[source.index + n];
    case SourceKind::kSgprZext:
      return n == 0 ? wave.sgpr[source.index] : 0;
    case SourceKind::kScc:
      return wave.scc ? 1 : 0;
    case SourceKind::kMode:
      return wave.mode;
    case SourceKind::kPc:
      return static_cast<std::uint32_t>(wave.pc >> (32 * n));
    default:
      return n < 2 ? static_cast<std::uint32_t>(source.constant >> (32 * n)) : 0;
  }
}

template <class V>
V read_scalar(const Wavefront& wave, const Source& source) {
  constexpr unsigned kCount = ValueRows<V>::kCount;
  std::uint32_t words[kCount == 0 ? 1 : kCount];
  const std::uint32_t* rows[kCount == 0 ? 1 : kCount];
  for (unsigned n = 0; n < kCount; ++n) {
    words[n] = scalar_word(wave, source, n);
    rows[n] = &words[n];
  }
  return ValueRows<V>::read(rows, 0);
}

/// What S_SETREG may put into MODE: what frames know, and IEEE rules always.
inline constexpr std::uint32_t kKnownModeBits = 0xFF | kModeDx10Clamp | kModeIeee | kModeFp16Ovfl;

inline void write_mode(Wavefront& wave, std::uint32_t mode) {
  if ((mode & ~kKnownModeBits) != 0 || (mode & kModeIeee) == 0) {
    wave.status = WaveStatus::kStopped;
  } else {
    wave.mode = mode;
  }
}

template <class V>
void write_scalar(Wavefront& wave, const Destination& to, const V& value) {
  if constexpr (ValueRows<V>::kClass == ValueClass::kBit) {
    wave.scc = value.rep;
  } else if (to.kind == ResultKind::kMode) {
    write_mode(wave, ValueRows<V>::word(value, 0));
  } else if (to.kind == ResultKind::kPc) {
    wave.pc = ValueRows<V>::word(value, 0);
  } else {
    for (unsigned n = 0; n < ValueRows<V>::kCount; ++n) {
      wave.sgpr[to.index + n] = ValueRows<V>::word(value, n);
    }
  }
}

/// Calls `function` with `leading` and the sources, and writes what it returns.
template <class S, isa::Places Results, class F, class... Leading>
void apply_scalar(Wavefront& wave, const Op& op, F function, Leading&... leading) {
  const auto sources = [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::tuple(
        read_scalar<std::tuple_element_t<I, typename S::Arguments>>(wave, op.sources[I])...);
  }
  (std::make_index_sequence<S::kArguments>());
  const auto call = [&](const auto&... source) { return function(leading..., source...); };
  if constexpr (Results.count == 0) {
    std::apply(call, sources);
  } else {
    const auto values = results_of<Results.count>(std::apply(call, sources));
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (write_scalar(wave, op.results[I], std::get<I>(values)), ...);
    }
    (std::make_index_sequence<Results.count>());
  }
}

template <auto Meaning, isa::Places Results, isa::Places Sources>
struct ScalarFrame {
  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op& op) {
    constexpr auto kFunction = Meaning.template operator()<isa::Concrete<Level>>();
    apply_scalar<Signature<std::remove_const_t<decltype(kFunction)>>, Results>(wave, op, kFunction);
  }
};

/// Program control: the meaning's effects reach the wavefront's progress.
template <auto Meaning>
struct ProgressFrame {
  template <isa::HostLevel Level>
  static void run(Wavefront& wave, const Op&) {
    Meaning.template operator()<isa::Concrete<Level>>()(wave);
  }
};

}  // namespace compass::interp
