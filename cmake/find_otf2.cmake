# OTF2 as the target PkgConfig::OTF2: by pkg-config, or, since OTF2 built from its sources installs
# no file for that, by its own otf2-config.

pkg_check_modules(OTF2 IMPORTED_TARGET otf2)
if(NOT OTF2_FOUND)
  find_program(OTF2_CONFIG otf2-config)
  if(NOT OTF2_CONFIG)
    message(FATAL_ERROR "OTF2 is missing: neither pkg-config nor otf2-config knows it")
  endif()
  message(STATUS "OTF2 is what ${OTF2_CONFIG} says")
  function(tracefold_ask_otf2 option out)
    execute_process(COMMAND ${OTF2_CONFIG} ${option} OUTPUT_VARIABLE words OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    separate_arguments(words UNIX_COMMAND "${words}")
    set(${out} ${words} PARENT_SCOPE)
  endfunction()
  tracefold_ask_otf2(--cflags OTF2_CFLAGS)
  tracefold_ask_otf2(--ldflags OTF2_LDFLAGS)
  tracefold_ask_otf2(--libs OTF2_LIBS)

  # By its path, which is also where programs look for it when they run.
  set(folders ${OTF2_LDFLAGS} ${OTF2_LIBS})
  list(FILTER folders INCLUDE REGEX "^-L")
  list(TRANSFORM folders REPLACE "^-L" "")
  find_library(OTF2_LIBRARY otf2 HINTS ${folders} REQUIRED)
  list(TRANSFORM OTF2_LIBS REPLACE "^-lotf2$" "${OTF2_LIBRARY}")
  set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON)

  add_library(PkgConfig::OTF2 INTERFACE IMPORTED)
  target_compile_options(PkgConfig::OTF2 INTERFACE ${OTF2_CFLAGS})
  target_link_options(PkgConfig::OTF2 INTERFACE ${OTF2_LDFLAGS})
  target_link_libraries(PkgConfig::OTF2 INTERFACE ${OTF2_LIBS})
endif()
