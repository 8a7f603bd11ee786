// Writes structures in Thrift's compact protocol, as far as the metadata of Parquet needs it.
//
//   structure.number(1, 5)                field 1, an i32
//   structure.structure(8, [&] { … })     field 8, whose fields the function writes
//
// Fields of a structure are written in the order of their numbers. One thread.
//
// Source: Thrift's specification, "Thrift compact protocol encoding".
#pragma once

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace tracefold::parquet {

class CompactProtocol {
 public:
  enum class Wire : std::uint8_t {
    yes = 1,
    no = 2,
    byte = 3,
    int32 = 5,
    int64 = 6,
    binary = 8,
    list = 9,
    structure = 12
  };

  // Fields of a structure.
  void byte(int field, std::int8_t value) {
    begin_field(field, Wire::byte);
    bytes_ += static_cast<char>(value);
  }
  void number(int field, std::int32_t value) {
    begin_field(field, Wire::int32);
    put_signed(value);
  }
  void long_number(int field, std::uint64_t value) {
    begin_field(field, Wire::int64);
    put_signed(static_cast<std::int64_t>(value));
  }
  void flag(int field, bool value) { begin_field(field, value ? Wire::yes : Wire::no); }
  void text(int field, std::string_view value) {
    begin_field(field, Wire::binary);
    put_text(value);
  }
  template <class Fields>
  void structure(int field, Fields&& fields) {
    begin_field(field, Wire::structure);
    structure_element(fields);
  }
  // As many elements have to follow.
  void list(int field, Wire type, std::size_t size) {
    begin_field(field, Wire::list);
    const auto short_size = size < 15 ? size : 15;
    bytes_ += static_cast<char>(short_size << 4 | static_cast<unsigned>(type));
    if (size >= 15)
      put_unsigned(size);
  }

  // Elements of a list; a structure may also be the outermost one.
  void number_element(std::int32_t value) { put_signed(value); }
  void text_element(std::string_view value) { put_text(value); }
  template <class Fields>
  void structure_element(Fields&& fields) {
    const auto outer = std::exchange(last_field_, 0);
    fields();
    bytes_ += '\0';
    last_field_ = outer;
  }

  std::string take() && { return std::move(bytes_); }

 private:
  void begin_field(int field, Wire type) {
    assert(field > last_field_ && field - last_field_ <= 15);
    bytes_ += static_cast<char>((field - last_field_) << 4 | static_cast<int>(type));
    last_field_ = field;
  }
  void put_unsigned(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      bytes_ += static_cast<char>(value | 0x80);
    bytes_ += static_cast<char>(value);
  }
  void put_signed(std::int64_t value) {
    put_unsigned(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
  }
  void put_text(std::string_view text) {
    put_unsigned(text.size());
    bytes_ += text;
  }

  std::string bytes_;
  int last_field_ = 0;  // of the structure that is written now
};

}  // namespace tracefold::parquet
