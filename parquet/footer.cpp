#include "parquet/footer.hpp"

#include "parquet/compact_protocol.hpp"
#include "parquet/format.hpp"

#include <utility>

namespace tracefold::parquet {

namespace {

using Wire = CompactProtocol::Wire;

constexpr auto nothing = [] {};

format::Number find_physical_type(Type type) {
  switch (type) {
    case Type::int32: return format::int32;
    case Type::float64: return format::float64;
    case Type::text: return format::byte_array;
    case Type::int64:
    case Type::uint64: break;
  }
  return format::int64;
}

// Some readers know only the converted type, and others only the logical one.
void put_column(CompactProtocol& out, const Column& column) {
  out.structure_element([&] {
    out.number(1, find_physical_type(column.type));
    out.number(3, column.is_optional ? 1 : 0);
    out.text(4, column.name);
    if (column.type == Type::text) {
      out.number(6, format::converted_utf8);
      out.structure(10, [&] { out.structure(1, nothing); });
    } else if (column.type == Type::uint64) {
      out.number(6, format::converted_uint64);
      out.structure(10, [&] {
        out.structure(10, [&] {
          out.byte(1, 64);
          out.flag(2, false);
        });
      });
    }
  });
}

void put_encodings(CompactProtocol& out, Encoding encoding) {
  switch (encoding) {
    case Encoding::dictionary:
      out.list(2, Wire::int32, 3);
      out.number_element(format::plain);
      out.number_element(format::runs);
      out.number_element(format::dictionary_indexes);
      return;
    case Encoding::differences:
    case Encoding::plain:
      out.list(2, Wire::int32, 2);
      out.number_element(format::runs);
      out.number_element(encoding == Encoding::plain ? format::plain : format::differences);
      return;
  }
}

// `at` is where the chunk begins in the file.
void put_chunk(CompactProtocol& out, const Column& column, const ColumnChunk& chunk,
               std::uint64_t at) {
  out.structure_element([&] {
    out.long_number(2, 0);
    out.structure(3, [&] {
      out.number(1, find_physical_type(column.type));
      put_encodings(out, column.encoding);
      out.list(3, Wire::binary, 1);
      out.text_element(column.name);
      out.number(4, column.encoding == Encoding::differences ? format::uncompressed : format::zstd);
      out.long_number(5, chunk.rows);
      out.long_number(6, chunk.unpacked_bytes);
      out.long_number(7, chunk.bytes);
      out.long_number(9, at + chunk.dictionary_bytes);
      if (chunk.dictionary_bytes > 0)
        out.long_number(11, at);
      out.structure(12, [&] {
        out.long_number(3, chunk.missing);
        if (chunk.bounds) {
          out.text(5, chunk.bounds->greatest);
          out.text(6, chunk.bounds->least);
        }
      });
    });
  });
}

}  // namespace

void Footer::add(const RowGroup& group) {
  groups_.push_back({group.rows, group.columns});
  rows_ += group.rows;
  end_ += group.count_bytes();
}

std::string Footer::make(const std::map<std::string, std::string>& metadata,
                         const std::string& writer) const {
  constexpr std::int32_t format_version = 2;
  CompactProtocol out;
  out.structure_element([&] {
    out.number(1, format_version);
    out.list(2, Wire::structure, columns_.size() + 1);
    out.structure_element([&] {
      out.text(4, "schema");
      out.number(5, static_cast<std::int32_t>(columns_.size()));
    });
    for (const auto& column : columns_)
      put_column(out, column);
    out.long_number(3, rows_);

    std::uint64_t at = magic.size();
    out.list(4, Wire::structure, groups_.size());
    for (const auto& group : groups_)
      out.structure_element([&] {
        const auto begin = at;
        std::uint64_t unpacked = 0;
        out.list(1, Wire::structure, columns_.size());
        for (std::size_t c = 0; c < columns_.size(); ++c) {
          put_chunk(out, columns_[c], group.columns[c], at);
          at += group.columns[c].bytes;
          unpacked += group.columns[c].unpacked_bytes;
        }
        out.long_number(2, unpacked);
        out.long_number(3, group.rows);
        if (!sorted_by_.empty()) {
          out.list(4, Wire::structure, sorted_by_.size());
          for (auto column : sorted_by_)
            out.structure_element([&] {
              out.number(1, static_cast<std::int32_t>(column));
              out.flag(2, false);
              out.flag(3, false);
            });
        }
        // The number of the group, field 7, has 16 bits, and is left out for that.
        out.long_number(5, begin);
        out.long_number(6, at - begin);
      });

    if (!metadata.empty()) {
      out.list(5, Wire::structure, metadata.size());
      for (const auto& [key, value] : metadata)
        out.structure_element([&] {
          out.text(1, key);
          out.text(2, value);
        });
    }
    out.text(6, writer);
    // All columns are ordered as their types are; without that readers use no bounds.
    out.list(7, Wire::structure, columns_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c)
      out.structure_element([&] { out.structure(1, nothing); });
  });

  auto bytes = std::move(out).take();
  const auto size = static_cast<std::uint32_t>(bytes.size());
  for (int shift = 0; shift < 32; shift += 8)
    bytes += static_cast<char>(size >> shift);
  bytes += magic;

  return bytes;
}

}  // namespace tracefold::parquet
