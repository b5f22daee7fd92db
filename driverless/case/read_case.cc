// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <limits>
#include <system_error>

#include "driverless/case/case.h"
#include "driverless/case/json_fields.h"

namespace compass::kernel_case {
namespace {

constexpr const char* kFileName = "case.json";
constexpr std::uint64_t kLargestBuffer = std::uint64_t{1} << 40;

Bytes to_bytes(std::uint64_t bits, std::size_t size_bytes) {
  Bytes bytes(size_bytes);
  std::memcpy(bytes.data(), &bits, size_bytes);
  return bytes;
}

Result<const Dtype*> read_dtype(const Field& argument) {
  ASSIGN_OR_RETURN(const Field field, argument.member("dtype"));
  ASSIGN_OR_RETURN(const std::string name, field.text());
  const Dtype* dtype = find_dtype(name);
  return dtype != nullptr ? Result(dtype) : field.wrong(dtype_names());
}

/// The integers that a scalar of `dtype` may have.
Result<std::uint64_t> read_integer(const Field& field, const Dtype& dtype) {
  const unsigned width = dtype.size_bytes * 8u;
  const bool is_signed = dtype.kind == DtypeKind::kSigned;
  const std::uint64_t highest = ~std::uint64_t{0} >> (64 - width + (is_signed ? 1 : 0));
  const std::int64_t lowest = is_signed ? -static_cast<std::int64_t>(highest) - 1 : 0;
  const Json& json = field.json();
  if (json.is_number_unsigned() && json.get<std::uint64_t>() <= highest) {
    return json.get<std::uint64_t>();
  }
  const bool is_negative = json.is_number_integer() && !json.is_number_unsigned();
  if (is_negative && json.get<std::int64_t>() >= lowest) {
    return static_cast<std::uint64_t>(json.get<std::int64_t>());
  }
  return field.wrong(concat("an integer from ", lowest, " to ", highest));
}

Result<Bytes> read_scalar(const Field& argument, const Dtype& dtype) {
  ASSIGN_OR_RETURN(const Field field, argument.member("value"));
  if (dtype.kind != DtypeKind::kFloat) {
    ASSIGN_OR_RETURN(const std::uint64_t bits, read_integer(field, dtype));
    return to_bytes(bits, dtype.size_bytes);
  }
  if (dtype.size_bytes == 1) {
    ASSIGN_OR_RETURN(const Field type, argument.member("dtype"));
    return type.wrong("a scalar of 16 bits or more");
  }
  const Json& json = field.json();
  double value = 0;
  if (json.is_number()) {
    value = json.get<double>();
  } else if (json == "inf" || json == "-inf" || json == "nan") {
    value = std::strtod(json.get_ref<const std::string&>().c_str(), nullptr);
  } else {
    return field.wrong("a number, \"inf\", \"-inf\" or \"nan\"");
  }
  return to_bytes(narrow(dtype, value), dtype.size_bytes);
}

Result<std::vector<std::uint64_t>> read_shape(const Field& argument, const Dtype& dtype) {
  ASSIGN_OR_RETURN(const Field field, argument.member("shape"));
  if (!field.json().is_array()) return field.wrong("an array of sizes");
  std::vector<std::uint64_t> shape;
  std::uint64_t room = kLargestBuffer / dtype.size_bytes;
  for (std::size_t i = 0; i < field.json().size(); ++i) {
    ASSIGN_OR_RETURN(const std::uint64_t size, field.element(i).integer(0, room));
    shape.push_back(size);
    room /= std::max<std::uint64_t>(size, 1);
  }
  return shape;
}

/// The file that `argument` calls `member`; as many bytes as dtype and shape say.
Result<Bytes> read_content(const Field& argument, const char* member, const Argument& described,
                           const std::filesystem::path& folder) {
  ASSIGN_OR_RETURN(const Field field, argument.member(member));
  ASSIGN_OR_RETURN(const std::string name, field.text());
  auto bytes = read_file(folder / name);
  if (!bytes) return std::move(bytes).error().with(field.place());
  std::uint64_t expected = described.dtype->size_bytes;
  std::string shape;
  for (const std::uint64_t size : described.shape) {
    expected *= size;
    shape += concat(shape.empty() ? "" : " x ", size);
  }
  if (bytes->size() == expected) return std::move(*bytes);
  return Error{ErrorCode::kInvalid, concat(field.place(), ": expected ", expected, " bytes (",
                                           shape, " of ", described.dtype->name, "), ",
                                           (folder / name).native(), " holds ", bytes->size())};
}

Result<void> read_buffer(const Field& field, const std::filesystem::path& folder,
                         Argument& argument) {
  argument.is_buffer = true;
  ASSIGN_OR_RETURN(argument.shape, read_shape(field, *argument.dtype));
  ASSIGN_OR_RETURN(argument.input, read_content(field, "input", argument, folder));
  argument.has_expect = field.has("expect");
  if (argument.has_expect) {
    ASSIGN_OR_RETURN(argument.expect, read_content(field, "expect", argument, folder));
  }
  if (field.has("rtol")) {
    ASSIGN_OR_RETURN(const Field rtol, field.member("rtol"));
    ASSIGN_OR_RETURN(argument.rtol, rtol.tolerance());
  }
  if (field.has("atol")) {
    ASSIGN_OR_RETURN(const Field atol, field.member("atol"));
    ASSIGN_OR_RETURN(argument.atol, atol.tolerance());
  }
  return {};
}

Result<Argument> read_argument(const Field& field, const std::filesystem::path& folder) {
  Argument argument;
  ASSIGN_OR_RETURN(const Field name, field.member("name"));
  ASSIGN_OR_RETURN(argument.name, name.text());
  ASSIGN_OR_RETURN(const Field kind, field.member("kind"));
  if (kind.json() != "buffer" && kind.json() != "scalar") {
    return kind.wrong("\"buffer\" or \"scalar\"");
  }
  ASSIGN_OR_RETURN(argument.dtype, read_dtype(field));
  if (kind.json() == "buffer") {
    if (auto done = read_buffer(field, folder, argument); !done) return std::move(done).error();
  } else {
    ASSIGN_OR_RETURN(argument.value, read_scalar(field, *argument.dtype));
  }
  return argument;
}

Result<Object> read_object(const Field& field, const std::string& architecture,
                           const std::filesystem::path& folder) {
  Object object;
  object.architecture = architecture;
  ASSIGN_OR_RETURN(const Field file, field.member("file"));
  ASSIGN_OR_RETURN(const std::string name, file.text());
  object.file = folder / name;
  auto elf = read_file(object.file);
  if (!elf) return std::move(elf).error().with(file.place());
  object.elf = std::move(*elf);
  ASSIGN_OR_RETURN(const Field block, field.member("block"));
  ASSIGN_OR_RETURN(object.workgroup_workitems, block.sizes());
  ASSIGN_OR_RETURN(const Field lds, field.member("shared_bytes"));
  ASSIGN_OR_RETURN(const std::uint64_t lds_bytes,
                   lds.integer(0, std::numeric_limits<std::uint32_t>::max()));
  object.dynamic_lds_bytes = static_cast<std::uint32_t>(lds_bytes);
  return object;
}

Result<void> read_arguments(const Field& root, Case& result, const std::filesystem::path& folder) {
  ASSIGN_OR_RETURN(const Field args, root.member("args"));
  if (!args.json().is_array()) return args.wrong("an array of arguments");
  for (std::size_t i = 0; i < args.json().size(); ++i) {
    const Field field = args.element(i);
    ASSIGN_OR_RETURN(Argument argument, read_argument(field, folder));
    const auto same = [&](const Argument& other) { return other.name == argument.name; };
    if (std::any_of(result.arguments.begin(), result.arguments.end(), same)) {
      ASSIGN_OR_RETURN(const Field name, field.member("name"));
      return name.wrong("a name of its own");
    }
    result.arguments.push_back(std::move(argument));
  }
  return {};
}

Result<void> read_objects(const Field& root, Case& result, const std::filesystem::path& folder) {
  ASSIGN_OR_RETURN(const Field objects, root.member("objects"));
  if (!objects.json().is_object() || objects.json().empty()) {
    return objects.wrong("a code object for at least one architecture");
  }
  for (const auto& [architecture, unused] : objects.json().items()) {
    ASSIGN_OR_RETURN(const Field field, objects.member(architecture.c_str()));
    ASSIGN_OR_RETURN(Object object, read_object(field, architecture, folder));
    result.objects.push_back(std::move(object));
  }
  return {};
}

Result<Case> read_fields(const Field& root, const std::filesystem::path& folder) {
  Case result;
  ASSIGN_OR_RETURN(const Field kernel, root.member("kernel"));
  ASSIGN_OR_RETURN(result.kernel, kernel.text());
  ASSIGN_OR_RETURN(const Field grid, root.member("grid"));
  ASSIGN_OR_RETURN(result.grid_workgroups, grid.sizes());
  if (auto done = read_arguments(root, result, folder); !done) return std::move(done).error();
  if (auto done = read_objects(root, result, folder); !done) return std::move(done).error();
  return result;
}

bool has_case(const std::filesystem::path& folder) {
  std::error_code failed;
  return std::filesystem::exists(folder / kFileName, failed);
}

}  // namespace

Result<Case> read_case(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kFileName;
  ASSIGN_OR_RETURN(const Json json, read_json(file));
  auto read = read_fields(Field(json, ""), folder);
  if (!read) return std::move(read).error().with(file.native());
  read->file = file;
  const std::filesystem::path normal = std::filesystem::absolute(folder).lexically_normal();
  read->name = normal.has_filename() ? normal.filename() : normal.parent_path().filename();
  return read;
}

Result<std::vector<std::filesystem::path>> find_cases(const std::filesystem::path& folder) {
  std::error_code failed;
  if (!std::filesystem::exists(folder, failed)) {
    return Error{ErrorCode::kNotFound, concat(folder.native(), " does not exist")};
  }
  if (!std::filesystem::is_directory(folder, failed)) {
    return Error{ErrorCode::kInvalid, concat(folder.native(), ": expected a folder, found a file")};
  }
  if (has_case(folder)) return std::vector{folder};
  std::vector<std::filesystem::path> found;
  for (const auto& entry : std::filesystem::directory_iterator(folder, failed)) {
    if (has_case(entry.path())) found.push_back(entry.path());
  }
  if (failed) {
    return Error{ErrorCode::kSystem,
                 concat(folder.native(), " cannot be read: ", failed.message())};
  }
  if (found.empty()) {
    return Error{ErrorCode::kNotFound, concat(folder.native(), ": expected ", kFileName,
                                              " in it or in a folder of it, found none")};
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace compass::kernel_case
