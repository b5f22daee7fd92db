// SPDX-License-Identifier: MIT
#include <utility>

#include "capture/contents/host_file.h"
#include "capture/hooks/observe.h"
#include "ir/hip/module_abi.h"

/// Code that the program loads itself, and the functions in it. A library is a module by another
/// name.
namespace compass::capture {
namespace {

void remember_file(Recorder& recorder, std::uint64_t module, const char* path) {
  Bytes bytes;
  if (!read_file(path, bytes)) return recorder.lose(concat("a module: cannot read ", path));
  recorder.add_module(module, std::move(bytes));
}

template <class Handle>
auto loaded_file(const Handle* module, const char* path) {
  return [=](Recorder& recorder) { remember_file(recorder, number_of(*module), path); };
}

template <class Handle>
auto loaded(const Handle* module, const void* image) {
  return [=](Recorder& recorder) {
    recorder.add_module(number_of(*module), static_cast<const std::byte*>(image));
  };
}

auto got_function(const hip::Function* function, const void* module, const char* name) {
  return [=](Recorder& recorder) {
    recorder.add_function({number_of(module), number_of(*function), name});
  };
}

template <auto Hook, class Handle>
int observe_unload(Handle module) {
  return observe_around<Hook>(
      [module](Recorder& recorder) { return recorder.end_module(number_of(module)); },
      [](Recorder& recorder, int result, Recorder::EndedModule& ended) {
        if (result != hip::kSuccess) recorder.keep_module(std::move(ended), result);
      },
      module);
}

}  // namespace
}  // namespace compass::capture

using namespace compass::capture;  // NOLINT: the hooks are HIP's names, in no namespace
using compass::hip::Function;
using compass::hip::Library;
using compass::hip::Module;

int hipModuleLoad(Module* module, const char* path) {
  return observe<&::hipModuleLoad>(loaded_file(module, path), module, path);
}

int hipModuleLoadData(Module* module, const void* image) {
  return observe<&::hipModuleLoadData>(loaded(module, image), module, image);
}

int hipModuleLoadDataEx(Module* module, const void* image, unsigned option_count, void* options,
                        void** option_values) {
  return observe<&::hipModuleLoadDataEx>(loaded(module, image), module, image, option_count,
                                         options, option_values);
}

int hipModuleLoadFatBinary(Module* module, const void* fat_binary) {
  return observe<&::hipModuleLoadFatBinary>(loaded(module, fat_binary), module, fat_binary);
}

int hipModuleUnload(Module module) { return observe_unload<&::hipModuleUnload>(module); }

int hipModuleGetFunction(Function* function, Module module, const char* name) {
  return observe<&::hipModuleGetFunction>(got_function(function, module, name), function, module,
                                          name);
}

int hipGetFuncBySymbol(Function* function, const void* symbol) {
  return observe<&::hipGetFuncBySymbol>(
      [=](Recorder& recorder) {
        recorder.add_function_of(number_of(symbol), number_of(*function));
      },
      function, symbol);
}

int hipModuleGetGlobal(void** pointer, std::size_t* size_bytes, Module module, const char* name) {
  // Either result may be left out.
  void* found = nullptr;
  std::size_t found_bytes = 0;
  const int result = observe<&::hipModuleGetGlobal>(
      [&](Recorder& recorder) {
        recorder.note_global({number_of(module), name, number_of(found), found_bytes});
      },
      &found, &found_bytes, module, name);
  if (result != compass::hip::kSuccess) return result;
  if (pointer != nullptr) *pointer = found;
  if (size_bytes != nullptr) *size_bytes = found_bytes;
  return result;
}

int hipLibraryLoadData(Library* library, const void* image, void** options, void** option_values,
                       unsigned option_count, void** library_options, void** library_option_values,
                       unsigned library_option_count) {
  return observe<&::hipLibraryLoadData>(loaded(library, image), library, image, options,
                                        option_values, option_count, library_options,
                                        library_option_values, library_option_count);
}

int hipLibraryLoadFromFile(Library* library, const char* path, void** options, void** option_values,
                           unsigned option_count, void** library_options,
                           void** library_option_values, unsigned library_option_count) {
  return observe<&::hipLibraryLoadFromFile>(loaded_file(library, path), library, path, options,
                                            option_values, option_count, library_options,
                                            library_option_values, library_option_count);
}

int hipLibraryUnload(Library library) { return observe_unload<&::hipLibraryUnload>(library); }

int hipLibraryGetKernel(Function* kernel, Library library, const char* name) {
  return observe<&::hipLibraryGetKernel>(got_function(kernel, library, name), kernel, library,
                                         name);
}
