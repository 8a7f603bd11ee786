# Puts the built parts of web/ into a source file: what the pages of reports are made of. They are
# committed, so that building needs nothing of what makes them.

function(tracefold_embed_page output folder)
  set(text "// Made by cmake/embed_page.cmake of the files in web/dist.\n")
  string(APPEND text "#include \"emitters/report/report_page.hpp\"\n\nnamespace tracefold {\n\nnamespace {\n\n")
  foreach(part script:report.js style:report.css notice:notice.txt)
    string(REPLACE ":" ";" part ${part})
    list(GET part 0 name)
    list(GET part 1 file)
    set(path ${folder}/${file})
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${path})
    file(READ ${path} content)
    if("${content}" MATCHES "<!--|</[sS][cC][rR][iI][pP][tT]|</[sS][tT][yY][lL][eE]")
      message(FATAL_ERROR "${path} would end its element in a page")
    endif()
    file(READ ${path} bytes HEX)
    string(REGEX REPLACE "(................................)" "\\1\n" bytes "${bytes}")
    string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${bytes}")
    string(APPEND text "constexpr unsigned char ${name}_bytes[] = {\n${bytes}0};\n\n")
  endforeach()
  string(APPEND text "template <std::size_t size>\n"
                     "std::string_view view(const unsigned char (&bytes)[size]) {\n"
                     "  return {reinterpret_cast<const char*>(bytes), size - 1};\n}\n\n"
                     "}  // namespace\n\n"
                     "const PageParts& get_page_parts() {\n"
                     "  static const PageParts parts{view(script_bytes), view(style_bytes), view(notice_bytes)};\n"
                     "  return parts;\n}\n\n}  // namespace tracefold\n")
  file(CONFIGURE OUTPUT ${output} CONTENT "${text}" @ONLY)
endfunction()
